import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { timeIsSimulated } from '../../simulated-time';
import { benchOf, messages, sandboxForFile, toErrors } from '../bench';
import { toolOf } from '../tool/tool-harness';
import { authorized, idOf } from '../writes';

timeIsSimulated();

const sandbox = sandboxForFile({ seed: false });
const { run } = benchOf(sandbox, { parameters: { resource: 'transaction' } });
const posts = () => sandbox.control.journal().filter(({ method }) => method === 'POST');
const capturedSale = (amountCents = 1000) => sandbox.control.addCapturedSales({ count: 1, amountCents })[0] ?? '';

describe('the settled transactions', () => {
  const list: INodeParameters = { operation: 'getAll', returnAll: true };

  test('settled transactions add up to the settlements of their batches, with negative refunds', async () => {
    sandbox.control.addCustomers(1);
    const sale = capturedSale();
    capturedSale(550);
    sandbox.control.closeBatch();
    sandbox.control.sendDeposits();
    await run({ operation: 'refund', pg_id: idOf(sale), amt_tran: 4 });
    capturedSale(200);
    expect((await run(list)).items.map(({ json }) => json.amt_tran)).toEqual([10, 5.5]);
    sandbox.control.closeBatch();
    const { items, error } = await run({ ...list, sorting: { order_on: 'rec_id', order_by: 'asc' } });
    expect(error).toBeUndefined();
    expect(items.map(({ json }) => json.amt_tran)).toEqual([10, 5.5, -4, 2]);
    const settled = await run({ resource: 'report', operation: 'getSettlements', returnAll: true });
    const net = settled.items.map(({ json }) => Number(json.amt_purch) - Number(json.amt_return));
    expect(net.toSorted((a, b) => a - b)).toEqual([-2, 15.5]);
  });

  test('settled transactions have the main fields with Simplify and all fields without', async () => {
    sandbox.control.addCustomers(1);
    const pg_id = capturedSale();
    sandbox.control.closeBatch();
    const [simple] = (await run({ ...list, simplify: true })).items;
    expect(simple?.json).toMatchObject({ pg_id, amt_tran: 10 });
    expect(['Visa', 'Mastercard']).toContain(simple?.json.card_type_text);
    expect(simple?.json).not.toHaveProperty('merch_zip');
    const [whole] = (await run({ ...list, simplify: false })).items;
    expect(whole?.json.merch_zip).toBe('97477');
    expect(whole?.json.settle_date).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});

describe('emailing a receipt', () => {
  const email: INodeParameters = {
    operation: 'emailReceipt',
    pg_id: idOf('={{ $json.id }}'),
    email_address: 'ana@example.com',
  };
  const mailed = () => sandbox.control.state().notices.map(({ pg_id }) => pg_id);
  beforeEach(() => sandbox.control.addCustomers(1));

  test('sends the receipts of successful transactions and explains why others have none', async () => {
    const [good, declined] = [capturedSale(), capturedSale(5)];
    const { items, errors } = await run(email, [{ id: good }, { id: declined }], toErrors);
    expect(items.map(({ json }) => json)).toMatchObject([
      { pg_id: good, what_happened: 'Sent the receipt by email to ana@example.com.' },
    ]);
    expect(errors.map(({ json }) => (json.error as IDataObject).message)).toEqual([
      expect.stringContaining('This transaction was not successful, so it has no receipt'),
    ]);
    expect(mailed()).toEqual([good]);
  });

  test('an emailed receipt is not sent again if the response is lost', async () => {
    const id = capturedSale();
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'emailReceipt', calls: [1] });
    const { errors } = await run(email, [{ id }], { ...toErrors, settings: { retryOnFail: true, maxTries: 3 } });
    expect(errors).toMatchObject([{ json: { error: { outcome: 'unknown' } } }]);
    expect(posts()).toHaveLength(1);
    expect(mailed()).toEqual([id]);
  });
});

const rows = (count: number) => Array.from({ length: count }, () => ({ id: authorized(sandbox) }));
const record = (id: unknown) => sandbox.control.state().transactions.find(({ pg_id }) => pg_id === id);
const of = (type: string) => sandbox.control.state().transactions.filter(({ request_type }) => request_type === type);

