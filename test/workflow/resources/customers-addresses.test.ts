import { LoadOptionsContext } from 'n8n-core';
import { Workflow, type IDataObject, type INode, type INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { benchOf, errorOf, sandboxForFile } from '../bench';
import { additionalDataFor, nodeTypes, PAYMENT_NODE } from '../harness';

const sandbox = sandboxForFile();

const byId = (value: unknown) => ({ __rl: true, mode: 'id', value: String(value) });
const { runOperation: run } = benchOf(sandbox, {
  parameters: { resource: 'customerAddress', customer_id: byId('CUST0001') },
});
const addresses = (index = 0) =>
  (sandbox.control.state().customers[index]?.shipping_addresses ?? []) as Array<{ shipping_id: number } & IDataObject>;

const home: INodeParameters = {
  shipping_first_name: 'Ana',
  shipping_last_name: 'Silva',
  shipping_addr1: '12 Mill Road',
  shipping_city: '={{ $json.city }}',
};
const SALEM = { city: 'Salem' };
const BEND = { city: 'Bend' };

test('adds an address and returns its ID as text', async () => {
  const { items, error } = await run('create', home, [SALEM, BEND]);
  expect(error).toBeUndefined();
  expect(items.map(({ json }) => json.shipping_id)).toEqual(addresses().map(({ shipping_id }) => String(shipping_id)));
  expect(items[0]?.json).toMatchObject({
    what_happened: 'Saved a shipping address for customer CUST0001.',
    customer_id: 'CUST0001',
  });
});

test("returns no ID if two addresses are equal and the new one can't be identified", async () => {
  const { items } = await run('create', home, [SALEM, SALEM]);
  expect(items[1]?.json).not.toHaveProperty('shipping_id');
});

test('sends no address without a recipient', async () => {
  const { error } = await run('create', { ...home, shipping_last_name: '={{ "" }}' }, [SALEM]);
  expect(error?.message).toContain('"Shipping Last Name" is required');
  expect(sandbox.control.journal()).toEqual([]);
});

test('returns one item per address, and none for a customer without addresses', async () => {
  await run('create', home, [SALEM, BEND]);
  const rows = ['CUST0001', 'CUST0002'].map((id) => ({ id }));
  const { items } = await run('getAll', { customer_id: byId('={{ $json.id }}') }, rows);
  expect(items.map(({ json }) => [json.customer_id, json.shipping_city])).toEqual([
    ['CUST0001', 'Salem'],
    ['CUST0001', 'Bend'],
  ]);
});

test('makes an address primary and removes one by its listed ID', async () => {
  await run('create', home, [SALEM, BEND]);
  const [first, second] = addresses();
  const chosen = await run('setPrimary', { shipping_id: byId(second?.shipping_id) });
  expect(chosen.items[0]?.json).toMatchObject({ customer_id: 'CUST0001', shipping_id: String(second?.shipping_id) });
  expect(addresses().map(({ primary }) => primary === true)).toEqual([false, true]);
  const gone = await run('delete', { shipping_id: byId(first?.shipping_id) });
  expect(gone.items[0]?.json).toEqual({
    what_happened: 'Deleted a shipping address of customer CUST0001 permanently.',
    customer_id: 'CUST0001',
    shipping_id: String(first?.shipping_id),
    deleted: true,
  });
  expect(addresses()).toHaveLength(1);
});

test("fails only the item with an invalid ID or another customer's ID", async () => {
  await run('create', home, [SALEM]);
  const shipping_id = byId('={{ $json.id }}');
  const [mine] = addresses();
  const wrong = await run('setPrimary', { shipping_id }, [{ id: 'home' }]);
  expect(wrong.error?.message).toContain('"Address" must be a whole number');
  const { items, errors } = await run('delete', { shipping_id }, [{ id: 1 }, { id: mine?.shipping_id }], {
    onError: 'continueErrorOutput',
  });
  expect(items).toHaveLength(1);
  expect(errorOf(errors[0])).toMatchObject({ code: 2 });
});

describe('the list of addresses', () => {
  async function search(typed?: string, customer = 'CUST0001') {
    const parameters = { resource: 'customerAddress', operation: 'delete', customer_id: byId(customer) };
    const credentials = { paymentPlatformApi: { id: '1', name: 'Sandbox' } };
    const node: INode = {
      ...{ id: '1', name: 'Node', type: 'paymentPlatform', typeVersion: 1, position: [0, 0] },
      parameters,
      credentials,
    };
    const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
    const additional = { ...additionalDataFor(credentialFor(sandbox)), currentNodeParameters: parameters };
    const context = new LoadOptionsContext(workflow, node, additional, 'parameters.shipping_id');
    return (await PAYMENT_NODE.methods?.listSearch?.searchAddresses?.call(context, typed))?.results ?? [];
  }

  test('shows the addresses of the selected customer and finds them by street and city', async () => {
    await run('create', home, [SALEM, BEND]);
    await run('create', { ...home, customer_id: byId('CUST0002') }, [{ city: 'Eugene' }]);
    expect((await search()).map(({ name }) => name)).toEqual([
      expect.stringMatching(/^Ana Silva · 12 Mill Road · Salem/),
      expect.stringMatching(/^Ana Silva · 12 Mill Road · Bend/),
    ]);
    expect(await search('bend mill')).toMatchObject([{ value: String(addresses()[1]?.shipping_id) }]);
    expect(await search('eugene')).toEqual([]);
  });

  test('shows the addresses and names of all customers if none is selected', async () => {
    await run('create', { ...home, customer_id: byId('CUST0002') }, [{ city: 'Eugene' }]);
    expect((await search('eugene', '')).map(({ name }) => name)).toEqual([expect.stringContaining('CUST0002')]);
  });
});
