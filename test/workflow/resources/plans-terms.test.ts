import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { benchOf, sandboxForFile } from '../bench';
import { box, planBench } from './plan-bench';
import { toolOf } from '../tool/tool-harness';

const sandbox = sandboxForFile();
const { writes, subscribe } = planBench(sandbox);

const byId = (value: unknown) => ({ __rl: true, mode: 'id', value: String(value) });
const { runOperation: run } = benchOf(sandbox, { parameters: { resource: 'plan' }, looksUp: true });
const begin = async (more: INodeParameters = {}) => {
  const { error } = await run('create', { ...box, ...more });
  expect(error).toBeUndefined();
  sandbox.control.clearJournal();
};

const setDay: INodeParameters = { bill_specific_day: true, day_of_month: 1, prorate_first_pmt: true };
const plan = byId('MONTHLY25');
const limits = { limitPerItem: 1000, limitPerExecution: 5000 };
const UNTOLD = 'a request with an unknown amount';

describe('changing the charges of a plan with a limit', () => {
  const changes: Array<[string, INodeParameters]> = [
    ['the frequency', { additionalFields: { plan_frequency: 7 } }],
    ['the interval', { additionalFields: { interval: 2 } }],
    ['the number of payments', { additionalFields: { endsAfter: 'payments', plan_duration: 9999 } }],
    ['its end', { additionalFields: { endsAfter: 'cancellation' } }],
    ['a set day', { additionalFields: { bill_specific_day: true, day_of_month: 1 } }],
    ['the one-time fee', { additionalFields: { amt_setup: '1' } }],
    ['the trial', { additionalFields: { trial_duration: 1, amt_trial: '1' } }],
    ['the currency', { additionalFields: { tran_currency: '978' } }],
  ];

  test.each(changes)('refuses %s without the Recurring Amount', async (_, change) => {
    const { error } = await run('update', { plan_code: plan, ...change, options: limits } as INodeParameters);
    expect(error?.message).toContain(UNTOLD);
    expect(error?.message).toContain('Recurring Amount');
    expect(writes()).toEqual([]);
  });

  test.each(changes)('sends %s together with the Recurring Amount', async (_, change) => {
    const parameters = { plan_code: plan, recur_amt: '26', ...change, options: limits };
    expect((await run('update', parameters as INodeParameters)).error).toBeUndefined();
    expect(writes()).toHaveLength(1);
  });

  test.each([
    ['a trial', { trial_duration: 2 }],
    ['a prorated first payment', { ...setDay }],
  ])('refuses %s without its own amount, because the plan may already have an amount', async (_, additionalFields) => {
    for (const operation of ['update', 'upsert']) {
      const parameters =
        operation === 'update'
          ? { plan_code: plan, recur_amt: '25', additionalFields }
          : { ...box, ...additionalFields };
      const inCollection = operation === 'upsert' && 'trial_duration' in additionalFields && { additionalFields };
      const { error } = await run(operation, { ...parameters, ...inCollection, options: limits } as INodeParameters);
      expect(error?.message).toContain(UNTOLD);
    }
    expect(writes()).toEqual([]);
  });

  test('sends a new name, description and suffix, because they move no money', async () => {
    const additionalFields = { dba_suffix: 'END TRIAL' };
    const words = { plan_name: 'Support', plan_desc: 'Support by email', additionalFields };
    expect((await run('update', { plan_code: plan, ...words, options: { limitPerItem: 1 } })).error).toBeUndefined();
    expect(writes()).toHaveLength(1);
  });

  test("refuses a tool's change of a monthly plan to a daily plan", async () => {
    const parameters = {
      ...{ resource: 'plan', operation: 'update', plan_code: plan, limitPerItem: '1', limitPerExecution: '1' },
      additionalFields: { plan_frequency: '={{ $fromAI("often", "", "string") }}' },
    };
    const { text } = await toolOf({ parameters, credential: credentialFor(sandbox) }).call({ often: 'Daily' });
    expect(text).toContain(UNTOLD);
    expect(writes()).toEqual([]);
  });
});

