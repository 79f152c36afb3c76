import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../credential';
import { timeIsSimulated } from '../simulated-time';
import { sandboxForFile } from './bench';
import { runWorkflow, type RunInput, type RunOutput } from './harness';

timeIsSimulated();

const sandbox = sandboxForFile();
const MINUTES = 60_000;

/** @param after how many minutes later n8n and the service are than they were. */
const run = async (parameters: INodeParameters, more: Partial<RunInput> = {}, after = 0): Promise<RunOutput> => {
  jest.setSystemTime(Date.now() + after * MINUTES);
  return await runWorkflow({ rows: [{}], parameters, credential: credentialFor(sandbox), looksUp: true, ...more });
};
const goOn: Partial<RunInput> = { onError: 'continueRegularOutput' };
const outcomes = ({ items }: RunOutput) =>
  items.map(({ json }) =>
    json.error ? (json.error as IDataObject).outcome : json.found_at_service ? 'found' : 'done',
  );
const requests = (method: string) => sandbox.control.journal().filter((entry) => entry.method === method);
const idOf = (value: IDataObject[string]): INodeParameters[string] =>
  ({ __rl: true, mode: 'id', value }) as INodeParameters[string];

/** A draft over 100.00 that nobody else has. */
const draft = async () => {
  const { items } = await run({
    resource: 'invoice',
    operation: 'create',
    customer_id: idOf(sandbox.control.state().customers[0]?.customer_id),
    line_items: { item: [{ quantity: 1, description: 'Hour', unit_cost: 100 }] },
  });
  return items[0]?.json.invoice_id;
};

interface Write {
  operationId: string;
  parameters: () => Promise<INodeParameters>;
  agreement: string;
  where: string;
  /** What the result holds of the record that was found. */
  shows: IDataObject;
  /** After how many minutes an equal record is an older one; after three unless given. */
  apart?: number;
}

const subscription = (more: INodeParameters = {}): INodeParameters => ({
  resource: 'subscription',
  operation: 'create',
  customerSource: 'existing',
  customer_id: idOf(sandbox.control.state().customers[0]?.customer_id),
  termsSource: 'offPlan',
  plan_frequency: 3,
  recur_amt: 10,
  endsAfter: 'payments',
  plan_duration: 12,
  date_start: '2099-01-01',
  ...more,
});
const payment = async (more: INodeParameters = {}): Promise<INodeParameters> => ({
  resource: 'invoice',
  operation: 'addPayment',
  invoice_id: idOf(await draft()),
  type: 'CASH',
  amt_paid: 5,
  date_payment: '2030-01-01',
  ...more,
});
const webhook: INodeParameters = {
  resource: 'webhook',
  operation: 'create',
  notification_url: 'https://n8n.example.com/webhook/payments',
  label: 'Paid invoices',
  events: ['invoice_paid'],
};
const cards: INodeParameters = {
  resource: 'accountUpdater',
  operation: 'submit',
  data: { item: [{ card_number: '4111111111111111', exp_date: '1230', card_id: 'member-17' }] },
};
const account: INodeParameters = {
  resource: 'payee',
  operation: 'updateAccount',
  payee_id: idOf('9001'),
  tr_number: '021000021',
  dda_number: '000987653541',
  accountholder_name: 'Ana Silva',
};

const LISTED: Write[] = [
  {
    operationId: 'addSubscription',
    parameters: async () => await Promise.resolve(subscription()),
    agreement: 'same customer, same plan or terms, same start, not there before',
    where: 'the list of subscriptions',
    shows: { subscription_id: expect.any(String) as string, recur_amt: 10, status: 'A' },
  },
  {
    operationId: 'addInvoicePayment',
    parameters: async () => await payment(),
    agreement: 'same invoice, same kind of payment, same amount, same day, not there before',
    where: 'the list of payments',
    shows: { payment_id: expect.any(String) as string, amt_paid: 5, type: 'CASH' },
  },
  {
    operationId: 'addWebhook',
    parameters: async () => await Promise.resolve(webhook),
    agreement: 'same label, same address, same events, not there before',
    where: 'the list of webhooks',
    shows: { webhook_id: expect.any(String) as string, what_happened: expect.stringContaining('only once') as string },
  },
  {
    operationId: 'submitAccountUpdater',
    parameters: async () => await Promise.resolve(cards),
    agreement: 'same number of cards, not there before',
    where: 'the list of account updater requests',
    shows: { request_id: expect.any(String) as string, cnt_request: 1 },
  },
];
const RECORDS: Write[] = [
  {
    operationId: 'sendInvoice',
    parameters: async () => ({
      resource: 'invoice',
      operation: 'send',
      invoice_id: idOf(await draft()),
      email_address: 'ana@example.com',
    }),
    agreement: 'the invoice is no draft any more, and was sent, on the same day',
    where: "the invoice's own record",
    shows: { status: 'OUTSTANDING', what_happened: expect.stringContaining('does not say to whom') as string },
    apart: 2 * 24 * 60,
  },
  {
    operationId: 'updatePayeeAccount',
    parameters: async () => await Promise.resolve(account),
    agreement:
      'same last digits of the account number, same kind of account and holder where they were given, within 2 minutes',
    where: "the payee's own record",
    shows: { dda_number: expect.stringMatching(/^x+3541$/) as string, accountholder_name: 'Ana Silva' },
  },
];

