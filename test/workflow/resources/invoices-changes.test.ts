import type { INodeParameters } from 'n8n-workflow';

import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import { credentialFor } from '../../credential';
import { benchOf, messages, sandboxForFile, toErrors } from '../bench';
import { startRecorder } from '../recorder';
import { toolOf } from '../tool/tool-harness';
import { idOf as byId } from '../writes';

const sandbox = sandboxForFile();
const { run, requests: sent } = benchOf(sandbox, {
  parameters: { resource: 'invoice', invoice_id: byId('={{ $json.id }}') },
});
const invoices = () => sandbox.control.state().invoices;
const invoice = (id: unknown) => invoices().find(({ invoice_id }) => String(invoice_id) === asText(id));
type Status = ReturnType<typeof invoices>[number]['status'];
const inState = (status: Status) => invoices().find((one) => one.status === status)?.invoice_id;

const contact = (email_address: string) => ({
  item: { first_name: 'Ana', last_name: 'Silva', email_address, additionalFields: { city: 'Salem' } },
});
const full: INodeParameters = {
  operation: 'create',
  customer_id: byId('CUST0001'),
  invoice_number: 'FULL-1',
  line_items: { item: [{ quantity: 2, description: 'Hour', unit_cost: 50 }] },
  additionalFields: {
    billing_contact: contact('ana@example.com'),
    dueAfterDays: 30,
    sales_tax: { item: { type: 'RATE', value: 10 } },
    checkout_settings: { item: { allow_partial_payments: true, email_receipt: false } },
    footer_note: 'Thank you',
    date_invoice: '2030-03-01',
    from_contact: { item: { firm_name: 'Shop', phone: '+12025550143', email_address: 'shop@example.com' } },
  },
};
/** Company without a contact name and email address. */
const NEW_COMPANY: INodeParameters = {
  ...{ resource: 'customer', operation: 'create', customer_firm_name: 'Silva Bakery' },
  ...{ auto_generate_customer_id: false, own_customer_id: 'FIRM1' },
};
const draft = async () => (await run(full)).items[0]?.json.invoice_id;

