import type { IDataObject } from 'n8n-workflow';
import { Settings } from 'luxon';

import { NOT_SHOWN } from '../../../nodes/PaymentPlatform/fields/searches';
import { search } from '../../../nodes/PaymentPlatform/search';
import { isRecord, NOW, sale } from './records';
import { editor } from './service';

beforeAll(() => void (Settings.now = () => Date.parse(NOW)));
afterAll(() => void (Settings.now = () => Date.now()));

async function list(sales: IDataObject[], typed?: string): Promise<string[]> {
  const { results } = await search(editor({ sales }).context, 'searchSales', typed);
  return results.map(({ name, value }) => (isRecord(value) ? name : `(${name})`));
}

test.each(['C', 'P', 'N', '', 'Z'])('offers a sale with the status "%s"', async (tran_status) => {
  const entries = await list([sale(10, { tran_status })]);
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatch(/^Max Muster · 10.00 USD · /);
});

test.each([
  ['declined', { tran_status: 'D' }],
  ['failed', { tran_status: 'F' }],
  ['rejected', { tran_status: 'R' }],
  ['canceled', { tran_status: 'K' }],
  ['held', { tran_status: 'H' }],
  ['not captured yet', { tran_status: 'A', request_type: 'auth' }],
  ['voided', { tran_status: 'V' }],
  ['voided', { tran_status: 'v' }],
  ['settled, refundable after the deposit is sent', { tran_status: 'S' }],
  ['refunded in full', { amt_refunded: 10 }],
  ['refunded in full', { amt_refunded: -10 }],
  ['disputed', { dispute_flag: true }],
  ['older than 365 days', { time: '2025-11-19T12:00:00.000Z' }],
  ['refund, not a sale', { request_type: 'refund' }],
  ['refund, not a sale', { request_type: 'credit' }],
  ['void, not a sale', { request_type: 'void' }],
  ['card verification, not a sale', { request_type: 'verify', amt_tran: 0 }],
  ['capture, not a sale', { request_type: 'capture' }],
])('omits a transaction and gives the reason: %s', async (reason, given) => {
  const [told, ...more] = await list([sale(10, given)]);
  expect(more).toEqual([]);
  expect(told?.startsWith(`(1 not shown (${reason}): `)).toBe(true);
});

test.each(['sale', 'force', 'recharge', 'auth', 'SALE', 'somethingNew'])('offers a captured "%s"', async (type) =>
  expect((await list([sale(10, { request_type: type })]))[0]).toMatch(/^Max Muster · 10.00 USD · /),
);

describe('open authorizations', () => {
  const authorization = (given: IDataObject = {}) => ({
    ...sale(80, { request_type: 'auth', tran_status: 'A', time: '2026-11-05T16:00:00.000Z' }),
    ...given,
  });
  const open = async (sales: IDataObject[]) => {
    const { context, asked } = editor({ sales });
    const { results } = await search(context, 'searchAuthorizations');
    return { asked, names: results.map(({ name, value }) => (isRecord(value) ? name : `(${name})`)) };
  };

  test('open authorizations are listed with their last day to capture, and the service returns only authorizations', async () => {
    const { names, asked } = await open([authorization()]);
    expect(names).toEqual(['Max Muster · 80.00 USD · 5 Nov · Visa 1111 · until 3 Dec']);
    expect(JSON.stringify(asked)).toContain('request_type,IS,auth');
  });

  test('the visible part of a line contains the amount, the day and the end of a long name', async () => {
    const { names } = await open([authorization({ cardholder_first_name: 'Maximiliane-Alexandra-Theodora' })]);
    expect(names[0]?.slice(0, 48)).toMatch(/^Maximiliane-Alexandra-.*… · 80.00 USD · 5 Nov$/);
  });

  test.each([
    ['captured', { tran_status: 'C' }],
    ['settled', { tran_status: 'S' }],
    ['deposited', { tran_status: 'P' }],
    ['voided', { tran_status: 'V' }],
    ['voided', { tran_status: 'v' }],
    ['declined', { tran_status: 'D' }],
    ['expired', { tran_time: '2026-10-23T12:00:00.000Z' }],
  ])('open authorizations are omitted if they are %s', async (reason, given) => {
    const { names } = await open([authorization(given)]);
    expect(names).toEqual([expect.stringContaining(`not shown (${reason})`)]);
  });
});

describe('transactions to void', () => {
  const voidable = async (given: IDataObject) => {
    const { context } = editor({ sales: [sale(10, { tran_status: 'C', ...given })] }, { customer: 'void' });
    const { results } = await search(context, 'searchSales');
    return results.map(({ name, value }) => (isRecord(value) ? name : `(${name})`))[0];
  };

  test('transactions to void include captured payments and open authorizations', async () => {
    expect(await voidable({})).toMatch(/ · captured$/);
    const recent = { time: '2026-11-05T16:00:00.000Z' };
    expect(await voidable({ request_type: 'auth', tran_status: 'A', ...recent })).toMatch(/ · authorized$/);
  });

  test.each([
    ['settled', { tran_status: 'S' }],
    ['settled', { tran_status: 'P' }],
    ['settled', { tran_status: 'N' }],
    ['voided', { tran_status: 'V' }],
    ['declined', { tran_status: 'D' }],
    ['refunded in full', { amt_refunded: 10 }],
    ['expired', { request_type: 'auth', tran_status: 'A' }],
    ['refund, not a sale', { request_type: 'refund' }],
  ])('transactions to void exclude %s', async (reason, given) =>
    expect(await voidable(given)).toContain(`not shown (${reason})`),
  );
});

