import { timeIsSimulated } from '../../simulated-time';
import { errorOf, sandboxForFile, toErrors } from '../bench';
import { subscriptionBench } from './subscription-bench';
import { idOf } from '../writes';

timeIsSimulated();

const sandbox = sandboxForFile();
const { run, newSubscription } = subscriptionBench(sandbox, '2030-03-01');
const stateOf = (id: string) =>
  sandbox.control.state().subscriptions.find(({ subscription_id }) => String(subscription_id) === id)?.status;
const sent = (verb: string) => sandbox.control.journal({ operationId: `${verb}Subscription` });
async function suspended(): Promise<string> {
  const today = sandbox.control.now().slice(0, 10);
  const id = await newSubscription({ date_start: today, recur_amt: 0.14 });
  await sandbox.control.advanceClock({ days: 1 });
  expect(stateOf(id)).toBe('S');
  return id;
}
const customer = () => String(sandbox.control.state().customers[0]?.customer_id);

test.each([
  ['pause', 'P', 'paused', 'is paused and skips payments until you resume it.'],
  ['cancel', 'C', 'canceled', 'is canceled permanently.'],
])("changes the state with %s and reports the subscription's new state", async (operation, status, text, says) => {
  const id = await newSubscription();
  const { items, error } = await run(operation, { subscription_id: idOf(id) });
  expect(error).toBeUndefined();
  expect(items[0]?.json).toMatchObject({
    what_happened: `Subscription ${id} of customer ${customer()} ${says}`,
    subscription_id: id,
    customer_id: customer(),
    status,
    status_text: text,
  });
  expect(stateOf(id)).toBe(status);
  // The node read the customer ID from the subscription.
  expect(sent(operation)).toMatchObject([{ body: { customer_id: customer() } }]);
});

test.each<[string, string, () => Promise<string>]>([
  [
    'paused',
    'is active, so its payments continue.',
    async () => {
      const id = await newSubscription();
      await run('pause', { subscription_id: idOf(id) });
      return id;
    },
  ],
  ['suspended', 'was resumed, but is suspended again.', suspended],
])('resumes a %s subscription and reports its new state', async (_, says, made) => {
  const id = await made();
  const { items } = await run('resume', { subscription_id: idOf(id), simplify: false });
  expect(items[0]?.json.what_happened).toContain(`Subscription ${id} of customer ${customer()} ${says}`);
  expect(sent('resume')).toHaveLength(1);
});

test('fails only the canceled subscription and sends nothing for it', async () => {
  const ids = [await newSubscription(), await newSubscription(), await newSubscription()];
  await run('cancel', { subscription_id: idOf(ids[1]) });
  const rows = [...ids, '99999'].map((id) => ({ id }));
  const { items, errors } = await run('cancel', { subscription_id: idOf('={{ $json.id }}') }, rows, toErrors);
  expect(items.map(({ json }) => json.subscription_id)).toEqual([ids[0], ids[2]]);
  expect(errors.map((item) => errorOf(item).message)).toEqual([
    expect.stringContaining('The subscription is already canceled, so nothing was sent'),
    expect.stringContaining('No subscription has this ID, so nothing was sent'),
  ]);
  expect(sent('cancel')).toHaveLength(3);
});

test('returns a subscription that already has the state if the user chose this', async () => {
  const id = await newSubscription();
  const again = { subscription_id: idOf(id), ifAlready: 'continue' };
  for (let time = 0; time < 2; time += 1) {
    const { items } = await run('cancel', again);
    expect(items[0]?.json).toMatchObject({ subscription_id: id, status: 'C' });
  }
  expect(sent('cancel')).toHaveLength(1);
});

test('changes each subscription once per run', async () => {
  const id = await newSubscription();
  const { items, errors } = await run('pause', { subscription_id: idOf(id) }, [{}, {}], toErrors);
  expect([items.length, errors.length]).toEqual([1, 1]);
  expect(sent('pause')).toHaveLength(1);
});

test.each([
  ['pause', 'canceled', 'the subscription is canceled. Only a subscription that is active can be paused'],
  [
    'resume',
    'canceled',
    'the subscription is canceled. Only a subscription that is paused or suspended can be resumed',
  ],
  [
    'resume',
    'active',
    'The subscription is already active, so nothing was sent. To accept this state, set "If Already in This State" to "Continue"',
  ],
])('refuses to %s a subscription that is %s and explains why', async (operation, state, message) => {
  const id = await newSubscription();
  if (state === 'canceled') await run('cancel', { subscription_id: idOf(id) });
  const { error } = await run(operation, { subscription_id: idOf(id) });
  expect(error?.message).toContain(message);
  expect(error?.description).not.toMatch(/sent|Request/);
  expect(sent(operation)).toEqual([]);
});

