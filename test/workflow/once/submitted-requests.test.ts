import type { INodeParameters } from 'n8n-workflow';

import { SubmittedRequests } from '../../../nodes/PaymentPlatform/once/submitted-requests';
import { processedData } from '../../processed-data';
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
/** Asks as the workflow's trigger does. */
const asking = (more: object = {}, workflowId = 'test') =>
  new SubmittedRequests(
    { getWorkflow: () => ({ id: workflowId }), helpers: processedData.helpers(`${workflowId} `) } as never,
    { environment: 'test', merchantId: sandbox.credentials.test.merchantId, ...more },
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

// The process remembers a lost submission, so this test is the last one.
test('the trigger is uncertain about all unknown requests while the outcome of a submission is unknown', async () => {
  lose('submitAccountUpdater');
  await run(SUBMIT, [{ card: 'b' }], goOn);
  expect(await asking().isOwn('999')).toBeUndefined();
});
