import type { IDataObject, INodeListSearchResult } from 'n8n-workflow';
import { Settings } from 'luxon';

import { search } from '../../../nodes/PaymentPlatform/search';
import { NOW, sale } from './records';
import { editor } from './service';

beforeAll(() => void (Settings.now = () => Date.parse(NOW)));
afterAll(() => void (Settings.now = () => Date.now()));

const many = (count: number, given: IDataObject = {}) =>
  Array.from({ length: count }, (_, hour) =>
    sale(20, { time: new Date(Date.parse('2026-11-19T00:00:00Z') - hour * 3_600_000).toISOString(), ...given }),
  );
const recent = many(600);
const old = (amount: number, given: IDataObject = {}) => sale(amount, { time: '2026-03-02T15:00:00.000Z', ...given });

const ids = ({ results }: INodeListSearchResult) => results.map(({ value }) => value).filter((one) => one !== true);
const picked = async (sales: IDataObject[], typed?: string, token?: string) =>
  await search(editor({ sales }).context, 'searchSales', typed, token);

test.each([
  ['an amount', '49', { amt_tran: 49 }],
  ['the units of an amount', '49', { amt_tran: 49.95 }],
  ['a day', '2 Mar 2026', {}],
  ['a day without its year', 'mar 2', {}],
  ['a name', 'anna fischer', { cardholder_first_name: 'Anna', cardholder_last_name: 'Fischer' }],
  ['a name and a currency', 'fischer usd', { cardholder_last_name: 'Fischer' }],
  ['a name and an amount', '49 fischer', { amt_tran: 49, cardholder_last_name: 'Fischer' }],
  ['the last four digits', '4242', { card_number: '411111xxxxxx4242' }],
  ['a card with its kind', 'visa 4242', { card_number: '411111xxxxxx4242' }],
  ['a name with accents', 'Müller', { cardholder_last_name: 'Müller' }],
  ['a name with an apostrophe', "o'brien", { cardholder_last_name: "O'Brien" }],
  ['the ID', '426351789012345678', { pg_id: '426351789012345678' }],
  ['an order number', 'ORDER-77', { purchase_id: 'ORDER-77' }],
])('finds a sale beyond the latest records by %s', async (_, typed, given) => {
  const record = old(30, given);
  expect(ids(await picked([...recent, record], typed))).toEqual([record.pg_id]);
});

test("includes the first and last minute of a day in n8n's time zone", async () => {
  const times = ['05:00:00.000Z', '04:59:59.000Z'].map((time, day) => `2026-03-0${day + 2}T${time}`);
  const inside = times.map((time) => old(30, { time, tran_time: time }));
  const outside = ['2026-03-02T04:59:59.000Z', '2026-03-03T05:00:00.000Z'].map((time) => old(31, { tran_time: time }));
  const found = ids(await picked([...recent, ...inside, ...outside], '2026-03-02'));
  expect(found.sort()).toEqual(inside.map(({ pg_id: id }) => id).sort());
});

test('says that not all records were searched and suggests a more specific input', async () => {
  const { results } = await picked(recent, 'nobody');
  expect(results).toEqual([
    {
      name: 'Not listed? Type whole amount, day, order number or ID. The list covers the latest 500 transactions and older matches from the service.',
      value: true,
    },
  ]);
});

test('reads a short list once without a notice', async () => {
  const { context, asked } = editor({ sales: many(40) });
  expect(await search(context, 'searchSales', 'nobody')).toEqual({ results: [] });
  expect(asked).toHaveLength(1);
});

test('sends a limited number of requests for any number of records', async () => {
  const { context, asked } = editor({ sales: many(3000) });
  await search(context, 'searchSales', '20');
  expect(asked.length).toBeLessThanOrEqual(13);
});

test('lists all sales once, by page, without typed text', async () => {
  const sales = many(120);
  const found: unknown[] = [];
  let token: string | undefined;
  let calls = 0;
  do {
    const page = await picked(sales, undefined, token);
    found.push(...ids(page));
    token = page.paginationToken;
    calls += 1;
  } while (token !== undefined && calls < 10);
  expect(found).toEqual(sales.map(({ pg_id: id }) => id));
  expect(calls).toBe(3);
});

test('reads the next page immediately if a page has no selectable record', async () => {
  const { results, paginationToken } = await picked([...many(120, { tran_status: 'D' }), old(49)]);
  expect(results[0]?.name).toMatch(/^Max Muster · 49.00 USD/);
  expect(results.at(-1)?.name).toBe('120 of the latest 121 transactions not shown: declined (120)');
  expect(results).toHaveLength(2);
  expect(paginationToken).toBeUndefined();
});

test('returns all results of a search in order of rank, fifty at a time', async () => {
  const sales = many(130);
  const first = await picked(sales, '20');
  const second = await picked(sales, '20', first.paginationToken);
  const third = await picked(sales, '20', second.paginationToken);
  expect([first, second, third].map((page) => ids(page).length)).toEqual([50, 50, 30]);
  expect([first, second, third].flatMap(ids)).toEqual(sales.map(({ pg_id: id }) => id));
  expect(third.paginationToken).toBeUndefined();
});
