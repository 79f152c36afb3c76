import type { INodeParameters } from 'n8n-workflow';

import { completed } from '../../../nodes/PaymentPlatform/resources/plan/completed';
import type { Facts } from '../../../nodes/PaymentPlatform/wire/facts';
import * as wire from '../../../nodes/PaymentPlatform/wire/operations';
import { benchOf, sandboxForFile } from '../bench';
import { idOf } from '../writes';
import { box, planBench } from './plan-bench';

const sandbox = sandboxForFile();
const { writes, subscribe } = planBench(sandbox);
const { runOperation: run } = benchOf(sandbox, { parameters: { resource: 'plan' }, looksUp: true });
const begin = async (more: INodeParameters) => {
  expect((await run('create', { ...box, ...more })).error).toBeUndefined();
  sandbox.control.clearJournal();
};

test('sends no day that the plan does not have', () => {
  const plan = { plan_frequency: 4, bill_specific_day: true, day_of_month: 15, month: 0 };
  const days = { bill_specific_day: true, day_of_month: 15 };
  expect(completed(plan, { plan_name: 'A' })).toEqual({ body: { plan_name: 'A', ...days }, kept: Object.keys(days) });
});

describe('a change of a plan whose terms differ from the documented defaults', () => {
  const own: INodeParameters = {
    ...{ interval: 2, bill_specific_day: true, day_of_month: 15, prorate_first_pmt: true },
    additionalFields: { tran_currency: '978' },
  };
  const terms = { interval: 2, tran_currency: '978', bill_specific_day: true, day_of_month: 15 };
  const stored = () => sandbox.control.state().plans.filter(({ plan_code }) => plan_code === 'BOX');

  test.each<[string, INodeParameters]>([
    ['update', { plan_code: idOf('BOX'), plan_name: 'Another name' }],
    ['update', { plan_code: idOf('BOX'), recur_amt: '26' }],
    ['upsert', { ...box, plan_name: 'Another name' }],
  ])('keeps the current interval, currency and fixed day: %s %j', async (operation, parameters) => {
    await begin(own);
    await subscribe('BOX');
    sandbox.control.clearJournal();
    const { items, error } = await run(operation, parameters);
    expect(error).toBeUndefined();
    expect(stored()).toMatchObject([
      { status: 'A', ...terms },
      { status: 'E', ...terms },
    ]);
    expect(items[0]?.json.what_happened).toMatch(/^Updated plan BOX as plan ID \d+ and kept plan ID \d+/);
    expect((await run(operation, parameters)).items[0]?.json.what_happened).toMatch(/^No change was sent/);
  });

  test('the terms are all fields for which the service has a default in updates', () => {
    const facts: Facts = wire.updatePlan.body;
    const defaulted = Object.values(facts).filter(({ serverDefault }) => serverDefault !== undefined);
    expect(defaulted.map(({ name }) => name)).toEqual(['interval', 'tran_currency', 'bill_specific_day']);
  });

  test('sends the current values within limits, because they move no money', async () => {
    await begin(own);
    const parameters = { plan_code: idOf('BOX'), plan_name: 'Another name', options: { limitPerItem: 1 } };
    expect((await run('update', parameters)).error).toBeUndefined();
    expect(writes()).toEqual([
      { plan_name: 'Another name', interval: 2, tran_currency: '978', bill_specific_day: true, day_of_month: 15 },
    ]);
  });

  test('sends the default interval and no current value for another frequency', async () => {
    await begin({ interval: 2 });
    const additionalFields = { plan_frequency: 0, interval: 1 };
    expect((await run('update', { plan_code: idOf('BOX'), additionalFields })).error).toBeUndefined();
    expect(writes()).toEqual([{ plan_frequency: 0, interval: 1 }]);
  });
});