describe('capturing an authorization', () => {
  const capture: INodeParameters = { operation: 'capture', pg_id: idOf('={{ $json.id }}'), amt_tran: 62.5 };
  beforeEach(() => sandbox.control.addCustomers(1));

  test('captures a part of each authorization once and names the authorization', async () => {
    const given = rows(3);
    const { items, error } = await run(capture, given);
    expect(error).toBeUndefined();
    expect(items.map(({ json }) => json)).toMatchObject(
      given.map(({ id }) => ({
        pg_id_linked: id,
        amt_tran: 62.5,
        what_happened: 'Captured 62.50 in the currency of the authorization, voidable until the batch closes.',
        amt_refundable: 62.5,
      })),
    );
    expect(given.map(({ id }) => record(id))).toMatchObject(given.map(() => ({ tran_status: 'C', amt_tran: 62.5 })));
  });

  test.each([
    [
      'captured already',
      async (id: string) => void (await run(capture, [{ id }])),
      'This authorization is already captured',
    ],
    ['expired', async () => void (await sandbox.control.advanceClock({ days: 29 })), 'This authorization has expired'],
    [
      'voided',
      async (id: string) => void (await run({ operation: 'void', pg_id: idOf(id) })),
      'This authorization is voided',
    ],
  ])(
    'an authorization that was %s is refused with the reason, and the other authorizations are captured',
    async (_, change, reason) => {
      const [first] = rows(1);
      await change(first?.id ?? '');
      const [second] = rows(1);
      const { items, errors } = await run(capture, [{ id: first?.id }, { id: second?.id }], toErrors);
      expect(messages(errors)).toEqual([expect.stringContaining(reason)]);
      expect(items.map(({ json }) => json.pg_id_linked)).toEqual([second?.id]);
      expect(record(second?.id)).toMatchObject({ tran_status: 'C' });
    },
  );

  test('refuses more than the authorized amount, and a sale', async () => {
    const given = [{ id: authorized(sandbox) }, { id: capturedSale(10_000) }];
    const { errors } = await run({ ...capture, amt_tran: 80.01 }, given, toErrors);
    expect(messages(errors)).toEqual([
      expect.stringContaining('The amount exceeds the authorized amount'),
      expect.stringContaining('This transaction is not an open authorization'),
    ]);
    expect(of('capture')).toEqual([]);
  });

  test('captures only one of two equal items', async () => {
    const [{ id } = { id: '' }] = rows(1);
    const { items, errors } = await run(capture, [{ id }, { id }], toErrors);
    expect(items).toHaveLength(1);
    expect(messages(errors)).toEqual([expect.stringContaining('already captured')]);
    expect(of('capture')).toHaveLength(1);
  });

  test('finds a capture with a lost response in the report and ignores a refund of the same amount', async () => {
    const [{ id } = { id: '' }] = rows(1);
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'capture', calls: [1] });
    const { items } = await run(capture, [{ id }], { ...toErrors, looksUp: true });
    expect(items).toMatchObject([
      { json: { found_at_service: expect.stringContaining('same authorization') as string } },
    ]);
    sandbox.control.addFault({ kind: 'reset_before_apply', operationId: 'refund', calls: [1] });
    const lost = await run({ ...capture, operation: 'refund' }, [{ id }], { ...toErrors, looksUp: true });
    expect(lost.errors).toMatchObject([{ json: { error: { outcome: 'unknown' } } }]);
  });

  test('an agent can capture up to its limits', async () => {
    const limits = { limitPerItem: '70', limitPerExecution: '100' };
    const [{ id } = { id: '' }] = rows(1);
    const parameters = { resource: 'transaction', ...capture, pg_id: idOf(id), ...limits };
    const call = async (amt_tran: number) =>
      (await toolOf({ parameters: { ...parameters, amt_tran }, credential: credentialFor(sandbox) }).call()).text;
    expect(await call(70.5)).toContain('allows at most 70');
    expect(of('capture')).toEqual([]);
    expect(await call(70)).toContain('Captured 70.00 in the currency of the authorization');
  });
});

describe('voiding a transaction', () => {
  const cancel: INodeParameters = { operation: 'void', pg_id: idOf('={{ $json.id }}') };
  beforeEach(() => sandbox.control.addCustomers(1));

  test('voids an open authorization and a captured payment before the batch closes', async () => {
    const given = [{ id: authorized(sandbox) }, { id: capturedSale() }];
    const { items, error } = await run(cancel, given);
    expect(error).toBeUndefined();
    expect(items.map(({ json }) => [json.pg_id_linked, json.what_happened])).toEqual(
      given.map(({ id }) => [id, 'Voided the transaction, so its amount is no longer held or charged.']),
    );
    expect(given.map(({ id }) => record(id)?.tran_status)).toEqual(['V', 'V']);
  });

  test('the refusal of a void explains that a closed batch needs a refund or that the transaction is already voided', async () => {
    const [settled, voided] = [capturedSale(), authorized(sandbox)];
    sandbox.control.closeBatch();
    await run(cancel, [{ id: voided }]);
    const { errors } = await run(cancel, [{ id: settled }, { id: voided }], toErrors);
    expect(messages(errors)).toEqual([
      expect.stringContaining('The batch of this transaction is closed'),
      expect.stringContaining('This transaction is already voided'),
    ]);
    expect(record(settled)?.tran_status).toBe('S');
  });

  test('sends nothing if the amount differs from the expected amount', async () => {
    const id = authorized(sandbox);
    const { errors } = await run({ ...cancel, expectedAmount: 62.5 }, [{ id }, { id: 'none' }], toErrors);
    expect(messages(errors)).toEqual([
      expect.stringContaining(
        '"Expected Amount" is 62.50, but the amount of the transaction is 80.00, so nothing was sent',
      ),
      expect.stringContaining('No transaction has this ID, so nothing was sent'),
    ]);
    expect(posts()).toEqual([]);
    expect((await run({ ...cancel, expectedAmount: 80 }, [{ id }])).items).toHaveLength(1);
  });

  test('a void counts its expected amount toward limits and is refused without an expected amount', async () => {
    const given = rows(3);
    const options = { limitPerItem: 80, limitPerExecution: 160 };
    const unknown = await run({ ...cancel, options }, given, toErrors);
    expect(messages(unknown.errors)).toEqual(
      given.map(() => expect.stringContaining('fill in "Expected Amount" too') as string),
    );
    const { items, errors } = await run({ ...cancel, expectedAmount: 80, options }, given, toErrors);
    expect(items).toHaveLength(2);
    expect(messages(errors)).toEqual([expect.stringContaining('allows 160 in total')]);
    expect(of('void')).toHaveLength(2);
  });

  test('a void counts toward the limit per day of refunds', async () => {
    const given = rows(2);
    const options = { limitPerDay: 100 };
    expect((await run({ ...cancel, expectedAmount: 80, options }, given.slice(0, 1))).items).toHaveLength(1);
    const { errors } = await run({ ...cancel, expectedAmount: 80, options }, given.slice(1), toErrors);
    expect(messages(errors)).toEqual([expect.stringContaining('allows 100 per day')]);
    expect(of('void')).toHaveLength(1);
  });
});

