import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { RecentPayments } from '../../../nodes/PaymentPlatform/limits/recent-payments';
import { credentialFor } from '../../credential';
import { recovered } from '../../loop-node';
import { timeIsSimulated } from '../../simulated-time';
import { benchOf, errorOf, failedOf, goOn, outcomes, sandboxForFile } from '../bench';
import { crashedData, type RunInput, type RunOutput } from '../harness';
import { toolOf } from '../tool/tool-harness';
import { idOf } from '../writes';

timeIsSimulated();
const sandbox = sandboxForFile();

let numbers = 0;
const numbered = (): IDataObject => ({ number: `NOW-${(numbers += 1)}` });
const customer = () => sandbox.control.state().customers[0]?.customer_id;
const parameters = (more: object = {}, options: object = {}) =>
  ({
    ...{ resource: 'invoice', operation: 'create', customer_id: idOf(customer()), sendNow: true },
    invoice_number: '={{ $json.number }}',
    line_items: { item: [{ quantity: 2, description: 'Hour', unit_cost: 50 }] },
    ...more,
    options,
  }) as INodeParameters;
const { input, run } = benchOf(sandbox, { looksUp: true });
const send = async (row: IDataObject, options: object = {}, more: Partial<RunInput> = {}) =>
  await run(parameters({}, options), [row], more);
const again = async ({ run: retryOf }: RunOutput, row: IDataObject, options: object = {}, more: object = {}) =>
  await send(row, options, { retryOf, ...more });
/** Data of an execution that was killed, so that n8n kept no result. */
const crash = (row: IDataObject, options: object = {}) => crashedData(input(parameters({}, options), [row]));
const retryKilled = async (crashed: ReturnType<typeof crash>, row: IDataObject, options: object = {}) =>
  await send(row, options, { retryOf: recovered(crashed, ['Rows', 'Payment Platform']) });
/** Sends a request that the node doesn't know about, as a person in the merchant portal would. */
const portal = async (method: string, path: string, body: object) =>
  await fetch(`${sandbox.baseUrl}/platform/invoice${path}`, {
    method,
    headers: {
      ...{ 'content-type': 'application/json', connection: 'close' },
      authorization: `Basic ${sandbox.credentials.test.token}`,
    },
    body: JSON.stringify(body),
  });
const bodyOf = ({ number }: IDataObject) => ({
  ...{ customer_id: customer(), invoice_number: number, billing_contact: { email_address: 'ana@example.com' } },
  line_items: [{ quantity: 2, description: 'Hour', unit_cost: 50 }],
});

const invoicesOf = ({ number }: IDataObject) =>
  sandbox.control.state().invoices.filter(({ invoice_number }) => invoice_number === number);
const mailsOf = (row: IDataObject) =>
  sandbox.control.state().notices.filter(({ invoice_id }) => invoice_id === invoicesOf(row)[0]?.invoice_id).length;
const counts = (row: IDataObject) => [invoicesOf(row).length, mailsOf(row)];
const sends = () => sandbox.control.journal({ operationId: 'sendInvoice' }).length;
const fault = (kind: 'reset_after_apply' | 'reset_before_apply' | 'status', operationId = 'sendInvoice') =>
  sandbox.control.addFault({ kind, operationId, calls: [1], ...(kind === 'status' && { status: 400, code: 1 }) });
const noLookUp = { unknownOutcome: 'refuse' };

beforeEach(() => RecentPayments.byIdentity.clear());

describe('an invoice with Send Now', () => {
  test('is created and sent with two requests to the entered recipients', async () => {
    const row = numbered();
    const to = { email_address: 'ana@example.com, bo@example.com', phone_number: '+1 202 555 0143' };
    const { items, error } = await run(parameters(to), [row]);
    expect(error).toBeUndefined();
    const [{ invoice_id } = { invoice_id: 0 }] = invoicesOf(row);
    expect(sandbox.control.journal().filter(({ method }) => method !== 'GET')).toMatchObject([
      { operationId: 'createInvoice' },
      {
        path: `/platform/invoice/${invoice_id}/send`,
        body: { email_address: ['ana@example.com', 'bo@example.com'], phone_number: [12025550143] },
      },
    ]);
    expect(Object.keys(sandbox.control.journal({ operationId: 'createInvoice' })[0]?.body as object)).not.toContain(
      'sendNow',
    );
    expect(items[0]?.json).toMatchObject({
      invoice_id: String(invoice_id),
      amt_tran: 100,
      what_happened: `Created invoice ${row.number as string} of customer ${String(customer())} for 100.00 USD and sent it by email to 2 recipients, text message requested for +12025550143.`,
    });
    expect(items[0]?.json).not.toHaveProperty('status');
  });

  test('stays a draft while Send Now is off, although recipients are stored', async () => {
    const row = numbered();
    const { items } = await run(parameters({ sendNow: false, email_address: 'ana@example.com' }), [row]);
    expect(items[0]?.json.status).toBe('SAVED');
    expect(sends()).toBe(0);
  });

  test('is sent for each row, and a refused row leaves the others alone', async () => {
    const rows = [numbered(), numbered(), numbered()];
    sandbox.control.addFault({ kind: 'status', status: 400, code: 1, operationId: 'sendInvoice', calls: [2] });
    const { items } = await run(parameters({}, { sending: { maxParallelRequests: 1 } }), rows, goOn);
    expect(outcomes({ items })).toEqual(['done', 'declined', 'done']);
    expect(rows.map(counts)).toEqual([
      [1, 1],
      [1, 0],
      [1, 1],
    ]);
  });
});

