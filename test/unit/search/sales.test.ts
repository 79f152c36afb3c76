import type { IDataObject } from 'n8n-workflow';
import { Settings } from 'luxon';

import { search } from '../../../nodes/PaymentPlatform/search';
import { isRecord, NOW, sale } from './records';
import { editor } from './service';

beforeAll(() => void (Settings.now = () => Date.parse(NOW)));
afterAll(() => void (Settings.now = () => Date.now()));

async function searched(sales: IDataObject[], typed?: string, timezone?: string) {
  const { context, asked } = editor({ sales }, { timezone });
  const { results } = await search(context, 'searchSales', typed);
  const names = (can: boolean) => results.filter(({ value }) => isRecord(value) === can).map(({ name }) => name);
  return { picked: names(true), told: names(false), results, asked };
}

const annas = sale(49, {
  name: 'Anna Fischer',
  card: '4242',
  time: '2026-11-03T15:00:00.000Z',
  amt_refunded: 19,
  purchase_id: 'ORDER-1001',
  pg_id: '426351789012345678',
});
const TEXT = 'Anna Fischer · 49.00 USD (30.00 left) · 3 Nov · Visa 4242 · ORDER-1001 · deposited';
const others = [
  sale(149, { name: 'Jürgen Müller' }),
  sale(72.49, { name: 'Hugo Fischer' }),
  sale(91.68, { name: 'Anna Dahl', pg_id: '20000000000000004900' }),
  sale(49.95, { name: 'Eva Fischer' }),
  sale(490, { name: 'Kira Ito' }),
];

test('shows the person, amounts, day, card, order number and status of a sale in this order', async () => {
  expect((await searched([annas])).results).toEqual([{ name: TEXT, value: '426351789012345678' }]);
});

test.each([
  ...['49', '49.00', '49,00', '$49.00', '49 USD', 'usd 49.00', 'Anna Fischer', 'fischer anna', 'FISCHER, Anna'],
  ...['Ánna Físcher', '2026-11-03', 'Nov 3', '3 Nov', '3 Nov 2026', '4242', 'Visa 4242', '426351789012345678'],
  ...[
    'ORDER-1001',
    '1001',
    '30.00 left',
    'ann fisch',
    'fischer 49',
    'nov 3 anna',
    '345678',
    'deposit sent',
    'deposited',
    TEXT,
  ],
])('ranks the sale first for "%s"', async (typed) =>
  expect((await searched([...others, annas], typed)).picked[0]).toBe(TEXT),
);

test.each(['Anna Muller', 'Nov 4', '49.01', '4243', 'ORDER-1002', '2025-11-03', '50 Fischer Anna'])(
  'doesn\'t find the sale by "%s", because every word must match',
  async (typed) => expect((await searched([annas], typed)).results).toEqual([]),
);

test('ranks a whole amount first, then its units, beginnings and parts of numbers', async () => {
  const { picked } = await searched([...others, annas], '49');
  expect(picked.map((name) => name.split(' · ')[1]?.split(' ')[0])).toEqual([
    '49.00',
    '49.95',
    '490.00',
    '149.00',
    '72.49',
  ]);
});

test('ranks amounts before cards and order numbers with the same digits', async () => {
  const records = [
    sale(10, { purchase_id: 'ORDER-4242' }),
    sale(11, { card: '4242' }),
    sale(14242, { name: 'Inside' }),
    sale(4242.5),
    sale(4242),
  ];
  const { picked } = await searched(records, '4242');
  expect(picked.map((name) => name.split(' · ')[1]?.split(' ')[0])).toEqual([
    '4242.00',
    '4242.50',
    '11.00',
    '10.00',
    '14242.00',
  ]);
});

test('ranks whole words before beginnings and parts of words', async () => {
  const records = ['Johanna Dahl', 'Annabel Ito', 'Anna Hansen'].map((name) => sale(10, { name }));
  const { picked } = await searched(records, 'anna');
  expect(picked.map((name) => name.split(' · ')[0])).toEqual(['Anna Hansen', 'Annabel Ito', 'Johanna Dahl']);
});

test('lists equal matches newest first', async () => {
  const records = ['2026-11-01', '2026-11-03', '2026-11-02'].map((day) => sale(49, { time: `${day}T15:00:00.000Z` }));
  const { picked } = await searched(records, '49');
  expect(picked.map((name) => name.split(' · ')[2])).toEqual(['3 Nov', '2 Nov', '1 Nov']);
});