describe('recharging a card', () => {
  const again: INodeParameters = { operation: 'recharge', pg_id: idOf('={{ $json.id }}'), amt_tran: 25.5 };
  beforeEach(() => sandbox.control.addCustomers(1));

  test('charges the card of an earlier payment, even if the payment is settled', async () => {
    const id = capturedSale();
    sandbox.control.closeBatch();
    const { items, error } = await run(again, [{ id }]);
    expect(error).toBeUndefined();
    expect(items[0]?.json).toMatchObject({
      pg_id_linked: id,
      amt_tran: 25.5,
      what_happened: 'Charged 25.50 in the same currency again, voidable until the batch closes.',
    });
    expect(of('recharge')).toMatchObject([{ pg_id_linked: id, tran_status: 'C', amt_tran: 25.5 }]);
  });

  test('shows no amount for a partly approved recharge, whose response contains none', async () => {
    const id = capturedSale();
    const { items, hints } = await run({ ...again, amt_tran: 0.1 }, [{ id }]);
    expect(items[0]?.json).toMatchObject({ rcode: '010', pg_id_linked: id });
    expect(items[0]?.json).not.toHaveProperty('amt_tran');
    expect(items[0]?.json.what_happened).toMatch(/^Charged only a part of 0.10 in the same currency again/);
    expect(hints.join()).toContain('approved only part of the amount');
  });

  test('leaves a recharge unknown if the report shows only a part of its amount', async () => {
    const id = capturedSale();
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'recharge', calls: [1] });
    const { error } = await run({ ...again, amt_tran: 0.1 }, [{ id }], { looksUp: true });
    expect(error?.context?.data).toMatchObject({ outcome: 'unknown' });
    expect(error?.description).toContain(`The node found pg_id ${of('recharge')[0]?.pg_id}`);
  });

  test('charges two equal items twice and reports a decline and a failed payment in words', async () => {
    const [id, failed] = [capturedSale(), capturedSale(5)];
    const { items, errors } = await run(again, [{ id }, { id: failed }, { id }], toErrors);
    expect(items).toHaveLength(2);
    expect(new Set(items.map(({ json }) => json.pg_id)).size).toBe(2);
    expect(messages(errors)).toEqual([expect.stringContaining("its card can't be charged again")]);
    const declined = await run({ ...again, amt_tran: 0.51 }, [{ id }], toErrors);
    expect(declined.errors).toMatchObject([{ json: { error: { outcome: 'declined', rcode: '051' } } }]);
  });

  test('assigns each record of equal items with lost responses once', async () => {
    const id = capturedSale();
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'recharge', calls: [1, 2] });
    sandbox.control.addFault({ kind: 'reset_before_apply', operationId: 'recharge', calls: [3] });
    const { items, errors } = await run(again, [{ id }, { id }, { id }], { ...toErrors, looksUp: true });
    expect(new Set(items.map(({ json }) => json.pg_id)).size).toBe(2);
    expect(errors).toMatchObject([{ json: { error: { outcome: 'unknown' } } }]);
    expect(of('recharge')).toHaveLength(2);
  });

  test('sends nothing again in a retry by n8n', async () => {
    const id = capturedSale();
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'recharge', calls: [1] });
    const settings = { retryOnFail: true, maxTries: 3 };
    const { errors } = await run(again, [{ id }], { ...toErrors, settings });
    expect(errors).toMatchObject([{ json: { error: { outcome: 'unknown' } } }]);
    expect(posts()).toHaveLength(1);
  });

  test('a recharge counts toward the limit per day of charges', async () => {
    const id = capturedSale(1000);
    const options = { limitPerDay: 60 };
    const { items, errors } = await run({ ...again, options }, [{ id }, { id }], toErrors);
    expect(items).toHaveLength(1);
    expect(messages(errors)).toEqual([expect.stringContaining('allows 60 per day')]);
  });
});
