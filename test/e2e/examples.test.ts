import { setTimeout as sleep } from 'node:timers/promises';

import axios from 'axios';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { exampleFiles, readExample } from '../../host/examples';
import { poll } from '../../host/executions';
import { itemsOf, type Execution, type WorkflowJson } from '../../host/rest';
import { DataTables, type Row } from '../../host/tables';
import { SERVICE_ZONE } from '../../sandbox/core/clock';
import { CREDENTIAL, hosts, startHost, type Host } from './host';

/** Changes the current date of the dunning example. */
const withToday = (workflow: WorkflowJson, today: string): WorkflowJson =>
  JSON.parse(JSON.stringify(workflow).replace('={{ $now.plus({ days: 0 }).toISODate() }}', today)) as WorkflowJson;

/** Amount of the sandbox's test disputes without a sale. */
const NO_SALE = 49.99;

const statuses = (rows: Row[]) => rows.map(({ status }) => status);

describe.each(hosts)('the examples in $name', ({ major }) => {
  let host: Host;
  let tables: DataTables;
  beforeAll(async () => {
    host = await startHost({ major });
    tables = await DataTables.create(host.rest);
  });
  afterAll(async () => await host.stop());
  beforeEach(async () => {
    host.sandbox.control.reset();
    await tables.restore();
  });

  async function save(file: string, edited: (workflow: WorkflowJson) => WorkflowJson = (one) => one) {
    const credential = { id: host.credentialId, name: CREDENTIAL };
    const { typePrefix } = host.n8n;
    return await host.rest.saveWorkflow(edited(readExample(file, { typePrefix, credential, tables })));
  }

  async function run(saved: string): Promise<Execution> {
    const execution = await host.rest.execute(saved, 'Start');
    expect(execution.data.resultData.error?.message).toBeUndefined();
    expect(execution.status).toBe('success');
    return execution;
  }

  const execute = async (file: string): Promise<Execution> => await run(await save(file));

  test('creates subscriptions for sign-ups, and invoices for declined one-time fees', async () => {
    const execution = await execute('subscription-sign-up.json');
    const created = itemsOf(execution, 'Create Subscription');
    const { subscriptions } = host.sandbox.control.state();
    expect(created).toHaveLength(3);
    for (const { subscription_id } of created)
      expect(subscriptions.map((one) => String(one.subscription_id))).toContain(subscription_id);
    expect(itemsOf(execution, 'Invoice the Fee')).toHaveLength(1);
    expect(itemsOf(execution, 'Welcome')).toHaveLength(2);
  });

  test('authorizes orders, captures shipments once and voids cancellations in two runs', async () => {
    const first = await execute('order-authorization.json');
    const again = await execute('order-authorization.json');
    const captured = itemsOf(first, 'Capture at Shipment');
    expect(captured.map(({ amt_tran }) => amt_tran)).toEqual([62.5, 120]);
    expect(itemsOf(again, 'Capture at Shipment')).toMatchObject(captured.map(({ pg_id }) => ({ pg_id })));
    const { transactions } = host.sandbox.control.state();
    const of = (type: string) => transactions.filter(({ request_type }) => request_type === type);
    expect(of('capture')).toHaveLength(2);
    const held = of('auth').map(({ purchase_id, tran_status }) => `${purchase_id} ${tran_status}`);
    expect(held.filter((one) => !one.startsWith('ORDER-3002'))).toEqual(['ORDER-3001 C', 'ORDER-3003 C']);
    expect(held.filter((one) => one.startsWith('ORDER-3002'))).not.toContain('ORDER-3002 A');
  });

  test('creates and sends the invoice of each open CRM row once, also if a run ended before it updated the row', async () => {
    const first = await execute('crm-invoices.json');
    expect(itemsOf(first, 'Invoices').map(({ status }) => status)).toEqual(Array(5).fill('invoiced'));
    const invoiced = await tables.rows('CRM');
    expect(invoiced).toMatchObject(Array(5).fill({ status: 'invoiced', invoice_link: expect.any(String) as string }));
    const again = await execute('crm-invoices.json');
    expect(itemsOf(again, 'Open Rows')).toEqual([]);
    await tables.update('CRM', 'invoice_number', 'CRM-2003', { status: 'open', invoice_id: null });
    const repaired = await execute('crm-invoices.json');
    expect(itemsOf(repaired, 'Create Invoice')).toMatchObject([
      { invoice_id: invoiced[2]?.invoice_id, found_at_service: expect.any(String) as string },
    ]);
    expect(itemsOf(repaired, 'Send Invoice')).toEqual([]);
    const [run] = repaired.data.resultData.runData['Create Invoice'] ?? [];
    expect(run?.hints?.map(({ message }) => message).join()).toMatch(
      /not sent, because a matching record already exists/,
    );
    expect(statuses(await tables.rows('CRM'))).toEqual(statuses(invoiced));
    const { control } = host.sandbox;
    expect(control.journal({ operationId: 'createInvoice' })).toHaveLength(5);
    expect(control.journal({ operationId: 'sendInvoice' })).toHaveLength(5);
  });

  test('cancels subscriptions after notice and bills the last payment once', async () => {
    const first = await execute('subscription-churn.json');
    expect(itemsOf(first, 'Subscription Ended')).toMatchObject([
      { customer: 'CUST0001', final_invoice: 'FINAL-1001', amount: 30 },
      { customer: 'CUST0002', final_invoice: 'FINAL-1002', amount: 25.5 },
    ]);
    expect(itemsOf(first, 'Still Paid')).toEqual([{ customer: 'CUST0003', paid_until: expect.any(String) as string }]);
    const states = () =>
      host.sandbox.control.state().subscriptions.map(({ customer_id, status }) => [customer_id, status]);
    expect(states()).toEqual([
      ['CUST0001', 'C'],
      ['CUST0002', 'C'],
      ['CUST0003', 'A'],
    ]);
    const again = await execute('subscription-churn.json');
    expect(itemsOf(again, 'Subscription Ended')).toEqual([]);
    expect(itemsOf(again, 'Final Invoice')).toHaveLength(2);
    const { control } = host.sandbox;
    expect(control.journal({ operationId: 'sendInvoice' })).toHaveLength(2);
    expect(states().filter(([customer, status]) => customer === 'CUST0003' || status === 'A')).toEqual([
      ['CUST0003', 'A'],
    ]);
  });

  test('creates each customer of the CRM once in two runs, even with repeated IDs', async () => {
    const before = host.sandbox.control.state().customers.length;
    await tables.insert('CRM', [{ customer: 'C2002', phone: '+1 541 555 0102' }]);
    const first = await execute('crm-customers.json');
    expect(itemsOf(first, 'Customers')).toMatchObject([
      { customer_id: 'C2001', company: 'Silva Bakery' },
      { customer_id: 'C2002', company: 'Okafor Legal' },
      { customer_id: 'C2003', email: 'maja@lindqvist.example' },
      { customer_id: 'C2004', company: 'Novak Repairs' },
      { customer_id: 'C2005', company: 'Tanaka Tea' },
      { customer_id: 'C2002', company: 'Okafor Legal' },
    ]);
    const { control } = host.sandbox;
    const made = JSON.stringify(control.state().customers);
    await execute('crm-customers.json');
    expect(control.state().customers).toHaveLength(before + 5);
    expect(JSON.stringify(control.state().customers)).toBe(made);
    expect(control.journal({ operationId: 'addCustomer' })).toHaveLength(5);
    expect(control.journal({ operationId: 'updateCustomer' })).toHaveLength(1);
  });

  test('sends customers with an expiring main card a link to replace it', async () => {
    const exp_date = DateTime.now().plus({ months: 1 }).toFormat('MMyy');
    const card = { card_number: '4012888888881881', exp_date, billing_zip: '97477' };
    const vault = '/platform/vault/customer';
    await service(`${vault}/CUST0003/billing`, { ...card, primary: true });
    await service(`${vault}/CUST0005/billing`, card);
    const emails = itemsOf(await execute('cards-expiring.json'), 'Email Text');
    expect(emails).toMatchObject([{ customer_id: 'CUST0003', to: expect.stringContaining('@example.com') as string }]);
    expect(emails[0]?.text).toMatch(/ending in 1881 expires next month.* https?:/s);
    const [link] = host.sandbox.control.journal({ operationId: 'addCheckout' });
    expect(link?.body).toMatchObject({ customer_id: 'CUST0003', card_id: expect.any(String) as string });
  });

  test('reminds customers after 3, 7 and 14 days once each and cancels the subscription after 21 days', async () => {
    const { control } = host.sandbox;
    const open = control.state().invoices.filter(({ status }) => status === 'OUTSTANDING');
    const [late, paid] = open;
    await service('/platform/subscription', { customer_id: late?.customer_id, plan_code: 'MONTHLY25' });
    const due = DateTime.fromISO(late?.date_due ?? '', { zone: 'utc' });
    const on = async (days: number) => {
      const ahead = due
        .plus({ days })
        .diff(DateTime.fromISO(control.now(), { zone: 'utc' }))
        .toMillis();
      if (ahead > 0) await control.advanceClock({ milliseconds: ahead });
      const today = due.plus({ days }).toISODate() ?? '';
      return await save('invoice-dunning.json', (workflow) => withToday(workflow, today));
    };
    const reminded = async (days: number) =>
      itemsOf(await run(await on(days)), 'Reminded').map(({ invoice, days_overdue }) => [invoice, days_overdue]);
    const all = (days: number) => open.map(({ invoice_number }) => [invoice_number, days]).reverse();
    const mails = () => control.journal({ operationId: 'resendInvoice' }).length;

    expect(await reminded(2)).toEqual([]);
    expect(await reminded(3)).toEqual(all(3));
    expect(await reminded(4)).toEqual([]);
    const seventh = await on(7);
    expect(itemsOf(await run(seventh), 'Reminded')).toHaveLength(open.length);
    expect(itemsOf(await run(seventh), 'Not Reminded')).toHaveLength(open.length);
    expect(mails()).toBe(2 * open.length);
    const payment = { type: 'CHECK', amt_paid: paid?.amt_balance, date_payment: due.toISODate() };
    await service(`/platform/invoice/${paid?.invoice_id}/payments`, payment);
    expect((await reminded(14)).map(([number]) => number)).not.toContain(paid?.invoice_number);
    expect(mails()).toBe(3 * open.length - 1);
    expect(control.state().subscriptions.map(({ status }) => status)).toEqual(['A']);
    expect(itemsOf(await run(await on(21)), 'Ended')).toMatchObject([
      { customer: late?.customer_id, invoice: late?.invoice_number },
    ]);
    expect(control.state().subscriptions.map(({ status }) => status)).toEqual(['C']);
    expect(itemsOf(await run(await on(22)), 'Ended')).toEqual([]);
  });

  test('adds up the transactions of the service in the nightly report', async () => {
    host.sandbox.control.addCapturedSales({ count: 230, amountCents: 1015 });
    const execution = await execute('nightly-transactions.json');
    const report = itemsOf(execution, 'Report');
    const records = itemsOf(execution, 'Transactions Since Yesterday');
    expect(records.length).toBeGreaterThanOrEqual(230);
    expect(new Set(records.map(({ pg_id }) => pg_id)).size).toBe(records.length);
    const sum = (list: IDataObject[], field: string) => list.reduce((all, row) => all + Number(row[field]), 0);
    expect(sum(report, 'transactions')).toBe(records.length);
    expect(sum(report, 'amount')).toBeCloseTo(sum(records, 'amt_tran'), 2);
    expect(sum(report, 'amount')).toBeGreaterThan(2334);
    await execute('nightly-transactions.json');
    expect(await tables.rows('Daily Totals')).toMatchObject(report);
  });

  test("reconciles a month's payments by day with a total that equals the reports", async () => {
    const { control, baseUrl, credentials } = host.sandbox;
    control.closeBatch();
    control.sendDeposits();
    for (let day = 0; day < 34; day += 1) {
      const [sale = ''] = control.addCapturedSales({ count: 2, amountCents: 10_015 + day });
      if (day === 20) control.addCapturedSales({ count: 1, amountCents: 5 });
      await control.advanceClock({ days: 1 });
      control.sendDeposits();
      if (day % 5 === 0)
        await axios.post(
          `${baseUrl}/pg/refund/${sale}`,
          { merchant_id: credentials.test.merchantId, amt_tran: 7.77 },
          { headers: { authorization: `Basic ${credentials.test.token}` } },
        );
    }
    const [first, last] = [{ days: -40 }, { days: 2 }].map((away) =>
      DateTime.fromISO(control.now()).plus(away).toFormat('yyyy-MM-dd'),
    );
    const ofThisTime = (workflow: WorkflowJson): WorkflowJson =>
      JSON.parse(
        JSON.stringify(workflow)
          .replace(/=[^"]*startOf[^"]*/, String(first))
          .replace(/=[^"]*endOf[^"]*/, String(last)),
      ) as WorkflowJson;
    const execution = await run(await save('monthly-reconciliation.json', ofThisTime));
    const lines = itemsOf(execution, 'Reconciliation');
    const [days, total] = [lines.slice(0, -1), lines.at(-1)];
    expect(total?.day).toBe('Total');
    expect(days.length).toBeGreaterThan(34);
    const named = days.map(({ day }) => day);
    expect(named).toEqual([...named].sort());
    const sum = (list: IDataObject[], field: string) => list.reduce((all, row) => all + Number(row[field]), 0);
    for (const column of ['charged', 'refunded', 'fees', 'reserve', 'paid'])
      expect(sum(days, column)).toBeCloseTo(Number(total?.[column]), 2);
    expect(total?.charged).toBeCloseTo(sum(itemsOf(execution, 'Batches'), 'amt_purch'), 2);
    expect(total?.charged).toBeGreaterThan(6800);
    expect(total?.refunded).toBeGreaterThan(38);
    expect(total?.paid).toBeCloseTo(sum(itemsOf(execution, 'Deposits'), 'amt_ach'), 2);
    const { settlements } = control.state();
    expect(total?.fees).toBeCloseTo(sum(settlements, 'discount_paid'), 2);
    control.sendDeposits();
    const complete = itemsOf(await run(await save('monthly-reconciliation.json', ofThisTime)), 'Reconciliation').at(-1);
    expect(complete).toMatchObject({ day: 'Total', difference: 0 });
  });

  /** Activates an example that starts with an event. Returns a function that waits for its executions. */
  async function activate(
    file: string,
  ): Promise<{ id: string; executed: (node: string) => Promise<Execution>; end: () => Promise<void> }> {
    const { rest, sandbox } = host;
    const id = await save(file);
    const before = await rest.executions.lastId(id);
    await rest.activate(id);
    while (!sandbox.control.state().webhooks.some(({ status }) => status === 'ACTIVE')) await sleep(50);
    /**
     * Returns the execution in which a node output items. n8n 1 stores the data after the status, and a duplicate event
     * starts an execution that ends at once.
     */
    const executed = async (node: string): Promise<Execution> => {
      let execution = await rest.executions.next(id, before);
      for (let looks = 0; looks < 20 && itemsOf(execution, node).length === 0; looks += 1) {
        await sleep(250);
        execution = await rest.executions.get(execution.id);
      }
      return itemsOf(execution, node).length > 0 ? execution : await rest.executions.next(id, execution.id, 20_000);
    };
    return { id, executed, end: async () => await rest.deactivate(id) };
  }
  const service = async <T>(path: string, data: object): Promise<T> => {
    const headers = { authorization: `Basic ${host.sandbox.credentials.test.token}` };
    return (await axios.post<{ data: T }>(`${host.sandbox.baseUrl}${path}`, data, { headers })).data.data;
  };

  test('keeps saved cards up to date from the monthly request to the vault, the member list and the links', async () => {
    const { id, executed, end } = await activate('card-updates.json');
    const { control } = host.sandbox;
    const before = await tables.rows('Members');
    await service('/platform/aus/hold', { card_id: before[5]?.card_id });
    const submission = await run(id);
    const submitted = itemsOf(submission, 'Submit Saved Cards');
    const rejected: IDataObject = { ...before[5], card_note: 'Rejected: Card is on hold' };
    expect(itemsOf(submission, 'Note Rejection').map(({ card_note, card_id }) => ({ card_note, card_id }))).toEqual([
      { card_note: rejected.card_note, card_id: rejected.card_id },
    ]);
    expect(submitted.map(({ card_ids }) => card_ids)).toEqual(before.map(({ card_id }) => [card_id]));
    expect(control.journal({ operationId: 'createAusRequest' })).toHaveLength(1);
    await control.advanceClock({ days: 5 });
    const emails = itemsOf(await executed('Email Text'), 'Email Text');
    const notes = {
      new: { card_expires: '1233', card_note: 'New card number ending in 5100, expires 12/33' },
      closed: { card_expires: '1230', card_note: 'Account closed' },
      contact: { card_expires: '1230', card_note: 'Contact the cardholder' },
      same: { card_expires: '1230', card_note: 'No change' },
      longer: { card_expires: '1233', card_note: 'New expiration date 12/33' },
      rejected: { card_expires: rejected.card_expires, card_note: rejected.card_note },
    };
    const changes = [notes.new, notes.closed, notes.contact, notes.same, notes.longer, notes.rejected, notes.closed];
    const rows = await tables.rows('Members');
    expect(rows).toMatchObject(before.map(({ member, card_id }, index) => ({ member, card_id, ...changes[index] })));
    const vault = control.state().customers.flatMap(({ billing_cards }) => billing_cards);
    for (const { card_id, card_expires } of rows)
      expect(vault.find((card) => card.card_id === card_id)?.exp_date).toBe(card_expires);
    expect(vault.find(({ card_id }) => card_id === rows[0]?.card_id)?.card_number).toBe('510510xxxxxx5100');
    const unusable = [1, 2, 6].map((index) => rows[index]);
    expect(emails.map(({ to }) => to)).toEqual(unusable.map((row) => row?.email));
    const links = control.state().checkouts.map(({ checkout_link }) => checkout_link);
    for (const { link, text } of emails) {
      expect(links).toContain(link);
      expect(text).toContain(link);
    }
    await end();
  });

  /** Creates a dispute of the latest charge that isn't disputed. */
  const createDispute = async (): Promise<void> => {
    const { baseUrl, credentials } = host.sandbox;
    const { merchantId, token } = credentials.test;
    const headers = { authorization: `Basic ${token}` };
    await axios.get(`${baseUrl}/platform/dispute/${merchantId}/create?reasonCode=13.1`, { headers });
  };

  test('turns a dispute into a task, reminds three days before its deadline, and sends one response from the form', async () => {
    const { control } = host.sandbox;
    const [sale = ''] = control.addCapturedSales({ count: 1, amountCents: 4250 });
    const { id, executed, end } = await activate('dispute-responses.json');
    await createDispute();
    await executed('Add Task');
    const tasks = async () => await tables.rows('Disputes');
    const [task] = await tasks();
    const today = DateTime.fromISO(control.now(), { zone: SERVICE_ZONE });
    const dispute_id = String(control.state().disputes[0]?.rec_id);
    expect(await tasks()).toMatchObject([
      {
        dispute_id,
        status: 'open',
        deadline: today.plus({ days: 20 }).toISODate(),
        amount: 42.5,
        reason: '13.1 Merchandise or Services Not Received',
        evidence: expect.stringContaining('Proof of delivery') as string,
        sale_id: sale,
        sale_time: expect.stringMatching(/^\d{4}-\d\d-\d\d/) as string,
      },
    ]);

    const remindedIn = async (days: number) => {
      const deadline = DateTime.now().setZone('America/New_York').plus({ days }).toISODate();
      await tables.update('Disputes', 'dispute_id', dispute_id, { deadline });
      return itemsOf(await run(id), 'Reminder Text');
    };
    expect(await remindedIn(4)).toEqual([]);
    expect(await remindedIn(3)).toMatchObject([
      { dispute_id, text: expect.stringContaining(String(task?.form)) as string },
    ]);
    expect(await remindedIn(-1)).toEqual([]);
    expect(await remindedIn(0)).toHaveLength(1);

    const form = String(task?.form);
    expect((await axios.get<string>(form)).data).toContain(`value="${dispute_id}"`);
    const pdf = Buffer.from('%PDF-1.7\nDelivered and signed\n%%EOF');
    /** Submits the form as a browser does. Returns the last page and the tasks that the execution updated. */
    const submit = async () => {
      const fields = new FormData();
      fields.append('field-0', dispute_id);
      fields.append('field-1', 'The customer signed for the delivery.');
      fields.append('field-2', new Blob([pdf], { type: 'application/pdf' }), 'delivery.pdf');
      const { formWaitingUrl } = (await axios.post<{ formWaitingUrl: string }>(form, fields)).data;
      const execution = new URL(formWaitingUrl).pathname.split('/').at(-1) ?? '';
      // n8n 1 stores the data after the status.
      const waiting = await poll(
        'The end of the form',
        async () => {
          const found = await host.rest.executions.waitFor(execution, ['waiting']);
          return found.data.resultData.runData['Send Response'] ? found : undefined;
        },
        10_000,
      );
      const page = (await axios.get<string>(formWaitingUrl)).data;
      return { page, updated: itemsOf(waiting, 'Close Responded Task') };
    };
    expect(await submit()).toMatchObject({
      page: expect.stringContaining('The response was sent') as string,
      updated: [{ dispute_id, status: 'closed' }],
    });
    expect(statuses(await tasks())).toEqual(['closed']);
    const refused = await submit();
    expect(refused.page).toContain('The response was not confirmed');
    expect(refused.page).toContain('already under review, so nothing was sent');
    expect(refused.updated).toEqual([]);
    expect(control.journal({ operationId: 'submitDisputesResponse' })).toMatchObject([
      { status: 200, body: { file: { fileName: 'delivery.pdf', bytes: pdf.length } } },
    ]);
    expect(control.state().disputes).toMatchObject([{ status: 'Q' }]);
    expect(await remindedIn(3)).toEqual([]);
    await end();
  });

  test('adds a task for a dispute without a known sale', async () => {
    const { control } = host.sandbox;
    const amounts = () => control.state().disputes.map(({ amt_dispute }) => amt_dispute);
    while (amounts().at(-1) !== NO_SALE) await createDispute();
    const { executed, end } = await activate('dispute-responses.json');
    await createDispute();
    await executed('Add Task');
    expect(await tables.rows('Disputes')).toMatchObject([
      { dispute_id: String(control.state().disputes.at(-1)?.rec_id), status: 'open', amount: NO_SALE, sale_id: '' },
    ]);
    await end();
  });

  test('alerts the account manager about a suspended subscription', async () => {
    const { executed, end } = await activate('subscription-suspended.json');
    const [customer] = host.sandbox.control.state().customers;
    const { subscription_id } = await service<{ subscription_id: number }>('/platform/subscription', {
      customer_id: customer?.customer_id,
      date_start: host.sandbox.control.now(),
      plan_frequency: 3,
      plan_duration: 12,
      amt_tran: 0.14,
    });
    await host.sandbox.control.advanceClock({ days: 1 });
    expect(itemsOf(await executed('Alert'), 'Alert')).toMatchObject([
      { subscription_id: String(subscription_id), customer_id: customer?.customer_id },
    ]);
    await end();
  });

  test('marks a CRM row as paid when its customer pays the hosted invoice', async () => {
    await execute('crm-invoices.json');
    const { executed, end } = await activate('invoice-paid.json');
    const [, row] = await tables.rows('CRM');
    const page = await axios.get<string>(String(row?.invoice_link));
    const attempt = /name="attempt" value="(\d+)"/.exec(page.data)?.[1];
    const card = { holder: 'Chidi Okafor', card_number: '4111111111111111', exp_date: '12/30', cvv2: '123' };
    const paid = await axios.post<string>(
      String(row?.invoice_link),
      new URLSearchParams({ ...card, attempt: attempt ?? '' }),
    );
    expect(paid.data).toContain('The invoice is paid in full.');
    expect(itemsOf(await executed('CRM Row'), 'CRM Row')).toMatchObject([{ company: 'Okafor Legal', status: 'paid' }]);
    const rows = await tables.rows('CRM');
    expect(statuses(rows)).toEqual(['invoiced', 'paid', 'invoiced', 'invoiced', 'invoiced']);
    expect(rows[1]).toMatchObject({ paid: 420 });
    await end();
  });

  test('writes the overdue invoices to a CSV file', async () => {
    const invoice = async (invoice_number: string, days: number) => {
      // Noon in the time zone of the tested n8n is the same day in UTC.
      const noon = DateTime.now().setZone('America/New_York').startOf('day').plus({ days, hours: 12 });
      const value = noon.toUTC().toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'");
      const { invoice_id } = await service<{ invoice_id: number }>('/platform/invoice', {
        customer_id: 'CUST0001',
        invoice_number,
        billing_contact: { email_address: 'ana@example.com' },
        line_items: [{ quantity: 2, description: 'Hour, on site', unit_cost: 60 }],
        payment_terms: { type: 'DATE', value },
      });
      await service(`/platform/invoice/${invoice_id}/send`, {});
    };
    await invoice('LATE-1', -10);
    await invoice('LATE-2', -40);
    await invoice('SOON-1', 3);
    const execution = await execute('overdue-to-csv.json');
    expect(itemsOf(execution, 'Columns')).toMatchObject([
      { invoice_number: 'LATE-2', days_overdue: 40, balance: 120 },
      { invoice_number: 'LATE-1', days_overdue: 10, balance: 120 },
    ]);
    const [file] = execution.data.resultData.runData['CSV File']?.[0]?.data?.main?.[0] ?? [];
    expect(file?.binary?.data).toMatchObject({ fileName: 'overdue-invoices.csv', mimeType: 'text/csv' });
  });

  test('runs with pinned sample events without a public address', async () => {
    const execution = await host.rest.execute(await save('sample-events.json'), 'Sample Events');
    expect(itemsOf(execution, 'Sample Events')).toHaveLength(17);
    expect(itemsOf(execution, 'Paid Invoice')).toEqual([
      { invoice_number: 'CRM-77', customer: 'CUST0001', paid: 120, sample: true },
    ]);
    expect(host.sandbox.control.state().webhooks).toEqual([]);
  });

  test('creates checkout links and emails for orders and looks up their results', async () => {
    const execution = await execute('checkout-link.json');
    const emails = itemsOf(execution, 'Email Text');
    expect(emails.map(({ to }) => to)).toEqual(['ana@example.com', 'chidi@example.com', 'maja@example.com']);
    for (const { text, link } of emails) expect(text).toContain(link);
    expect(itemsOf(execution, 'Status')).toMatchObject([
      { order: 'ORDER-5001', paid: false, left_to_pay: 48.5 },
      { order: 'ORDER-5002', paid: false, left_to_pay: 120 },
      { order: 'ORDER-5003', paid: false, left_to_pay: 19.99 },
    ]);
  });

  test('submits members in one account updater request and names its cards', async () => {
    const execution = await execute('cards-to-updater.json');
    expect(itemsOf(execution, 'Status')).toMatchObject([
      { status: 'QUEUED', cards: 4, members: ['member-17', 'member-18', 'member-21', 'member-34'], rejected: [] },
    ]);
    expect(host.sandbox.control.journal({ operationId: 'submitAccountUpdater' })).toHaveLength(1);
  });
});

test('executes every example in a test', () => {
  expect(exampleFiles().sort()).toEqual([
    'card-updates.json',
    'cards-expiring.json',
    'cards-to-updater.json',
    'checkout-link.json',
    'checkout-wait.json',
    'crm-customers.json',
    'crm-invoices.json',
    'dispute-responses.json',
    'invoice-dunning.json',
    'invoice-paid.json',
    'monthly-reconciliation.json',
    'nightly-transactions.json',
    'order-authorization.json',
    'overdue-to-csv.json',
    'refund-approval.json',
    'sample-events.json',
    'subscription-churn.json',
    'subscription-sign-up.json',
    'subscription-suspended.json',
    'support-agent.json',
  ]);
});
