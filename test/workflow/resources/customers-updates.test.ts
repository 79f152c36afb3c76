import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { benchOf, sandboxForFile, toErrors } from '../bench';
import { startRecorder } from '../recorder';

const sandbox = sandboxForFile();

const byId = (value: unknown) => ({ __rl: true, mode: 'id', value: String(value) });
const { run, requests: sent } = benchOf(sandbox, { parameters: { customer_id: byId('CUST0001') } });
const customer = () => sandbox.control.state().customers[0];
const cards = () => customer()?.billing_cards ?? [];
const addresses = () => (customer()?.shipping_addresses ?? []) as IDataObject[];
const writes = () => sent('PUT').map(({ body }) => body as Record<string, unknown>);
const reads = () => sent('GET');
const visa: INodeParameters = { card_number: '4111111111111111', exp_date: '12/30', billing_zip: '97477' };

describe('changing a saved card', () => {
  const change: INodeParameters = { resource: 'customerCard', operation: 'update' };
  const cardId = () => byId(cards()[0]?.card_id);

  test('sends the complete record, changing only given fields', async () => {
    const before = cards()[0];
    const { items, error } = await run({ ...change, card_id: cardId(), exp_date: '01/33' });
    expect(error).toBeUndefined();
    expect(cards()).toEqual([{ ...before, exp_date: '0133' }]);
    expect(Object.keys(writes()[0] ?? {})).not.toContain('card_number');
    expect(items[0]?.json).toMatchObject({ customer_id: 'CUST0001', card_id: before?.card_id, exp_date: '0133' });
  });

  test('sends only the given fields without reading the record if the user chose this', async () => {
    const more = { keepOthers: false, billing_city: '', billing_zip: '1' };
    const { error } = await run({ ...change, card_id: cardId(), exp_date: '01/33', ...more });
    expect(error).toBeUndefined();
    expect(reads()).toEqual([]);
    expect(cards()[0]).not.toHaveProperty('billing_city');
  });

  test('sends nothing if the card changes between reading and writing', async () => {
    let looked = 0;
    const card = () => ({ card_id: 'c1', exp_date: `123${(looked += 1)}`, primary: true });
    const recorder = await startRecorder({
      toJSON: () => ({ code: 0, message: 'Success', data: { billing_cards: [card()] } }),
    });
    const { error } = await run({ ...change, card_id: byId('c1'), billing_zip: '1' }, [{}], {
      credential: recorder.credential,
    });
    await recorder.stop();
    expect(error?.message).toContain('record changed after the node read it');
    expect(recorder.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  test('sends nothing without a change or if the customer lacks the card', async () => {
    const nothing = await run({ ...change, card_id: cardId() });
    expect(nothing.error?.message).toContain(
      '"Expiration Date" is required, unless you enter a value in another field',
    );
    const { items, errors } = await run(
      { ...change, card_id: byId('={{ $json.card }}'), exp_date: '01/33' },
      [{ card: 'none' }, { card: cardId().value }],
      toErrors,
    );
    expect(items).toHaveLength(1);
    const failed = errors[0]?.json.error as IDataObject;
    expect(failed).toMatchObject({ outcome: 'invalid', message: 'The customer has no saved card with this ID' });
  });
});

describe('changing an address', () => {
  const change: INodeParameters = { resource: 'customerAddress', operation: 'update' };
  const add = async (city: string) =>
    await run({
      resource: 'customerAddress',
      operation: 'create',
      shipping_first_name: 'Ana',
      shipping_last_name: 'Silva',
      shipping_city: city,
    });

  test('changes the given fields under the same ID', async () => {
    await add('Salem');
    const [before] = addresses();
    const { items, error } = await run({
      ...change,
      shipping_id: byId(before?.shipping_id),
      shipping_addr1: '12 Mill Road',
    });
    expect(error).toBeUndefined();
    expect(addresses()).toEqual([{ ...before, shipping_addr1: '12 Mill Road' }]);
    expect(items[0]?.json).toMatchObject({ customer_id: 'CUST0001', shipping_id: byId(before?.shipping_id).value });
  });

  test('requires a recipient if the whole address is replaced', async () => {
    await add('Salem');
    const shipping_id = byId(addresses()[0]?.shipping_id);
    sandbox.control.clearJournal();
    const { error } = await run({ ...change, shipping_id, keepOthers: false, shipping_city: 'Bend' });
    expect(error?.message).toContain('"Shipping First Name" and a last name are required');
    expect(sandbox.control.journal()).toEqual([]);
  });
});

describe('changing a customer', () => {
  const change: INodeParameters = { resource: 'customer', operation: 'update' };

  test('sends the given fields in one request without reading the record', async () => {
    const before = customer();
    const { items, error } = await run({ ...change, customer_email: 'new@example.com' });
    expect(error).toBeUndefined();
    expect(customer()).toEqual({ ...before, customer_email: 'new@example.com' });
    expect(writes()).toEqual([{ customer_email: 'new@example.com' }]);
    expect(reads()).toEqual([]);
    expect(items[0]?.json.what_happened).toMatch(/^Updated customer \w+ \w+ \(CUST0001\)\./);
  });

  test('adds a card and sends the existing ones back by their IDs', async () => {
    const [before] = cards();
    const { error } = await run({ ...change, billing_cards: { item: [visa] } });
    expect(error).toBeUndefined();
    expect(cards()).toEqual([before, expect.objectContaining({ card_number: '411111xxxxxx1111', primary: false })]);
    expect(JSON.stringify(writes()[0]?.billing_cards)).toContain(String(before?.card_id));
  });

  test('changes an existing card by its ID without adding a card', async () => {
    const [before] = cards();
    const billing_cards = { item: [{ paymentMethod: 'savedCard', card_id: before?.card_id, billing_zip: '11111' }] };
    await run({ ...change, billing_cards });
    expect(cards()).toEqual([{ ...before, billing_zip: '11111' }]);
  });

  test("requires a postal code for a card ID that the customer doesn't have yet", async () => {
    const billing_cards = { item: [{ paymentMethod: 'savedCard', card_id: 'a'.repeat(32) }] };
    const { error } = await run({ ...change, billing_cards });
    expect(error?.message).toContain('"Billing Cards 1 > ZIP or Postal Code" is required for a new card');
    expect(writes()).toEqual([]);
  });

  test('replaces existing lists if the user chose this', async () => {
    await run({ ...change, keepOthers: false, billing_cards: { item: [visa] } });
    expect(cards()).toMatchObject([{ card_number: '411111xxxxxx1111' }]);
    expect(reads()).toEqual([]);
  });

  test('adds an address once even if the workflow runs again', async () => {
    const shipping_addresses = {
      item: [{ shipping_first_name: 'Ana', shipping_last_name: 'Silva', shipping_city: 'Salem' }],
    };
    for (let time = 0; time < 2; time += 1) await run({ ...change, shipping_addresses });
    expect(addresses()).toHaveLength(1);
  });

  test('sends nothing if the lists change during the update or are unreadable, or the service returns no record', async () => {
    let looked = 0;
    for (const data of [
      () => ({ customer_id: 'C1', comments: `${(looked += 1)}` }),
      () => ({ customer_id: 'C1', billing_cards: 'x' }),
      () => ({ customer_id: 'C1', shipping_addresses: [null] }),
      () => [],
      () => ({}),
    ]) {
      const recorder = await startRecorder({ toJSON: () => ({ code: 0, message: 'Success', data: data() }) });
      const { error } = await run({ ...change, billing_cards: { item: [visa] } }, [{}], {
        credential: recorder.credential,
      });
      await recorder.stop();
      expect(error?.message).toMatch(
        /record changed after the node read it|No customer has this ID|could not read the (cards|current records)/,
      );
      expect(recorder.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    }
  });

  test("fails only the unknown customer's item and sends nothing without a change", async () => {
    const rows = ['CUST0001', 'NOBODY', 'CUST0003'].map((id) => ({ id }));
    const { items, errors } = await run(
      { ...change, customer_id: byId('={{ $json.id }}'), additionalFields: { comments: 'Late' } },
      rows,
      toErrors,
    );
    expect([items.length, errors.length]).toEqual([2, 1]);
    expect((await run(change)).error?.message).toContain(
      '"First Name" is required, unless you enter a value in another field',
    );
  });
});

describe('creating or updating customers from a CRM', () => {
  const upsert: INodeParameters = {
    resource: 'customer',
    operation: 'upsert',
    own_customer_id: '={{ $json.id }}',
    customer_firm_name: '={{ $json.firm }}',
    customer_email: '={{ $json.email }}',
  };
  const customers = () => sandbox.control.state().customers;
  const posts = () => sandbox.control.journal({ operationId: 'addCustomer' });

  test('creates or updates each customer by ID', async () => {
    const rows = [
      { id: 'CRM1', firm: 'Silva Bakery', email: 's@example.com' },
      { id: 'CUST0001', email: 'new@example.com' },
    ];
    const before = customer();
    const { items, error } = await run(upsert, rows);
    expect(error).toBeUndefined();
    expect(items.map(({ json }) => json.customer_id)).toEqual(['CRM1', 'CUST0001']);
    expect(customers()).toHaveLength(26);
    expect(customer()).toEqual({ ...before, customer_email: 'new@example.com' });
    expect(writes()).toEqual([{ customer_email: 'new@example.com' }]);
  });

  test('creates one customer for two rows with the same ID and updates it with the second', async () => {
    const rows = [
      { id: 'CRM1', firm: 'Silva Bakery' },
      { id: 'CRM1', firm: 'Silva Bakery', email: 'late@example.com' },
    ];
    const { items, error } = await run(upsert, rows);
    expect(error).toBeUndefined();
    expect(posts()).toHaveLength(1);
    expect(customers()).toHaveLength(26);
    expect(items[1]?.json).toMatchObject({ customer_id: 'CRM1', customer_email: 'late@example.com' });
  });

  test('sends nothing for a customer without changes and still returns the record', async () => {
    const rows = [{ id: 'CUST0001', email: customer()?.customer_email }];
    const { items } = await run(upsert, rows);
    expect(sandbox.control.journal().every(({ method }) => method === 'GET')).toBe(true);
    expect(items[0]?.json).toMatchObject({ customer_id: 'CUST0001' });
  });

  test('leaves the cards of an existing customer unchanged', async () => {
    const before = cards();
    await run({ ...upsert, billing_cards: { item: [visa] } }, [{ id: 'CUST0001', email: 'new@example.com' }]);
    expect(cards()).toEqual(before);
  });

  test('fails only the new customer without a name before it is sent', async () => {
    const rows = [{ id: 'CRM1' }, { id: 'CRM2', firm: 'Hansen Bicycles' }];
    const { items, errors } = await run(upsert, rows, toErrors);
    expect(items).toHaveLength(1);
    expect((errors[0]?.json.error as IDataObject).message).toContain('A new customer needs a first and last name');
    expect(posts()).toHaveLength(1);
  });

  test('creates each customer once if n8n retries after another item failed', async () => {
    const rows = [{ id: 'CRM1', firm: 'Silva Bakery' }, { id: 'CRM2' }];
    const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 };
    await run({ ...upsert, options: { sending: { maxParallelRequests: 1 } } }, rows, { settings });
    expect(posts()).toHaveLength(1);
  });
});
