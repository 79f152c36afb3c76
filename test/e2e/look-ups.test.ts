import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';

import { itemsOf, type Execution } from '../../host/rest';
import { startHost, type Host } from './host';
import { own, rowsInto } from './workflows';

/** Delay in milliseconds after which a new record appears in the service's lists. */
const LAG_MS = 4000;
const WRITE = 'Write';
const id = (value: unknown) => ({ __rl: true, mode: 'id', value });

let host: Host;
let sales: string[] = [];
const control = () => host.sandbox.control;

async function post(path: string, body: object): Promise<IDataObject> {
  const { baseUrl, credentials } = host.sandbox;
  const headers = { authorization: `Basic ${credentials.test.token}` };
  return (await axios.post<{ data: IDataObject }>(`${baseUrl}${path}`, body, { headers })).data.data;
}
async function draft(): Promise<unknown> {
  const line_items = [{ quantity: 1, description: 'Hour', unit_cost: 100 }];
  return (await post('/platform/invoice', { customer_id: customer(), line_items })).invoice_id;
}
async function subscribed(): Promise<unknown> {
  const terms = { plan_code: 'MONTHLY25', date_start: '2098-01-01' };
  return (await post('/platform/subscription', { customer_id: customer(), ...terms })).subscription_id;
}
async function recorded(): Promise<object> {
  const { baseUrl, credentials } = host.sandbox;
  const invoice_id = await draft();
  const { data } = await axios.post<{ data: { payment_id: unknown } }>(
    `${baseUrl}/platform/invoice/${String(invoice_id)}/payments`,
    { type: 'CASH', amt_paid: 1, date_payment: '2030-01-01' },
    { headers: { authorization: `Basic ${credentials.test.token}` } },
  );
  return { invoice_id: id(invoice_id), payment_id: id(data.data.payment_id) };
}
const customer = () => control().state().customers[0]?.customer_id;

interface Write {
  operationId: string;
  /** @param nth number that makes the write unique. */
  parameters: (nth: number) => Promise<object>;
  where: string;
  agreement: string;
  /** Expected message if the service didn't apply the write. */
  notDone?: string;
  shows: IDataObject;
}