describe('checking a change of a plan by the rules for a new plan', () => {
  test.each([
    ['no payments', { endsAfter: 'payments', plan_duration: 0 }, '"Number of Payments" must be at least 1'],
    ['an interval of quarters', { plan_frequency: '={{ "quarterly" }}', interval: 2 }, '"Interval" applies only if'],
    ['a trial amount without a trial', { trial_duration: 0, amt_trial: '5' }, '"Trial Amount" applies only to a trial'],
  ])('reads and sends nothing for %s', async (_, additionalFields, message) => {
    const { error } = await run('update', { plan_code: plan, additionalFields });
    expect(error?.message).toContain(message);
    expect(sandbox.control.journal()).toEqual([]);
  });

  test.each([
    ['an interval for a plan that is billed quarterly', { plan_frequency: 4 }, { interval: 2 }, '"Interval"'],
    ['another frequency for an interval of 2', { interval: 2 }, { plan_frequency: 4 }, '"Interval"'],
    ['a trial amount for a plan without a trial', {}, { amt_trial: '5' }, '"Trial Payments"'],
    ['a set day without a day', {}, { bill_specific_day: true }, 'enter a "Day of Month"'],
    ['a set day of days', { plan_frequency: 7 }, { bill_specific_day: true, day_of_month: 1 }, 'daily'],
    ['a day of the month that its weeks do not have', setDay, { plan_frequency: 0 }, '"Day of Week"'],
    ['a day of the week that its months do not have', setDay, { day_of_week: 2 }, '"Day of Week"'],
  ] as Array<[string, INodeParameters, IDataObject, string]>)(
    "refuses %s after reading the plan's record",
    async (_, first, additionalFields, message) => {
      await begin(first);
      const { error } = await run('update', { plan_code: byId('BOX'), additionalFields } as INodeParameters);
      expect(error?.message).toContain(message);
      expect(writes()).toEqual([]);
    },
  );

  test('applies the same rules in Create or Update', async () => {
    await begin({ interval: 2 });
    const { error } = await run('upsert', { ...box, plan_frequency: 4 });
    expect(error?.message).toContain('"Interval"');
    expect(writes()).toEqual([]);
  });

  test("sends fields that fit the plan's record", async () => {
    await begin({ ...setDay, interval: 2, additionalFields: { trial_duration: 1 } });
    const changes = [{ interval: 3 }, { plan_frequency: 0, day_of_week: 2 }, { amt_trial: '5' }, { interval: 1 }];
    for (const additionalFields of [
      ...changes,
      { plan_frequency: 4, day_of_month: 2 },
      { endsAfter: 'payments', plan_duration: 5 },
    ])
      expect((await run('update', { plan_code: byId('BOX'), additionalFields })).error).toBeUndefined();
    expect(writes()).toHaveLength(6);
  });
});

