import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { resources } from '../../../nodes/PaymentPlatform/resources';
import { DECLINE_CARD } from '../../../sandbox/core/cards';
import { credentialFor } from '../../credential';
import { timeIsSimulated } from '../../simulated-time';
import { benchOf, goOn, sandboxForFile } from '../bench';
import { toolOf } from '../tool/tool-harness';

timeIsSimulated();

const sandbox = sandboxForFile();
const { input, run, sent, applied, lose } = benchOf(sandbox, { parameters: { resource: 'transaction' } });

const byReference = (value = '={{ $json.order }}'): INodeParameters[string] =>
  ({ __rl: true, mode: 'reference', value }) as INodeParameters[string];
const refund = (more: object = {}): object => ({
  operation: 'refund',
  pg_id: byReference(),
  amt_tran: '={{ $json.amount ?? 4 }}',
  ...more,
});

/** Charges a card and returns the transaction's ID. */
async function charge(additionalFields: IDataObject, card = '4111111111111111', amt_tran = 10): Promise<string> {
  const { items } = await run(
    {
      ...{ operation: 'sale', paymentMethod: 'card', card_number: card, exp_date: '12/35', amt_tran },
      ...{ additionalFields, options: { ifExists: 'skip' } },
    },
    [{}],
    goOn,
  );
  const pgId = items[0]?.json.pg_id;
  return typeof pgId === 'string' ? pgId : '';
}

/** Another amount, because the service refuses an equal charge. */
const chargeAgain = async () => await charge({ purchase_id: 'A-1' }, undefined, 11);

/** n8n runs the node again only if the first run failed. */
const KNOWN: unknown = expect.stringMatching(/^An earlier attempt sent this item with an unknown outcome/);

const listed = (data: IDataObject[]) =>
  sandbox.control.addFault({
    ...{ kind: 'status', status: 200, operationId: 'getTransactionRequests', calls: 'all' },
    body: { code: 0, message: 'OK', data, totalRecords: data.length, totalPages: 1 },
  });
const PAID = { request_type: 'sale', purchase_id: 'A-1', rcode: '000', tran_status: 'C' };

const paths = (operationId: string) => sent(operationId).map(({ path }) => path.split('/').at(-1));

