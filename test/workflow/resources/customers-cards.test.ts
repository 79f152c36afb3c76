import type { INodeParameters } from 'n8n-workflow';

import { benchOf, errorOf, sandboxForFile, toErrors } from '../bench';

const sandbox = sandboxForFile();

const byId = (value: unknown) => ({ __rl: true, mode: 'id', value: String(value) });
const { runOperation: run } = benchOf(sandbox, {
  parameters: { resource: 'customerCard', customer_id: byId('CUST0001') },
});
const cards = () => sandbox.control.state().customers[0]?.billing_cards ?? [];

const NUMBER = '4111111111111111';
const visa: INodeParameters = { card_number: NUMBER, exp_date: '12/30', billing_zip: '97477' };

test('returns one item per card with its customer', async () => {
  await run('create', visa);
  const { items } = await run('getAll');
  expect(items.map(({ json }) => json)).toMatchObject([
    { customer_id: 'CUST0001', card_id: cards()[0]?.card_id, primary: true },
    { customer_id: 'CUST0001', card_id: cards()[1]?.card_id, card_type_text: expect.any(String) as string },
  ]);
  const all = await run('getAll', { simplify: false });
  expect(all.items[0]?.json).toMatchObject({ billing_city: 'Springfield' });
});

test("returns no items for a customer without cards, and fails only an unknown customer's item", async () => {
  const card_id = byId(cards()[0]?.card_id);
  await run('delete', { card_id });
  const customer_id = byId('={{ $json.id }}');
  const rows = ['CUST0001', 'NOBODY', 'CUST0002'].map((id) => ({ id }));
  const { items, errors } = await run('getAll', { customer_id }, rows, toErrors);
  expect(items.map(({ json, pairedItem }) => [json.customer_id, pairedItem])).toEqual([['CUST0002', { item: 2 }]]);
  expect(errorOf(errors[0])).toMatchObject({ code: 7 });
});

describe('adding a card', () => {
  test('returns the ID of the new card with its number masked', async () => {
    const { items, error } = await run('create', visa);
    expect(error).toBeUndefined();
    expect(items[0]?.json).toMatchObject({
      what_happened: 'Saved a card for customer CUST0001.',
      customer_id: 'CUST0001',
      card_id: cards()[1]?.card_id,
      card_number: '411111xxxxxx1111',
      primary: false,
    });
    expect(JSON.stringify(items)).not.toContain(NUMBER);
  });

  test('makes the new card the only primary card', async () => {
    await run('create', { ...visa, additionalFields: { primary: true } });
    expect(cards().map(({ primary }) => primary)).toEqual([false, true]);
  });

  test('adds a bank account with its holder', async () => {
    const account = { paymentMethod: 'bankAccount', tr_number: '021000021', dda_number: '000123456789' };
    const nameless = await run('create', { ...account, billing_zip: '1' });
    expect(nameless.error?.message).toContain('"Payment Method" requires Billing First Name and Billing Last Name');
    const name = { billing_first_name: 'Ana', billing_last_name: 'Silva' };
    const { items } = await run('create', { ...account, ...name, billing_zip: '97477' });
    expect(items[0]?.json).toMatchObject({ card_id: cards()[1]?.card_id, card_type: 'AP' });
    expect(items[0]?.json.what_happened).toContain('Saved a bank account');
    expect(JSON.stringify(items)).not.toContain('000123456789');
  });

  test('adds a card once, and a repetition says where to find the card', async () => {
    const rows = [{ number: NUMBER }, { number: NUMBER }, { number: '4012888888881881' }];
    const { items, errors } = await run('create', { ...visa, card_number: '={{ $json.number }}' }, rows, {
      onError: 'continueErrorOutput',
    });
    expect(items).toHaveLength(2);
    expect(errorOf(errors[0]).message).toContain('This card or bank account is already saved for the customer');
    expect(cards()).toHaveLength(3);
    expect(JSON.stringify(errors.map(errorOf))).not.toContain(NUMBER);
  });

  test.each<[string, INodeParameters, string]>([
    ['its postal code', { billing_zip: '={{ "" }}' }, '"Billing ZIP or Postal Code" is required'],
    ['its date', { exp_date: '={{ "" }}' }, '"Expiration Date" is required'],
    ['a number of a card', { card_number: '4111' }, '"Card Number" must be 12 to 16 digits'],
  ])('sends no card without %s', async (_, more, message) => {
    const { error } = await run('create', { ...visa, ...more });
    expect(error?.message).toContain(message);
    expect(sandbox.control.journal()).toEqual([]);
  });
});

test('makes another card primary, and changes nothing if repeated', async () => {
  await run('create', visa);
  const card_id = byId(cards()[1]?.card_id);
  for (let time = 0; time < 2; time += 1) {
    const { items } = await run('setPrimary', { card_id });
    expect(items[0]?.json).toMatchObject({ customer_id: 'CUST0001', card_id: card_id.value });
    expect(cards().map(({ primary }) => primary)).toEqual([false, true]);
  }
});

describe('removing a card', () => {
  test('names the removed card and makes the first remaining one primary', async () => {
    await run('create', visa);
    const [first] = cards();
    const { items } = await run('delete', { card_id: byId(first?.card_id) });
    expect(items[0]?.json).toEqual({
      what_happened: 'Deleted a saved card of customer CUST0001 permanently.',
      customer_id: 'CUST0001',
      card_id: first?.card_id,
      deleted: true,
    });
    expect(cards()).toMatchObject([{ primary: true }]);
  });

  test("explains why a card with an active subscription can't be removed", async () => {
    const subscription = { resource: 'subscription', operation: 'create', customerSource: 'existing' };
    const terms = { termsSource: 'plan', plan_code: 'MONTHLY25', date_start: '2030-03-01' };
    await run('', { ...subscription, ...terms });
    const { error } = await run('delete', { card_id: byId(cards()[0]?.card_id) });
    expect(error?.message).toContain('An active subscription uses this card');
    expect(error?.message).toContain('cancel the subscription');
    expect(cards()).toHaveLength(1);
  });

  test('refuses the card of another customer', async () => {
    const { error } = await run('delete', { customer_id: byId('CUST0002'), card_id: byId(cards()[0]?.card_id) });
    expect(error?.message).toContain('The customer has no saved card with this ID');
  });
});