describe('a draft that the service does not send', () => {
  test('is named in the error with its state, and a retry sends it without a second invoice', async () => {
    const row = numbered();
    fault('status');
    const failed = await send(row);
    const [{ invoice_id } = { invoice_id: 0 }] = invoicesOf(row);
    expect(failed.error?.message).toContain(
      `The node created a draft invoice (invoice_id ${invoice_id}), but did not send it:`,
    );
    expect(failed.error?.message).toContain('If it is still a draft, send it with Invoice > Send.');
    expect(failedOf(failed)).toMatchObject([
      { outcome: 'declined', applied: true, references: { invoice_id: String(invoice_id) } },
    ]);
    const { items, error } = await again(failed, row);
    expect(error).toBeUndefined();
    expect(items[0]?.json.invoice_id).toBe(String(invoice_id));
    expect(counts(row)).toEqual([1, 1]);
  });

  test('is sent by Retry On Fail', async () => {
    const row = numbered();
    fault('status');
    const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
    const { items } = await send(row, {}, { settings });
    expect(items).toHaveLength(1);
    expect(counts(row)).toEqual([1, 1]);
  });

  test('is not sent twice after a person sent it before the retry', async () => {
    const row = numbered();
    fault('status');
    const failed = await send(row);
    await run({ resource: 'invoice', operation: 'send', invoice_id: idOf(invoicesOf(row)[0]?.invoice_id) });
    const { items } = await again(failed, row);
    expect(items[0]?.json.what_happened).toContain('The status shows that the invoice was sent');
    expect(counts(row)).toEqual([1, 1]);
  });
});

describe('a draft that a person changed before the retry', () => {
  const declined = async (row: IDataObject) => {
    fault('status');
    return await send(row);
  };
  const idIn = (row: IDataObject) => invoicesOf(row)[0]?.invoice_id;

  test.each([
    ['customer', { customer_id: 'CUST0002' }],
    ['total', { line_items: [{ quantity: 2, description: 'Hour', unit_cost: 500 }] }],
  ])('is not sent with another %s', async (_, change) => {
    const row = numbered();
    const failed = await declined(row);
    await portal('PUT', `/${idIn(row)}/draft`, { ...bodyOf(row), ...change });
    const { error } = await again(failed, row);
    expect(error?.message).toMatch(
      /^The node created a draft invoice \(invoice_id \d+\), but did not send it: The draft has another customer, number, total or currency now/,
    );
    expect(counts(row)).toEqual([1, 0]);
  });

  test('is sent with another note', async () => {
    const row = numbered();
    const failed = await declined(row);
    await portal('PUT', `/${idIn(row)}/draft`, { ...bodyOf(row), footer_note: 'Thanks' });
    const { items } = await run(parameters({ simplify: false }), [row], { retryOf: failed.run });
    expect(items[0]?.json).toMatchObject({ invoice_id: String(idIn(row)), footer_note: 'Thanks' });
    expect(counts(row)).toEqual([1, 1]);
  });

  test('is refused with the reason after it was canceled', async () => {
    const row = numbered();
    const failed = await declined(row);
    await portal('DELETE', `/${idIn(row)}/cancel`, {});
    const { error } = await again(failed, row);
    expect(error?.message).toMatch(
      /^The node created a draft invoice .*, but did not send it: This invoice was canceled/,
    );
    expect(`${error?.message} ${error?.description}`).toContain(
      "Create a new invoice, because a canceled invoice can't be sent.",
    );
  });

  test('is not said to be sent after it was paid', async () => {
    const row = numbered();
    const failed = await declined(row);
    await portal('POST', `/${idIn(row)}/payments`, { type: 'CASH', amt_paid: 100, date_payment: '2026-01-01' });
    const { items, error } = await again(failed, row);
    expect(error).toBeUndefined();
    expect(items[0]?.json).toMatchObject({
      status: 'PAID',
      what_happened: expect.stringContaining('The status shows that the invoice was paid.') as string,
    });
    expect(counts(row)).toEqual([1, 0]);
  });
});