describe('a transaction by its reference', () => {
  test.each([
    ['purchase ID', { purchase_id: 'B-77' }],
    ['merchant reference number', { merch_ref_num: 'B-77' }],
  ])('the node finds a payment by its %s', async (_, fields) => {
    const id = await charge(fields);
    await charge({ purchase_id: 'B-777' });
    const { items, error } = await run(refund(), [{ order: ' B-77 ' }]);
    expect(error).toBeUndefined();
    expect(paths('refund')).toEqual([id]);
    expect(items[0]?.json.what_happened).toMatch(/^Refunded 4\.00/);
  });

  test('the node reads each reference once, before it sends the first write', async () => {
    const ids = [await charge({ purchase_id: 'A-1' }), await charge({ purchase_id: 'A-2' })];
    const before = sent('getTransactionRequests').length;
    const rows = [{ order: 'A-1' }, { order: 'A-2' }, { order: 'A-1', amount: 5 }];
    const { error } = await run(refund(), rows);
    expect(error).toBeUndefined();
    expect(paths('refund').toSorted()).toEqual([ids[0], ids[0], ids[1]].toSorted());
    expect(sent('getTransactionRequests').length - before).toBe(4);
  });

  test('the node refuses a reference of several payments and lists them', async () => {
    const ids = [await charge({ purchase_id: 'A-1' }), await chargeAgain()];
    const { error } = await run(refund(), [{ order: 'A-1' }]);
    expect(error?.message).toContain(`${ids[0]} (10.00 USD, `);
    expect(error?.message).toContain(`${ids[1]} (11.00 USD, `);
    expect(error?.message).toMatch(/"Transaction" must be the reference of one payment, but 2 payments have it/);
    expect(error?.message).toContain('(found "A-1")');
    expect(sent('refund')).toEqual([]);
  });

  test('a refunded and a voided payment count, so no other payment takes their place', async () => {
    const [first] = [await charge({ purchase_id: 'A-1' }), await chargeAgain()];
    await run({ operation: 'void', pg_id: first });
    const { error } = await run(refund(), [{ order: 'A-1' }]);
    expect(error?.message).toContain('2 payments have it');
  });

  test('the node ignores declined charges, refunds, and payments without exactly this reference', async () => {
    const id = await charge({ purchase_id: 'A-1' });
    await charge({ purchase_id: 'A-1' }, DECLINE_CARD);
    await charge({ purchase_id: 'a-1' });
    expect((await run(refund(), [{ order: 'A-1' }])).error).toBeUndefined();
    expect((await run(refund(), [{ order: 'A-1', amount: 3 }])).error).toBeUndefined();
    expect(paths('refund')).toEqual([id, id]);
  });

  test.each([
    ['no payment has it', 'B-1', /but no payment has it \(found "B-1"\)/],
    ["the service can't search for it", 'A,1', /must not contain a comma or "\|"/],
    ['it is empty', '', /"Transaction" is required/],
  ])('the node refuses a reference if %s', async (_, order, message) => {
    await charge({ purchase_id: 'A-1' });
    expect((await run(refund(), [{ order }])).error?.message).toMatch(message);
    expect(sent('refund')).toEqual([]);
  });

  test.each([
    ['a number that lost digits', 12345678901234567000, /as text/],
    ['a word for a missing value', 'INV-undefined', /must not contain a word for a missing value/],
    ['half a character', 'A\ud83d', /must not contain half a character/],
    ['an invisible character', 'A-1\u200b', /must not contain invisible characters/],
    ['a list', ['A-1'], /must be text/],
    ['a card number', '4111 1111 1111 1111', /must not contain a card number/],
  ])('the node searches for no reference that is %s', async (_, order, message) => {
    listed([{ ...PAID, pg_id: await charge({}), purchase_id: String(order) }]);
    const before = sent('getTransactionRequests').length;
    const { error } = await run(refund({ pg_id: byReference(`={{ ${JSON.stringify(order)} }}`) }));
    expect(error?.message).toMatch(message);
    expect(sent('getTransactionRequests')).toHaveLength(before);
    expect(sent('refund')).toEqual([]);
  });

  test('a reference has the form in which the node sent it with the charge', async () => {
    const id = await charge({ purchase_id: 'Caf\u00e9 1' });
    expect((await run(refund(), [{ order: ' Cafe\u0301\u00a01' }])).error).toBeUndefined();
    expect(paths('refund')).toEqual([id]);
  });

  test('a payment counts although another record has its ID', async () => {
    const id = await charge({ purchase_id: 'A-1' });
    listed([
      { ...PAID, pg_id: '77' },
      { ...PAID, pg_id: '77', request_type: 'refund' },
      { ...PAID, pg_id: id },
    ]);
    expect((await run(refund(), [{ order: 'A-1' }])).error?.message).toMatch(/2 payments have it: 77; /);
    expect(sent('refund')).toEqual([]);
  });

  test('the list of payments shows no card number and is short', async () => {
    const card = '4111111111111111';
    listed([
      { ...PAID, pg_id: 'a', amt_tran: card, tran_currency: card },
      { ...PAID, pg_id: 'b'.repeat(5000) },
    ]);
    const { error } = await run(refund(), [{ order: 'A-1' }]);
    expect(error?.message).toContain('2 payments have it');
    expect(error?.message).not.toContain(card);
    expect(error?.message.length).toBeLessThan(400);
  });

  test.each([
    ['fails', { kind: 'status', status: 500 }],
    ['is unreadable', { kind: 'truncated_json' }],
    ['has no list', { kind: 'status', status: 200, body: { code: 0, message: 'OK', data: 'none' } }],
  ] as const)('the node sends nothing if the response to the search %s', async (_, fault) => {
    await charge({ purchase_id: 'A-1' });
    sandbox.control.addFault({ ...fault, operationId: 'getTransactionRequests', calls: 'all' });
    const { error } = await run(refund({ options: { maxTries: 1 } }), [{ order: 'A-1' }]);
    expect(error?.message).toMatch(/"Transaction" could not be looked up: /);
    expect(sent('refund')).toEqual([]);
  });

  test('a temporary fault of the search is retried', async () => {
    await charge({ purchase_id: 'A-1' });
    sandbox.control.addFault({ kind: 'status', status: 503, operationId: 'getTransactionRequests', calls: [1] });
    expect((await run(refund(), [{ order: 'A-1' }])).error).toBeUndefined();
    expect(applied('refund')).toBe(1);
  });

  test('the node refuses a reference that changes each time the node reads it', async () => {
    const { error } = await run(refund({ pg_id: byReference('={{ "R" + Math.random().toString().slice(2, 8) }}') }), [
      {},
    ]);
    expect(error?.message).toMatch(/"Transaction" must have the same value each time/);
    expect(sent('refund')).toEqual([]);
  });

  test('only the parameter Transaction accepts a reference', async () => {
    const id = await charge({ purchase_id: 'A-1' });
    listed([{ ...PAID, pg_id: '4' }]);
    const amt_tran = '={{ { __rl: true, mode: "reference", value: "A-1" } }}';
    expect((await run(refund({ pg_id: id, amt_tran }))).error?.message).toMatch(/"Amount" must be a number/);
    expect(sent('refund')).toEqual([]);
  });

  test('one unknown reference stops no other row if the user continues on errors', async () => {
    const id = await charge({ purchase_id: 'A-1' });
    const { items } = await run(refund(), [{ order: 'B-1' }, { order: 'A-1' }], goOn);
    expect(items.map(({ json }) => Boolean(json.error))).toEqual([true, false]);
    expect(paths('refund')).toEqual([id]);
  });

  test('the node refuses a reference for another merchant', async () => {
    await charge({ purchase_id: 'A-1' });
    const { error } = await run(refund({ additionalFields: { merchant_id: '700000009' } }), [{ order: 'A-1' }]);
    expect(error?.message).toMatch(/"Transaction" must be an ID, because the node searches only the records/);
    expect(sent('refund')).toEqual([]);
  });

  test('an agent can refund by order number, and the allowed IDs apply to the payment that has it', async () => {
    const id = await charge({ purchase_id: 'A-1' });
    const answer = async (onlyFor: string) => {
      const guards = { onlyFor, limitPerItem: 50, limitPerExecution: 40, testEnvironmentOnly: true };
      const { parameters } = input(refund({ pg_id: byReference("={{ $fromAI('order') }}"), amt_tran: 4, ...guards }));
      return (await toolOf({ parameters, credential: credentialFor(sandbox) }).call({ order: 'A-1' })).items[0];
    };
    expect((await answer('42'))?.result).toMatch(new RegExp(`^REFUSED.*"Allowed IDs".*${id}`));
    expect((await answer(id))?.what_happened).toMatch(/^Refunded 4\.00/);
    expect(paths('refund')).toEqual([id]);
  });

  test('a retry after a lost response does not refund twice, even if the reference has become ambiguous', async () => {
    await charge({ purchase_id: 'A-1' });
    lose('refund');
    const first = await run(refund(), [{ order: 'A-1' }]);
    await chargeAgain();
    const again = await run(refund(), [{ order: 'A-1' }], { ...goOn, retryOf: first.run });
    expect(again.items).toMatchObject([{ json: { error: { outcome: 'unknown', message: KNOWN } } }]);
    expect(applied('refund')).toBe(1);
  });

  test('every operation that offers a reference can search for it, and no other operation searches', () => {
    const operations = resources.flatMap((resource) => resource.operations);
    const offers = operations.filter(({ fields }) => JSON.stringify(fields).includes('"By Reference"'));
    expect(operations.filter(({ byReference: search }) => search)).toEqual(offers);
    expect(offers.map(({ value }) => value).toSorted()).toEqual(
      ['capture', 'emailReceipt', 'get', 'recharge', 'refund', 'void'].toSorted(),
    );
  });

  test('a captured amount must suit the currency of the authorization', async () => {
    await run({
      ...{ operation: 'authorize', paymentMethod: 'card', card_number: '4111111111111111', exp_date: '12/35' },
      ...{ amt_tran: 1000, additionalFields: { purchase_id: 'A-1', tran_currency: '392' } },
    });
    const { error } = await run({ operation: 'capture', pg_id: byReference('A-1'), amt_tran: 10.5 });
    expect(error?.message).toContain('"Amount" must be a whole number, because JPY has no decimals (found 10.5)');
    expect(sent('capture')).toEqual([]);
  });

  test.each([
    ['a recharge', 'recharge', {}],
    ['a refund of a disputed payment', 'refund', { dispute_flag: true }],
  ])('the amount of %s must suit the currency of the payment', async (_, operation, fields) => {
    const pg_id = await charge({ purchase_id: 'A-1', tran_currency: '392' }, undefined, 1000);
    listed([{ ...PAID, amt_tran: 1000, amt_refunded: 0, tran_currency: '392', ...fields, pg_id }]);
    const { error } = await run({ operation, pg_id: byReference('A-1'), amt_tran: 10.5 });
    expect(error?.message).toContain('"Amount" must be a whole number, because JPY has no decimals (found 10.5)');
    expect(sent(operation)).toEqual([]);
  });

  test('captures and receipts also accept a reference', async () => {
    const { items } = await run({
      ...{ operation: 'authorize', paymentMethod: 'card', card_number: '4111111111111111', exp_date: '12/35' },
      ...{ amt_tran: 10, additionalFields: { purchase_id: 'A-1' } },
    });
    const id = items[0]?.json.pg_id;
    const reference = { pg_id: byReference('A-1') };
    expect((await run({ operation: 'capture', ...reference, amt_tran: 10 })).error).toBeUndefined();
    expect(paths('capture')).toEqual([id]);
    const receipt = await run({ operation: 'emailReceipt', ...reference, email_address: 'ana@example.com' });
    expect(receipt.items).toMatchObject([{ json: { pg_id: id } }]);
    expect((await run({ operation: 'get', ...reference })).items).toMatchObject([{ json: { pg_id: id } }]);
  });
});

