import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { SubmittedRequests } from '../../../nodes/PaymentPlatform/once/submitted-requests';
import { operationOf } from '../../unit/requests';
import { processedData } from '../../processed-data';
import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { benchOf, goOn, sandboxForFile } from '../bench';

const sandbox = sandboxForFile({ seed: false });
const { run, lose } = benchOf(sandbox);

/** Row that all nodes of the workflow share. */
const ROW = 'test ';
const SUBMIT: INodeParameters = {
  resource: 'accountUpdater',
  operation: 'submit',
  data: { item: [{ card_number: '4111111111111111', exp_date: '1230', card_id: '={{ $json.card }}' }] },
};
const submitter = (more: object = {}) => ({
  environment: 'test' as const,
  merchantId: sandbox.credentials.test.merchantId,
  ...more,
});
/** Asks as the workflow's trigger does. */
const asking = (more: object = {}, workflowId = 'test') =>
  new SubmittedRequests(
    { getWorkflow: () => ({ id: workflowId }), helpers: processedData.helpers(`${workflowId} `) } as never,
    submitter(more),
  );
const lastId = () => String(sandbox.control.state().updaterRequests.at(-1)?.request_id);

test("a trigger recognizes the requests of its workflow's nodes, and no others", async () => {
  const { items } = await run(SUBMIT, [{ card: 'a' }]);
  const id = items[0]?.json.request_id as string;
  expect(id).toBe(lastId());
  expect(await asking().isOwn(id)).toBe(true);
  expect(await asking().isOwn('999')).toBe(false);
  expect(await asking({ merchantId: '1' }).isOwn(id)).toBe(false);
  expect(await asking({ environment: 'production' }).isOwn(id)).toBe(false);
  expect(await asking({}, 'other').isOwn(id)).toBe(false);
});

test('a trigger recognizes a request that the node submitted as saved cards', async () => {
  const [customer_id = ''] = sandbox.control.addCustomers(1);
  const card = sandbox.control.state().customers.find((one) => one.customer_id === customer_id)?.billing_cards[0];
  const { error } = await run({ resource: 'accountUpdater', operation: 'submitSaved', card_id: card?.card_id ?? '' });
  expect(error).toBeUndefined();
  expect(await asking().isOwn(lastId())).toBe(true);
});

test('the trigger is certain again after the service has refused the submission', async () => {
  sandbox.control.addFault({ kind: 'status', status: 400, operationId: 'submitAccountUpdater', calls: [1] } as never);
  const { items } = await run(SUBMIT, [{ card: 'c' }], goOn);
  expect(items[0]?.json.error).toBeDefined();
  expect(await asking().isOwn('999')).toBe(false);
});

test('a node does not submit cards if it could not record the submission', async () => {
  const check = processedData.check.bind(processedData);
  processedData.check = async (keys, row, options) =>
    row === ROW ? await Promise.reject(new Error('The database is locked')) : await check(keys, row, options);
  const { items } = await run(SUBMIT, [{ card: 'd' }], goOn).finally(() => (processedData.check = check));
  expect(items[0]?.json.error).toMatchObject({ message: expect.stringContaining("n8n's database") as string });
  expect(sandbox.control.journal()).toEqual([]);
});

describe('requests that end in another order than they begin', () => {
  const request = (): PlannedRequest =>
    ({ operation: operationOf({ value: 'submit', eventsBy: 'request_id' } as never) }) as never;
  const records = (request_id: string): IDataObject[] => [{ request_id }];

  // The node records the submissions of each merchant on its own.
  let merchantId = 0;
  beforeEach(() => void (merchantId += 1));
  const ofMerchant = () => asking({ merchantId: String(merchantId) });

  test('leave the trigger uncertain until all have ended', async () => {
    const [node, first, second] = [ofMerchant(), request(), request()];
    await node.begin(first);
    await node.begin(second);
    node.recordMade(second, records('2'));
    expect(await ofMerchant().isOwn('2')).toBe(true);
    expect(await ofMerchant().isOwn('1')).toBeUndefined();
    node.recordRefused(first);
    expect(await ofMerchant().isOwn('1')).toBe(false);
  });

  test('never end the submission of a killed process', async () => {
    const lost = [...(await keysOfKilledProcess())];
    const [node, own] = [ofMerchant(), request()];
    await node.begin(own);
    node.recordMade(own, records('3'));
    expect(await ofMerchant().isOwn('4')).toBeUndefined();
    expect(processedData.rows.get(ROW)).toEqual(expect.arrayContaining(lost));
  });

  /** Loads the module again, as a new process does. */
  async function keysOfKilledProcess(): Promise<string[]> {
    let killed: typeof SubmittedRequests | undefined;
    jest.isolateModules(() => {
      killed = jest.requireActual<{ SubmittedRequests: typeof SubmittedRequests }>(
        '../../../nodes/PaymentPlatform/once/submitted-requests',
      ).SubmittedRequests;
    });
    const context = { getWorkflow: () => ({ id: 'test' }), helpers: processedData.helpers(ROW) };
    if (killed) await new killed(context as never, submitter({ merchantId: String(merchantId) })).begin(request());
    return processedData.rows.get(ROW) ?? [];
  }

  test('without an ID in the response leave the trigger uncertain', async () => {
    const [node, own] = [ofMerchant(), request()];
    await node.begin(own);
    node.recordMade(own, [{}]);
    expect(await ofMerchant().isOwn('5')).toBeUndefined();
  });
});

test('the trigger is uncertain if n8n may have removed keys', async () => {
  processedData.rows.set(
    'full ',
    Array.from({ length: 15_000 }, (_, index) => `key ${index}`),
  );
  expect(await asking({}, 'full').isOwn('6')).toBeUndefined();
});

// The process remembers a lost submission, so this test is the last one.
test('the trigger is uncertain about all unknown requests while the outcome of a submission is unknown', async () => {
  lose('submitAccountUpdater');
  await run(SUBMIT, [{ card: 'b' }], goOn);
  expect(await asking().isOwn('999')).toBeUndefined();
});