describe('a sending whose response is lost', () => {
  test('is done if the invoice shows it', async () => {
    const row = numbered();
    fault('reset_after_apply');
    const { items, error } = await send(row);
    expect(error).toBeUndefined();
    expect(items[0]?.json).toMatchObject({ status: 'OUTSTANDING', found_at_service: expect.any(String) as string });
    expect(counts(row)).toEqual([1, 1]);
  });

  test.each(['reset_after_apply', 'reset_before_apply'] as const)(
    'stays unknown without look-ups after %s, and no retry or second click sends it again',
    async (kind) => {
      const row = numbered();
      fault(kind);
      const failed = await send(row, noLookUp);
      expect(failed.error?.message).toMatch(
        /^The node created a draft invoice \(invoice_id \d+\), but can't tell whether the service sent it: /,
      );
      expect(failedOf(failed)).toMatchObject([{ outcome: 'unknown' }]);
      const before = sends();
      const retried = await again(failed, row, noLookUp, goOn);
      expect(errorOf(retried.items[0])).toMatchObject({
        outcome: 'unknown',
        message: expect.stringContaining('invoice_id') as string,
      });
      expect(sends()).toBe(before);
      expect(invoicesOf(row)).toHaveLength(1);
    },
  );

  test('that a person confirms is done, without the status of the draft', async () => {
    const row = numbered();
    fault('reset_before_apply');
    const unknown = await again(await send(row), row);
    const { resolveCode: code } = failedOf(unknown)[0] ?? {};
    const options = { unknownOutcome: 'resolve', resolve: { item: [{ code, finding: 'applied' }] } };
    const { items, hints } = await again(unknown, row, options);
    expect(items[0]?.json).toMatchObject({ invoice_id: String(invoicesOf(row)[0]?.invoice_id), amt_tran: 100 });
    for (const name of ['status', 'status_text', 'line_items']) expect(items[0]?.json).not.toHaveProperty(name);
    expect(hints[0]).toContain('"Resolve Items" confirms that the request was applied');
    expect(counts(row)).toEqual([1, 0]);
  });

  test('that the service did not apply stays unknown, because the invoice is still a draft', async () => {
    const row = numbered();
    fault('reset_before_apply');
    const failed = await send(row);
    expect(failedOf(failed)).toMatchObject([{ outcome: 'unknown' }]);
    expect(failed.error?.description).toContain('If the status is SAVED, the invoice was not sent.');
    const retried = await again(failed, row);
    expect(failedOf(retried)).toMatchObject([{ outcome: 'unknown' }]);
    expect(counts(row)).toEqual([1, 0]);
    expect(sends()).toBe(1);
  });
});

describe('a creation whose response is lost', () => {
  test('is found by a look-up, and then sent', async () => {
    const row = numbered();
    fault('reset_after_apply', 'createInvoice');
    const { items, error, hints } = await send(row);
    expect(error).toBeUndefined();
    expect(items[0]?.json.invoice_id).toBe(String(invoicesOf(row)[0]?.invoice_id));
    expect(hints[0]).toContain('A record from another source with the same values would also match.');
    expect(counts(row)).toEqual([1, 1]);
  });

  test('sends nothing more while its outcome is unknown', async () => {
    const row = numbered();
    fault('reset_after_apply', 'createInvoice');
    const failed = await send(row, noLookUp);
    expect(failedOf(failed)).toMatchObject([{ outcome: 'unknown' }]);
    await again(failed, row, noLookUp);
    expect(counts(row)).toEqual([1, 0]);
    expect((await again(failed, row)).error).toBeUndefined();
    expect(counts(row)).toEqual([1, 1]);
  });
});

test('a draft that only a person knows is not sent, because the node has no ID', async () => {
  const row = numbered();
  fault('reset_after_apply', 'createInvoice');
  const unknown = await again(await send(row, noLookUp), row, noLookUp);
  const { resolveCode: code } = failedOf(unknown)[0] ?? {};
  const { error } = await again(unknown, row, {
    ...{ unknownOutcome: 'resolve', resolve: { item: [{ code, finding: 'applied' }] } },
  });
  expect(error?.message).toMatch(
    /^The node created a draft invoice, but did not send it: The node has no ID of the draft invoice/,
  );
  expect(counts(row)).toEqual([1, 0]);
});