describe('what is left of a payment that the node read by its reference', () => {
  const jsonOf = async (parameters: object, rows: IDataObject[], more: object = {}) =>
    (await run(parameters, rows, { ...goOn, ...more })).items.map(({ json }) => json);

  test('the result of each refund shows it, with the currency', async () => {
    await charge({ purchase_id: 'A-1' });
    const [first] = await jsonOf(refund(), [{ order: 'A-1' }]);
    expect(first).toMatchObject({
      what_happened: 'Refunded 4.00 USD by reducing the sale before settlement. 6.00 USD can still be refunded.',
      amt_refundable: 6,
    });
    const [second] = await jsonOf(refund(), [{ order: 'A-1', amount: 3.5 }]);
    expect(second?.amt_refundable).toBe(2.5);
    const [last] = await jsonOf(refund(), [{ order: 'A-1', amount: 2.5 }]);
    expect(last).toMatchObject({
      what_happened: expect.stringMatching(/ Nothing is left to refund\.$/) as string,
      amt_refundable: 0,
    });
  });

  test('the amount must suit the currency that the node read', async () => {
    const id = await charge({ purchase_id: 'A-1', tran_currency: '392' }, undefined, 1000);
    const { error } = await run(refund(), [{ order: 'A-1', amount: 10.5 }]);
    expect(error?.message).toContain('"Amount" must be a whole number, because JPY has no decimals (found 10.5)');
    expect(sent('refund')).toEqual([]);
    expect((await run(refund(), [{ order: 'A-1', amount: 10 }])).items[0]?.json.what_happened).toMatch(
      /^Refunded 10 JPY /,
    );
    expect(paths('refund')).toEqual([id]);
  });

  test('the result does not show it if the node did not read it', async () => {
    const id = await charge({ purchase_id: 'A-1' });
    const [json] = await jsonOf(refund({ pg_id: id }), [{}]);
    expect(json).not.toHaveProperty('amt_refundable');
    expect(json?.what_happened).toBe(
      'Refunded 4.00 in the currency of the sale by reducing the sale before settlement.',
    );
  });

  test('the result does not show it if another row of the run changes the payment', async () => {
    await charge({ purchase_id: 'A-1' });
    await charge({ purchase_id: 'A-2' }, undefined, 12);
    const rows = [{ order: 'A-1' }, { order: 'A-1', amount: 3 }, { order: 'A-2' }];
    const all = await jsonOf(refund(), rows);
    expect(all.map(({ amt_refundable }) => amt_refundable)).toEqual([undefined, undefined, 8]);
  });

  test.each([
    ['the customer disputes the payment', { dispute_flag: true }],
    ['the refunded amount is missing', { amt_refunded: undefined }],
    ['the service counts more than the payment', { amt_refunded: 9 }],
  ])('the result does not show it if %s', async (_, fields) => {
    const pg_id = await charge({ purchase_id: 'A-1' });
    listed([{ ...PAID, amt_tran: 10, amt_refunded: 0, tran_currency: '840', ...fields, pg_id }]);
    expect((await jsonOf(refund(), [{ order: 'A-1' }]))[0]).not.toHaveProperty('amt_refundable');
  });

  test('a retry that finds the refund of an earlier attempt does not subtract it again', async () => {
    await charge({ purchase_id: 'A-1' });
    lose('refund');
    const failed = await run(refund({ options: { unknownOutcome: 'refuse' } }), [{ order: 'A-1' }]);
    expect(failed.error).toBeDefined();
    const { items } = await run(refund(), [{ order: 'A-1' }], { retryOf: failed.run, looksUp: true });
    expect([items[0]?.json.what_happened, items[0]?.json.amt_refundable]).toEqual([
      expect.stringMatching(/^Refunded 4\.00 USD/),
      undefined,
    ]);
    expect(applied('refund')).toBe(1);
  });

  test('the refusal of a second click shows it', async () => {
    await charge({ purchase_id: 'A-1' });
    const production = { credential: { ...credentialFor(sandbox), environment: 'production' } } as const;
    await run(refund(), [{ order: 'A-1' }], production);
    await run(refund({ amt_tran: 0.6 }), [{ order: 'A-1' }]);
    const { error } = await run(refund(), [{ order: 'A-1' }], production);
    expect(error?.description).toMatch(/^5\.40 USD can still be refunded\. To send it again, /);
    expect(applied('refund')).toBe(2);
  });

  test('the refusal of a second click says that a payment is refunded in full', async () => {
    const pg_id = await charge({ purchase_id: 'A-1' });
    const production = { credential: { ...credentialFor(sandbox), environment: 'production' } } as const;
    await run(refund({ pg_id, amt_tran: 10 }), [{}], production);
    const { error } = await run(refund({ pg_id, amt_tran: 10 }), [{}], production);
    expect(error?.description).toMatch(/^Nothing is left to refund\. To send it again, /);
  });
});