test.each(['pause', 'resume', 'cancel'])(
  "%s sends nothing if the customer doesn't own the subscription",
  async (operation) => {
    const id = await newSubscription();
    if (operation === 'resume') await run('pause', { subscription_id: idOf(id) });
    const before = stateOf(id);
    const given = (customer_id: string) => ({
      subscription_id: idOf(id),
      additionalFields: { customer_id: idOf(customer_id) },
    });
    const { error } = await run(operation, given('CUST0002'));
    expect(error?.message).toContain(
      `The subscription belongs to customer ${customer()}, not to the customer in "Customer"`,
    );
    expect(stateOf(id)).toBe(before);
    await run(operation, given(customer()));
    expect(stateOf(id)).not.toBe(before);
  },
);

test('refuses to resume a subscription with a limit, because the amount is unknown', async () => {
  const id = await suspended();
  const { error } = await run('resume', { subscription_id: idOf(id), options: { limitPerItem: 5 } });
  expect(error?.message).toContain('Limit per Item');
  expect(stateOf(id)).toBe('S');
});

test('accepts an ID that an older workflow stored as text', async () => {
  const id = await newSubscription();
  for (const given of [id, Number(id)]) {
    const { items } = await run('get', { subscription_id: given });
    expect(items[0]?.json.subscription_id).toBe(id);
  }
});

describe('a lost response to a change of state', () => {
  const CHANGES = [
    ['pause', 'paused'],
    ['cancel', 'canceled'],
  ];
  const cut = (kind: 'reset_after_apply' | 'reset_before_apply', operation: string, more: { calls?: number[] } = {}) =>
    sandbox.control.addFault({ kind, operationId: `${operation}Subscription`, ...more });

  test.each(CHANGES)("recognizes by the subscription's new state that %s was applied", async (operation, state) => {
    const id = await newSubscription();
    cut('reset_after_apply', operation);
    const { items, error } = await run(operation, { subscription_id: idOf(id) }, [{}], { looksUp: true });
    expect(error).toBeUndefined();
    expect(items[0]?.json).toMatchObject({
      subscription_id: id,
      found_at_service: `the subscription is ${state}, changed since the request`,
    });
    expect(sent(operation)).toHaveLength(1);
  });

  test.each(CHANGES)(
    'reports an unknown outcome of %s that was not applied, and continues with other items',
    async (operation) => {
      const rows = [{ id: await newSubscription() }, { id: await newSubscription() }];
      cut('reset_before_apply', operation, { calls: [1] });
      const more = { ...toErrors, looksUp: true };
      const { items, errors } = await run(operation, { subscription_id: idOf('={{ $json.id }}') }, rows, more);
      expect(items).toHaveLength(1);
      expect(errorOf(errors[0])).toMatchObject({ outcome: 'unknown' });
      expect(JSON.stringify(errors)).toContain("checked the subscription's own record");
    },
  );

  test.each(CHANGES)('stops the run after %s that was not applied if On Error is Stop', async (operation) => {
    const rows = [{ id: await newSubscription() }, { id: await newSubscription() }];
    cut('reset_before_apply', operation, { calls: [1] });
    const more = { looksUp: true };
    const given = { subscription_id: idOf('={{ $json.id }}'), options: { sending: { maxParallelRequests: 1 } } };
    const { error } = await run(operation, given, rows, more);
    expect(error?.message).toBeDefined();
    expect(sent(operation)).toHaveLength(1);
  });

  test.each(CHANGES)('recognizes %s in a retry of the execution and sends nothing again', async (operation) => {
    const id = await newSubscription();
    cut('reset_after_apply', operation);
    const failed = await run(operation, { subscription_id: idOf(id) });
    expect(failed.error?.message).toBeDefined();
    const more = { looksUp: true, retryOf: failed.run };
    const { items } = await run(operation, { subscription_id: idOf(id) }, [{}], more);
    expect(items[0]?.json).toMatchObject({ subscription_id: id, found_at_service: expect.any(String) as string });
    expect(sent(operation)).toHaveLength(1);
  });

  test.each(CHANGES)('reports %s as unknown in a retry as long as the old state remains', async (operation) => {
    const id = await newSubscription();
    cut('reset_before_apply', operation);
    const failed = await run(operation, { subscription_id: idOf(id) });
    const more = { looksUp: true, retryOf: failed.run, ...toErrors };
    const { errors } = await run(operation, { subscription_id: idOf(id) }, [{}], more);
    expect(errorOf(errors[0])).toMatchObject({ outcome: 'unknown' });
    expect(sent(operation)).toHaveLength(1);
  });

  test("doesn't mistake another user's earlier pause for its own", async () => {
    const id = await newSubscription();
    await run('pause', { subscription_id: idOf(id) });
    cut('reset_before_apply', 'pause');
    const { errors } = await run('pause', { subscription_id: idOf(id) }, [{}], { ...toErrors, looksUp: true });
    expect(errorOf(errors[0])).toMatchObject({ outcome: 'invalid' });
    expect(JSON.stringify(errors)).not.toContain('found_at_service');
  });

  test('recognizes a resumed subscription that is active afterwards', async () => {
    const id = await newSubscription();
    await run('pause', { subscription_id: idOf(id) });
    cut('reset_after_apply', 'resume');
    const { items } = await run('resume', { subscription_id: idOf(id) }, [{}], { looksUp: true });
    expect(items[0]?.json.found_at_service).toBe('the subscription is active, changed since the request');
  });
});
