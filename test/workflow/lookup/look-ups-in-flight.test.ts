import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { timeIsSimulated } from '../../simulated-time';
import { benchOf, goOn, outcomes, sandboxForFile } from '../bench';
import type { RunOutput } from '../harness';
import { holdAnswers, type HeldAnswers } from '../held-answers';
import { cards, subscription } from '../writes';

timeIsSimulated();

const sandbox = sandboxForFile();
const held: HeldAnswers[] = [];
afterEach(async () => await Promise.all(held.splice(0).map(async ({ stop }) => await stop())));

const SLOW_MS = 9000;

const { run } = benchOf(sandbox, { looksUp: true, ...goOn });
async function runSlowly(rows: IDataObject[], parameters: INodeParameters): Promise<RunOutput> {
  const service = await holdAnswers(credentialFor(sandbox), SLOW_MS, (_, nth) => nth === 1);
  held.push(service);
  return await run(parameters, rows, { credential: service.credential });
}
const cut = (kind: 'reset_after_apply' | 'reset_before_apply', call: number) =>
  sandbox.control.addFault({ kind, method: 'POST', calls: [call] });
const applied = () =>
  sandbox.control.journal().filter(({ method, applied: one }) => method === 'POST' && one !== null).length;

const members = (count: number) => Array.from({ length: count }, (_, row) => ({ id: `member-${row}` }));
const updater: INodeParameters = {
  ...cards,
  data: { item: [{ card_number: '4111111111111111', exp_date: '1230', card_id: '={{ $json.id }}' }] },
};

test('two equal account updater requests stay unknown if both responses are lost and one record exists', async () => {
  cut('reset_before_apply', 1);
  cut('reset_after_apply', 2);
  const output = await run(updater, members(200));
  expect(new Set(outcomes(output))).toEqual(new Set(['unknown']));
  expect(JSON.stringify(output.items[0]?.json)).toMatch(
    /The node found request_id 15001 in the list of account updater requests \(same number of cards, not there before\)\. The record may belong to another item, so the node did not use it\./,
  );
  expect(applied()).toBe(1);
});

test("two equal account updater requests stay unknown if both were applied and the records can't be assigned", async () => {
  cut('reset_after_apply', 1);
  cut('reset_after_apply', 2);
  expect(new Set(outcomes(await run(updater, members(200))))).toEqual(new Set(['unknown']));
});

test("two equal account updater requests don't use each other's record if one response is slow", async () => {
  cut('reset_before_apply', 2);
  const output = await runSlowly(members(200), updater);
  expect(outcomes(output).slice(0, 100)).toEqual(Array(100).fill('done'));
  expect(outcomes(output).slice(100)).toEqual(Array(100).fill('unknown'));
});

test('two equal account updater requests are assigned if a second record appears after the slow response', async () => {
  cut('reset_after_apply', 2);
  const output = await runSlowly(members(200), updater);
  expect(outcomes(output).slice(100)).toEqual(Array(100).fill('found'));
  expect(new Set(output.items.map(({ json }) => json.request_id)).size).toBe(2);
});

const newCustomers = (): INodeParameters => ({
  ...subscription(sandbox),
  customerSource: 'new',
  customer: {
    item: {
      ...{ customer_first_name: 'John', customer_last_name: 'Smith', customer_email: 'john@example.com' },
      auto_generate_customer_id: true,
      billing_cards: {
        item: [{ paymentMethod: 'card', card_number: '4111111111111111', exp_date: '12/30', billing_zip: '97477' }],
      },
    },
  },
});
const apiPlans: INodeParameters = {
  ...{ resource: 'api', operation: 'request', method: 'POST', path: '/platform/plan' },
  body: '={{ ({ plan_code: $json.code, plan_name: "x", plan_desc: "d", plan_frequency: 3, plan_duration: -1, amt_tran: 10 }) }}',
  additionalFields: { lookUpPath: '/platform/plan/AAA' },
};

describe.each<[string, () => INodeParameters]>([
  ['subscriptions of new customers', newCustomers],
  [
    'webhooks with one label and address',
    () => ({
      ...{ resource: 'webhook', operation: 'create', label: 'Paid', events: ['invoice_paid'] },
      notification_url: 'https://n8n.example.com/webhook/payments',
    }),
  ],
  ['API requests with one path to look at', () => apiPlans],
])('two equal writes of %s', (_, parameters) => {
  test('the record of the slow one of two equal writes is not assigned to the one not applied', async () => {
    cut('reset_before_apply', 2);
    const rows = [{ code: 'AAA' }, { code: 'BBB' }];
    expect(outcomes(await runSlowly(rows, parameters()))).toEqual(['done', 'unknown']);
    expect(applied()).toBe(1);
  });
});

test("doesn't assign the first API request's record to the second with the same path", async () => {
  cut('reset_before_apply', 2);
  const parameters = { ...apiPlans, options: { sending: { maxParallelRequests: 1 } } };
  expect(outcomes(await run(parameters, [{ code: 'AAA' }, { code: 'BBB' }]))).toEqual(['done', 'unknown']);
});

test("waits for an equal item's response before it returns an existing record", async () => {
  const parameters = {
    ...newCustomers(),
    options: { ifExists: { then: 'return' }, sending: { maxParallelRequests: 3 } },
  };
  const others = Array.from({ length: 4 }, (_, row) => ({ day: `2099-02-0${row + 1}` }));
  const rows = [{ day: '2099-01-01' }, ...others, { day: '2099-01-01' }];
  const output = await runSlowly(rows, { ...parameters, date_start: '={{ $json.day }}' } as INodeParameters);
  expect(outcomes(output)).toEqual(rows.map(() => 'done'));
  expect(new Set(output.items.map(({ json }) => json.subscription_id)).size).toBe(rows.length);
  expect(applied()).toBe(rows.length);
});
