import { Settings } from 'luxon';

import { search } from '../../../nodes/PaymentPlatform/search';
import { NOW } from './records';
import { editor } from './service';

beforeAll(() => void (Settings.now = () => Date.parse(NOW)));
afterAll(() => void (Settings.now = () => Date.now()));

const card = (card_id: string, last: string, exp_date: string, primary = false) => ({
  card_id,
  card_type: 'VS',
  card_number: `411111xxxxxx${last}`,
  exp_date,
  primary,
});
const anna = {
  customer_id: 'C1001',
  customer_first_name: 'Anna',
  customer_last_name: 'Müller-Fischer',
  customer_firm_name: 'Fischer Garden Care',
  customer_email: 'anna@example.com',
  customer_phone: '15415550199',
  reference_id: 'CRM-77',
  primary_card_number: '411111xxxxxx4242',
  billing_cards: [card('card1', '4242', '1230', true), card('card2', '0005', '1026')],
};
const customers = [
  { customer_id: 'C1002', customer_first_name: 'Hugo', customer_last_name: 'Fischer', billing_cards: [] },
  anna,
  { customer_id: 'C1003', customer_firm_name: 'Annas Bakery', billing_cards: [card('card3', '1111', '1127')] },
];

const picked = async (typed?: string) =>
  (await search(editor({ customers }).context, 'searchCustomers', typed)).results;
const cards = async (typed?: string, customer: unknown = '') =>
  (await search(editor({ customers }, { customer }).context, 'searchCards', typed)).results;

test('shows the name, card, company, email and ID of a customer', async () =>
  expect(await picked('c1001')).toEqual([
    { name: 'Anna Müller-Fischer · card 4242 · Fischer Garden Care · anna@example.com · C1001', value: 'C1001' },
  ]));

test.each([
  ...['anna fischer', 'fischer, anna', 'muller', 'MÜLLER', 'Müller-Fischer', 'garden anna', 'anna@example.com'],
  ...['C1001', 'c1001', '15415550199', 'CRM-77', '4242', 'card 4242'],
])('ranks the customer first for "%s"', async (typed) => expect((await picked(typed))[0]?.value).toBe('C1001'));

test('ranks a whole name before a company that begins with it', async () =>
  expect((await picked('anna')).map(({ value }) => value)).toEqual(['C1001', 'C1003']));

test("lists customers in the service's order without typed text", async () =>
  expect((await picked()).map(({ value }) => value)).toEqual(['C1003', 'C1002', 'C1001']));

test('shows the type, last four digits, expiration and owner of a saved card', async () =>
  expect((await cards('anna')).slice(0, 2)).toEqual([
    { name: 'Visa 4242 · until 12/30 · primary · Anna Müller-Fischer · C1001', value: 'card1' },
    { name: 'Visa 0005 · expired 10/26 · Anna Müller-Fischer · C1001', value: 'card2' },
  ]));

test("begins a customer's cards with the primary card", async () => {
  const own = {
    ...anna,
    billing_cards: [card('card2', '0005', '1026'), card('card4', '7777', '1126'), ...anna.billing_cards.slice(0, 1)],
  };
  const { results } = await search(editor({ customers: [own] }, { customer: 'C1001' }).context, 'searchCards');
  expect(results[0]?.value).toBe('card1');
});

test.each([
  ['4242', 'card1'],
  ['visa 0005', 'card2'],
  ['expired', 'card2'],
  ['expires 12/30', 'card1'],
  ['until 12/30', 'card1'],
  ['fischer primary', 'card1'],
  ['c1003', 'card3'],
  ['card2', 'card2'],
  ['bakery', 'card3'],
])('ranks the card %s first for "%s"', async (typed, card_id) => expect((await cards(typed))[0]?.value).toBe(card_id));

test('lists only the cards of a selected customer without the name', async () =>
  expect(await cards(undefined, { __rl: true, mode: 'id', value: 'C1003' })).toEqual([
    { name: 'Visa 1111 · until 11/27', value: 'card3' },
  ]));