describe('changing a draft', () => {
  const change: INodeParameters = { operation: 'update' };

  test('changes the given fields and keeps all others', async () => {
    const id = await draft();
    const before = invoice(id);
    const billing_contact = { item: { email_address: 'new@example.com' } };
    const { items, error } = await run({ ...change, additionalFields: { billing_contact } }, [{ id }]);
    expect(error).toBeUndefined();
    expect(invoice(id)).toEqual({
      ...before,
      billing_contact: { ...before?.billing_contact, email_address: 'new@example.com' },
    });
    expect(sent('PUT')[0]?.body).toMatchObject({ invoice_number: 'FULL-1', footer_note: 'Thank you' });
    expect(items[0]?.json.what_happened).toBe(
      'Updated draft invoice FULL-1 of customer CUST0001 to a total of 110.00 USD.',
    );
  });

  test('replaces line items and payment terms as a whole', async () => {
    const id = await draft();
    const line_items = { item: [{ quantity: 1, description: 'Day', unit_cost: 500 }] };
    const { items } = await run({ ...change, line_items, additionalFields: { dueAfterDays: 10 } }, [{ id }]);
    expect(items[0]?.json).toMatchObject({ amt_tran: 550, date_due: '2030-03-11', status: 'SAVED' });
    expect(invoice(id)?.line_items).toHaveLength(1);
  });

  test('sends only the given fields without reading the draft if the user chose this', async () => {
    const id = await draft();
    const additionalFields = { billing_contact: { item: { email_address: 'new@example.com' } } };
    const alone = { ...change, keepOthers: false, additionalFields };
    const refused = await run(alone, [{ id }]);
    expect(refused.error?.message).toContain('"Customer" is required while "Leave Empty Fields Unchanged" is off');
    expect(sent('PUT')).toEqual([]);
    sandbox.control.clearJournal();
    await run({ ...alone, customer_id: byId('CUST0001'), invoice_number: 'FULL-2' }, [{ id }]);
    expect(sent('GET')).toEqual([]);
    expect(invoice(id)?.billing_contact).toEqual({ email_address: 'new@example.com' });
  });

  test.each([true, false])(
    'refuses a customer change without a billing contact, as the first contact would get the invoice (keeps others: %j)',
    async (keepOthers) => {
      const id = await draft();
      const moved = { ...change, keepOthers, customer_id: byId('CUST0002'), invoice_number: 'FULL-1' };
      const { error } = await run(moved, [{ id }]);
      expect(error?.message).toContain(
        'Nothing was changed, because the invoice would go to the contact of the previous customer',
      );
      expect(sent('PUT')).toEqual([]);
      // The customer doesn't change, so the node requires no new contact.
      expect((await run({ ...moved, customer_id: byId('CUST0001') }, [{ id }])).error).toBeUndefined();
      const billing_contact = { item: { first_name: 'Ben', last_name: 'Hall', email_address: 'ben@example.com' } };
      expect((await run({ ...moved, additionalFields: { billing_contact } }, [{ id }])).error).toBeUndefined();
      // The new contact replaces the whole contact of the first customer.
      expect(invoice(id)).toMatchObject({ customer_id: 'CUST0002', footer_note: 'Thank you' });
      expect(invoice(id)?.billing_contact).toEqual(billing_contact.item);
    },
  );

  test('changes the customer of a draft without a billing contact', async () => {
    await run(NEW_COMPANY);
    const additionalFields = { ...(full.additionalFields as INodeParameters), billing_contact: {} };
    const { items } = await run({ ...full, customer_id: byId('FIRM1'), additionalFields });
    const id = items[0]?.json.invoice_id;
    expect((await run({ ...change, customer_id: byId('CUST0002') }, [{ id }])).error).toBeUndefined();
    expect(invoice(id)?.customer_id).toBe('CUST0002');
  });

  test('sends nothing without a change or with a total of 0', async () => {
    expect((await run(change, [{ id: 7001 }])).error?.message).toContain('is required, unless you');
    const line_items = { item: [{ quantity: 1, description: 'Day', unit_cost: 0 }] };
    expect((await run({ ...change, line_items }, [{ id: 7001 }])).error?.message).toContain(
      'must have a total greater than 0',
    );
    expect(sandbox.control.journal()).toEqual([]);
  });

  test('changes only drafts and names the state of other invoices', async () => {
    await run({ operation: 'cancel' }, [{ id: inState('SAVED') }]);
    const rows = ['OUTSTANDING', 'PAID', 'CANCELED', 'SAVED'].map((status) => ({ id: inState(status as Status) }));
    const { items, errors } = await run({ ...change, invoice_number: 'NEW-1' }, rows, toErrors);
    expect(items.map(({ json }) => json.invoice_number)).toEqual(['NEW-1']);
    expect(messages(errors)).toEqual([
      expect.stringContaining('On a sent invoice, only the contacts can be changed'),
      expect.stringContaining("A paid invoice can't be changed"),
      expect.stringContaining('This invoice was canceled'),
    ]);
  });

  test('requires the total for a limit, unless lines and tax stay unchanged', async () => {
    const limited = { ...change, options: { limitPerItem: 200 } };
    const row = [{ id: await draft() }];
    const line = (unit_cost: number) => ({ item: [{ quantity: 1, description: 'Day', unit_cost }] });
    const tax = (value: number) => ({ additionalFields: { sales_tax: { item: { type: 'RATE', value } } } });
    expect((await run({ ...limited, additionalFields: { dueAfterDays: 5 } }, row)).error).toBeUndefined();
    expect((await run({ ...limited, line_items: line(150), ...tax(20) }, row)).error).toBeUndefined();
    for (const more of [{ line_items: line(150) }, tax(50), { line_items: line(150), ...tax(50) }])
      expect((await run({ ...limited, ...more }, row)).error?.description).toContain('Nothing was sent');
  });

  test('sends nothing if the draft changes between reading and writing', async () => {
    let looked = 0;
    const data = () => ({ invoice_id: 1, customer_id: 'C', invoice_number: `N${(looked += 1)}` });
    const recorder = await startRecorder({ toJSON: () => ({ code: 0, message: 'Success', data: data() }) });
    const later = { ...change, additionalFields: { dueAfterDays: 3 } };
    const { error } = await run(later, [{ id: 1 }], { credential: recorder.credential });
    await recorder.stop();
    expect(error?.message).toContain('record changed after the node read it');
    expect(recorder.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });
});

describe('changing the contacts of a sent invoice', () => {
  const change: INodeParameters = {
    operation: 'updateContacts',
    additionalFields: { billing_contact: { item: { first_name: 'Eva' } } },
  };

  test('changes the given fields and sends no email', async () => {
    const id = inState('OUTSTANDING');
    const before = invoice(id);
    const notices = sandbox.control.state().notices.length;
    const { items, error } = await run(change, [{ id }]);
    expect(error).toBeUndefined();
    expect(invoice(id)).toEqual({ ...before, billing_contact: { ...before?.billing_contact, first_name: 'Eva' } });
    expect(Object.keys(sent('PUT')[0]?.body as object)).toEqual(['billing_contact']);
    expect(sandbox.control.state().notices).toHaveLength(notices);
    expect(items[0]?.json.what_happened).toMatch(
      /^Updated the contacts of invoice INV-\d+ of customer \w+ without sending the invoice\.$/,
    );
  });

  test('refuses drafts, paid invoices and items without a contact', async () => {
    const { errors } = await run(change, [{ id: inState('SAVED') }, { id: inState('PAID') }], toErrors);
    expect(messages(errors)).toEqual([
      expect.stringContaining('This invoice has not been sent'),
      expect.stringContaining("The contacts of a paid invoice can't be changed"),
    ]);
    const { error } = await run({ operation: 'updateContacts' }, [{ id: 1 }]);
    expect(error?.message).toContain('is required, unless you');
  });
});

describe('copying an invoice', () => {
  const copy: INodeParameters = { operation: 'copy', invoice_number: '={{ $json.number }}' };

  test('creates a draft with the same or a new number for each item', async () => {
    const id = inState('PAID');
    const { items, error } = await run(copy, [{ id, number: 'NEXT-1' }, { id }]);
    expect(error).toBeUndefined();
    expect(items.map(({ json }) => [json.invoice_number, json.status, json.amt_balance])).toEqual([
      ['NEXT-1', 'SAVED', invoice(id)?.amt_tran],
      [invoice(id)?.invoice_number, 'SAVED', invoice(id)?.amt_tran],
    ]);
    expect(new Set([asText(id), ...items.map(({ json }) => json.invoice_id)]).size).toBe(3);
    expect(items[0]?.json.what_happened).toMatch(
      /^Copied invoice \d+ of customer \w+ to draft \d+ for [\d.]+ USD(?:, due [\d-]+)?\.$/,
    );
  });

  test('reports an unknown outcome after a lost response for a copy without a number of its own', async () => {
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'copyInvoice' });
    const { errors } = await run({ operation: 'copy' }, [{ id: inState('PAID') }], { ...toErrors, looksUp: true });
    expect(errors[0]?.json.error).toMatchObject({ outcome: 'unknown' });
    expect(sandbox.control.journal({ operationId: 'copyInvoice' })).toHaveLength(1);
  });
});