describe('a refund of all that is left', () => {
  const allLeft = (more: object = {}): object => ({
    ...{ operation: 'refund', refundAmount: 'allLeft', pg_id: '={{ $json.id }}' },
    ...more,
  });
  const TRY_TWICE = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
  const ONE_BY_ONE = { maxTries: 1, maxParallelRequests: 1 };
  const amounts = () => sent('refund').map(({ body }) => (body as IDataObject).amt_tran);

  test.each(['before', 'after'])(
    'the node refunds what is left of a partly refunded payment %s settlement',
    async (when) => {
      const id = await charge({ purchase_id: 'A-1' });
      if (when === 'after') {
        sandbox.control.closeBatch();
        sandbox.control.sendDeposits();
      }
      await run(refund({ pg_id: id, amt_tran: 3.5 }));
      const { items, error } = await run(allLeft(), [{ id }]);
      expect(error).toBeUndefined();
      expect(amounts()).toEqual([3.5, 6.5]);
      expect(items[0]?.json.what_happened).toMatch(/^Refunded 6\.50/);
      expect(items[0]?.json.amt_refundable).toBe(0);
    },
  );

  test('the node finds the payment by its reference, and then reads what is left', async () => {
    await charge({ purchase_id: 'A-1' });
    expect((await run(allLeft({ pg_id: byReference() }), [{ order: 'A-1' }])).error).toBeUndefined();
    expect(amounts()).toEqual([10]);
  });

  test('a second run refunds nothing', async () => {
    const id = await charge({ purchase_id: 'A-1' });
    await run(allLeft(), [{ id }]);
    const { error } = await run(allLeft(), [{ id }]);
    expect(error?.message).toMatch(/"Refund" has no effect, because nothing is left to refund/);
    expect(error?.message).toContain('(found "All That Is Left")');
    expect(amounts()).toEqual([10]);
  });

  test.each([
    ['no refunded amount', { amt_tran: 10, tran_status: 'C' }],
    ['an unreadable refunded amount', { amt_tran: 10, tran_status: 'C', amt_refunded: 'some' }],
    ['no amount', { tran_status: 'C', amt_refunded: 0 }],
    ['no status', { amt_tran: 10, amt_refunded: 0 }],
    ['a declined payment', { amt_tran: 10, tran_status: 'D', amt_refunded: 0 }],
    ['a refund', { amt_tran: 10, tran_status: 'C', amt_refunded: 0, request_type: 'refund' }],
    ['a negative amount', { amt_tran: -10, tran_status: 'C', amt_refunded: 0 }],
    ['a refused payment', { amt_tran: 10, tran_status: 'C', amt_refunded: 0, rcode: '005' }],
    ['no ID', { amt_tran: 10, tran_status: 'C', amt_refunded: 0, pg_id: '' }],
  ])('the node sends nothing if the record shows %s', async (_, record) => {
    const id = await charge({ purchase_id: 'A-1' });
    const data = { pg_id: id, tran_time: '2026-11-28T10:00:00Z', ...record };
    const body = { code: 0, message: 'OK', data };
    sandbox.control.addFault({ kind: 'status', status: 200, body, operationId: 'getTransactionByPgId', calls: 'all' });
    const { error } = await run(allLeft(), [{ id }]);
    expect(error?.message).toMatch(/"Refund" must be an amount, because the record does not show what is left/);
    expect(amounts()).toEqual([]);
  });

  test.each([true, 'true', 'Y', 1, {}, ['no']])(
    'the node sends nothing if the dispute flag of the payment is %j',
    async (dispute_flag) => {
      const id = await charge({ purchase_id: 'A-1' });
      const data = { pg_id: id, tran_time: '2026-11-28T10:00:00Z', amt_tran: 10, tran_status: 'S', amt_refunded: 0 };
      const body = { code: 0, message: 'OK', data: { ...data, dispute_flag } };
      sandbox.control.addFault({
        kind: 'status',
        status: 200,
        body,
        operationId: 'getTransactionByPgId',
        calls: 'all',
      });
      const { error } = await run(allLeft(), [{ id }]);
      expect(error?.message).toMatch(/"Refund" must be an amount, because the customer disputes the payment/);
      expect(amounts()).toEqual([]);
    },
  );

  test('the node sends nothing if the service returns two records', async () => {
    const pg_id = await charge({ purchase_id: 'A-1' });
    const record = { pg_id, amt_tran: 10, tran_status: 'C' };
    const data = [3, 0].map((amt_refunded) => ({ ...record, amt_refunded }));
    const body = { code: 0, message: 'OK', data };
    sandbox.control.addFault({ kind: 'status', status: 200, body, operationId: 'getTransactionByPgId', calls: 'all' });
    const { error } = await run(allLeft(), [{ id: pg_id }]);
    expect(error?.message).toMatch(/because the record does not show what is left/);
    expect(amounts()).toEqual([]);
  });

  test('the node sends nothing if it cannot read the payment, or if no transaction has the ID', async () => {
    const id = await charge({ purchase_id: 'A-1' });
    expect((await run(allLeft(), [{ id: '426351789012345678' }])).error?.message).toMatch(/no transaction has this ID/);
    sandbox.control.addFault({ kind: 'status', status: 500, operationId: 'getTransactionByPgId', calls: 'all' });
    const { error } = await run(allLeft({ options: { maxTries: 1 } }), [{ id }]);
    expect(error?.message).toMatch(/"Refund" could not be looked up: /);
    expect(amounts()).toEqual([]);
  });

  test('the node refuses rows that share a payment, and sends the others', async () => {
    const [first, second] = [await charge({ purchase_id: 'A-1' }), await chargeAgain()];
    const rows = [{ id: first }, { id: second }, { id: first }];
    const { items } = await run(allLeft(), rows, goOn);
    expect(items.map(({ json }) => Boolean(json.error))).toEqual([true, false, true]);
    expect(JSON.stringify(items[0]?.json.error)).toContain('another item of this run changes the same payment');
    expect(amounts()).toEqual([11]);
  });

  test.each([
    ['allLeft', []],
    ['amount', [4]],
  ])('the node refuses a row if another row changes the same payment by its reference (%s)', async (how, left) => {
    const id = await charge({ purchase_id: 'A-1' });
    const pg_id = '={{ { __rl: true, mode: $json.id ? "id" : "reference", value: $json.id ?? "A-1" } }}';
    const rows = [{ id, how: 'allLeft' }, { how }];
    const { items } = await run(allLeft({ pg_id, refundAmount: '={{ $json.how }}', amt_tran: 4 }), rows, goOn);
    expect(JSON.stringify(items[0]?.json.error)).toContain('another item of this run changes the same payment');
    expect(amounts()).toEqual(left);
  });

  test('the limits apply to the amount that is left', async () => {
    const id = await charge({ purchase_id: 'A-1' });
    const limits = { limitPerItem: 5, limitPerExecution: 50, testEnvironmentOnly: true };
    const { parameters } = input(allLeft({ pg_id: id, ...limits }));
    const { items } = await toolOf({ parameters, credential: credentialFor(sandbox) }).call();
    expect(items[0]?.result).toMatch(/^REFUSED.*"Limit per Item".*at most 5/);
    expect(amounts()).toEqual([]);
  });

  test('a preview of a refund by reference shows its currency and what could still be refunded', async () => {
    await charge({ purchase_id: 'A-1' });
    const { items, hints } = await run(refund({ options: { previewOnly: true } }), [{ order: 'A-1', amount: 4.3 }]);
    expect(items[0]?.json.what_would_happen).toMatch(
      /: 4\.30 USD, .*\. After that, 5\.70 USD could still be refunded\.$/,
    );
    expect(hints).toEqual([expect.stringContaining('send 1 row (4.30 USD)')]);
    expect(sent('refund')).toEqual([]);
  });

  test('a preview shows the amount that the run then sends', async () => {
    const id = await charge({ purchase_id: 'A-1' });
    const preview = await run(allLeft({ options: { previewOnly: true } }), [{ id }]);
    expect(preview.items[0]?.json).toMatchObject({ decision: 'send', amount: 10, currency: 'USD' });
    expect(preview.items[0]?.json.what_would_happen).toMatch(
      / 10\.00 USD, .* After that, nothing is left to refund\.$/,
    );
    await run(allLeft(), [{ id }]);
    expect(amounts()).toEqual([10]);
  });

  test('a retry after a lost response does not refund twice', async () => {
    const id = await charge({ purchase_id: 'A-1' });
    lose('refund');
    const first = await run(allLeft(), [{ id }]);
    const again = await run(allLeft(), [{ id }], { ...goOn, retryOf: first.run });
    expect(again.items).toMatchObject([{ json: { error: { outcome: 'unknown', message: KNOWN } } }]);
    expect(applied('refund')).toBe(1);
  });

  test('a retry returns the refund that an earlier attempt completed', async () => {
    const [first, second] = [await charge({ purchase_id: 'A-1' }), await chargeAgain()];
    sandbox.control.addFault({ kind: 'status', status: 400, operationId: 'refund', calls: [2] });
    const rows = [{ id: first }, { id: second }];
    const { items, error } = await run(allLeft({ options: ONE_BY_ONE }), rows, { settings: TRY_TWICE });
    expect(error).toBeUndefined();
    expect(amounts()).toEqual([10, 11, 11]);
    expect(items[0]?.json).toMatchObject({ amt_refundable: 0 });
    expect(items[0]?.json.what_happened).toMatch(/^Refunded 10\.00/);
  });

  test('a retry also returns the refund of a payment whose ID has the check digit of a card number', async () => {
    const [id, other] = ['600000000000000122', await charge({ purchase_id: 'A-1' })];
    const answer = (operationId: string, body: object, calls: number[] | 'all') =>
      sandbox.control.addFault({ kind: 'status', status: 200, body, operationId, calls });
    const shows = (amt_refunded: number) => ({
      ...{ code: 0, message: 'OK' },
      data: { pg_id: id, tran_status: 'P', amt_tran: 10, amt_refunded },
    });
    answer('getTransactionByPgId', shows(0), [1]);
    answer('getTransactionByPgId', shows(10), 'all');
    answer('refund', { rcode: '000', rmsg: 'Refund request accepted', pg_id: '700000000000000001' }, [1]);
    sandbox.control.addFault({ kind: 'status', status: 400, operationId: 'refund', calls: [2] });
    const rows = [
      { id, how: 'allLeft' },
      { id: other, how: 'amount' },
    ];
    const parameters = allLeft({ ...{ refundAmount: '={{ $json.how }}', amt_tran: 4 }, options: ONE_BY_ONE });
    const { items, error } = await run(parameters, rows, { settings: TRY_TWICE });
    expect(error).toBeUndefined();
    expect(amounts()).toEqual([10, 4, 4]);
    expect(items[0]?.json.pg_id).toBe('700000000000000001');
  });

  test('a retry reads the payment of a row again that no attempt sent', async () => {
    const id = await charge({ purchase_id: 'A-1' });
    const rows = [{ id }, { id: '' }];
    const failed = await run(allLeft(), rows);
    expect(failed.error?.message).toContain('"Transaction" is required');
    await run(refund({ pg_id: id, amt_tran: 10 }));
    const { items } = await run(allLeft(), rows, { ...goOn, retryOf: failed.run });
    expect(JSON.stringify(items[0]?.json.error)).toContain('nothing is left to refund');
    expect(amounts()).toEqual([10]);
  });

  test('a row without a choice still needs an amount', async () => {
    const id = await charge({ purchase_id: 'A-1' });
    const amt_tran = '={{ $json.amount }}';
    const missing = /"Amount" (is required|must be)/;
    expect((await run({ operation: 'refund', pg_id: id, amt_tran })).error?.message).toMatch(missing);
    const chosen = { operation: 'refund', pg_id: id, refundAmount: '={{ $json.choice }}', amt_tran };
    expect((await run(chosen, [{ choice: 'amount' }])).error?.message).toMatch(missing);
    expect((await run(chosen, [{ choice: '' }])).error?.message).toBeDefined();
    expect((await run(chosen, [{ choice: 'everything' }])).error?.message).toMatch(/"Refund" must be one of/);
    expect(amounts()).toEqual([]);
    expect((await run(chosen, [{ choice: 'All That Is Left' }])).error).toBeUndefined();
    expect(amounts()).toEqual([10]);
  });
});
