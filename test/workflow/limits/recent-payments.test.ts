import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { timeIsSimulated } from '../../simulated-time';
import { benchOf, charging, outcomes, refundBench, refunding, sandboxForFile, toErrors } from '../bench';
import type { RunInput } from '../harness';
import { toolOf } from '../tool/tool-harness';
import { authorized, idOf, payment, subscription } from '../writes';

timeIsSimulated();

const sandbox = sandboxForFile();
const { run, applied, lose } = benchOf(sandbox);
const { sales } = refundBench(sandbox);
const production = () => ({ ...credentialFor(sandbox), environment: 'production' });

/** Runs the node as a person does in the editor. */
const click = async (parameters: object, rows?: IDataObject[], more: Partial<RunInput> = {}) =>
  await run(parameters, rows, { credential: production(), ...more });
const later = (milliseconds: number) => void jest.advanceTimersByTime(milliseconds);

const ADVICE = 'To send it again, turn on the option "Allow Repeated Payments".';

test('a second click refuses the refund, names the first execution and the option, and sends no request', async () => {
  const rows = sales(1);
  await click(refunding({}), rows, { executionId: '4101' });
  later(3000);
  sandbox.control.clearJournal();
  const { error } = await click(refunding({}), rows);
  expect(error?.message).toBe(
    'The same refund of this sale was made 3 seconds ago in execution 4101, so the item was not sent',
  );
  expect(error?.description).toContain(ADVICE);
  expect(sandbox.control.journal()).toEqual([]);
});

test('a second click sends only the rows that the first click did not send', async () => {
  const rows = sales(3);
  await click(refunding({}), rows.slice(0, 2));
  const { items, errors } = await click(refunding({}), rows, toErrors);
  expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 2 }]);
  expect(outcomes({ items: errors })).toEqual(['doneBefore', 'doneBefore']);
  expect(applied('refund')).toBe(3);
});

const transaction = (operation: string, more: object): INodeParameters =>
  ({ ...more, resource: 'transaction', operation }) as INodeParameters;
const typed = { paymentMethod: 'card', card_number: '4111111111111111', exp_date: '12/35' };
const apiRequest = (path: string, more: object = {}) => {
  const card = { card_number: typed.card_number, exp_date: '1235' };
  const body = JSON.stringify({ merchant_id: sandbox.credentials.test.merchantId, ...card, ...more });
  return { resource: 'api', operation: 'request', method: 'POST', path, body };
};
const PAYMENTS: Record<string, () => Promise<INodeParameters> | INodeParameters> = {
  'charge for this customer': () => charging(),
  'authorization for this payment method': () => transaction('authorize', charging({}, typed)),
  'capture of this authorization': () => transaction('capture', { pg_id: idOf(authorized(sandbox)), amt_tran: 62 }),
  'void of this transaction': () => transaction('void', { pg_id: idOf(authorized(sandbox)) }),
  'payment for this payment method': () => transaction('force', charging({}, { ...typed, auth_code: 'T12345' })),
  'recharge of this transaction': () => transaction('recharge', { pg_id: idOf(authorized(sandbox)), amt_tran: 5 }),
  'payout to this payee': () => transaction('payout', { payee_id: '9001', amt_tran: 5 }),
  'credit for this customer': () => transaction('credit', charging()),
  'subscription for this customer': () => subscription(sandbox),
  'payment on this invoice': async () => await payment(sandbox),
  request: () => apiRequest('/pg/sale', { amt_tran: 25 }),
};

test.each(Object.entries(PAYMENTS))('a second click refuses the same %s', async (noun, parametersOf) => {
  const parameters = await parametersOf();
  expect((await click(parameters)).error).toBeUndefined();
  const { error } = await click(parameters);
  expect(error?.message).toMatch(new RegExp(`^The same ${noun} was made 1 second ago in execution \\d+, so the item`));
  expect(error?.description).toContain(ADVICE);
});

test('an invoice, a checkout link and a verified card are no payments', async () => {
  const { invoice_id } = await payment(sandbox);
  for (const parameters of [
    { resource: 'invoice', operation: 'copy', invoice_id },
    { resource: 'checkout', operation: 'create', amt_tran: 5 },
    { resource: 'card', operation: 'verify', ...typed },
    apiRequest('/pg/verify'),
  ])
    for (let time = 0; time < 2; time += 1) {
      const { error, items } = await click(parameters);
      expect([error, items[0]?.json.notice]).toEqual([undefined, undefined]);
    }
});