describe.each([...LISTED, ...RECORDS])(
  '$operationId',
  ({ operationId, parameters, agreement, where, shows, apart }) => {
    const posts = () => sandbox.control.journal().filter((entry) => entry.operationId === operationId).length;
    const cut = (kind: 'reset_after_apply' | 'reset_before_apply') => sandbox.control.addFault({ kind, operationId });

    test('whose answer got lost is done when the service shows it, with its record and what agreed', async () => {
      const given = await parameters();
      cut('reset_after_apply');
      const { items, error, hints } = await run(given);
      expect(error).toBeUndefined();
      expect(items[0]?.json).toMatchObject({ ...shows, found_at_service: agreement });
      expect(hints.join()).toMatch(/the service's own records show that it was done/);
      expect(posts()).toBe(1);
    });

    test('that was not applied is still unknown, and the message says what was looked at', async () => {
      const given = await parameters();
      cut('reset_before_apply');
      const output = await run(given, goOn);
      expect(outcomes(output)).toEqual(['unknown']);
      expect(JSON.stringify(output.items)).toContain(
        `in ${where} (${agreement}) and was not there. It may still appear`,
      );
      expect(posts()).toBe(1);
    });

    test("is still unknown when all that agrees is somebody else's older one", async () => {
      const given = await parameters();
      expect(outcomes(await run(given))).toEqual(['done']);
      cut('reset_before_apply');
      expect(outcomes(await run(given, goOn, apart ?? 3))).toEqual(['unknown']);
      expect(posts()).toBe(2);
    });

    test('is unknown as before when the service can not be asked, and the message says so', async () => {
      const given = await parameters();
      cut('reset_after_apply');
      sandbox.control.addFault({ kind: 'status', status: 403, code: 6, method: 'GET' });
      const output = await run(given, goOn);
      expect(outcomes(output)).toEqual(['unknown']);
      expect(JSON.stringify(output.items)).toMatch(/(could not be|was not) looked up in/);
    });
  },
);

describe.each(LISTED)('$operationId, in a list that lags', ({ operationId, parameters }) => {
  test('is found by a later look', async () => {
    const given = await parameters();
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId });
    sandbox.control.setListLag(4000);
    expect(outcomes(await run(given, goOn))).toEqual(['found']);
  });

  test('is still unknown when none shows it, and nothing is sent again', async () => {
    const given = await parameters();
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId });
    sandbox.control.setListLag(60_000);
    expect(outcomes(await run(given, goOn))).toEqual(['unknown']);
    expect(sandbox.control.journal().filter((entry) => entry.operationId === operationId)).toHaveLength(1);
  });
});

test.each(LISTED.filter(({ operationId }) => operationId !== 'submitAccountUpdater'))(
  'of three equal items of $operationId of which one was applied, one is done and two are not',
  async ({ operationId, parameters }) => {
    const given = await parameters();
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId, calls: [1] });
    sandbox.control.addFault({ kind: 'reset_before_apply', operationId, calls: [2, 3] });
    const output = await run(given, { ...goOn, rows: [{}, {}, {}] });
    expect(outcomes(output).sort()).toEqual(['found', 'unknown', 'unknown']);
  },
);

describe('what was there before', () => {
  test('is read once for all items of two minutes, and not at all when nothing is looked up', async () => {
    const given = await payment({ amt_paid: 1 });
    sandbox.control.clearJournal();
    const rows = Array.from({ length: 20 }, () => ({}));
    expect(outcomes(await run(given, { rows }))).toEqual(rows.map(() => 'done'));
    expect(requests('GET').map(({ path, query }) => [path, query])).toEqual([
      ['/platform/invoice/payments', expect.objectContaining({ order_on: 'payment_id', order_by: 'desc' })],
    ]);
    sandbox.control.clearJournal();
    await run(given, { rows, looksUp: false });
    expect(requests('GET')).toEqual([]);
  });

  test('keeps nothing from being sent when it can not be read', async () => {
    const given = await payment();
    sandbox.control.addFault({ kind: 'status', status: 500, method: 'GET' });
    expect(outcomes(await run(given))).toEqual(['done']);
  });
});

test('payments on many invoices are looked up together', async () => {
  const rows: IDataObject[] = [];
  for (let row = 0; row < 30; row += 1) rows.push({ id: await draft() });
  const given = await payment({ invoice_id: idOf('={{ $json.id }}') });
  sandbox.control.clearJournal();
  sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'addInvoicePayment' });
  const output = await run(given, { ...goOn, rows });
  expect(outcomes(output)).toEqual(rows.map(() => 'found'));
  expect(output.items.map(({ json }) => json.invoice_id)).toEqual(rows.map(({ id }) => id));
  expect(requests('GET').length).toBeLessThan(12);
});

test('cards of many items that travelled in one request are found in one, each item its own', async () => {
  sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'submitAccountUpdater' });
  const rows = Array.from({ length: 150 }, (_, row) => ({ id: `member-${row}` }));
  const data = { item: [{ card_number: '4111111111111111', exp_date: '1230', card_id: '={{ $json.id }}' }] };
  const { items, error } = await run({ ...cards, data }, { rows });
  expect(error).toBeUndefined();
  expect(items.map(({ json }) => json.card_ids)).toEqual(rows.map(({ id }) => [id]));
  expect(new Set(items.map(({ json }) => json.request_id)).size).toBe(2);
  expect(sandbox.control.state().updaterRequests).toHaveLength(2);
});

test('of a one-time fee whose answer got lost the result says that nobody knows what became of it', async () => {
  sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'addSubscription' });
  const { items } = await run(subscription({ amt_setup: 25 }));
  expect(items[0]?.json.what_happened).toMatch(/What became of the one-time fee of 25\.00 is not told/);
});
