import { sleep, type IDataObject, type INodeParameters } from 'n8n-workflow';

import { timeIsSimulated } from '../../simulated-time';
import { benchOf, sandboxForFile, toErrors } from '../bench';
import { crashedData, runWorkflow } from '../harness';
import { subscription } from '../writes';

timeIsSimulated();
const sandbox = sandboxForFile();
const { input, lose } = benchOf(sandbox, { looksUp: true, ...toErrors });
const appliedBy = (operationId: string) =>
  sandbox.control.journal({ operationId }).filter(({ applied }) => applied !== null).length;
const slowly = (operationId: string) => sandbox.control.addLatency({ operationId, milliseconds: 500 });

const card = { paymentMethod: 'card', card_number: '4111111111111111', exp_date: '12/35' };
const money = (operation: string, more: IDataObject) => ({ resource: 'transaction', operation, amt_tran: 25, ...more });
const customer = () => sandbox.control.state().customers[0]?.customer_id;
const saved = () => ({ paymentMethod: 'customerCard', customer_id: customer() });

/** One write for each kind of movement, by the ID of its operation in the interface. */
const WRITES: Array<[string, () => IDataObject]> = [
  ['sale', () => money('sale', saved())],
  ['authorize', () => money('authorize', saved())],
  ['credit', () => money('credit', card)],
  ['force', () => money('force', { ...card, auth_code: 'T12345' })],
  ['payPayee', () => money('payout', { payee_id: '9001' })],
  [
    'recharge',
    () => money('recharge', { pg_id: sandbox.control.addCapturedSales({ count: 1, amountCents: 2500 })[0] }),
  ],
  [
    'refund',
    () => money('refund', { pg_id: sandbox.control.addCapturedSales({ count: 1, amountCents: 2500 })[0], amt_tran: 4 }),
  ],
  [
    'createInvoice',
    () => ({
      resource: 'invoice',
      operation: 'create',
      customer_id: customer(),
      line_items: { item: [{ description: 'Hour', quantity: 1, unit_cost: 25 }] },
    }),
  ],
  ['addSubscription', () => subscription(sandbox) as IDataObject],
  ['addPayee', () => ({ resource: 'payee', operation: 'create', payee_name: 'Silva Bakery' })],
  ['tokenize', () => ({ resource: 'card', operation: 'tokenize', ...card })],
];
const with_ = (parameters: IDataObject, options: IDataObject) => ({ ...parameters, options }) as INodeParameters;
let keys = 0;
const newKey = () => ({ oncePerKey: `deal ${(keys += 1)}`, unknownOutcome: 'resend' });

test.each(WRITES)('three parallel executions with one key send %s once', async (operationId, parameters) => {
  const own = with_(parameters(), newKey());
  slowly(operationId);
  await Promise.all([1, 2, 3].map(async () => await runWorkflow(input(own))));
  expect(appliedBy(operationId)).toBe(1);
});

test.each(WRITES)(
  'a later execution with the same key does not send a lost %s again',
  async (operationId, parameters) => {
    const own = with_(parameters(), newKey());
    lose(operationId, 'after');
    sandbox.control.setListLag(600_000);
    await runWorkflow(input(own));
    sandbox.control.setListLag(0);
    await runWorkflow(input(own));
    expect(appliedBy(operationId)).toBe(1);
  },
);

test.each(WRITES)('two simultaneous retries with Send Again send %s once', async (operationId, parameters) => {
  const own = parameters();
  lose(operationId, 'before');
  const failed = await runWorkflow(input(with_(own, { unknownOutcome: 'refuse' }), [{}], { onError: undefined }));
  slowly(operationId);
  const retry = async () =>
    await runWorkflow(input(with_(own, { unknownOutcome: 'resend' }), [{}], { retryOf: failed.run }));
  await Promise.all([retry(), retry()]);
  expect(appliedBy(operationId)).toBeLessThanOrEqual(1);
});

test.each(WRITES)('two simultaneous retries after a kill send %s once', async (operationId, parameters) => {
  const given = input(with_(parameters(), { unknownOutcome: 'resend' }));
  const started = crashedData(given);
  slowly(operationId);
  const retry = async () => await runWorkflow({ ...given, retryOf: started });
  await Promise.all([retry(), retry()]);
  expect(appliedBy(operationId)).toBe(1);
});

test('an invoice that another retry was sending is not sent again after a person edits the item', async () => {
  const invoice = (unit_cost: number): INodeParameters => ({
    ...{ resource: 'invoice', operation: 'create', customer_id: 'CUST0001' },
    line_items: { item: [{ description: 'Hour', quantity: 1, unit_cost }] },
    options: { unknownOutcome: 'resend' },
  });
  const given = input(invoice(25), [{}], { onError: undefined });
  const started = crashedData(given);
  slowly('createInvoice');
  lose('createInvoice', 'after');
  sandbox.control.setListLag(3_600_000);
  const sending = runWorkflow({ ...given, retryOf: started });
  await sleep(200);
  const late = await runWorkflow({ ...given, retryOf: started });
  expect(late.error?.message).toMatch(/^Another attempt in n8n is sending this item now/);
  await sending;
  // The time of the other attempt ends by then.
  await sleep(20 * 60_000);
  const { error } = await runWorkflow({ ...given, parameters: invoice(30), retryOf: late.run });
  expect(error?.message).toMatch(/^An earlier attempt sent this item with other values and with an unknown outcome/);
  expect(appliedBy('createInvoice')).toBe(1);
});
