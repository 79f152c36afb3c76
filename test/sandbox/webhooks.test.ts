import { clientFor } from './client';
import { BASIC, hooksForEachTest } from './receiver';

describe('Managing webhooks', () => {
  const hooks = hooksForEachTest();

  const invalid = (...fields: string[]) => ({ code: 2, fields });
  const refusal = async (method: string, path: string, data?: object) => {
    const answer = await hooks.call(method, path, data);
    return { code: answer.data.code, fields: Object.keys(answer.data.data as object) };
  };

  test('the security_key has 32 characters and is returned only at creation, and the password never', async () => {
    const { id, key } = await hooks.create(BASIC);
    expect(key).toHaveLength(32);
    const others = [
      await hooks.call('GET', `/${id}`),
      await hooks.call('GET', ''),
      await hooks.call('PUT', `/${id}`, {}),
    ];
    const controls = clientFor(hooks.bench.sandbox.controlUrl);
    await controls.post('/events', { event: 'invoice_paid' });
    await controls.post('/deliveries/settle');
    for (const path of ['/journal', '/state', '/deliveries']) others.push(await controls.get(path));
    const shown = JSON.stringify(others.map(({ data }) => data));
    expect(shown).toContain(hooks.url);
    expect([key, 'pass-1', 'security_key'].filter((secret) => shown.includes(secret))).toEqual([]);
    expect(hooks.control.webhookSecrets(id)).toMatchObject({ security_key: key, auth_settings: BASIC.auth_settings });
  });

  test('an address is returned unchanged even if its UUID resembles a card number, but a card number is masked', async () => {
    const uuid = 'c0ffee00-beef-4111-8222-123456780050';
    const { id } = await hooks.create({ notification_url: `http://127.0.0.1:9/webhook/${uuid}/in` });
    await hooks.create({ notification_url: 'http://127.0.0.1:9/webhook/4111-1111-1111-1111' });
    const shown = hooks.control.state().webhooks.map(({ notification_url }) => notification_url);
    expect(shown).toEqual([`http://127.0.0.1:9/webhook/${uuid}/in`, 'http://127.0.0.1:9/webhook/411111xxxxxx1111']);
    await hooks.call('POST', '', { notification_url: shown[0], label: 'Journal' });
    expect(hooks.control.journal()[0]?.body).toMatchObject({ notification_url: shown[0] });
    expect((await hooks.record(id)).notification_url).toBe(shown[0]);
  });

  test('a webhook is created ACTIVE for the key’s own merchant, without authentication, and can be read by ID', async () => {
    const { id } = await hooks.create({ email_address: ['ops@example.com'] });
    expect(await hooks.record(id)).toMatchObject({
      webhook_id: id,
      notification_url: hooks.url,
      webhook_node: Number(hooks.bench.merchant_id),
      label: 'Test',
      status: 'ACTIVE',
      auth_type: 'NONE',
      email_address: '["ops@example.com"]',
      db_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) as string,
    });
    expect((await hooks.call('GET', '/999999')).status).toBe(404);
    expect(await refusal('GET', '/abc')).toEqual(invalid('webhook_id'));
  });

  test('lists support filters, sorting, pages and a merchant ID', async () => {
    const { linkedMerchantId } = hooks.bench.sandbox.credentials.test;
    const a = await hooks.create({ label: 'A' });
    const b = await hooks.create({ label: 'B' });
    const linked = await hooks.create({ label: 'C', webhook_node: linkedMerchantId });
    const ids = async (query: string) => {
      const { data } = await hooks.call('GET', query);
      return (data.data as Array<{ webhook_id: number }>).map(({ webhook_id }) => webhook_id);
    };
    expect(await ids('')).toEqual([a.id, b.id, linked.id]);
    expect(await ids('?order_on=label&order_by=desc&count=2')).toEqual([linked.id, b.id]);
    expect(await ids('?order_on=label&order_by=desc&count=2&page=1')).toEqual([a.id]);
    expect(await ids('?filter=label,IS,B')).toEqual([b.id]);
    expect(await ids('?filter=label,IS_NOT,B&filter=status,IS,ACTIVE')).toEqual([a.id, linked.id]);
    expect(await ids(`?filter=webhook_node,IS,${linkedMerchantId}`)).toEqual([linked.id]);
    expect(await refusal('GET', `?merchant_id=${linkedMerchantId}`)).toEqual(invalid('merchant_id'));
    expect(await refusal('GET', '?count=0')).toEqual(invalid('count'));
    expect(await refusal('GET', '?order_by=up')).toEqual(invalid('order_by'));
    expect(await refusal('GET', '?color=red')).toEqual(invalid('color'));
  });

  test.each<[string, object, string]>([
    ['http elsewhere than on this machine', { notification_url: 'http://n8n.example.com/x' }, 'notification_url'],
    ['another scheme', { notification_url: 'ftp://127.0.0.1/x' }, 'notification_url'],
    ['a password in the URL', { notification_url: 'https://a:b@n8n.example.com/x' }, 'notification_url'],
    ['257 characters', { notification_url: `https://n8n.example.com/${'x'.repeat(233)}` }, 'notification_url'],
    ['a label of 65 characters', { label: 'x'.repeat(65) }, 'label'],
    ['an event that does not exist', { events: ['invoice_paid', 'nonsense'] }, 'events'],
    ['events that are no list', { events: 'invoice_paid' }, 'events'],
    ['BASIC without a password', { ...BASIC, auth_settings: { user_name: 'n8n' } }, 'auth_settings.user_password'],
    [
      'a user name of 129 characters',
      { ...BASIC, auth_settings: { user_name: 'x'.repeat(129) } },
      'auth_settings.user_name',
    ],
    ['an unknown field', { color: 'red' }, 'color'],
  ])('a webhook with %s is refused at creation and in an update', async (_what, fields, field) => {
    expect(await refusal('POST', '', { notification_url: hooks.url, label: 'Test', ...fields })).toEqual(
      invalid(field),
    );
    const { id } = await hooks.create();
    const before = await hooks.record(id);
    expect(await refusal('PUT', `/${id}`, fields)).toEqual(invalid(field));
    expect(await hooks.record(id)).toEqual(before);
  });

  test('a URL of 256 characters and a label of 64 are accepted', async () => {
    const notification_url = `https://n8n.example.com/${'x'.repeat(232)}`;
    const { id } = await hooks.create({ notification_url, label: 'x'.repeat(64) });
    expect(await hooks.record(id)).toMatchObject({ notification_url, label: 'x'.repeat(64) });
  });

  test('an update keeps omitted fields, replaces all events, and never changes the node', async () => {
    const { id } = await hooks.create({ ...BASIC, events: ['invoice_paid', 'dispute_update'] });
    expect((await hooks.call('PUT', `/${id}`, { events: ['dispute_update'] })).data).toMatchObject({
      code: 0,
      data: {},
    });
    expect(await hooks.record(id)).toMatchObject({ label: 'Test', auth_type: 'BASIC', events: ['dispute_update'] });
    expect(await refusal('PUT', `/${id}`, { webhook_node: '1' })).toEqual(invalid('webhook_node'));
  });

  test('disabling and enabling a webhook change the status and return empty data', async () => {
    const { id } = await hooks.create();
    expect((await hooks.call('PUT', `/${id}/disable`)).data).toEqual({ code: 0, message: 'Success', data: {} });
    expect(await hooks.record(id)).toMatchObject({ status: 'DISABLED' });
    expect((await hooks.call('PUT', `/${id}/enable`, {})).data).toEqual({ code: 0, message: 'Success', data: {} });
    expect(await hooks.record(id)).toMatchObject({ status: 'ACTIVE' });
  });

  test('events are added and removed individually, and repeating a change has no effect', async () => {
    const { id } = await hooks.create({ events: ['invoice_paid'] });
    for (let time = 0; time < 2; time += 1) await hooks.call('POST', `/${id}/event/dispute_update`);
    for (let time = 0; time < 2; time += 1) await hooks.call('DELETE', `/${id}/event/invoice_paid`);
    expect((await hooks.call('GET', `/${id}/event`)).data.data).toEqual({ events: ['dispute_update'] });
    expect(await refusal('POST', `/${id}/event/nonsense`)).toEqual(invalid('event'));
  });

  test('a webhook without events receives nothing', async () => {
    const { id } = await hooks.create({ events: ['invoice_paid'] });
    expect((await hooks.call('DELETE', `/${id}/event/invoice_paid`)).status).toBe(200);
    await hooks.fire('invoice_paid');
    expect(hooks.receiver.payloads()).toEqual([]);
  });

  test("a webhook can't be deleted", async () => {
    const { id } = await hooks.create();
    expect((await hooks.call('DELETE', `/${id}`)).status).toBe(404);
    expect(await hooks.record(id)).toMatchObject({ status: 'ACTIVE' });
  });

  test('an account without webhook management gets 404 for its paths, and can still create webhooks', async () => {
    const controls = clientFor(hooks.bench.sandbox.controlUrl);
    await controls.put('/webhooks/management', { available: false });
    const { id } = await hooks.create();
    const paths: Array<[string, string]> = [
      ['GET', ''],
      ['GET', `/${id}`],
      ['PUT', `/${id}`],
      ['PUT', `/${id}/enable`],
      ['PUT', `/${id}/disable`],
      ['GET', `/${id}/event`],
      ['POST', `/${id}/event/invoice_paid`],
      ['DELETE', `/${id}/event/invoice_paid`],
    ];
    const answers = await Promise.all(paths.map(async ([method, path]) => await hooks.call(method, path)));
    expect(answers.map(({ status, data }) => [status, data.code])).toEqual(paths.map(() => [404, 7]));
    await controls.put('/webhooks/management', { available: true });
    expect(await hooks.record(id)).toMatchObject({ status: 'ACTIVE' });
  });

  test('a webhook of the other environment, or without a token, is inaccessible', async () => {
    const { id } = await hooks.create();
    const { productionBaseUrl, credentials, baseUrl } = hooks.bench.sandbox;
    const production = clientFor(productionBaseUrl, `Basic ${credentials.production.token}`);
    expect((await production.get(`/platform/webhook/${id}`)).status).toBe(404);
    expect((await clientFor(baseUrl).put(`/platform/webhook/${id}/disable`)).status).toBe(401);
    expect(await hooks.record(id)).toMatchObject({ status: 'ACTIVE' });
  });

  test('faults, the rate limit and the journal apply to each webhook operation by name', async () => {
    const { id } = await hooks.create({ events: ['invoice_paid'] });
    hooks.control.clearJournal();
    hooks.control.addFault({ kind: 'reset_after_apply', operationId: 'disableWebhook' });
    await expect(hooks.call('PUT', `/${id}/disable`)).rejects.toThrow();
    hooks.control.addFault({ kind: 'status', status: 503, operationId: 'enableWebhook', calls: [1] });
    expect((await hooks.call('PUT', `/${id}/enable`)).status).toBe(503);
    expect(await hooks.record(id)).toMatchObject({ status: 'DISABLED' });
    await hooks.call('GET', '');
    await hooks.call('PUT', `/${id}`, { ...BASIC });
    await hooks.call('GET', `/${id}/event`);
    await hooks.call('POST', `/${id}/event/dispute_update`);
    await hooks.call('DELETE', `/${id}/event/dispute_update`);
    const journal = hooks.control.journal();
    expect(journal.map(({ operationId }) => operationId)).toEqual([
      'disableWebhook',
      'enableWebhook',
      'getWebhook',
      'getWebhooks',
      'updateWebhook',
      'getWebhookEvents',
      'addWebhookEvent',
      'deleteWebhookEvent',
    ]);
    expect(journal.map(({ applied }) => applied !== null)).toEqual([true, false, true, true, true, true, true, true]);
    expect(journal[0]).toMatchObject({ object: `webhook_id=${id}`, fault: 'reset_after_apply', status: null });
    expect(journal[4]?.body).toMatchObject({ auth_settings: { user_password: '[redacted]' } });
    hooks.control.setRateLimit(1);
    const statuses = await Promise.all([hooks.call('GET', ''), hooks.call('GET', '')]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 429]);
  });
});
