import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { timeIsSimulated } from '../../simulated-time';
import { benchOf, sandboxForFile, toErrors } from '../bench';
import { runWorkflow } from '../harness';
import { box, planBench } from './plan-bench';

timeIsSimulated();

const sandbox = sandboxForFile();
const bench = planBench(sandbox);
const { writes } = bench;

const byId = (value: unknown) => ({ __rl: true, mode: 'id', value: String(value) });
const { runOperation: run } = benchOf(sandbox, { parameters: { resource: 'plan' } });
const plans = () => sandbox.control.state().plans;
const versions = () => plans().map(({ plan_id, status, amt_tran }) => [plan_id, status, amt_tran]);
const subscribe = async (plan_code = 'MONTHLY25') => {
  await bench.subscribe(plan_code);
  sandbox.control.clearJournal();
};
const failures = (errors: Array<{ json: IDataObject }>) =>
  errors.map(({ json }) => (json.error as { message: string }).message);

describe('creating a plan', () => {
  test('sends the given fields and charges nothing', async () => {
    const { items, error } = await run('create', box);
    expect(error).toBeUndefined();
    expect(items[0]?.json).toMatchObject({
      what_happened: 'Created plan BOX for 39.50 USD a month.',
      ...{ plan_id: '402', plan_code: 'BOX', status: 'E', status_text: 'active', amt_tran: 39.5 },
    });
    expect(writes()).toEqual([
      {
        ...{ plan_code: 'BOX', plan_name: 'Garden box', plan_desc: 'A box, monthly', amt_tran: 39.5 },
        ...{ plan_frequency: 3, plan_duration: -1, bill_specific_day: false },
      },
    ]);
  });

  test('sends only the fixed days that fit the frequency', async () => {
    const setDay = { bill_specific_day: true, day_of_month: 32, prorate_first_pmt: true, amt_prorate: '10' };
    const often = { plan_frequency: '={{ $json.often }}', own_plan_code: '={{ $json.often }}' };
    const left = { day_of_week: 2, month_of_year: 5 };
    const rows = ['monthly', 'weekly', 'annually'].map((word) => ({ often: word }));
    const { error } = await run('create', { ...box, ...setDay, ...left, ...often }, rows);
    expect(error).toBeUndefined();
    expect(
      writes().map(({ day_of_week, day_of_month, month, amt_prorate }) => [
        day_of_week,
        day_of_month,
        month,
        amt_prorate,
      ]),
    ).toEqual([
      [undefined, 32, undefined, 10],
      [2, undefined, undefined, 10],
      [undefined, 32, 5, 10],
    ]);
  });

  test.each([
    ['a set day without a day', { bill_specific_day: true }, '"Bill on a Fixed Day" requires a Day of Week'],
    [
      'a trial amount without a trial',
      { additionalFields: { amt_trial: '1' } },
      '"Trial Amount" applies only to a trial',
    ],
    ['an interval of quarters', { plan_frequency: '={{ "quarterly" }}', interval: 2 }, '"Interval" applies only if'],
    ['no payments', { endsAfter: 'payments', plan_duration: 0 }, '"Number of Payments" must be at least 1'],
    ['a code of 17 letters', { own_plan_code: 'A'.repeat(17) }, '"Plan Code" must have at most 16 characters'],
  ])('sends nothing for %s', async (_, more, message) => {
    const { error } = await run('create', { ...box, ...more });
    expect(error?.message).toContain(message);
    expect(sandbox.control.journal()).toEqual([]);
  });

  test('fails only the plan whose code is taken', async () => {
    const rows = ['A', 'MONTHLY25', 'B'].map((code) => ({ code }));
    const { items, errors } = await run('create', { ...box, own_plan_code: '={{ $json.code }}' }, rows, {
      onError: 'continueErrorOutput',
    });
    expect(items.map(({ json }) => json.plan_code)).toEqual(['A', 'B']);
    expect(failures(errors)[0]).toContain('An active plan with this code already exists');
  });

  test('creates a plan once and finds it in the list after a lost response', async () => {
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'addPlan', calls: [1] });
    const { items, error } = await run('create', box, [{}], { looksUp: true });
    expect(error).toBeUndefined();
    expect(items[0]?.json).toMatchObject({
      plan_code: 'BOX',
      found_at_service: expect.stringContaining('same code') as string,
    });
    expect(plans()).toHaveLength(2);
    const again = await run('create', { ...box, options: { ifExists: { then: 'return' } } }, [{}], { looksUp: true });
    expect(again.items[0]?.json).toMatchObject({ plan_code: 'BOX' });
    expect(plans()).toHaveLength(2);
  });
});

