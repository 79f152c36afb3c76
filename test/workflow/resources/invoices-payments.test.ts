import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import { benchOf, messages, sandboxForFile, toErrors } from '../bench';
import { draft, idOf as byId } from '../writes';

const sandbox = sandboxForFile();
const { run, requests: sent } = benchOf(sandbox, { parameters: { resource: 'invoice' } });
const each = { invoice_id: byId('={{ $json.invoice_id }}'), payment_id: byId('={{ $json.payment_id }}') };
const payments = () => sandbox.control.state().payments;
const payment = (id: unknown) => payments().find(({ payment_id }) => String(payment_id) === id);
const recorded = async (amt_paid = 20): Promise<IDataObject> => {
  const invoice_id = byId(await draft(sandbox));
  const given = { type: 'CHECK', amt_paid, date_payment: '2030-03-01', description: 'Check 7' };
  return (await run({ operation: 'addPayment', invoice_id, ...given })).items[0]?.json ?? {};
};
/** Returns a payment of a fully paid invoice, which the service refuses to change. */
const locked = () => {
  const paid = sandbox.control.state().invoices.find(({ status }) => status === 'PAID');
  return { ...payments().find(({ invoice_id }) => invoice_id === paid?.invoice_id) };
};

describe('correcting a payment on an invoice', () => {
  const change: INodeParameters = { operation: 'updatePayment', ...each };

  test('changes the given fields and keeps all others', async () => {
    const row = await recorded();
    const before = payment(row.payment_id);
    const { items, error } = await run({ ...change, amt_paid: 30 }, [row]);
    expect(error).toBeUndefined();
    expect(payment(row.payment_id)).toEqual({ ...before, amt_paid: 30 });
    expect(items[0]?.json).toMatchObject({ payment_id: row.payment_id, type: 'CHECK', description: 'Check 7' });
    expect(items[0]?.json.what_happened).toMatch(/^Updated payment \d+ on invoice \d+ to 30\.00 USD\.$/);
  });

  test('requires all fields if the payment is replaced as a whole', async () => {
    const row = await recorded();
    sandbox.control.clearJournal();
    const alone = { ...change, keepOthers: false, amt_paid: 30 };
    const refused = await run(alone, [row]);
    expect(refused.error?.message).toContain('"Payment Type" is required while "Leave Empty Fields Unchanged" is off');
    await run({ ...alone, type: 'CASH', date_payment: '2030-03-02' }, [row]);
    expect(sent('GET')).toEqual([]);
    expect(payment(row.payment_id)).toMatchObject({ type: 'CASH', amt_paid: 30 });
  });

  test("fails only items whose ID isn't a payment on that invoice", async () => {
    const rows = [{ ...(await recorded()), payment_id: 1 }, locked(), await recorded()];
    const { items, errors } = await run({ ...change, description: 'Check 8' }, rows as IDataObject[], toErrors);
    expect(items.map(({ json }) => json.description)).toEqual(['Check 8']);
    expect(messages(errors)).toEqual([
      'The invoice has no payment with this ID',
      expect.stringContaining("The payments of a fully paid invoice can't be changed"),
    ]);
  });

  test('refuses a card payment and an item without a change', async () => {
    const row = { invoice_id: 1, payment_id: 2 };
    expect((await run(change, [row])).error?.message).toContain('is required, unless you');
    expect((await run({ ...change, type: '={{ "CARD" }}' }, [row])).error?.message).toContain(
      'must be CHECK, CASH or OTHER',
    );
    expect(sandbox.control.journal()).toEqual([]);
  });
});

describe('removing a payment from an invoice', () => {
  const remove: INodeParameters = { operation: 'deletePayment', ...each };

  test('removes a payment permanently and returns its ID', async () => {
    const row = await recorded();
    const { items, error } = await run(remove, [row]);
    expect(error).toBeUndefined();
    expect(payment(row.payment_id)).toBeUndefined();
    expect(items[0]?.json).toEqual({
      what_happened: `Removed payment ${asText(row.payment_id)} from invoice ${asText(row.invoice_id)} without returning money.`,
      deleted: true,
      invoice_id: row.invoice_id,
      payment_id: row.payment_id,
    });
  });

  test('refuses to remove a payment from a paid invoice', async () => {
    const rows = [locked(), await recorded()];
    const { items, errors } = await run(remove, rows as IDataObject[], toErrors);
    expect(items).toHaveLength(1);
    expect(messages(errors)).toEqual([
      expect.stringContaining("The payments of a fully paid invoice can't be changed"),
    ]);
  });

  test("after a lost response, doesn't report a nonexistent payment as removed", async () => {
    const row = { ...(await recorded()), payment_id: 1 };
    sandbox.control.addFault({ kind: 'reset_before_apply', operationId: 'removeInvoicePayment' });
    const { errors } = await run(remove, [row], { ...toErrors, looksUp: true });
    expect(errors[0]?.json.error).toMatchObject({ outcome: 'unknown' });
    expect(JSON.stringify(errors[0]?.json)).toContain('the record did not exist before the request');
  });
});

test('lists bounced invoice emails with the reason in words', async () => {
  const row = { invoice_id: await draft(sandbox) };
  await run({ operation: 'send', invoice_id: each.invoice_id, email_address: 'undeliverable@example.com' }, [row]);
  const { items, error } = await run({ operation: 'getBounced', returnAll: true });
  expect(error).toBeUndefined();
  expect(items.map(({ json }) => json)).toEqual([
    expect.objectContaining({
      ...row,
      status: 'OUTSTANDING',
      send_code: 'B',
      send_code_text: 'bounced',
      recipient: ['undeliverable@example.com'],
    }),
  ]);
  const none = await run({ operation: 'getBounced', returnAll: true, period: 'dates', dateTo: '2020-01-01' });
  expect(none.items).toEqual([]);
});