describe('comparing a plan with its record before sending', () => {
  const stored = () => sandbox.control.state().plans.filter(({ plan_code }) => plan_code === 'BOX');
  const prorated = { ...setDay, amt_prorate: '12.50' };
  const suffix = { additionalFields: { dba_suffix: 'END PROMO' } };
  const updated = (additionalFields: INodeParameters, more: INodeParameters = {}): INodeParameters => ({
    plan_code: byId('BOX'),
    additionalFields,
    ...more,
  });

  test.each<[string, INodeParameters]>([
    ['upsert', { ...box, ...prorated }],
    ['update', updated(prorated, { recur_amt: box.recur_amt as string })],
  ])(
    'sends nothing if the Prorated Amount of a plan with subscribers is unchanged: %s',
    async (operation, parameters) => {
      await begin(prorated);
      await subscribe('BOX');
      for (const round of [1, 2]) {
        const { error } = await run(operation, parameters);
        expect([round, error]).toEqual([round, undefined]);
      }
      expect(writes().filter((body) => !('customer_id' in body))).toEqual([]);
      expect(stored()).toMatchObject([{ status: 'E' }]);
    },
  );

  test('sends a changed Prorated Amount', async () => {
    await begin(prorated);
    expect((await run('upsert', { ...box, ...setDay, amt_prorate: '5' })).error).toBeUndefined();
    expect(writes()).toMatchObject([{ amt_prorate: 5 }]);
    expect(stored()).toMatchObject([{ amt_prorate: 5 }]);
  });

  test('sends a Statement Suffix, which no record contains, only together with another change', async () => {
    await begin();
    await subscribe('BOX');
    sandbox.control.clearJournal();
    expect((await run('upsert', { ...box, ...suffix })).error).toBeUndefined();
    expect((await run('update', updated(suffix.additionalFields))).error?.message).toContain(
      '"Statement Suffix" can\'t be the only changed field',
    );
    const same = await run('update', updated(suffix.additionalFields, { plan_name: box.plan_name as string }));
    expect(same.items[0]?.json.what_happened).toContain('The Statement Suffix was not sent');
    expect([writes(), stored().length]).toEqual([[], 1]);
    const changed = await run('upsert', { ...box, ...suffix, plan_name: 'Another name' });
    expect(writes()).toMatchObject([{ dba_suffix: 'END PROMO', plan_name: 'Another name' }]);
    expect(changed.items[0]?.json.what_happened).not.toContain('was not sent');
    expect(changed.items[0]?.json.what_happened).toMatch(/and kept plan ID \d+ for subscribers/);
    expect(stored()).toMatchObject([{ status: 'A' }, { status: 'E' }]);
  });

  test("sends the Statement Suffix of a new plan and doesn't report it as missing", async () => {
    const { items } = await run('upsert', { ...box, ...suffix });
    expect(writes()).toMatchObject([{ dba_suffix: 'END PROMO' }]);
    expect(items[0]?.json.what_happened).not.toContain('was not sent');
  });

  test('keeps the fixed day and proration if the switches of Create or Update are off', async () => {
    await begin(prorated);
    expect((await run('upsert', box)).error).toBeUndefined();
    expect(writes()).toEqual([]);
    expect((await run('upsert', { ...box, plan_name: 'Another name' })).error).toBeUndefined();
    expect(
      (await run('upsert', { ...box, plan_name: 'Another name', bill_specific_day: true, day_of_month: 2 })).error,
    ).toBeUndefined();
    expect(stored()).toMatchObject([{ bill_specific_day: true, day_of_month: 2, prorate_first_pmt: true }]);
  });

  test('switches the fixed day off if the switch of Update is off', async () => {
    await begin(setDay);
    expect((await run('update', updated({ bill_specific_day: false }))).error).toBeUndefined();
    expect(writes()).toMatchObject([{ bill_specific_day: false }]);
    expect(stored()).toMatchObject([{ bill_specific_day: false }]);
  });

  test('sends nothing if no field differs', async () => {
    await begin(setDay);
    expect((await run('upsert', { ...box, ...setDay })).error).toBeUndefined();
    expect(writes()).toEqual([]);
  });
});

describe('creating a plan that already exists', () => {
  const returning = { ifExists: { then: 'return' } };

  test.each([
    ['another interval', { interval: 6 }],
    ['a one-time fee', { additionalFields: { amt_setup: '250.00' } }],
    ['a trial', { additionalFields: { trial_duration: 1 } }],
    ['a set day', { bill_specific_day: true, day_of_month: 1 }],
    ['another currency', { additionalFields: { tran_currency: '978' } }],
  ] as Array<[string, INodeParameters]>)("doesn't return an existing plan for one with %s", async (_, more) => {
    for (const [first, second] of [
      [{}, more],
      [{ own_plan_code: 'OTHER', ...more }, { own_plan_code: 'OTHER' }],
    ]) {
      await begin(first);
      const { error } = await run('create', { ...box, ...second, options: returning });
      expect(error?.message).toMatch(/may already exist: plan_id \d+ .*\(same code\)/);
      expect(writes()).toEqual([]);
    }
  });

  test("returns an existing plan with equal terms and doesn't report it as created", async () => {
    const terms = { interval: 2, additionalFields: { amt_setup: '25', trial_duration: 1, amt_trial: '1' } };
    await begin(terms);
    const { items, error } = await run('create', { ...box, ...terms, options: returning });
    expect(error).toBeUndefined();
    expect(items[0]?.json.plan_code).toBe('BOX');
    expect(items[0]?.json.what_happened).toMatch(
      /^Nothing was sent, because the record already exists in the list of plans \(same code, /,
    );
    expect(writes()).toEqual([]);
  });

  test("doesn't report a plan with other terms as done in a tool", async () => {
    await begin();
    const parameters = { resource: 'plan', operation: 'create', ...box, interval: 6, ...limits };
    const { text } = await toolOf({ parameters, credential: credentialFor(sandbox) }).call();
    expect(text).toContain('A matching record may already exist: plan_id 402');
    expect(writes()).toEqual([]);
  });
});
