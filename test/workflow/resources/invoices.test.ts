import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import { timeIsSimulated } from '../../simulated-time';
import { benchOf, goOn, messages, outcomes, sandboxForFile, toErrors } from '../bench';
import { crashedData, runWorkflow } from '../harness';
import { idOf as byId } from '../writes';

timeIsSimulated();

const sandbox = sandboxForFile();
const { input, lose, run } = benchOf(sandbox, { parameters: { resource: 'invoice' } });
const invoices = () => sandbox.control.state().invoices;
type Status = ReturnType<typeof invoices>[number]['status'];
const inState = (status: Status) => invoices().find((one) => one.status === status)?.invoice_id;
const stateOf = (id: unknown) => invoices().find(({ invoice_id }) => invoice_id === id)?.status;
const mails = (id: unknown) =>
  sandbox.control
    .state()
    .notices.filter(({ invoice_id }) => invoice_id === id)
    .map(({ email_address }) => email_address);
const each = { invoice_id: byId('={{ $json.id }}') };

describe('listing invoices', () => {
  const list = { operation: 'getAll', returnAll: true };

  test('returns each invoice of several pages once', async () => {
    const { items, error } = await run(list);
    expect(error).toBeUndefined();
    expect(items.map(({ json }) => json.invoice_id).sort()).toEqual(
      invoices().map(({ invoice_id }) => String(invoice_id)),
    );
  });

  test('filters invoices by state and due date', async () => {
    const filter = { filter: { item: [{ field: 'status', condition: 'IS', value: 'Outstanding' }] }, period: 'dates' };
    const open = await run({ ...list, ...filter });
    expect(open.items.map(({ json }) => json.status)).toEqual(['OUTSTANDING', 'OUTSTANDING', 'OUTSTANDING']);
    const due = asText(open.items[0]?.json.date_due);
    expect((await run({ ...list, ...filter, dateFrom: due, dateTo: due })).items).toHaveLength(3);
    expect((await run({ ...list, ...filter, dateTo: '2020-01-01' })).items).toEqual([]);
  });
});

test('advises running a failed list again, as no write was sent', async () => {
  sandbox.control.addFault({ method: 'GET', kind: 'status', status: 500, code: 99, calls: 'all' });
  const { error } = await run({ operation: 'getAll', options: { sending: { maxTries: 1 } } });
  expect(error?.description).toMatch(/^Nothing was changed\. Run the node again\. The service said: /);
});

describe('canceling an invoice', () => {
  const cancel = { operation: 'cancel', ...each };

  test('cancels a draft or a sent invoice and returns its ID and state', async () => {
    const ids = [inState('SAVED'), inState('OUTSTANDING')];
    const { items, error } = await run(
      cancel,
      ids.map((id) => ({ id })),
    );
    expect(error).toBeUndefined();
    expect(items.map(({ json }) => [json.invoice_id, json.status])).toEqual(ids.map((id) => [String(id), 'CANCELED']));
    expect(ids.map(stateOf)).toEqual(['CANCELED', 'CANCELED']);
    expect(items[0]?.json.what_happened).toMatch(/^Canceled invoice INV-\d+ of customer \w+ permanently\.$/);
  });

  test("fails only invoices that can't be canceled and names their state", async () => {
    const draft = inState('SAVED');
    await run(cancel, [{ id: draft }]);
    const rows = [{ id: draft }, { id: inState('PAID') }, { id: 1 }, { id: inState('SAVED') }];
    const { items, errors } = await run(cancel, rows, toErrors);
    expect(items).toHaveLength(1);
    expect(messages(errors)).toEqual([
      expect.stringContaining('This invoice is already canceled'),
      expect.stringContaining('This invoice is already paid in full'),
      expect.stringContaining('not found'),
    ]);
  });

  test('states the amount paid before the cancellation', async () => {
    const partly = invoices().find(({ status, amt_paid }) => status === 'OUTSTANDING' && amt_paid > 0)?.invoice_id;
    const { items } = await run(cancel, [{ id: partly }]);
    expect(items[0]?.json.what_happened).toMatch(/ permanently after payments of 100\.00 USD\.$/);
  });
});