test.each(['recharge', 'emailReceipt'])('offers every successful payment for %s', async (operation) => {
  const sales = ['A', 'C', 'S', 'P', 'N'].map((tran_status) => sale(10, { tran_status, amt_refunded: 4 }));
  const unsuccessful = [sale(10, { tran_status: 'D' }), sale(10, { request_type: 'refund' })];
  const { context } = editor({ sales: [...sales, ...unsuccessful] }, { customer: operation });
  const { results } = await search(context, 'searchSales');
  const names = results.map(({ name }) => name);
  expect(names.slice(0, 5).map((name) => name.split(' · ').at(-1))).toEqual([
    ...['authorized', 'captured', 'settled', 'deposited', 'settled'],
  ]);
  expect(names[0]).not.toContain('left');
  expect(names[5]).toContain('2 of the latest 7 transactions not shown');
});

test('counts the transactions that were left out by reason, most frequent first', async () => {
  const left = [sale(1, { tran_status: 'D' }), sale(2, { tran_status: 'V' }), sale(3, { tran_status: 'D' })];
  const entries = await list([sale(10), ...left]);
  expect(entries).toHaveLength(2);
  expect(entries[1]).toBe('(3 of the latest 4 transactions not shown: declined (2); voided (1))');
});

test('counts only matching transactions that were left out of a search', async () => {
  const records = [sale(10, { name: 'Anna Ito', tran_status: 'D' }), sale(10, { name: 'Ben Ito', tran_status: 'V' })];
  expect(await list(records, 'ben')).toEqual(['(1 not shown (voided): Ben Ito · 10.00 USD · 5 Oct · Visa 1111)']);
  expect(await list(records, 'carla')).toEqual([]);
});

test('gives the row of omitted sales a value that the node refuses', async () => {
  const { context } = editor({ sales: [sale(10, { tran_status: 'D' })] });
  const { results } = await search(context, 'searchSales');
  expect(results.map(({ value }) => value)).toEqual([NOT_SHOWN]);
});

describe('the remaining amount of a sale', () => {
  const original = () => sale(50, { pg_id: '777000111' });
  const refund = (amount: number, given: IDataObject = {}) =>
    sale(amount, { request_type: 'refund', pg_id_linked: '777000111', tran_status: 'C', ...given });
  const leftIn = async (records: IDataObject[]) =>
    (await list(records)).find((name) => /^[^(].* · 50.00 USD( [(][\d.]+ left[)])? · /.test(name));

  test('the remaining amount of a sale is the amount minus the refunded amount in the report', async () =>
    expect(await leftIn([sale(50, { amt_refunded: 12.1 })])).toContain('37.90 left'));

  test('the remaining amount of a sale is the amount minus linked refunds if these are larger', async () => {
    expect(await leftIn([original(), refund(20), refund(-10.55)])).toContain('19.45 left');
    expect(await leftIn([{ ...original(), amt_refunded: 40 }, refund(20)])).toContain('10.00 left');
  });

  test.each(['D', 'F', 'R', 'K', 'H', 'V', 'v'])(
    "the remaining amount of a sale isn't reduced by a refund with the status %s",
    async (tran_status) => expect(await leftIn([original(), refund(20, { tran_status })])).toContain('50.00 USD · '),
  );

  test('the remaining amount of a sale is zero after a linked void', async () =>
    expect(await leftIn([original(), refund(50, { request_type: 'void', tran_status: 'V' })])).toBeUndefined());

  test("the remaining amount of a sale is calculated for a sale whose refunds weren't read yet", async () => {
    const old = original();
    const records = [
      ...Array.from({ length: 520 }, (_, minute) =>
        sale(3, { time: new Date(Date.parse('2026-11-10T00:00:00Z') + minute * 60_000).toISOString() }),
      ),
      // The service's clock is wrong, so the refund appears older than the sale.
      refund(20, { time: '2026-09-01T00:00:00.000Z' }),
      { ...old, cardholder_last_name: 'Fischer', tran_time: '2026-10-01T00:00:00.000Z' },
    ];
    expect((await list(records, 'fischer'))[0]).toContain('30.00 left');
  });

  test("the remaining amount of a sale isn't shown if the amount can't be read", async () =>
    expect((await list([sale(10, { amt_tran: 'ten' })]))[0]).toBe('Max Muster · 5 Oct · Visa 1111 · deposited'));
});