describe('after n8n was killed', () => {
  test('between both requests, the retry finds the draft and sends it', async () => {
    const row = numbered();
    const crashed = crash(row);
    fault('status');
    await send(row, {}, { from: crashed });
    expect(counts(row)).toEqual([1, 0]);
    const { items, error } = await retryKilled(crashed, row);
    expect(error).toBeUndefined();
    expect(items[0]?.json.invoice_id).toBe(String(invoicesOf(row)[0]?.invoice_id));
    expect(counts(row)).toEqual([1, 1]);
  });

  test.each([
    ['reset_after_apply', 1, undefined],
    ['reset_before_apply', 0, 'unknown'],
  ] as const)('while it sent the draft (%s), the retry does not send it again', async (kind, mails, outcome) => {
    const row = numbered();
    const crashed = crash(row, noLookUp);
    fault(kind);
    await send(row, noLookUp, { from: crashed });
    const before = sends();
    const retried = await retryKilled(crashed, row);
    expect(retried.error === undefined ? undefined : failedOf(retried)[0]?.outcome).toBe(outcome);
    expect(sends()).toBe(before);
    expect(counts(row)).toEqual([1, mails]);
  });

  test('after both requests, the retry sends nothing and returns the ID', async () => {
    const row = numbered();
    const crashed = crash(row);
    await send(row, {}, { from: crashed });
    const { items, error } = await retryKilled(crashed, row);
    expect(error).toBeUndefined();
    expect(items[0]?.json.invoice_id).toBe(String(invoicesOf(row)[0]?.invoice_id));
    expect(counts(row)).toEqual([1, 1]);
  });
});

describe('the same invoice in another execution', () => {
  const key = { oncePerKey: '={{ $json.number }}' };

  test('with Once per Key, is returned without a request', async () => {
    const row = numbered();
    await send(row, key);
    const { items, error } = await send(row, key);
    expect(error).toBeUndefined();
    expect(items[0]?.json.invoice_id).toBe(String(invoicesOf(row)[0]?.invoice_id));
    expect(counts(row)).toEqual([1, 1]);
  });

  test('with Once per Key, sends a draft that the first execution did not send', async () => {
    const row = numbered();
    fault('status');
    await send(row, key);
    expect((await send(row, key)).error).toBeUndefined();
    expect(counts(row)).toEqual([1, 1]);
  });

  test('with Once per Key, sends no draft whose sending has an unknown outcome', async () => {
    const row = numbered();
    fault('reset_before_apply');
    await send(row, key);
    const before = sends();
    const second = await send(row, key);
    expect(failedOf(second)).toMatchObject([{ outcome: 'unknown' }]);
    expect(second.error?.message).toContain(`invoice_id ${invoicesOf(row)[0]?.invoice_id}`);
    expect(sends()).toBe(before);
    expect(invoicesOf(row)).toHaveLength(1);
  });

  test.each([['status'], ['reset_before_apply']] as const)(
    'with If It Already Exists, returns the existing draft and never sends it (%s)',
    async (kind) => {
      const row = numbered();
      fault(kind);
      await send(row, noLookUp);
      const before = sends();
      const { items, error } = await send(row, { ifExists: { then: 'return' } });
      expect(error).toBeUndefined();
      expect(items[0]?.json).toMatchObject({ invoice_id: String(invoicesOf(row)[0]?.invoice_id), status: 'SAVED' });
      expect(sends()).toBe(before);
      expect(invoicesOf(row)).toHaveLength(1);
    },
  );

  test('with If It Already Exists, a retry of a run that found the draft sends nothing either', async () => {
    const rows = [numbered(), numbered()];
    await run(parameters({ sendNow: false }), rows.slice(0, 1));
    fault('status');
    const options = { ifExists: { then: 'return' }, sending: { maxParallelRequests: 1 } };
    const failed = await run(parameters({}, options), rows);
    expect(failed.error).toBeDefined();
    await run(parameters({}, options), rows, { retryOf: failed.run });
    expect(rows.map(counts)).toEqual([
      [1, 0],
      [1, 1],
    ]);
  });

  test.each([{}, { oncePerKey: '={{ $json.number }}' }])(
    'with If It Already Exists and %j, no execution sends the draft of a person',
    async (more) => {
      const row = numbered();
      await portal('POST', '', bodyOf(row));
      const options = { ...more, ifExists: { then: 'return' } };
      for (let executions = 0; executions < 2; executions += 1) {
        const { items } = await send(row, options);
        expect(items[0]?.json).toMatchObject({ invoice_id: String(invoicesOf(row)[0]?.invoice_id), status: 'SAVED' });
      }
      expect(counts(row)).toEqual([1, 0]);
    },
  );

  test('with If It Already Exists, the retry of a killed run does not send the draft of a person', async () => {
    const row = numbered();
    await portal('POST', '', bodyOf(row));
    const options = { ifExists: { then: 'return' } };
    const crashed = crash(row, options);
    await send(row, options, { from: crashed });
    expect(failedOf(await retryKilled(crashed, row, options))).toMatchObject([{ outcome: 'unknown' }]);
    expect(counts(row)).toEqual([1, 0]);
  });

  test('by a second click in production, is refused unless a person allows it', async () => {
    const row = numbered();
    const credential = credentialFor(sandbox, 'production');
    const added = sandbox.control.journal().length;
    expect((await send(row, {}, { credential })).error).toBeUndefined();
    const second = await send(row, {}, { credential });
    expect(second.error?.message).toMatch(/^The same invoice for this customer was made .*, so the item was not sent$/);
    expect(sandbox.control.journal({ operationId: 'createInvoice' })).toHaveLength(1);
    expect(added).toBe(0);
    expect((await send(row, { allowEqual: true }, { credential })).error).toBeUndefined();
    expect(sends()).toBe(2);
  });
});

