import { resources } from '../../nodes/PaymentPlatform/resources';
import { InterfaceDocument } from '../../sandbox/contract/document';
import { document, heldAnswer } from '../described-answers';
import { exampleRequest } from '../example-request';
import { INVOICE_BODY, benchForEachTest, type Envelope } from './client';

describe('Checks against the interface description', () => {
  const bench = benchForEachTest();

  test('the gateway refuses an unknown field with rcode 100 and names the field', async () => {
    const { status, data } = await bench.http.post<Envelope>('/pg/tokenize', {
      merchant_id: bench.merchant_id,
      card_number: '4111111111111111',
      cardnumber: 'x',
    });
    expect([status, data.rcode]).toEqual([400, '100']);
    expect(data.rmsg).toContain('cardnumber');
  });

  test("the platform refuses an unknown or invalid field with code 2 and returns the field's path", async () => {
    const line_items = [{ quantity: '2', description: 'Hour', unit_cost: 50 }];
    const { status, data } = await bench.http.post<Envelope>('/platform/invoice', {
      ...INVOICE_BODY,
      line_items,
      color: 'red',
    });
    expect([status, data.code]).toEqual([400, 2]);
    expect(Object.keys(data.data as object).sort()).toEqual(['color', 'line_items[0].quantity']);
    expect(bench.sandbox.control.state().invoices).toEqual([]);
  });

  test.each([
    ['merchant_id as a number', { merchant_id: 100000000001 }, '100'],
    ['a card number with a wrong check digit', { card_number: '4111111111111119' }, '108'],
    ['a month that does not exist', { exp_date: '1330' }, '107'],
    ['a street without a postal code', { avs_address: '1 Oak Street' }, '106'],
    ['two payment sources', { tr_number: '021000021', dda_number: '123456789' }, '103'],
    ['echo_fields that are not JSON', { echo_fields: 'x' }, '100'],
    ['an unknown card_id', { card_id: 'a'.repeat(32) }, '405'],
  ])('the operation tokenize refuses %s', async (_what, fields, rcode) => {
    const body = { merchant_id: bench.merchant_id, card_number: '4111111111111111', exp_date: '1230', ...fields };
    expect((await bench.http.post<Envelope>('/pg/tokenize', body)).data.rcode).toBe(rcode);
    expect(bench.sandbox.control.state().tokens).toEqual([]);
  });

  test('an invalid body, an unknown URL and an unknown record are refused in each family’s format', async () => {
    const headers = { 'content-type': 'application/json' };
    const broken = await bench.http.post<Envelope>('/pg/tokenize', '{"merchant_id":', { headers });
    const url = await bench.http.get<Envelope>('/platform/nothing');
    const record = await bench.http.post<Envelope>('/platform/invoice/424242/send', {});
    expect([broken.status, broken.data.rcode]).toEqual([400, '100']);
    expect([url.status, url.data.code]).toEqual([404, 7]);
    expect([record.status, record.data.code]).toEqual([404, 7]);
  });

  // The panel tests cover the operations that the node uses (test/workflow/panel/panels.test.ts).
  test("every operation that the node doesn't use has a successful response that matches the description", async () => {
    bench.sandbox.control.reset(true);
    const sent = new Set(resources.flatMap(({ operations }) => operations.map(({ request }) => request.operationId)));
    for (const operation of document.operations.filter(({ operationId }) => !sent.has(operationId))) {
      const { operationId, method, path } = operation;
      const { path: names, query: params, body: data } = exampleRequest(operationId);
      const url = path.replace(/\{(\w+)\}/g, (_, name: string) => String(names[name]));
      const answer = await bench.http.request<unknown>({ method, url, params, ...(method !== 'GET' && { data }) });
      const held = heldAnswer(operation, answer.status, JSON.stringify(answer.data));
      expect({ operationId, ...held }).toEqual({ operationId, isSuccess: true, problems: [] });
    }
  });
});

test('the interface description marks the operations that an account without webhook management lacks', () => {
  const marked = new InterfaceDocument().operations.filter(({ managesWebhooks }) => managesWebhooks);
  const managed = new InterfaceDocument().operations.filter(
    ({ path, method }) => path.startsWith('/platform/webhook') && !(method === 'POST' && path === '/platform/webhook'),
  );
  expect(marked.map(({ operationId }) => operationId)).toEqual(managed.map(({ operationId }) => operationId));
  expect(marked).toHaveLength(8);
});
