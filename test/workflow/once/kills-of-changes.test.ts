import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import { processedData } from '../../processed-data';
import { benchOf, errorOf, sandboxForFile, toErrors } from '../bench';
import { crashedData, runWorkflow } from '../harness';
import { subscriptionBench } from '../resources/subscription-bench';
import { draft, idOf } from '../writes';

const sandbox = sandboxForFile();
const bench = benchOf(sandbox, { looksUp: true });
const { newSubscription } = subscriptionBench(sandbox, '2030-03-01');
const applied = () => sandbox.control.journal().filter(({ method, applied: one }) => method !== 'GET' && one !== null);
const card = () => asText(sandbox.control.state().customers.find(isFirst)?.billing_cards[0]?.card_id);
const isFirst = ({ customer_id }: { customer_id: string }) => customer_id === 'CUST0001';

const CHANGES: Array<[string, () => Promise<INodeParameters> | INodeParameters]> = [
  [
    'a customer',
    () => ({
      resource: 'customer',
      operation: 'update',
      customer_id: idOf('CUST0001'),
      customer_email: 'a@example.com',
    }),
  ],
  [
    'a card',
    () => ({
      ...{ resource: 'customerCard', operation: 'update', customer_id: idOf('CUST0001'), card_id: idOf(card()) },
      exp_date: '12/33',
    }),
  ],
  [
    'a draft',
    async () => ({
      resource: 'invoice',
      operation: 'update',
      invoice_id: idOf(await draft(sandbox)),
      invoice_number: 'A-1',
    }),
  ],
  ...['pause', 'cancel'].map((operation): [string, () => Promise<INodeParameters>] => [
    `the state of a subscription (${operation})`,
    async () => ({ resource: 'subscription', operation, subscription_id: idOf(await newSubscription()) }),
  ]),
  ['a plan', () => ({ resource: 'plan', operation: 'archive', plan_code: idOf('MONTHLY25') })],
];

describe.each(CHANGES)('a change of %s after n8n was killed', (_, given) => {
  const killed = async () => {
    const input = bench.input(await given());
    const crashed = crashedData(input);
    await runWorkflow({ ...input, from: crashed });
    return { input, crashed };
  };

  test('a change after n8n was killed is done in the retry and sent once', async () => {
    const { input, crashed } = await killed();
    const before = applied().length;
    const { items, errors } = await runWorkflow({ ...input, ...toErrors, retryOf: crashed });
    expect(errors).toEqual([]);
    expect(items).toHaveLength(1);
    expect(applied()).toHaveLength(before);
  });
});

test('refuses an earlier change by another user in a retry, too', async () => {
  const id = await newSubscription();
  const pause = { resource: 'subscription', operation: 'pause', subscription_id: idOf(id) };
  await bench.run(pause);
  const input = bench.input(pause);
  const { errors } = await runWorkflow({ ...input, ...toErrors, retryOf: crashedData(input) });
  expect(errorOf(errors[0])).toMatchObject({ outcome: 'invalid' } as IDataObject);
});

test("knows no outcome of a change that it refuses in a retry if n8n's database fails", async () => {
  const id = await newSubscription();
  const input = bench.input({ resource: 'subscription', operation: 'pause', subscription_id: idOf(id) });
  const crashed = crashedData(input);
  await runWorkflow({ ...input, from: crashed });
  processedData.failing = new Error('Connection terminated');
  const { errors } = await runWorkflow({ ...input, ...toErrors, retryOf: crashed });
  delete processedData.failing;
  expect(errorOf(errors[0])).toMatchObject({ outcome: 'unknown' });
});