describe('invoice changes with a limit', () => {
  const limited = { options: { limitPerItem: 100, limitPerExecution: 100 } };
  const UNTOLD = 'allows only requests with a known amount';
  const large: INodeParameters = {
    operation: 'create',
    customer_id: byId('CUST0001'),
    invoice_number: 'L-1',
    line_items: { item: [{ quantity: 1, description: 'Hour', unit_cost: 5000 }] },
    additionalFields: { sales_tax: { item: { type: 'RATE', value: 10 } } },
  };
  const largeDraft = async () => (await run(large)).items[0]?.json.invoice_id;
  const refused = async (parameters: INodeParameters) => {
    const id = await largeDraft();
    const before = invoices();
    const { error } = await run({ ...parameters, ...limited }, [{ id }]);
    expect(error?.message).toContain(UNTOLD);
    expect(invoices()).toEqual(before);
  };

  test('refuses to copy an invoice, because only its record contains the amount', async () => {
    await refused({ operation: 'copy' });
  });

  test.each<[string, INodeParameters]>([
    ['another currency', { additionalFields: { tran_currency: '826' } }],
    [
      'another customer',
      { customer_id: byId('CUST0002'), additionalFields: { billing_contact: contact('other@example.com') } },
    ],
    ['line items without the tax that is there', { line_items: large.line_items }],
    ['a tax without the line items that are there', { additionalFields: large.additionalFields }],
  ])('refuses a change of a draft to %s', async (_, change) => {
    await refused({ operation: 'update', ...change });
  });

  test('refuses an API request with line items but without the existing tax', async () => {
    const id = await largeDraft();
    const { error } = await run(
      {
        ...{ resource: 'api', operation: 'request', method: 'PUT', path: `/platform/invoice/${asText(id)}/draft` },
        body: '{"line_items":[{"quantity":1,"description":"Hour","unit_cost":60}]}',
        ...limited,
      },
      [{ id }],
    );
    expect(error?.message).toContain(UNTOLD);
    expect(sent('PUT')).toEqual([]);
  });

  test("doesn't count values that a change sends back unchanged, in any number of runs", async () => {
    const rows = [{ id: await largeDraft() }, { id: await largeDraft() }];
    const change = { operation: 'update', additionalFields: { footer_note: 'x' }, ...limited };
    const { items, run: data } = await run(change, rows, { by: ['A', 'B'] });
    expect(items.every(({ json }) => json.error === undefined)).toBe(true);
    expect(sent('PUT')).toHaveLength(4);
    expect(JSON.stringify(data.data.executionData?.contextData)).not.toContain('"moved"');
  });

  test('lets an agent change fields that move no money, but not copy an invoice', async () => {
    const id = await largeDraft();
    const call = async (parameters: INodeParameters) =>
      await toolOf({
        parameters: { resource: 'invoice', invoice_id: byId(id), ...parameters },
        credential: credentialFor(sandbox),
      }).call();
    expect((await call({ operation: 'copy' })).text).toContain('must be set in the settings of this tool');
    expect((await call({ operation: 'copy', limitPerItem: '100', limitPerExecution: '100' })).text).toContain(UNTOLD);
    const noted = {
      operation: 'update',
      additionalFields: { footer_note: 'x' },
      limitPerItem: '100',
      limitPerExecution: '100',
    };
    expect((await call(noted)).text).toContain('Updated draft invoice L-1');
  });
});