describe('resending an invoice', () => {
  const resend = { operation: 'resend', ...each };

  test('sends the invoice to its billing contact by default and keeps its state', async () => {
    const rows = [{ id: inState('OUTSTANDING') }, { id: inState('PAID'), to: 'a@example.com, b@example.com' }];
    const before = rows.map(({ id }) => mails(id).length);
    const { items, error } = await run({ ...resend, email_address: '={{ $json.to }}' }, rows);
    expect(error).toBeUndefined();
    expect(rows.map(({ id }) => stateOf(id))).toEqual(['OUTSTANDING', 'PAID']);
    expect(rows.map(({ id }, index) => mails(id).slice(before[index]))).toEqual([
      [[expect.stringContaining('@')]],
      [['a@example.com', 'b@example.com']],
    ]);
    expect(items.map(({ json }) => json.what_happened)).toEqual([
      `Sent invoice ${rows[0]?.id} again by email to its billing contact.`,
      `Sent invoice ${rows[1]?.id} again by email to 2 recipients.`,
    ]);
    expect(items[1]?.json).toMatchObject({
      invoice_id: String(rows[1]?.id),
      email_address: ['a@example.com', 'b@example.com'],
    });
  });

  test('fails only drafts and canceled invoices and names their state', async () => {
    const [draft, canceled] = invoices().filter(({ status }) => status === 'SAVED');
    await run({ operation: 'cancel', ...each }, [{ id: canceled?.invoice_id }]);
    const rows = [{ id: draft?.invoice_id }, { id: canceled?.invoice_id }, { id: inState('PAID') }];
    const { items, errors } = await run(resend, rows, toErrors);
    expect(items).toHaveLength(1);
    expect(messages(errors)).toEqual([
      expect.stringContaining('This invoice has not been sent'),
      expect.stringContaining('This invoice was canceled'),
    ]);
  });

  test("doesn't resend an invoice after a lost response, because no record shows the outcome", async () => {
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'resendInvoice' });
    const id = inState('PAID');
    const { errors } = await run(resend, [{ id }], { ...toErrors, looksUp: true });
    expect(errors[0]?.json.error).toMatchObject({ outcome: 'unknown' });
    expect(JSON.stringify(errors[0]?.json)).toContain("The node can't check whether this email was sent");
    expect(sandbox.control.journal({ operationId: 'resendInvoice' })).toHaveLength(1);
  });
});