describe('looking up a plan', () => {
  test('returns all versions of a plan', async () => {
    await subscribe();
    await run('update', { plan_code: byId('MONTHLY25'), recur_amt: '26' });
    const { items } = await run('get', { plan_code: byId('MONTHLY25'), returnAll: true });
    expect(items.map(({ json }) => [json.plan_id, json.status_text, json.amt_tran])).toEqual([
      ['401', 'archived', 25],
      ['402', 'active', 26],
    ]);
  });

  test('finds a plan by filters in words', async () => {
    await run('create', box);
    await run('archive', { plan_code: byId('BOX') });
    const filter = { item: [{ field: 'status', condition: 'IS', value: 'Archived' }] };
    const { items } = await run('getAll', { filter });
    expect(items.map(({ json }) => json.plan_code)).toEqual(['BOX']);
    expect((await run('getAll', { returnAll: true })).items).toHaveLength(2);
  });
});

describe('changing a plan', () => {
  const change: INodeParameters = { plan_code: byId('MONTHLY25') };

  test('changes the given fields under the same ID if the plan has no subscribers', async () => {
    const { items, error } = await run('update', { ...change, recur_amt: '26' });
    expect(error).toBeUndefined();
    expect(versions()).toEqual([[401, 'E', 26]]);
    expect(writes()).toEqual([{ amt_tran: 26 }]);
    expect(items[0]?.json.what_happened).toBe('Updated plan MONTHLY25 for 26.00 USD a month.');
    expect(items[0]?.json).toHaveProperty('archived_plan_id', '');
  });

  test('changes a copy and names the archived version if the plan has subscribers', async () => {
    await subscribe();
    const { items } = await run('update', { ...change, recur_amt: '26' });
    expect(versions()).toEqual([
      [401, 'A', 25],
      [402, 'E', 26],
    ]);
    expect(items[0]?.json).toMatchObject({ plan_id: '402', archived_plan_id: '401' });
    expect(items[0]?.json.what_happened).toContain('as plan ID 402 and kept plan ID 401 for subscribers');
  });

  test('creates no new version without a change and still returns the record', async () => {
    await subscribe();
    const additionalFields = { amt_setup: '0', interval: 1, tran_currency: '840', bill_specific_day: false };
    const { items } = await run('update', { ...change, recur_amt: '25.00', additionalFields });
    expect(writes()).toEqual([]);
    expect(items[0]?.json).toMatchObject({ plan_id: '401', status: 'E' });
    expect(items[0]?.json.what_happened).toBe('No change was sent, because plan MONTHLY25 already has these values.');
  });

  test("sends a day together with the plan's switch for fixed days", async () => {
    await run('create', { ...box, bill_specific_day: true, day_of_month: 1 });
    sandbox.control.clearJournal();
    const days = { plan_code: byId('={{ $json.code }}'), additionalFields: { day_of_month: 15 } };
    const { items, errors } = await run('update', days, [{ code: 'BOX' }, { code: 'MONTHLY25' }], {
      onError: 'continueErrorOutput',
    });
    expect(items).toHaveLength(1);
    expect(writes()).toEqual([{ bill_specific_day: true, day_of_month: 15 }]);
    expect(failures(errors)[0]).toContain('is not billed on a fixed day');
  });

  test('fails only plans that are archived, deleted or unknown', async () => {
    for (const code of ['OLD', 'GONE']) await run('create', { ...box, own_plan_code: code });
    await run('archive', { plan_code: byId('OLD') });
    await run('delete', { plan_id: byId(403) });
    const rows = ['OLD', 'GONE', 'NONE', 'MONTHLY25'].map((code) => ({ code }));
    const parameters = { plan_code: byId('={{ $json.code }}'), plan_name: 'New name' };
    const { items, errors } = await run('update', parameters, rows, toErrors);
    expect(items.map(({ json }) => json.plan_name)).toEqual(['New name']);
    expect(failures(errors).map((message) => message.split(/[:.]| and /)[0])).toEqual([
      'This plan is archived',
      'This plan was deleted',
      'No plan has this code',
    ]);
  });

  test('sends nothing without a change', async () => {
    expect((await run('update', change)).error?.message).toContain(
      '"Plan Name" is required, unless you enter a value in another field',
    );
    expect(sandbox.control.journal()).toEqual([]);
  });
});

