import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { timeIsSimulated } from '../../simulated-time';
import { benchOf, sandboxForFile, toErrors } from '../bench';
import { idOf } from '../writes';

timeIsSimulated();

const sandbox = sandboxForFile();
const NUMBER = '000987653541';
const { run, sent } = benchOf(sandbox, { parameters: { resource: 'payee' } });
const create: INodeParameters = {
  operation: 'create',
  payee_name: '={{ $json.name }}',
  payee_email: '={{ $json.email }}',
  payee_account: { item: { tr_number: '021000021', dda_number: NUMBER, type_id: 'K', accountholder_name: 'Ana' } },
  payee_address: { item: { address1: '12 Mill Road', city: 'Springfield', country_code: 'US' } },
};
const named = (name: string): IDataObject => ({ name, email: `${name.toLowerCase()}@example.com` });
const made = () => sandbox.control.state().payees.slice(1);

test('creates payees even if the service refuses one of them, and masks every account number', async () => {
  const rows = [named('Ana'), { name: 'Ben', email: 'no address' }, named('Cara')];
  const { items, errors } = await run(create, rows, toErrors);
  expect(items.map(({ json }) => json.what_happened)).toEqual([
    'Created payee Ana (9101).',
    'Created payee Cara (9102).',
  ]);
  expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
  expect(items[0]?.json).toMatchObject({
    payee_id: '9101',
    payee_email: ['ana@example.com'],
    payee_address: { address1: '12 Mill Road', country_code: '840' },
    payee_account: { dda_number: expect.stringMatching(/^x+3541$/) as string, type_id: 'K' },
  });
  expect(errors?.map(({ json }) => (json.error as IDataObject).message)).toEqual([
    expect.stringContaining('"Payee Emails"') as string,
  ]);
  expect(JSON.stringify([items, errors])).not.toContain(NUMBER);
  expect(made()).toHaveLength(2);
});

test('sends the address and the account as arrays with one object each', async () => {
  await run(create, [named('Ana')]);
  expect(sent('addPayee').map(({ body }) => body)).toEqual([
    expect.objectContaining({
      payee_address: [{ address1: '12 Mill Road', city: 'Springfield', country_code: '840' }],
      payee_account: [expect.objectContaining({ type_id: 'K', accountholder_name: 'Ana' })],
    }),
  ]);
});

test('refuses a bank account without a routing number before anything is sent', async () => {
  const { error } = await run({ ...create, payee_account: { item: { dda_number: NUMBER } } }, [named('Ana')]);
  expect(error?.message).toContain('"Bank Account > Bank Routing Number"');
  expect([error?.message, error?.description].join()).not.toContain(NUMBER);
  expect(sandbox.control.journal()).toEqual([]);
});

test('creates two equal payees once each and finds both after lost responses', async () => {
  sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'addPayee' });
  const { items, error } = await run(create, [named('Ana'), named('Ana')], { looksUp: true });
  expect(error).toBeUndefined();
  expect(sent('addPayee')).toHaveLength(2);
  expect(items.map(({ json }) => json.payee_id).sort()).toEqual(['9101', '9102']);
  expect(items.every(({ json }) => json.found_at_service !== undefined)).toBe(true);
});

test('creates each payee once under Retry On Fail, even if the service fails after it created one', async () => {
  sandbox.control.addFault({ kind: 'status', operationId: 'addPayee', applied: true, calls: [1] });
  const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
  const { items, error } = await run(create, [named('Ana'), named('Ben')], { settings, looksUp: true });
  expect(error).toBeUndefined();
  expect(items.map(({ json }) => json.payee_name)).toEqual(['Ana', 'Ben']);
  expect(made().map(({ payee_name: name }) => name)).toEqual(['Ana', 'Ben']);
});

test('returns the existing payee if an equal one exists and the user chose to', async () => {
  await run(create, [named('Ana')]);
  const { items } = await run({ ...create, options: { ifExists: { then: 'return' } } }, [named('Ana')]);
  expect(items.map(({ json }) => json.payee_id)).toEqual(['9101']);
  expect(made()).toHaveLength(1);
});

describe('changing a payee', () => {
  const change: INodeParameters = { operation: 'update', payee_id: idOf('9101') };

  test('an update of a payee keeps empty fields, including the address, and sends no account', async () => {
    await run(create, [named('Ana')]);
    const address = { item: { city: 'Salem' } };
    const { items, error } = await run({ ...change, payee_phone: '+15035550177', payee_address: address });
    expect(error).toBeUndefined();
    expect(sent('updatePayee').map(({ body }) => body)).toEqual([
      {
        payee_name: 'Ana',
        payee_email: ['ana@example.com'],
        payee_phone: '+15035550177',
        payee_address: { address1: '12 Mill Road', city: 'Salem', country_code: '840' },
      },
    ]);
    expect(items[0]?.json).toMatchObject({
      what_happened: 'Updated payee Ana (9101).',
      payee_account: { dda_number: expect.stringMatching(/^x+3541$/) as string },
    });
  });

  test('sends only the entered fields without reading the payee if the user chose this', async () => {
    await run(create, [named('Ana')]);
    await run({ ...change, keepOthers: false, payee_name: 'Ana Silva' });
    expect(sent('updatePayee').map(({ body }) => body)).toEqual([{ payee_name: 'Ana Silva' }]);
    expect(sent('getPayee')).toEqual([]);
  });

  test('refuses an update without a change before anything is sent', async () => {
    const { error } = await run(change);
    expect(error?.message).toContain('is required, unless you');
    expect(sandbox.control.journal()).toEqual([]);
  });

  test('reports an unknown payee', async () => {
    const { error } = await run({ ...change, payee_name: 'Ana' });
    expect(error?.message).toContain('No payee has this ID, so nothing was sent');
    expect(sent('updatePayee')).toEqual([]);
  });
});

test('lists payees by a filter and masks their accounts', async () => {
  await run(create, [named('Ana'), named('Ben')]);
  const conditions = { item: [{ field: 'payee_name', condition: 'IS', value: 'Ben' }] };
  const { items, error } = await run({ operation: 'getAll', returnAll: true, filter: conditions });
  expect(error).toBeUndefined();
  expect(items.map(({ json }) => json.payee_name)).toEqual(['Ben']);
  expect((await run({ operation: 'getAll', returnAll: true })).items).toHaveLength(3);
  expect(JSON.stringify(items)).not.toContain(NUMBER);
});
