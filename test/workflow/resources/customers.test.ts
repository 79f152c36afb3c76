import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import { benchOf, sandboxForFile, toErrors } from '../bench';

const sandbox = sandboxForFile();
const { run, bodies: sent } = benchOf(sandbox, { parameters: { resource: 'customer' } });
const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const customers = () => sandbox.control.state().customers;
const customerOf = (id: unknown) => customers().find(({ customer_id }) => customer_id === id);

describe('looking up a customer', () => {
  test('returns names, and also cards and addresses if Simplify is off', async () => {
    const get = { operation: 'get', customer_id: byId('={{ $json.id }}') };
    const { items, error } = await run({ ...get, simplify: false }, [{ id: 'CUST0001' }, { id: 'CUST0002' }]);
    expect(error).toBeUndefined();
    expect(items.map(({ json }) => json.customer_id)).toEqual(['CUST0001', 'CUST0002']);
    expect(items[0]?.json.billing_cards).toMatchObject([
      { primary: true, card_number: expect.stringMatching(/x\d{4}$/) as string },
    ]);
    const simplified = await run(get, [{ id: 'CUST0001' }]);
    expect(Object.keys(simplified.items[0]?.json ?? {})).not.toContain('billing_cards');
  });

  test("fails only the unknown customer's item and names the parameter to check", async () => {
    const { items, errors } = await run(
      { operation: 'get', customer_id: byId('={{ $json.id }}') },
      [{ id: 'NOBODY' }, { id: 'CUST0002' }],
      toErrors,
    );
    expect(items.map(({ json }) => json.customer_id)).toEqual(['CUST0002']);
    expect(errors[0]?.json.error).toMatchObject({ outcome: 'declined', code: 7 });
  });
});

describe('creating a customer', () => {
  const NUMBER = '4111111111111111';
  const create: INodeParameters = {
    operation: 'create',
    customer_first_name: '={{ $json.first }}',
    customer_last_name: '={{ $json.last }}',
    customer_firm_name: '={{ $json.firm }}',
  };
  const ana = { first: 'Ana', last: 'Silva' };

  test('lets the service assign an ID and makes the first card primary', async () => {
    const card = { card_number: NUMBER, exp_date: '12/30', cvv2: '123', billing_zip: '97477' };
    const billing_cards = { item: [card, { ...card, card_number: '5555555555554444' }] };
    const { items, error } = await run({ ...create, billing_cards }, [ana]);
    expect(error).toBeUndefined();
    const { customer_id, what_happened, primary_card_number } = items[0]?.json ?? {};
    expect(what_happened).toBe(`Created customer Ana Silva (${asText(customer_id)}).`);
    expect(primary_card_number).toBe('411111xxxxxx1111');
    expect(customerOf(customer_id)?.billing_cards).toMatchObject([{ primary: true }, { primary: false }]);
    expect(JSON.stringify(items)).not.toContain(NUMBER);
  });

  test("uses the user's own ID and returns it as customer_id", async () => {
    const own = { auto_generate_customer_id: false, own_customer_id: '={{ $json.id }}' };
    const { items } = await run({ ...create, ...own }, [{ firm: 'Silva Bakery', id: 77 }]);
    expect(sent('addCustomer')).toEqual([
      { customer_firm_name: 'Silva Bakery', auto_generate_customer_id: false, customer_id: '77' },
    ]);
    expect(items[0]?.json).toMatchObject({ customer_id: '77' });
    expect(items[0]?.json).not.toHaveProperty('own_customer_id');
  });

  test('fails only the item whose ID is taken and explains the solution', async () => {
    const own = { auto_generate_customer_id: false, own_customer_id: '={{ $json.id }}' };
    const rows = ['NEW1', 'CUST0001', 'NEW2'].map((id) => ({ ...ana, id }));
    const { items, errors } = await run({ ...create, ...own }, rows, toErrors);
    expect(items.map(({ json }) => json.customer_id)).toEqual(['NEW1', 'NEW2']);
    const failed = errors[0]?.json.error as IDataObject;
    expect(failed.message).toContain('A customer with this ID already exists');
    expect(failed.message).toContain('Enter another ID');
  });

  test.each<[string, INodeParameters, IDataObject, string]>([
    ['a name', {}, { first: 'Ana' }, '"First Name" and a last name, or a company name, are required'],
    ['an ID', { auto_generate_customer_id: false }, ana, '"Customer ID" is required if "Generate Customer ID" is off'],
    [
      'an ID of letters and digits',
      { auto_generate_customer_id: false, own_customer_id: 'A-1' },
      ana,
      '"Customer ID" must be at most 32 letters and digits',
    ],
    [
      'cards with one way to pay',
      { billing_cardsMode: 'json', billing_cardsJson: [{ card_number: NUMBER, billing_zip: '97477' }] },
      ana,
      '"Billing Cards 1" must be exactly one of',
    ],
  ])('sends no customer without %s', async (_, more, row, message) => {
    const { error } = await run({ ...create, ...more }, [row]);
    expect(error?.message).toContain(message);
    expect(sandbox.control.journal()).toEqual([]);
  });

  test('creates each customer once if n8n retries after another item failed', async () => {
    const own = { auto_generate_customer_id: false, own_customer_id: '={{ $json.id }}' };
    const rows = [
      { ...ana, id: 'NEW1' },
      { ...ana, id: 'CUST0001' },
    ];
    await run({ ...create, ...own, options: { sending: { maxParallelRequests: 1 } } }, rows, {
      settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 },
    });
    expect(sent('addCustomer').filter(({ customer_id }) => customer_id === 'NEW1')).toHaveLength(1);
  });
});

describe('deleting a customer', () => {
  const drop = { operation: 'delete', customer_id: byId('={{ $json.id }}') };

  test("names the deleted customer and fails only an unknown customer's item", async () => {
    const rows = [{ id: 'CUST0001' }, { id: 'NOBODY' }, { id: 'CUST0003' }];
    const { items, errors } = await run(drop, rows, toErrors);
    expect(items.map(({ json }) => json)).toEqual(
      ['CUST0001', 'CUST0003'].map((customer_id) => ({
        what_happened: `Deleted customer ${customer_id} with all saved cards, addresses and subscriptions.`,
        deleted: true,
        customer_id,
      })),
    );
    expect(errors).toHaveLength(1);
    expect(customers()).toHaveLength(23);
  });

  test("doesn't delete a customer again after a lost response and says where to look", async () => {
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'deleteCustomer' });
    const { error } = await run(drop, [{ id: 'CUST0001' }]);
    expect(sent('deleteCustomer')).toHaveLength(1);
    expect(error?.description).toContain('Look for customer CUST0001 in Customer > Get Many');
  });
});
