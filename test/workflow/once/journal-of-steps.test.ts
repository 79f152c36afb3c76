import type { INodeParameters } from 'n8n-workflow';

import { benchOf, errorOf, sandboxForFile, toErrors } from '../bench';
import { crashedData, runWorkflow } from '../harness';
import { subscriptionBench } from '../resources/subscription-bench';
import { idOf, payment } from '../writes';

const sandbox = sandboxForFile();
const { newSubscription } = subscriptionBench(sandbox, '2030-03-01');
const { input } = benchOf(sandbox, { looksUp: true });
const writes = () => sandbox.control.journal().filter(({ method }) => method !== 'GET').length;

async function corrected(): Promise<INodeParameters> {
  const parameters = await payment(sandbox);
  const { items } = await runWorkflow(input(parameters));
  const payment_id = idOf(items[0]?.json.payment_id);
  return {
    resource: 'invoice',
    operation: 'updatePayment',
    invoice_id: parameters.invoice_id,
    payment_id,
    amt_paid: 7,
  };
}
const pausing = async (more: INodeParameters = {}): Promise<INodeParameters> => ({
  ...{ resource: 'subscription', operation: 'pause', subscription_id: idOf(await newSubscription()) },
  ...more,
});

test('returns a correction as done in a retry after n8n was killed', async () => {
  const given = input(await corrected());
  const before = writes();
  const crashed = crashedData(given);
  expect((await runWorkflow({ ...given, from: crashed })).error).toBeUndefined();
  const { items } = await runWorkflow({ ...given, ...toErrors, retryOf: crashed });
  expect(items[0]?.json.done_by_earlier_try).toBe(true);
  expect(writes() - before).toBe(1);
});

test('finds a change of state with a lost response in a retry after n8n was killed', async () => {
  const given = input(await pausing());
  const crashed = crashedData(given);
  sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'pauseSubscription' });
  await runWorkflow({ ...given, looksUp: false, from: crashed });
  const { items } = await runWorkflow({ ...given, ...toErrors, retryOf: crashed });
  expect(items[0]?.json.found_at_service).toMatch(/^the subscription is paused/);
});

test("refuses another user's change in a retry unless an earlier attempt started the change", async () => {
  const given = input(await pausing());
  const crashed = crashedData(given);
  await runWorkflow(given);
  const { errors } = await runWorkflow({ ...given, ...toErrors, retryOf: crashed });
  expect(errorOf(errors[0])).toMatchObject({ outcome: 'invalid' });
  expect(errorOf(errors[0]).message).toContain('The subscription is already paused, so nothing was sent');
});