test('in a loop, each round sends its own invoice once, also in a retry', async () => {
  const rows = [numbered(), numbered(), numbered()];
  sandbox.control.addFault({ kind: 'status', status: 400, code: 1, operationId: 'sendInvoice', calls: [3] });
  const failed = await run(parameters(), rows, { batchSize: 1 });
  expect(failed.error).toBeDefined();
  await run(parameters(), rows, { batchSize: 1, retryOf: failed.run });
  expect(rows.map(counts)).toEqual([
    [1, 1],
    [1, 1],
    [1, 1],
  ]);
});

test('a preview shows both requests and sends none', async () => {
  const row = numbered();
  const { items, hints, error } = await run(parameters({ email_address: 'ana@example.com' }, { previewOnly: true }), [
    row,
  ]);
  expect(error).toBeUndefined();
  expect(items[0]?.json).toMatchObject({
    what_would_happen: `Would create invoice, then send invoice: 100.00 USD, Customer ${String(customer())}, Invoice Number ${row.number as string}.`,
    decision: 'send',
    amount: 100,
    request: { method: 'POST', path: '/platform/invoice', body: { invoice_number: row.number } },
    further_requests: [
      {
        method: 'POST',
        path: '/platform/invoice/new_invoice_id/send',
        body: { email_address: ['ana@example.com'] },
      },
    ],
  });
  expect(hints[0]).toContain('The node would send 1 row (100.00 USD)');
  expect(counts(row)).toEqual([0, 0]);
  expect(sandbox.control.journal().filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a limit counts the invoice once', async () => {
  const rows = [numbered(), numbered()];
  expect((await run(parameters({}, { limitPerExecution: 200 }), rows)).error).toBeUndefined();
  expect(rows.map(counts)).toEqual([
    [1, 1],
    [1, 1],
  ]);
});

describe('a model', () => {
  const tool = (row: IDataObject) =>
    toolOf({
      parameters: {
        ...parameters({ invoice_number: row.number }),
        ...{ limitPerItem: '500', limitPerExecution: '500' },
      },
      credential: credentialFor(sandbox),
      looksUp: true,
    });

  test('that repeats a call gets the same invoice', async () => {
    const row = numbered();
    const { call } = tool(row);
    const [first, second] = [await call(), await call()];
    expect(first.items[0]?.invoice_id).toBe(String(invoicesOf(row)[0]?.invoice_id));
    expect(second.items[0]?.invoice_id).toBe(first.items[0]?.invoice_id);
    expect(counts(row)).toEqual([1, 1]);
  });

  test('that repeats a call whose sending has an unknown outcome sends nothing', async () => {
    const row = numbered();
    fault('reset_before_apply');
    const { call } = tool(row);
    const [first, second] = [await call(), await call()];
    for (const { text } of [first, second]) expect(text).toContain(`invoice_id ${invoicesOf(row)[0]?.invoice_id}`);
    expect(sends()).toBe(1);
    expect(counts(row)).toEqual([1, 0]);
  });
});