test("archiving a plan sends the name from the plan's record, and sends nothing the second time", async () => {
  await subscribe();
  const first = await run('archive', { plan_code: byId('MONTHLY25') });
  expect(first.items[0]?.json).toMatchObject({ plan_code: 'MONTHLY25', plan_id: '401', status: 'A' });
  expect(writes()).toEqual([{ plan_name: 'Monthly support' }]);
  const again = await run('archive', { plan_code: byId('MONTHLY25') });
  expect(again.items[0]?.json).toMatchObject({ status: 'A' });
  expect(writes()).toHaveLength(1);
  expect(sandbox.control.state().subscriptions).toMatchObject([{ status: 'A' }]);
});

test('refuses a subscription to an archived plan', async () => {
  await run('archive', { plan_code: byId('MONTHLY25') });
  const { error } = await runWorkflow({
    rows: [{}],
    parameters: {
      ...{ resource: 'subscription', operation: 'create', customerSource: 'existing', termsSource: 'plan' },
      ...{ customer_id: byId('CUST0001'), plan_code: byId('MONTHLY25'), date_start: '2030-03-01' },
    },
    credential: credentialFor(sandbox),
  });
  expect(error?.message).toContain('No active plan has this code');
});

describe('deleting a plan', () => {
  test('deletes a plan with its subscriptions and returns its ID', async () => {
    await subscribe();
    const { items } = await run('delete', { plan_id: byId(401) });
    expect(items[0]?.json).toEqual({
      what_happened: 'Deleted plan ID 401 permanently and canceled all of its subscriptions.',
      plan_id: '401',
      deleted: true,
    });
    expect(sandbox.control.state().subscriptions).toMatchObject([{ status: 'C' }]);
    await run('delete', { plan_id: byId(401) });
    expect(writes()).toHaveLength(1);
  });

  test("fails only the unknown plan's item", async () => {
    const rows = [{ id: 999 }, { id: 401 }];
    const { items, errors } = await run('delete', { plan_id: byId('={{ $json.id }}') }, rows, {
      onError: 'continueErrorOutput',
    });
    expect([items.length, errors.length]).toEqual([1, 1]);
  });
});

describe('creating or updating plans from a price list', () => {
  const upsert: INodeParameters = { ...box, own_plan_code: '={{ $json.code }}', recur_amt: '={{ $json.price }}' };
  const rows = [
    { code: 'BOX', price: 39.5 },
    { code: 'GOLD', price: 50 },
  ];

  test('creates or updates each plan by code and sends nothing the second time', async () => {
    const first = await run('upsert', upsert, rows);
    expect(first.error).toBeUndefined();
    expect(first.items.map(({ json }) => json.plan_code)).toEqual(['BOX', 'GOLD']);
    expect(writes()).toHaveLength(2);
    const again = await run('upsert', upsert, rows);
    expect(writes()).toHaveLength(2);
    expect(again.items.map(({ json }) => json.plan_id)).toEqual(['402', '403']);
  });

  test('creates one plan for two rows with the same code and updates it with the second', async () => {
    const { items } = await run('upsert', upsert, [rows[0] ?? {}, { code: 'BOX', price: 41 }]);
    expect(versions().slice(1)).toEqual([[402, 'E', 41]]);
    expect(items.map(({ json }) => json.amt_tran)).toEqual([39.5, 41]);
  });

  test('changes a plan with subscribers in a copy and says so', async () => {
    await run('upsert', upsert, rows);
    await subscribe('BOX');
    const { items } = await run('upsert', upsert, [{ code: 'BOX', price: 41 }]);
    expect(items[0]?.json).toMatchObject({ plan_id: '404', archived_plan_id: '402' });
  });

  test("doesn't create an archived plan again", async () => {
    await run('archive', { plan_code: byId('MONTHLY25') });
    sandbox.control.clearJournal();
    const { error } = await run('upsert', upsert, [{ code: 'MONTHLY25', price: 1 }]);
    expect(error?.message).toContain('This plan is archived');
    expect(writes()).toEqual([]);
  });
});
