import { bodyOf, call, noted, openTriggerBench, webhookIdOf, type TriggerBench } from './bench';

let bench: TriggerBench;

beforeEach(async () => {
  bench = await openTriggerBench();
});

afterEach(async () => await bench.close());

const secretsOf = () => bench.sandbox.control.webhookSecrets(webhookIdOf(bench));

test('neither the security key nor the password is stored with the workflow, and a restarted n8n can verify deliveries', async () => {
  const { security_key, auth_settings } = secretsOf();
  for (const secret of [security_key, auth_settings?.user_name, auth_settings?.user_password])
    expect(bench.host.stored).not.toContain(secret);
  expect(bench.host.stored).toContain('sealedKey');
  await bench.host.restart();
  expect((await call(bench)).status).toBe(200);
});

test('encrypting the same secret twice gives different results', async () => {
  const before = bench.host.stored;
  await bench.host.deactivate();
  const other = await openTriggerBench();
  expect(before).not.toBe(other.host.stored);
  await other.close();
});

test('deliveries with either password are accepted if n8n was killed before it recorded a changed secret', async () => {
  const before = secretsOf().auth_settings;
  bench.host.credential = {
    ...bench.host.credential,
    apiKey: bench.sandbox.credentials.test.apiKey,
    authMethod: 'apiToken',
    apiToken: bench.sandbox.credentials.test.token,
  };
  bench.sandbox.control.addFault({
    kind: 'status',
    status: 500,
    path: '/platform/webhook/{webhook_id}',
    method: 'PUT',
    calls: [9],
  });
  await bench.host.activate({ killed: true });
  const after = secretsOf().auth_settings;
  expect(after?.user_password).not.toBe(before?.user_password);
  // The key is encrypted with the previous secret, so the node can't decrypt it.
  const { status, data } = await call(bench);
  expect([status, data.reason]).toEqual([503, expect.stringContaining('without the security key')]);
  await noted(bench);
  expect(bench.host.executions).toEqual([]);
  expect(bench.host.problems.join()).toContain('because the credential has changed');
  await bench.host.activate();
  const now = Object.values(bench.host.state.registrations as Record<string, { webhook_id: string; active: boolean }>);
  const webhookId = Number(now.find(({ active }) => active)?.webhook_id);
  expect((await call(bench, { webhookId, body: bodyOf(bench, { webhook_id: webhookId }) })).status).toBe(200);
});

test("forged calls don't make the next activation replace the webhook", async () => {
  bench.host.parameters = { events: ['*'], options: { verifyCredentials: false } };
  const webhookId = webhookIdOf(bench);
  const forged = { webhookId, event: 'invoice_paid', wrongSignature: true, withoutAuthorization: true };
  for (let forgery = 0; forgery < 5; forgery += 1)
    expect(await bench.sandbox.control.sendDelivery({ ...forged, data: { forgery } })).toBe(401);
  await bench.host.activate();
  expect(webhookIdOf(bench)).toBe(webhookId);
  expect(Object.keys(bench.host.state.registrations as object)).toHaveLength(1);
});

test('a new key in the credential takes effect immediately', async () => {
  const webhookId = webhookIdOf(bench);
  bench.sandbox.control.rotateSecret({ webhookId });
  expect((await call(bench)).status).toBe(401);
  bench.host.credential = { ...bench.host.credential, webhookSecretKeys: `old, ${secretsOf().security_key}` };
  expect((await call(bench)).status).toBe(200);
  await bench.host.activate();
  expect(webhookIdOf(bench)).toBe(webhookId);
});

test('one failed execution reports that deliveries are refused because of a changed key', async () => {
  bench.sandbox.control.rotateSecret({ webhookId: webhookIdOf(bench) });
  for (let round = 0; round < 5; round += 1) expect((await call(bench)).status).toBe(401);
  await noted(bench);
  expect(bench.host.problems).toEqual([expect.stringContaining('does not match the signatures of the service')]);
  expect(bench.host.executions).toEqual([]);
});