test('another amount or reference, the option, and ten minutes allow the payment', async () => {
  const order = (purchase_id: string, more: object = {}, options: object = {}) =>
    charging(options, { additionalFields: { purchase_id }, ...more });
  const sent = async (parameters: object) => (await click(parameters)).error?.message ?? 'sent';
  expect(await sent(order('A-1'))).toBe('sent');
  expect(await sent(order('A-2'))).toBe('sent');
  expect(await sent(order('A-1', { amt_tran: 24 }))).toBe('sent');
  expect(await sent(order('A-1', {}, { allowEqual: false }))).toMatch(/^The same charge for this customer was made/);
  expect(await sent(order('A-1', {}, { allowEqual: true }))).toBe('sent');
  later(9.5 * 60_000);
  expect(await sent(order('A-1'))).toMatch(/^The same charge for this customer was made 9 minutes ago/);
  later(60_000);
  expect(await sent(order('A-1'))).toBe('sent');
});

test('equal rows, loop iterations and a retry belong to one execution', async () => {
  const rows = [{}, {}, {}];
  expect((await click(charging(), rows)).error).toBeUndefined();
  expect((await click(charging({}, { amt_tran: 7 }), rows, { batchSize: 1 })).error).toBeUndefined();
  sandbox.control.addFault({ kind: 'status', status: 400, code: '051', operationId: 'sale', calls: [2] });
  const more = charging({ sending: { maxParallelRequests: 1 } }, { amt_tran: 8 });
  const failed = await click(more, rows);
  expect(failed.error).toBeDefined();
  const { items, error } = await click(more, rows, { retryOf: failed.run });
  expect([error, items.map(({ json }) => json.notice)]).toEqual([undefined, rows.map(() => undefined)]);
  expect(applied('sale')).toBe(9);
});

test.each(['test', 'trigger'])('in Test or after a trigger, the output has a notice (%s)', async (where) => {
  const rows = sales(1);
  const given = where === 'test' ? { credential: credentialFor(sandbox) } : { mode: 'trigger' as const };
  const first = await click(refunding({}), rows, { ...given, executionId: '4102' });
  expect(first.items[0]?.json).not.toHaveProperty('notice');
  later(60_000);
  const { items, error } = await click(refunding({}), rows, given);
  expect(error).toBeUndefined();
  const fields = Object.entries(items[0]?.json ?? {});
  expect(fields[0]?.[0]).toBe('what_happened');
  expect(fields[1]).toEqual(['notice', 'The same refund of this sale was made 1 minute ago in execution 4102.']);
  expect(applied('refund')).toBe(2);
});

test('a declined payment does not count', async () => {
  sandbox.control.addFault({ kind: 'status', status: 400, code: '051', operationId: 'sale', calls: [1] });
  expect((await click(charging())).error).toBeDefined();
  expect((await click(charging())).error).toBeUndefined();
});

test('a payment with an unknown outcome counts', async () => {
  lose('sale', 'before');
  await click(charging(), [{}], { executionId: '4103' });
  const { error } = await click(charging());
  expect(error?.message).toBe(
    'The same charge for this customer was sent 1 second ago in execution 4103, so the item was not sent',
  );
  expect(error?.description).toContain(`Check the outcome of that execution first. ${ADVICE}`);
  expect(applied('sale')).toBe(0);
});

test('a payment that a look-up found was made', async () => {
  lose('sale');
  expect((await click(charging(), [{}], { looksUp: true })).error).toBeUndefined();
  expect((await click(charging())).error?.message).toMatch(/^The same charge for this customer was made /);
});

test('a partial approval was made in part', async () => {
  await click(charging({}, { amt_tran: 0.1 }));
  const { error } = await click(charging({}, { amt_tran: 0.1 }));
  expect(error?.message).toMatch(/^The same charge for this customer was made in part 1 second ago/);
});

