import { benchForEachTest, type Envelope } from './client';

interface Card {
  card_id: string;
  primary: boolean;
  exp_date?: string;
  billing_zip?: string;
  billing_city?: string;
}
interface Address {
  shipping_id: number;
  shipping_city?: string;
  primary?: boolean;
}
interface Customer {
  customer_id: string;
  customer_email?: string;
  customer_firm_name?: string;
  billing_cards: Card[];
  shipping_addresses: Address[];
}

describe('The vault', () => {
  const bench = benchForEachTest();

  const VAULT = '/platform/vault/customer';
  const visa = { card_number: '4111111111111111', exp_date: '1230', billing_zip: '97477' };
  const master = { ...visa, card_number: '5555555555554444' };
  const ada = { customer_id: 'ADA', customer_first_name: 'Ada', customer_last_name: 'Example' };
  const send = async (method: string, path: string, data?: object) =>
    (await bench.http.request<Envelope>({ method, url: `${VAULT}${path}`, data })).data;
  const record = async (method: string, path: string, data?: object) =>
    (await send(method, path, data)).data as Customer;
  const create = async (more: object = {}) => await record('POST', '', { ...ada, ...more });
  const refused = async (method: string, path: string, data: object) => {
    const before = JSON.stringify(bench.sandbox.control.state());
    const answer = await send(method, path, data);
    expect(JSON.stringify(bench.sandbox.control.state())).toBe(before);
    return [answer.code, answer.data];
  };

  test('a customer is saved once and can be read, and an unknown customer is reported as unknown', async () => {
    await create({ billing_cards: [visa] });
    expect(await refused('POST', '', ada)).toEqual([2, { customer_id: 'is already taken' }]);
    expect(await record('GET', '/ADA')).toMatchObject({ ...ada, primary_card_number: '411111xxxxxx1111' });
    for (const [method, path, body] of [
      ['GET', '/BOB'],
      ['PUT', '/BOB', { comments: 'x' }],
      ['GET', '/BOB/billing'],
      ['POST', '/BOB/billing', visa],
      ['GET', '/BOB/shipping'],
    ] as Array<[string, string, object?]>)
      expect((await send(method, path, body)).code).toBe(7);
  });

  test("omitted fields stay unchanged, arrays are replaced, and a customer's name is required", async () => {
    const { billing_cards } = await create({ customer_email: 'a@example.com', billing_cards: [visa, master] });
    expect(await record('PUT', '/ADA', { comments: 'Late' })).toMatchObject({
      customer_email: 'a@example.com',
      comments: 'Late',
      billing_cards: [{ primary: true }, { primary: false }],
    });
    const kept = billing_cards[1]?.card_id;
    const changed = await record('PUT', '/ADA', { billing_cards: [{ card_id: kept, billing_zip: '1' }] });
    expect(changed.billing_cards).toMatchObject([{ card_id: kept, billing_zip: '1', primary: true }]);
    expect(await refused('PUT', '/ADA', { customer_last_name: '' })).toEqual([
      2,
      { customer_firm_name: expect.any(String) as string },
    ]);
    expect(await refused('PUT', '/ADA', { billing_cards: [visa, visa] })).toMatchObject([2, {}]);
    expect((await refused('PUT', '/ADA', { customer_id: 'EVE' }))[0]).toBe(2);
  });

  test('the first card becomes the primary card, and a later card becomes the primary card only on request', async () => {
    await create();
    expect((await record('POST', '/ADA/billing', visa)).billing_cards).toMatchObject([{ primary: true }]);
    const two = await record('POST', '/ADA/billing', master);
    expect(two.billing_cards.map(({ primary }) => primary)).toEqual([true, false]);
    const third = { card_number: '4012888888881881', exp_date: '1230', billing_zip: '1', primary: true };
    const three = await record('POST', '/ADA/billing', third);
    expect(three.billing_cards.map(({ primary }) => primary)).toEqual([false, false, true]);
    const second = String(two.billing_cards[1]?.card_id);
    const chosen = await record('PUT', '/ADA/billing/primary', { card_id: second });
    expect(chosen.billing_cards.map(({ primary }) => primary)).toEqual([false, true, false]);
    const left = await record('PUT', '/ADA/billing/delete', { card_id: second });
    expect(left.billing_cards.map(({ primary }) => primary)).toEqual([true, false]);
    expect((await send('GET', '/ADA/billing')).data).toEqual({ billing_cards: left.billing_cards });
  });

  test.each([
    ['the same card twice', visa, 'card_number'],
    ['a card without its date', { card_number: master.card_number, billing_zip: '1' }, 'exp_date'],
    ['a card without a postal code', { card_number: master.card_number, exp_date: '1230' }, 'billing_zip'],
    ['an unknown card ID', { card_id: 'a'.repeat(32), billing_zip: '1' }, 'card_id'],
    [
      'an account without a name',
      { tr_number: '021000021', dda_number: '123456789', billing_zip: '1' },
      'billing_last_name',
    ],
    ['two ways to pay', { ...master, tr_number: '021000021', dda_number: '123456789' }, 'card_number'],
  ])('the vault refuses a customer with %s', async (_, body, field) => {
    await create({ billing_cards: [visa] });
    expect(await refused('POST', '/ADA/billing', body)).toEqual([2, { [field]: expect.any(String) as string }]);
  });

  test("a changed card's record replaces the previous record", async () => {
    const { billing_cards } = await create({ billing_cards: [{ ...visa, billing_city: 'Salem' }] });
    const card_id = String(billing_cards[0]?.card_id);
    const changed = await record('PUT', '/ADA/billing', { card_id, exp_date: '0133' });
    expect(changed.billing_cards[0]).toEqual({
      ...{ card_id, card_number: '411111xxxxxx1111', card_type: 'VS', exp_date: '0133', primary: true },
    });
    expect((await refused('PUT', '/ADA/billing', { card_id: 'b' }))[1]).toHaveProperty('card_id');
  });

  test('a card can be removed unless an active subscription uses it', async () => {
    const { billing_cards } = await create({ billing_cards: [visa, master] });
    const [used, other] = billing_cards.map(({ card_id }) => card_id);
    const terms = { customer_id: 'ADA', plan_frequency: 3, plan_duration: 1, amt_tran: 5, date_start: '2026-01-01' };
    await bench.http.post('/platform/subscription', { ...terms, card_id: used });
    expect(await refused('PUT', '/ADA/billing/delete', { card_id: used })).toEqual([
      2,
      { card_id: 'is used by an active subscription' },
    ]);
    expect((await record('PUT', '/ADA/billing/delete', { card_id: other })).billing_cards).toHaveLength(1);
  });

  test('addresses are added, replaced, selected and removed', async () => {
    await create();
    const home = { shipping_first_name: 'Ada', shipping_last_name: 'Example', shipping_city: 'Salem', primary: true };
    expect((await refused('POST', '/ADA/shipping', { shipping_city: 'Salem' }))[0]).toBe(2);
    const one = await record('POST', '/ADA/shipping', home);
    const shipping_id = Number(one.shipping_addresses[0]?.shipping_id);
    const two = await record('POST', '/ADA/shipping', { ...home, shipping_city: 'Bend' });
    expect(two.shipping_addresses.map(({ primary }) => primary)).toEqual([false, true]);
    const changed = await record('PUT', '/ADA/shipping', { ...home, shipping_city: undefined, shipping_id });
    expect(changed.shipping_addresses).toMatchObject([{ primary: true }, { primary: false }]);
    expect(changed.shipping_addresses[0]).not.toHaveProperty('shipping_city');
    const other = Number(two.shipping_addresses[1]?.shipping_id);
    const chosen = await record('PUT', '/ADA/shipping/primary', { shipping_id: other });
    expect(chosen.shipping_addresses.map(({ primary }) => primary)).toEqual([false, true]);
    expect((await record('DELETE', `/ADA/shipping/${shipping_id}`)).shipping_addresses).toHaveLength(1);
    expect((await send('GET', '/ADA/shipping')).data).toMatchObject({ shipping_addresses: [{ shipping_id: other }] });
    expect((await send('DELETE', `/ADA/shipping/${shipping_id}`)).code).toBe(2);
  });

  test("a deleted customer's subscriptions are deleted and never charged again", async () => {
    await create({ billing_cards: [visa] });
    const terms = { customer_id: 'ADA', plan_frequency: 3, plan_duration: 12, amt_tran: 5 };
    await bench.http.post('/platform/subscription', terms);
    expect(await send('DELETE', '/ADA')).toEqual({ code: 0, message: 'Success', data: {} });
    const { customers, subscriptions } = bench.sandbox.control.state();
    expect([customers, subscriptions]).toEqual([[], []]);
    await bench.sandbox.control.advanceClock({ days: 70 });
    expect(bench.sandbox.control.state().transactions).toEqual([]);
    expect((await send('DELETE', '/ADA')).code).toBe(7);
  });

  test('a payee is created with a masked account, changed in part, listed and found by name', async () => {
    const payees = async (method: string, path = '', data?: object) =>
      (await bench.http.request<Envelope>({ method, url: `/platform/vault/payee${path}`, data })).data;
    const payee_address = [{ address1: '12 Mill Road', city: 'Springfield' }];
    const payee_account = [{ tr_number: '021000021', dda_number: '000987653541' }];
    const { data: made } = await payees('POST', '', { payee_name: 'Silva Bakery', payee_address, payee_account });
    const payee = made as { payee_id: string };
    const account = { type_id: 'C', tr_number: 'xxxxxxxxx', dda_number: 'xxxxxxxx3541' };
    expect(made).toMatchObject({ payee_address: payee_address[0], payee_account: account });
    const change = { payee_email: ['ana@example.com'], payee_address: { city: 'Salem' } };
    const { data: changed } = await payees('PUT', `/${payee.payee_id}`, change);
    expect(changed).toMatchObject({ ...change, payee_name: 'Silva Bakery', payee_account: account });
    expect(changed).not.toHaveProperty('payee_address.address1');
    await payees('POST', '', { payee_name: 'Another' });
    expect((await payees('GET', '?filter=payee_name,IS,Silva Bakery')).data).toEqual([changed]);
    expect((await payees('GET')).totalRecords).toBe(2);
  });

  test.each([
    [{ payee_name: ' ' }, { payee_name: 'is required' }],
    [{ payee_name: 'A', payee_phone: '5551234' }, { payee_phone: 'must begin with the country prefix' }],
    [
      { payee_name: 'A', payee_account: [{ dda_number: '12345678' }] },
      { 'payee_account.0.dda_number': 'must be an account number, with a tr_number of nine digits' },
    ],
  ])('a payee with the values %j is refused and not saved', async (data, problems) => {
    const { data: answer } = await bench.http.post<Envelope>('/platform/vault/payee', data);
    expect([answer.code, answer.data]).toEqual([2, problems]);
    expect(bench.sandbox.control.state().payees).toEqual([]);
  });
});
