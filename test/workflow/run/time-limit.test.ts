import { CredentialTestContext } from 'n8n-core/dist/execution-engine/node-execution-context/credentials-test-context';
import type { INodeParameters, IWorkflowExecuteAdditionalData } from 'n8n-workflow';

import { SEARCHES } from '../../../nodes/PaymentPlatform/fields/searches';
import { credentialFor } from '../../credential';
import { testEvery } from '../../every-case';
import { timeLimitsAre } from '../../time-limits';
import { benchOf, sandboxForFile } from '../bench';
import { PAYMENT_NODE, type RunInput } from '../harness';
import { searchList } from '../picker';

const TOO_LATE = 'The response was not complete before the timeout';

timeLimitsAre(150);
const sandbox = sandboxForFile({ seed: false });
const bench = benchOf(sandbox);
beforeEach(() => sandbox.control.addFault({ kind: 'drip' }));

const run = async (parameters: INodeParameters, sending: INodeParameters, more: Partial<RunInput> = {}) =>
  await bench.run(
    { ...parameters, options: { ...(parameters.options as INodeParameters | undefined), sending } },
    [{}],
    more,
  );
const once = { timeout: 5, maxTries: 1, retryTime: 0 };
const asked = () => sandbox.control.journal().map(({ method }) => method);

const customer = { resource: 'customer', operation: 'get', customer_id: 'C1' };
const refund = { resource: 'transaction', operation: 'refund', pg_id: '42', amt_tran: 5 };

test.each<[string, INodeParameters]>([
  ['a record', customer],
  ['a list', { resource: 'customer', operation: 'getAll', returnAll: true }],
])('a response that arrives byte by byte ends at the timeout: %s', async (_, parameters) => {
  const { error } = await run(parameters, once);
  expect(error?.message).toContain(TOO_LATE);
  expect(asked()).toEqual(['GET']);
});

test('a read whose response is not complete at the timeout is repeated', async () => {
  const { error } = await run(customer, { ...once, maxTries: 3, retryTime: 9 });
  expect(error?.message).toContain(TOO_LATE);
  expect(asked()).toEqual(['GET', 'GET', 'GET']);
});

test.each<[string, INodeParameters]>([
  ['a refund', refund],
  ['a deletion', { ...customer, operation: 'delete' }],
])('a write whose response is not complete at the timeout is unknown and not sent again: %s', async (_, parameters) => {
  const { error } = await run(parameters, { ...once, maxTries: 5, retryTime: 60 });
  expect(error?.message).toContain(TOO_LATE);
  expect(error?.context?.data).toMatchObject({ outcome: 'unknown' });
  expect(asked()).toHaveLength(1);
});

test.each([{ limitPerDay: 9 }, { ifExists: { then: 'return' } }])(
  'a guard whose report is not complete at the timeout sends nothing: %j',
  async (options) => {
    const { error } = await run({ ...refund, options } as INodeParameters, once);
    expect(error?.message).toContain(`so nothing was sent: ${TOO_LATE}`);
    expect(asked()).toEqual(['GET']);
  },
);

test('a canceled execution ends before the timeout', async () => {
  jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(new AbortController().signal);
  const cancelOnceAsked = (cancel: () => void) => {
    const timer = setInterval(() => {
      if (asked().length === 0) return;
      clearInterval(timer);
      cancel();
    }, 5);
  };
  const { run: canceled } = await run(customer, once, { onStart: cancelOnceAsked });
  expect(canceled.status).toBe('canceled');
  expect(asked()).toEqual(['GET']);
});

testEvery([...SEARCHES])('every list in the editor ends at the timeout', async (name) => {
  const subscription_id = { __rl: true, mode: 'id', value: '1' };
  const parameters = { resource: 'subscription', operation: 'update', subscription_id };
  await expect(searchList(name, credentialFor(sandbox), { parameters })).rejects.toMatchObject({
    description: expect.stringContaining(TOO_LATE) as string,
  });
});

test('the test of a credential ends at the timeout', async () => {
  const context = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
  const { paymentPlatformApiTest: check } = PAYMENT_NODE.methods?.credentialTest ?? {};
  const credential = { id: '1', name: 'A', type: 'b', data: credentialFor(sandbox) };
  expect(await check?.call(context, credential)).toEqual({
    status: 'Error',
    message: expect.stringMatching(/ did not respond within 20 seconds\. Check the Base URL\.$/) as string,
  });
});