const text = expect.any(String) as string;
const refund: Write = {
  operationId: 'refund',
  parameters: async (nth) =>
    await Promise.resolve({
      resource: 'transaction',
      operation: 'refund',
      pg_id: id(sales[nth]),
      amt_tran: 4,
    }),
  where: 'the transaction report',
  agreement: 'same transaction, same amount, within 2 minutes',
  shows: { pg_id: text, amt_tran: 4 },
};
const WRITES: Write[] = [
  refund,
  {
    operationId: 'createInvoice',
    parameters: async (nth) =>
      await Promise.resolve({
        resource: 'invoice',
        operation: 'create',
        customer_id: id(customer()),
        invoice_number: `LOST-${nth}`,
        line_items: { item: [{ quantity: 1, description: 'Hour', unit_cost: 60 }] },
      }),
    where: 'the list of invoices',
    agreement: 'same customer, same invoice number if the item has one, same total and currency, within 2 minutes',
    shows: { invoice_id: text },
  },
  {
    operationId: 'sendInvoice',
    parameters: async () => ({
      resource: 'invoice',
      operation: 'send',
      invoice_id: id(await draft()),
      email_address: ['ana@example.com'],
    }),
    where: "the invoice's own record",
    agreement: 'the invoice was sent and is no longer a draft, on the same day',
    shows: { status: 'OUTSTANDING' },
  },
  {
    operationId: 'cancelInvoice',
    parameters: async () => ({ resource: 'invoice', operation: 'cancel', invoice_id: id(await draft()) }),
    where: "the invoice's own record",
    agreement: 'the invoice is canceled, changed since the request',
    shows: { status: 'CANCELED' },
  },
  {
    operationId: 'copyInvoice',
    parameters: async (nth) => ({
      resource: 'invoice',
      operation: 'copy',
      invoice_id: id(await draft()),
      invoice_number: `COPIED-${nth}`,
    }),
    where: 'the list of invoices',
    agreement: 'same customer, total and number as the original invoice, within 2 minutes',
    shows: { invoice_id: text },
  },
  {
    operationId: 'removeInvoicePayment',
    parameters: async () => ({ resource: 'invoice', operation: 'deletePayment', ...(await recorded()) }),
    where: 'the payments on the invoice',
    agreement: 'the payment is not in the list of payments, listed before the request',
    notDone: 'checked the payments on the invoice 3 times, and the record still existed',
    shows: { deleted: true },
  },
  {
    operationId: 'addInvoicePayment',
    parameters: async () => ({
      resource: 'invoice',
      operation: 'addPayment',
      invoice_id: id(await draft()),
      type: 'CASH',
      amt_paid: 5,
      date_payment: '2030-01-01',
    }),
    where: 'the list of payments',
    agreement: 'same invoice, same kind of payment, same amount, same day, not there before',
    shows: { payment_id: text, amt_paid: 5 },
  },
  {
    operationId: 'addSubscription',
    parameters: async (nth) =>
      await Promise.resolve({
        resource: 'subscription',
        operation: 'create',
        customerSource: 'existing',
        customer_id: id(customer()),
        termsSource: 'offPlan',
        plan_frequency: 3,
        recur_amt: 10 + nth,
        endsAfter: 'payments',
        plan_duration: 12,
        date_start: '2099-01-01',
      }),
    where: 'the list of subscriptions',
    agreement: 'same generated reference, not there before',
    shows: { subscription_id: text, status: 'A' },
  },
  ...[
    { operation: 'pause', status: 'P', state: 'paused' },
    { operation: 'cancel', status: 'C', state: 'canceled' },
  ].map(({ operation, status, state }) => ({
    operationId: `${operation}Subscription`,
    parameters: async () => ({ resource: 'subscription', operation, subscription_id: id(await subscribed()) }),
    where: "the subscription's own record",
    agreement: `the subscription is ${state}, changed since the request`,
    shows: { status },
  })),
  {
    operationId: 'updatePayeeAccount',
    parameters: async (nth) =>
      await Promise.resolve({
        resource: 'payee',
        operation: 'updateAccount',
        payee_id: id(control().state().payees[0]?.payee_id),
        tr_number: '021000021',
        dda_number: `00098765354${nth}`,
        accountholder_name: 'Ana Silva',
      }),
    where: "the payee's own record",
    agreement:
      'same last digits of the account number, same account type and holder if the item has them, within 2 minutes',
    shows: { accountholder_name: 'Ana Silva' },
  },
  {
    operationId: 'submitAccountUpdater',
    parameters: async (nth) =>
      await Promise.resolve({
        resource: 'accountUpdater',
        operation: 'submit',
        data: {
          item: Array.from({ length: nth + 1 }, (_, index) => ({
            ...{ card_number: '4111111111111111', exp_date: '1230' },
            card_id: `member-${nth}-${index}`,
          })),
        },
      }),
    where: 'the list of account updater requests',
    agreement: 'same number of cards, not there before',
    shows: { request_id: text },
  },
  {
    operationId: 'addWebhook',
    parameters: async (nth) =>
      await Promise.resolve({
        resource: 'webhook',
        operation: 'create',
        notification_url: 'https://n8n.example.com/webhook/payments',
        label: `Paid invoices ${nth}`,
        events: ['invoice_paid'],
      }),
    where: 'the list of webhooks',
    agreement: 'same label, same address, same events, not there before',
    shows: { webhook_id: text },
  },
];

interface Result {
  item: IDataObject | undefined;
  hints: string;
  sent: number;
  applied: number;
}

interface Planned {
  name: string;
  write: Write;
  parameters: object;
  cut: 'after' | 'before';
}

