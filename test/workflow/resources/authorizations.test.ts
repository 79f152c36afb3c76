import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { timeIsSimulated } from '../../simulated-time';
import { benchOf, sandboxForFile, toErrors } from '../bench';

timeIsSimulated();

const sandbox = sandboxForFile();
const OPERATIONS = ['authorize', 'credit', 'force'] as const;
type Name = (typeof OPERATIONS)[number];
const typed = { paymentMethod: 'card', card_number: '4111111111111111' };
const paying = (operation: Name, more: object = {}, options: IDataObject = {}): INodeParameters =>
  ({
    resource: 'transaction',
    operation,
    ...typed,
    ...(operation === 'authorize' && { exp_date: '12/35' }),
    ...(operation === 'force' && { auth_code: 'T53680' }),
    amt_tran: '={{ $json.amount ?? 25 }}',
    ...more,
    options,
  }) as INodeParameters;
const { run, sent, applied } = benchOf(sandbox, { looksUp: true });
const transactions = () => sandbox.control.state().transactions;

const SAYS: Record<Name, string> = {
  authorize: 'Authorized 25.00 USD on the card ending in 1111, to be captured within 28 days.',
  credit: 'Credited 25.00 USD to the card ending in 1111.',
  force: 'Charged 25.00 USD to the card ending in 1111, voidable until the batch closes.',
};

test.each(OPERATIONS.flatMap((operation) => [true, false].map((simplify) => [operation, simplify] as const)))(
  '%s reports the result and the remaining actions, with Simplify set to %s',
  async (operation, simplify) => {
    // Avoids the ten minutes after a batch closes, in which the node states no deadline.
    jest.setSystemTime(new Date('2030-03-04T18:00:00Z'));
    const output = await run(paying(operation, { simplify }));
    expect(output.error).toBeUndefined();
    const { json = {} } = output.items[0] ?? {};
    expect(json).toMatchObject({ what_happened: SAYS[operation], rcode: '000', amt_tran: 25 });
    const deadlines = { authorize: ['capturable_until'], credit: [], force: ['voidable_until'] };
    expect(Object.keys(json).filter((name) => name.endsWith('_until'))).toEqual(deadlines[operation]);
    expect(json.amt_refundable).toBe(operation === 'force' && !simplify ? 25 : undefined);
  },
);

test.each(OPERATIONS)(
  '%s finds a lost response by the generated reference and sends nothing twice',
  async (operation) => {
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId: operation, calls: [1, 2] });
    const output = await run(paying(operation), [{}, {}]);
    expect(output.error).toBeUndefined();
    expect(new Set(output.items.map(({ json }) => json.pg_id)).size).toBe(2);
    expect(output.items[0]?.json.found_at_service).toBe('same generated reference, within 2 minutes');
    expect([sent(operation).length, applied(operation)]).toEqual([2, 2]);
  },
);

test.each(OPERATIONS)('%s reports an unknown outcome if the service did not apply the request', async (operation) => {
  sandbox.control.addFault({ kind: 'reset_before_apply', operationId: operation });
  const output = await run(paying(operation), [{}], toErrors);
  expect(output.errors[0]?.json.error).toMatchObject({ outcome: 'unknown' });
  expect(sent(operation)).toHaveLength(1);
});

test.each(OPERATIONS)('%s returns an existing record with the same purchase ID', async (operation) => {
  const parameters = paying(
    operation,
    { additionalFields: { purchase_id: 'ORDER-1' } },
    { ifExists: { then: 'return' } },
  );
  const [first, second] = [await run(parameters), await run(parameters)];
  expect(second.items[0]?.json.pg_id).toBe(first.items[0]?.json.pg_id);
  expect(applied(operation)).toBe(1);
});

test('ignores records of other operations', async () => {
  const additionalFields = { purchase_id: 'ORDER-1' };
  for (const operation of OPERATIONS)
    expect(
      (await run(paying(operation, { additionalFields }, { ifExists: { then: 'return' } }))).error,
    ).toBeUndefined();
  expect(OPERATIONS.map(applied)).toEqual([1, 1, 1]);
});

test('an authorization holds the amount and captures nothing', async () => {
  await run(paying('authorize'));
  const [authorization] = transactions().filter(({ request_type }) => request_type === 'auth');
  expect(authorization).toMatchObject({ tran_status: 'A' });
  sandbox.control.closeBatch();
  expect(transactions().find(({ pg_id }) => pg_id === authorization?.pg_id)).toMatchObject({ tran_status: 'A' });
});

test('the result of a partly approved authorization states the approved amount', async () => {
  const output = await run(paying('authorize'), [{ amount: 0.1 }]);
  expect(output.items[0]?.json).toMatchObject({
    what_happened: 'Authorized only 0.05 USD of 0.10 USD on the card ending in 1111.',
    rcode: '010',
    amt_tran: 0.05,
  });
});

test('a declined authorization goes to the error output', async () => {
  const output = await run(paying('authorize'), [{ amount: 0.05 }, {}], toErrors);
  expect(output.errors[0]?.json.error).toMatchObject({ outcome: 'declined', rcode: '005' });
  expect(output.items).toHaveLength(1);
});

test.each(['authorize', 'force'] as const)('%s requires its own fields', async (operation) => {
  const lacking = operation === 'force' ? { auth_code: '={{ "" }}' } : { exp_date: '' };
  const { error } = await run(paying(operation, lacking));
  expect(error).toBeDefined();
  expect(sent(operation)).toEqual([]);
});

test("a sale isn't confused with a captured authorization of the same order with a smaller amount", async () => {
  const parameters = paying('authorize', { additionalFields: { purchase_id: 'ORDER-2' } });
  const { items } = await run(parameters);
  const capture = {
    resource: 'transaction',
    operation: 'capture',
    pg_id: items[0]?.json.pg_id as string,
    amt_tran: 10,
  };
  expect((await run(capture)).error).toBeUndefined();
  sandbox.control.addFault({ kind: 'reset_before_apply', operationId: 'authorize' });
  const lost = await run(parameters, [{}], toErrors);
  expect(lost.errors[0]?.json.error).toMatchObject({ outcome: 'unknown' });
  // The report shows the captured amount, so the node can't tell whether the authorization is the same.
  const { error } = await run({ ...parameters, options: { ifExists: { then: 'return' } } });
  expect(error?.message).toContain(`A matching record may already exist: pg_id ${items[0]?.json.pg_id as string}`);
});

test('counts authorizations and forced sales toward the limit of charges, and credits toward that of refunds', async () => {
  sandbox.control.reset(false);
  await run(paying('authorize'));
  const force = await run(paying('force', {}, { limitPerDay: 49 }));
  expect(force.error?.message).toContain('(25 from 1 charges and authorizations in the transaction report)');
  await run(paying('credit'));
  const credit = await run(paying('credit', {}, { limitPerDay: 49 }));
  expect(credit.error?.message).toContain('(25 from 1 refunds, voids and credits in the transaction report)');
});