test("shows and finds days in n8n's time zone", async () => {
  const late = [sale(10, { time: '2026-11-04T03:30:00.000Z' })];
  expect((await searched(late, 'Nov 3', 'America/New_York')).picked[0]).toContain(' 3 Nov ');
  expect((await searched(late, 'Nov 3', 'Europe/Berlin')).picked).toEqual([]);
  expect((await searched(late, 'Nov 4', 'Europe/Berlin')).picked[0]).toContain(' 4 Nov ');
});

test('reads a time without an offset as Pacific time', async () => {
  const late = [sale(10, { time: '2026-11-03 22:00:00' })];
  expect((await searched(late, 'Nov 4', 'America/New_York')).picked[0]).toContain(' 4 Nov ');
});

test('shows an unknown currency by its number', async () => {
  expect((await searched([sale(10, { tran_currency: '999' })])).picked[0]).toMatch(/ · 10.00 999 ·/);
  expect((await searched([sale(10, { tran_currency: '' })])).picked[0]).toMatch(/ · 10.00 ·/);
});

test('distinguishes equal list entries by short IDs, or by the visible end of long IDs', async () => {
  const { picked } = await searched([sale(10, { pg_id: '111111' }), sale(10, { pg_id: '7222222' })]);
  expect(picked.map((name) => name.split(' · ')[1])).toEqual(['ID 111111', 'ID ...222222']);
});

test('shows the difference between two sales before the line is cut off', async () => {
  const twice = ['ORDER-1001', 'ORDER-1002'].map((purchase_id) => sale(49, { name: 'Katharina Wolf', purchase_id }));
  const { picked } = await searched([...twice, sale(50, { purchase_id: 'ORDER-1003' })]);
  expect(picked.map((name) => name.split(' · ').slice(0, 3))).toEqual([
    ['Katharina Wolf', 'ORDER-1001', '49.00 USD'],
    ['Katharina Wolf', 'ORDER-1002', '49.00 USD'],
    ['Max Muster', '50.00 USD', '5 Oct'],
  ]);
  expect(new Set(picked).size).toBe(3);
});

test.each([
  ['Carla Fischer', { amt_refunded: 13.5 }, 'Carla Fischer · 49.00 USD (35.50 left) · 5 Oct'],
  ['Katharina Schneider-Wolfsberg', { amt_refunded: 13.5 }, 'Katharina Schn… · 49.00 USD (35.50 left) · 5 Oct'],
  ['Katharina Schneider', { card_type: 'AM' }, 'Katharina Schneider · 49.00 USD · 5 Oct · Amex 1'],
])('shows the person, amounts and day in the first 48 characters: %s %j', async (name, given, seen) => {
  const { picked } = await searched([sale(49, { name, ...given })]);
  expect(picked[0]?.slice(0, 48).replace(/ ·? ?$/, '')).toBe(seen);
  expect((await searched([sale(49, { name, ...given })], name)).picked).toEqual(picked);
});

test('shows the year of a distant day and finds the day with and without it', async () => {
  const records = [sale(10, { time: '2026-03-02T16:00:00.000Z' }), sale(11)];
  expect((await searched(records)).picked.map((name) => name.split(' · ')[2])).toEqual(['5 Oct', '2 Mar 2026']);
  for (const typed of ['2 Mar 2026', '2 Mar', 'October', '5 Oct 2026', '2026-10-05'])
    expect((await searched(records, typed)).picked).toHaveLength(1);
});

test.each(['10.00 usd', 'american express', 'amex 1111'])('finds the sale by "%s"', async (typed) =>
  expect((await searched([sale(10, { card_type: 'AM' }), sale(12, { amt_refunded: 3 })], typed)).picked).toEqual([
    'Max Muster · 10.00 USD · 5 Oct · Amex 1111 · deposited',
  ]),
);

test('never shows more than the last four digits of a card number', async () => {
  const record = sale(10, { card_number: '4111111111114242', cardholder_last_name: '4111111111111111' });
  const { results } = await searched([record], '4242');
  expect(JSON.stringify(results)).toContain('Visa 4242');
  expect(JSON.stringify(results)).not.toMatch(/4111/);
});

test('searches for the last four digits of a typed card number without sending the number', async () => {
  const { picked, asked } = await searched([sale(10, { card: '1111' })], '4111 1111 1111 1111');
  expect(picked).toHaveLength(1);
  expect(JSON.stringify(asked)).not.toMatch(/4111|1111 1111/);
});