const plan = async (write: Write, cut: Planned['cut'], nth: number, name = `${cut} ${write.operationId}`) => ({
  name,
  write,
  cut,
  parameters: await write.parameters(nth),
});

const patternOf = ({ write, parameters }: Planned) =>
  write === refund
    ? { path: `/pg/refund/${(parameters as { pg_id: { value: string } }).pg_id.value}` }
    : { operationId: write.operationId };

/** Executes all workflows at the same time, because one look-up takes up to 14 seconds. */
async function execute(all: Planned[]): Promise<Map<string, Result>> {
  control().clearJournal();
  for (const one of all) control().addFault({ kind: `reset_${one.cut}_apply`, ...patternOf(one) });
  const results = all.map(async (one): Promise<[string, Result]> => {
    const last = own(host, WRITE, one.parameters, { onError: 'continueRegularOutput' });
    const execution = await host.rest.execute(await host.rest.saveWorkflow(rowsInto(one.name, [{}], last)));
    return [one.name, resultOf(execution, one)];
  });
  const ended = new Map(await Promise.all(results));
  control().clearFaults();
  return ended;
}

function resultOf(execution: Execution, planned: Planned): Result {
  const { operationId, path } = { path: undefined, operationId: undefined, ...patternOf(planned) };
  const requests = control()
    .journal()
    .filter((entry) => (path === undefined ? entry.operationId === operationId : entry.path === path));
  const [run] = execution.data.resultData.runData[WRITE] ?? [];
  return {
    item: itemsOf(execution, WRITE)[0],
    hints: (run?.hints ?? []).map(({ message }) => message).join(),
    sent: requests.length,
    applied: requests.filter(({ applied }) => applied !== null).length,
  };
}

let results: Map<string, Result>;
beforeAll(async () => {
  host = await startHost();
  sales = control().addCapturedSales({ count: 3, amountCents: 1000 });
  control().closeBatch();
  control().sendDeposits();
  const never = await Promise.all(WRITES.map(async (write) => await plan(write, 'before', 0)));
  // Advances the clock until the service's lists contain the existing records.
  await control().advanceClock({ milliseconds: LAG_MS });
  control().setListLag(LAG_MS);
  const late = await execute([...never, await plan(refund, 'after', 2, 'late')]);
  control().setListLag(0);
  const lost = await execute(await Promise.all(WRITES.map(async (write) => await plan(write, 'after', 1))));
  results = new Map([...late, ...lost]);
});
afterAll(async () => await host.stop());

describe.each(WRITES)('A lost response to $operationId', ({ operationId, where, agreement, notDone, shows }) => {
  test('the node sends the write once and returns the record if the service applied the write', () => {
    const { item, hints, sent, applied } = results.get(`after ${operationId}`) ?? {};
    expect(item).toMatchObject({ ...shows, found_at_service: agreement });
    expect(hints).toMatch(/the node found a matching record at the service/);
    expect({ sent, applied }).toEqual({ sent: 1, applied: 1 });
  });

  test("if the service didn't apply the write, the node reports an unknown outcome and the searched list", () => {
    const { item, sent, applied } = results.get(`before ${operationId}`) ?? {};
    expect(item?.error).toMatchObject({ outcome: 'unknown' });
    expect(JSON.stringify(item)).toMatch(/By \d{4}-\d\d-\d\d \d\d:\d\d [\w/]+, the node had checked .* 3 times/);
    const told =
      notDone ?? `checked ${where} 3 times (${agreement}) without finding a match. The record may still appear`;
    expect(JSON.stringify(item)).toContain(told);
    expect({ sent, applied }).toEqual({ sent: 1, applied: 0 });
  });
});

test('the node finds a refund that appears in the report four seconds late', () => {
  const { item, sent, applied } = results.get('late') ?? {};
  expect(item).toMatchObject({ ...refund.shows, found_at_service: refund.agreement });
  expect({ sent, applied }).toEqual({ sent: 1, applied: 1 });
});