describe('sending a draft', () => {
  test('sends the invoice to its billing contact by default', async () => {
    const id = inState('SAVED');
    const { items, error } = await run({ operation: 'send', ...each }, [{ id }]);
    expect(error).toBeUndefined();
    expect(mails(id)).toEqual([[expect.stringContaining('@')]]);
    expect(items[0]?.json.what_happened).toBe(`Sent invoice ${id} by email to its billing contact.`);
  });

  const line_items = { item: [{ quantity: 1, description: 'Hour', unit_cost: 1 }] };
  const create = { operation: 'create', customer_id: byId('={{ $json.customer }}'), line_items };
  const customerOf = (id: string) => sandbox.control.state().customers.find(({ customer_id }) => customer_id === id);

  test('sends an invoice without a contact to its customer and says so on creation', async () => {
    const ben = customerOf('CUST0001');
    const made = await run(create, [{ customer: 'CUST0001' }]);
    expect(made.items[0]?.json.what_happened).toContain(` for ${ben?.customer_email}`);
    const id = made.items[0]?.json.invoice_id;
    const { error } = await run({ operation: 'send', ...each }, [{ id }]);
    expect(error).toBeUndefined();
    expect(mails(Number(id))).toEqual([[ben?.customer_email]]);
  });

  test('explains the solution if the customer has no email address', async () => {
    await run({
      ...{ resource: 'customer', operation: 'create', customer_firm_name: 'Silva Bakery' },
      ...{ auto_generate_customer_id: false, own_customer_id: 'FIRM1' },
    });
    const made = await run(create, [{ customer: 'FIRM1' }]);
    expect(made.items[0]?.json.what_happened).toContain(' without a recipient');
    const { error } = await run({ operation: 'send', ...each }, [{ id: made.items[0]?.json.invoice_id }]);
    expect(error?.message).toBe('This invoice has no recipient. Enter "Email Addresses".');
  });

  test('reads the customer once for all rows, even if the first attempt fails', async () => {
    sandbox.control.addFault({ kind: 'status', status: 503, operationId: 'getCustomer', calls: [1] });
    const rows = [{ customer: 'CUST0001' }, { customer: 'CUST0001' }];
    const { items, error } = await run({ ...create, options: { sending: { maxParallelRequests: 1 } } }, rows);
    expect(error).toBeUndefined();
    for (const { json } of items)
      expect(json.what_happened).toContain(` for ${customerOf('CUST0001')?.customer_email}`);
    expect(sandbox.control.journal({ operationId: 'getCustomer' })).toHaveLength(2);
    expect(sandbox.control.journal({ operationId: 'createInvoice' })).toHaveLength(2);
  });

  test("creates the invoice once without a contact if the customer can't be read", async () => {
    sandbox.control.addFault({ kind: 'status', status: 403, code: '6', operationId: 'getCustomer' });
    const { items, error } = await run(create, [{ customer: 'CUST0001' }]);
    expect(error).toBeUndefined();
    expect(items[0]?.json.what_happened).toContain(' without a recipient');
    expect(sandbox.control.journal({ operationId: 'createInvoice' })).toHaveLength(1);
  });

  test('is not sent for a customer that does not exist', async () => {
    const { error } = await run(create, [{ customer: 'NOBODY' }]);
    expect(error?.message).toBe('This customer is not in the vault, so nothing was sent');
    expect(error?.description).toContain('Select a saved customer, or add "Save Customer"');
    expect(sandbox.control.journal({ operationId: 'createInvoice' })).toEqual([]);
  });

  test('sends no row if the customer of a later row does not exist', async () => {
    const rows = [{ customer: 'CUST0001' }, { customer: 'CUST0002' }, { customer: 'NOBODY' }];
    const { error } = await run({ ...create, options: { sending: { maxParallelRequests: 1 } } }, rows);
    expect(error?.message).toMatch(/^Row 3 of 3 .*: This customer is not in the vault, so nothing was sent$/);
    expect(sandbox.control.journal({ operationId: 'createInvoice' })).toEqual([]);
    expect(sandbox.control.journal({ operationId: 'getCustomer' })).toHaveLength(3);
  });

  test('sends the other rows if the user continues on errors', async () => {
    const rows = [{ customer: 'NOBODY' }, { customer: 'CUST0001' }, { customer: 'NOBODY' }];
    const { items } = await run(create, rows, goOn);
    expect(items.map(({ json }) => Boolean(json.error))).toEqual([true, false, true]);
    expect(sandbox.control.journal({ operationId: 'createInvoice' })).toHaveLength(1);
    expect(sandbox.control.journal({ operationId: 'getCustomer' })).toHaveLength(2);
  });

  test('sends a row for a customer whom another row saves', async () => {
    const contact = { first_name: 'Ana', last_name: 'Silva', email_address: 'ana@example.com' };
    const billing_contact = {
      item: Object.fromEntries(Object.keys(contact).map((name) => [name, `={{ $json.${name} ?? '' }}`])),
    };
    const rows = [
      { customer: 'NEW1', saves: true, ...contact },
      { customer: 'NEW1', saves: false },
    ];
    const additionalFields = { save_customer: '={{ $json.saves }}', billing_contact };
    const options = { sending: { maxParallelRequests: 1 } };
    const { error } = await run({ ...create, additionalFields, options }, rows);
    expect(error).toBeUndefined();
    expect(sandbox.control.journal({ operationId: 'createInvoice' })).toHaveLength(2);
  });

  test('returns the results of an earlier attempt although the customer has been deleted since', async () => {
    sandbox.control.addFault({ kind: 'status', status: 400, operationId: 'createInvoice', calls: [2] });
    const rows = [{ customer: 'CUST0003' }, { customer: 'CUST0001' }];
    const first = await run({ ...create, options: { sending: { maxParallelRequests: 1, maxTries: 1 } } }, rows);
    expect(first.error).toBeDefined();
    sandbox.control.addFault({ kind: 'status', status: 404, code: '7', operationId: 'getCustomer', calls: 'all' });
    const { items } = await run(create, rows, { ...goOn, retryOf: first.run });
    expect(items.map(({ json }) => Boolean(json.error))).toEqual([false, true]);
    expect(sandbox.control.journal({ operationId: 'createInvoice' })).toHaveLength(2);
  });

  test('returns the results after n8n was killed although the customers have been deleted since', async () => {
    const rows = [{ customer: 'CUST0003' }, { customer: 'CUST0001' }];
    const crashed = crashedData(input(create, rows));
    await runWorkflow(input(create, rows, { from: crashed }));
    sandbox.control.addFault({ kind: 'status', status: 404, code: '7', operationId: 'getCustomer', calls: 'all' });
    expect(outcomes(await run(create, rows, { ...goOn, retryOf: crashed }))).toEqual(['done before', 'done before']);
    expect(sandbox.control.journal({ operationId: 'createInvoice' })).toHaveLength(2);
  });

  test('names the customer of an approved attempt although the customer has been deleted since', async () => {
    lose('createInvoice');
    const rows = [{ customer: 'CUST0003' }];
    const { run: retryOf } = await run(create, rows);
    sandbox.control.addFault({ kind: 'status', status: 404, code: '7', operationId: 'getCustomer', calls: 'all' });
    const again = { ...create, options: { unknownOutcome: 'resend' } };
    const { items } = await run(again, rows, { ...goOn, retryOf });
    expect(items[0]?.json.error).toMatchObject({ outcome: 'unknown', references: { customer_id: 'CUST0003' } });
    expect(sandbox.control.journal({ operationId: 'createInvoice' })).toHaveLength(1);
  });

  test('reads the customer only if the invoice has neither a contact nor a new customer', async () => {
    const contact = { item: { first_name: 'Ana', last_name: 'Silva', email_address: 'ana@example.com' } };
    await run({ ...create, additionalFields: { billing_contact: contact } }, [{ customer: 'CUST0001' }]);
    const saved = { ...create, additionalFields: { billing_contact: contact, save_customer: true } };
    await run(saved, [{ customer: 'NEW1' }]);
    expect(sandbox.control.journal({ operationId: 'getCustomer' })).toEqual([]);
  });
});