test('another API token or base URL of the account does not hide a payment', async () => {
  await click(charging());
  const { apiKey, ...account } = credentialFor(sandbox);
  const apiToken = Buffer.from(`${account.merchantId}:${apiKey}`).toString('base64');
  const token = { ...account, environment: 'production', authMethod: 'apiToken', apiToken };
  const local = { ...production(), baseUrl: sandbox.baseUrl.replace('127.0.0.1', 'localhost') };
  for (const credential of [token, local] as Array<RunInput['credential']>)
    expect((await click(charging(), [{}], { credential })).error?.message).toMatch(
      /^The same charge for this customer was made/,
    );
  expect(applied('sale')).toBe(1);
});

describe('a key of Once per Key whose outcome is unknown', () => {
  const again = async (options: object) =>
    await click(charging({ oncePerKey: 'A-1', ...options }), [{}], { looksUp: true });

  test('is sent again if a person resolves it as not applied', async () => {
    lose('sale', 'before');
    await again({ unknownOutcome: 'refuse' });
    const { error } = await again({ unknownOutcome: 'refuse' });
    const [code] = /\bkey-\w+/.exec(error?.description ?? '') ?? [];
    const resolve = { item: [{ code, finding: 'notApplied' }] };
    const { error: none, items } = await again({ unknownOutcome: 'resolve', resolve });
    expect([none, items[0]?.json.notice]).toEqual([undefined, undefined]);
    expect(applied('sale')).toBe(1);
  });

  test('is sent again by Send Again, but not if another payment was made', async () => {
    lose('sale', 'before');
    await again({ unknownOutcome: 'resend' });
    expect((await again({ unknownOutcome: 'resend' })).error).toBeUndefined();
    lose('sale', 'before');
    await again({ oncePerKey: 'A-2', unknownOutcome: 'resend', allowEqual: true });
    const { error } = await again({ oncePerKey: 'A-2', unknownOutcome: 'resend' });
    expect(error?.message).toMatch(/^The same charge for this customer was made/);
    expect(applied('sale')).toBe(1);
  });
});

test('two simultaneous clicks send one payment', async () => {
  const both = await Promise.all([click(charging()), click(charging())]);
  expect(both.filter(({ error }) => error !== undefined)).toHaveLength(1);
  expect(applied('sale')).toBe(1);
});

test('a preview shows the refusal and counts as no payment', async () => {
  const rows = sales(1);
  const preview = async () => (await click(refunding({ previewOnly: true }), rows)).items[0]?.json;
  expect(await preview()).toMatchObject({ decision: 'send' });
  expect((await click(refunding({}), rows)).error).toBeUndefined();
  const would = expect.stringMatching(/^Would send nothing\. The same refund of this sale was made/) as string;
  expect(await preview()).toMatchObject({ decision: 'refuse', what_would_happen: would });
});

test.each([{ oncePerKey: 'A-1' }, { ifExists: { then: 'return' } }])(
  'a second click with %j returns the record of the first click',
  async (options) => {
    const rows = sales(1);
    const first = await click(refunding(options), rows);
    const { error, items } = await click(refunding(options), rows);
    expect(error).toBeUndefined();
    expect(items[0]?.json.pg_id).toBe(first.items[0]?.json.pg_id);
    expect(items[0]?.json).not.toHaveProperty('notice');
    expect(applied('refund')).toBe(1);
  },
);

test('another node of the workflow can make the same payment', async () => {
  const { run: whole } = await click(charging(), [{}], { second: charging() });
  expect(whole.data.resultData.error).toBeUndefined();
  expect(applied('sale')).toBe(2);
});

test('a tool refuses the payment of an earlier chat in the editor', async () => {
  const guards = { limitPerItem: 50, limitPerExecution: 500, testEnvironmentOnly: false };
  const chat = async (more: object = {}) => {
    const parameters = { ...charging({}, guards), ...more } as INodeParameters;
    const { items } = await toolOf({ parameters, credential: production() }).call();
    return items[0] as IDataObject;
  };
  expect((await chat()).pg_id).toBeDefined();
  const { result } = await chat({ additionalFields: { purchase_id: 'A-2' } });
  expect(result).toMatch(
    /^DONE BEFORE\. The request was not sent again\. The same charge for this customer was made 1 second ago/,
  );
  expect(result).not.toContain('To send it again');
  expect((await chat({ allowEqual: true })).notice).toMatch(/^The same charge for this customer was made 1 second ago/);
});
