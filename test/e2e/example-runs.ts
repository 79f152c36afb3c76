import axios from 'axios';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { itemsOf, type WorkflowJson } from '../../host/rest';
import { statuses, type ExampleBench } from './example-bench';

const withToday = (workflow: WorkflowJson, today: string): WorkflowJson =>
  JSON.parse(JSON.stringify(workflow).replace('={{ $now.plus({ days: 0 }).toISODate() }}', today)) as WorkflowJson;

export function describeExampleRuns(bench: ExampleBench): void {
  describe('An example started by a user', () => {
    const { save, run, execute, service } = bench;

    test('the example creates subscriptions for sign-ups, and invoices for declined one-time fees', async () => {
      const execution = await execute('subscription-sign-up.json');
      const created = itemsOf(execution, 'Create Subscription');
      const { subscriptions } = bench.host.sandbox.control.state();
      expect(created).toHaveLength(3);
      for (const { subscription_id } of created)
        expect(subscriptions.map((one) => String(one.subscription_id))).toContain(subscription_id);
      expect(itemsOf(execution, 'Invoice the Fee')).toHaveLength(1);
      expect(itemsOf(execution, 'Welcome')).toHaveLength(2);
    });

    test('the example authorizes orders, captures shipments once and voids only canceled orders in two runs', async () => {
      const first = await execute('order-authorization.json');
      const again = await execute('order-authorization.json');
      const captured = itemsOf(first, 'Capture at Shipment');
      expect(captured.map(({ amt_tran }) => amt_tran)).toEqual([62.5, 120]);
      expect(itemsOf(again, 'Capture at Shipment')).toMatchObject(captured.map(({ pg_id }) => ({ pg_id })));
      const { transactions } = bench.host.sandbox.control.state();
      const of = (type: string) => transactions.filter(({ request_type }) => request_type === type);
      expect(of('capture')).toHaveLength(2);
      const held = of('auth').map(({ purchase_id, tran_status }) => `${purchase_id} ${tran_status}`);
      expect(held.filter((one) => !one.startsWith('ORDER-3002'))).toEqual([
        'ORDER-3001 C',
        'ORDER-3003 C',
        'ORDER-3004 A',
      ]);
      expect(held.filter((one) => one.startsWith('ORDER-3002'))).not.toContain('ORDER-3002 A');
    });

    test("the example creates and sends each open CRM row's invoice once, even if a run ended before updating the row", async () => {
      const first = await execute('crm-invoices.json');
      expect(itemsOf(first, 'Invoices').map(({ status }) => status)).toEqual(Array(5).fill('invoiced'));
      const invoiced = await bench.tables.rows('CRM');
      expect(invoiced).toMatchObject(Array(5).fill({ status: 'invoiced', invoice_link: expect.any(String) as string }));
      const again = await execute('crm-invoices.json');
      expect(itemsOf(again, 'Open Rows')).toEqual([]);
      await bench.tables.update('CRM', 'invoice_number', 'CRM-2003', { status: 'open', invoice_id: null });
      const repaired = await execute('crm-invoices.json');
      expect(itemsOf(repaired, 'Create Invoice')).toMatchObject([
        { invoice_id: invoiced[2]?.invoice_id, found_at_service: expect.any(String) as string },
      ]);
      expect(itemsOf(repaired, 'Send Invoice')).toEqual([]);
      const [run] = repaired.data.resultData.runData['Create Invoice'] ?? [];
      expect(run?.hints?.map(({ message }) => message).join()).toMatch(
        /not sent, because a matching record already exists/,
      );
      expect(statuses(await bench.tables.rows('CRM'))).toEqual(statuses(invoiced));
      const { control } = bench.host.sandbox;
      expect(control.journal({ operationId: 'createInvoice' })).toHaveLength(5);
      expect(control.journal({ operationId: 'sendInvoice' })).toHaveLength(5);
    });

    test('the example cancels subscriptions after notice and charges the last payment once', async () => {
      const first = await execute('subscription-churn.json');
      expect(itemsOf(first, 'Subscription Ended')).toMatchObject([
        { customer: 'CUST0001', final_invoice: 'FINAL-1001', amount: 30 },
        { customer: 'CUST0002', final_invoice: 'FINAL-1002', amount: 25.5 },
      ]);
      expect(itemsOf(first, 'Still Paid')).toEqual([
        { customer: 'CUST0003', paid_until: expect.any(String) as string },
      ]);
      const states = () =>
        bench.host.sandbox.control.state().subscriptions.map(({ customer_id, status }) => [customer_id, status]);
      expect(states()).toEqual([
        ['CUST0001', 'C'],
        ['CUST0002', 'C'],
        ['CUST0003', 'A'],
      ]);
      const again = await execute('subscription-churn.json');
      expect(itemsOf(again, 'Subscription Ended')).toEqual([]);
      expect(itemsOf(again, 'Final Invoice')).toHaveLength(2);
      const { control } = bench.host.sandbox;
      expect(control.journal({ operationId: 'sendInvoice' })).toHaveLength(2);
      expect(states().filter(([customer, status]) => customer === 'CUST0003' || status === 'A')).toEqual([
        ['CUST0003', 'A'],
      ]);
    });

    test('the example creates each CRM customer once in two runs, even if customer IDs repeat', async () => {
      const before = bench.host.sandbox.control.state().customers.length;
      await bench.tables.insert('CRM', [{ customer: 'C2002', phone: '+1 541 555 0102' }]);
      const first = await execute('crm-customers.json');
      expect(itemsOf(first, 'Customers')).toMatchObject([
        { customer_id: 'C2001', company: 'Silva Bakery' },
        { customer_id: 'C2002', company: 'Okafor Legal' },
        { customer_id: 'C2003', email: 'maja@lindqvist.example' },
        { customer_id: 'C2004', company: 'Novak Repairs' },
        { customer_id: 'C2005', company: 'Tanaka Tea' },
        { customer_id: 'C2002', company: 'Okafor Legal' },
      ]);
      const { control } = bench.host.sandbox;
      const made = JSON.stringify(control.state().customers);
      await execute('crm-customers.json');
      expect(control.state().customers).toHaveLength(before + 5);
      expect(JSON.stringify(control.state().customers)).toBe(made);
      expect(control.journal({ operationId: 'addCustomer' })).toHaveLength(5);
      expect(control.journal({ operationId: 'updateCustomer' })).toHaveLength(1);
    });

    test('the example sends customers with an expiring primary card a link for replacing the card', async () => {
      const exp_date = DateTime.now().plus({ months: 1 }).toFormat('MMyy');
      const card = { card_number: '4012888888881881', exp_date, billing_zip: '97477' };
      const vault = '/platform/vault/customer';
      await service(`${vault}/CUST0003/billing`, { ...card, primary: true });
      await service(`${vault}/CUST0005/billing`, card);
      const emails = itemsOf(await execute('cards-expiring.json'), 'Email Text');
      expect(emails).toMatchObject([
        { customer_id: 'CUST0003', to: expect.stringContaining('@example.com') as string },
      ]);
      expect(emails[0]?.text).toMatch(/ending in 1881 expires next month.* https?:/s);
      const [link] = bench.host.sandbox.control.journal({ operationId: 'addCheckout' });
      expect(link?.body).toMatchObject({ customer_id: 'CUST0003', card_id: expect.any(String) as string });
    });

    test('the example reminds each customer once after 3, 7 and 14 days, and cancels the subscription after 21 days', async () => {
      const { control } = bench.host.sandbox;
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
      expect(itemsOf(await run(await on(21)), 'Canceled')).toMatchObject([
        { customer: late?.customer_id, invoice: late?.invoice_number },
      ]);
      expect(control.state().subscriptions.map(({ status }) => status)).toEqual(['C']);
      expect(itemsOf(await run(await on(22)), 'Canceled')).toEqual([]);
    });

    test("the nightly report adds up the service's transactions", async () => {
      bench.host.sandbox.control.addCapturedSales({ count: 230, amountCents: 1015 });
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
      expect(await bench.tables.rows('Daily Totals')).toMatchObject(report);
    });

    test("the example reconciles a month's payments by day, and the total equals the total of the service's reports", async () => {
      const { control, baseUrl, credentials } = bench.host.sandbox;
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
      const complete = itemsOf(await run(await save('monthly-reconciliation.json', ofThisTime)), 'Reconciliation').at(
        -1,
      );
      expect(complete).toMatchObject({ day: 'Total', difference: 0 });
    });

    test('the example writes the overdue invoices to a CSV file', async () => {
      const invoice = async (invoice_number: string, days: number) => {
        // Noon in New York is on the same date in UTC.
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
      const [file] = execution.data.resultData.runData['Overdue Invoices']?.[0]?.data?.main?.[0] ?? [];
      expect(file?.json).toMatchObject({ records: 2, is_complete: true, hints: [] });
      expect(file?.binary?.data).toMatchObject({ fileName: file?.json.file_name, mimeType: 'text/csv' });
      const text = await bench.host.rest.readFile(file?.binary?.data ?? { data: '' });
      const [header, ...lines] = text.split('\r\n');
      const column = header?.split(',').indexOf('invoice_number') ?? -1;
      expect(lines.map((line) => line.split(',')[column])).toEqual(['LATE-2', 'LATE-1', undefined]);
    });

    test('the example runs with pinned sample events and without a public URL', async () => {
      const execution = await bench.host.rest.execute(await save('sample-events.json'), 'Sample Events');
      expect(itemsOf(execution, 'Sample Events')).toHaveLength(17);
      expect(itemsOf(execution, 'Paid Invoice')).toEqual([
        { invoice_number: 'CRM-77', customer: 'CUST0001', paid: 120, sample: true },
      ]);
      expect(bench.host.sandbox.control.state().webhooks).toEqual([]);
    });

    test('the example creates checkout links and emails for orders and looks up the results of the checkouts', async () => {
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

    test('the example submits members in one account updater request and lists the cards of the request', async () => {
      const execution = await execute('cards-to-updater.json');
      expect(itemsOf(execution, 'Status')).toMatchObject([
        { status: 'QUEUED', cards: 4, members: ['member-17', 'member-18', 'member-21', 'member-34'], rejected: [] },
      ]);
      expect(bench.host.sandbox.control.journal({ operationId: 'submitAccountUpdater' })).toHaveLength(1);
    });
  });
}
