import { setTimeout as sleep } from 'node:timers/promises';

import axios from 'axios';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { poll } from '../../host/executions';
import { itemsOf, type Execution } from '../../host/rest';
import { SERVICE_ZONE } from '../../sandbox/core/clock';
import { statuses, type ExampleBench } from './example-bench';
import { PASSWORD } from './host';

/** Amount of the test disputes that the sandbox creates without a sale. */
const NO_SALE = 49.99;

export function describeExampleEvents(bench: ExampleBench): void {
  describe('An example started by an event', () => {
    const { save, run, execute, service } = bench;
    const active: string[] = [];
    // A workflow that a failed test left active would receive the events of the next test.
    afterEach(async () => {
      for (const id of active.splice(0)) await bench.host.rest.deactivate(id);
    });

    /** Activates the example until the end of the test. Returns a function that waits for the example's execution. */
    async function activate(file: string): Promise<{ id: string; executed: (node: string) => Promise<Execution> }> {
      const { rest, sandbox } = bench.host;
      const id = await save(file);
      const before = await rest.executions.lastId(id);
      active.push(id);
      await rest.activate(id);
      while (!sandbox.control.state().webhooks.some(({ status }) => status === 'ACTIVE')) await sleep(50);
      /** Skips executions for duplicate events, which end without items. */
      const executed = async (node: string): Promise<Execution> => {
        let execution = await rest.executions.next(id, before);
        for (let looks = 0; looks < 20 && itemsOf(execution, node).length === 0; looks += 1) {
          await sleep(250);
          execution = await rest.executions.get(execution.id);
        }
        return itemsOf(execution, node).length > 0 ? execution : await rest.executions.next(id, execution.id, 20_000);
      };
      return { id, executed };
    }
    test('the monthly account updater request updates the saved cards, the member list and the links', async () => {
      const { id, executed } = await activate('card-updates.json');
      const { control } = bench.host.sandbox;
      const before = await bench.tables.rows('Members');
      await service('/platform/aus/hold', { card_id: before[5]?.card_id });
      const submission = await run(id);
      const submitted = itemsOf(submission, 'Submit Saved Cards');
      const rejected: IDataObject = { ...before[5], card_note: 'Rejected: Card is on hold' };
      expect(itemsOf(submission, 'Save Rejection').map(({ card_note, card_id }) => ({ card_note, card_id }))).toEqual([
        { card_note: rejected.card_note, card_id: rejected.card_id },
      ]);
      expect(submitted.map(({ card_ids }) => card_ids)).toEqual(before.map(({ card_id }) => [card_id]));
      expect(control.journal({ operationId: 'createAusRequest' })).toHaveLength(1);
      await control.advanceClock({ days: 5 });
      const emails = itemsOf(await executed('Email Text'), 'Email Text');
      const notes = {
        new: { card_expires: '12/33', card_note: 'New card number ending in 5100, expires 12/33' },
        closed: { card_expires: '12/30', card_note: 'Account closed' },
        contact: { card_expires: '12/30', card_note: 'Contact the cardholder' },
        same: { card_expires: '12/30', card_note: 'No change' },
        longer: { card_expires: '12/33', card_note: 'New expiration date 12/33' },
        rejected: { card_expires: rejected.card_expires, card_note: rejected.card_note },
      };
      const changes = [notes.new, notes.closed, notes.contact, notes.same, notes.longer, notes.rejected, notes.closed];
      const rows = await bench.tables.rows('Members');
      expect(rows).toMatchObject(before.map(({ member, card_id }, index) => ({ member, card_id, ...changes[index] })));
      const vault = control.state().customers.flatMap(({ billing_cards }) => billing_cards);
      for (const { card_id, card_expires } of rows)
        expect(vault.find((card) => card.card_id === card_id)?.exp_date).toBe(String(card_expires).replace('/', ''));
      expect(vault.find(({ card_id }) => card_id === rows[0]?.card_id)?.card_number).toBe('510510xxxxxx5100');
      const unusable = [1, 2, 6].map((index) => rows[index]);
      expect(emails.map(({ to }) => to)).toEqual(unusable.map((row) => row?.email));
      const links = control.state().checkouts.map(({ checkout_link }) => checkout_link);
      for (const { link, text } of emails) {
        expect(links).toContain(link);
        expect(text).toContain(link);
      }
      // The trigger ignores a request that another program submitted.
      await service('/platform/aus/request/create', { card_id: [before[0]?.card_id] });
      await control.advanceClock({ days: 5 });
      await control.settleDeliveries();
      const events = control.deliveries().filter(({ event }) => event === 'account_updater_request_completed');
      expect(events.map(({ status }) => status)).toEqual([200, 200]);
      const { executions } = bench.host.rest;
      const of = async ({ id: one }: { id: string }) => itemsOf(await executions.waitFor(one), 'Updater Completed');
      const emitted = (await Promise.all((await executions.list(id)).map(of))).flat();
      expect(emitted).toMatchObject([{ payload: { data: { request_id: submitted[0]?.request_id } } }]);
    });

    const createDispute = async (): Promise<void> => {
      const { baseUrl, credentials } = bench.host.sandbox;
      const { merchantId, token } = credentials.test;
      const headers = { authorization: `Basic ${token}` };
      await axios.get(`${baseUrl}/platform/dispute/${merchantId}/create?reasonCode=13.1`, { headers });
    };

    test('the example creates a dispute task, sends a reminder 3 days before the deadline, and sends one response from the form', async () => {
      const { control } = bench.host.sandbox;
      const [sale = ''] = control.addCapturedSales({ count: 1, amountCents: 4250 });
      const { id, executed } = await activate('dispute-responses.json');
      await createDispute();
      await executed('Add Task');
      const tasks = async () => await bench.tables.rows('Disputes');
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
        await bench.tables.update('Disputes', 'dispute_id', dispute_id, { deadline });
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
      const submit = async () => {
        const fields = new FormData();
        fields.append('field-0', dispute_id);
        fields.append('field-1', 'The customer signed for the delivery.');
        fields.append('field-2', new Blob([pdf], { type: 'application/pdf' }), 'delivery.pdf');
        const { formWaitingUrl } = (await axios.post<{ formWaitingUrl: string }>(form, fields)).data;
        const execution = new URL(formWaitingUrl).pathname.split('/').at(-1) ?? '';
        // n8n 1 stores an execution's status before its data.
        const waiting = await poll(
          'The end of the form',
          async () => {
            const found = await bench.host.rest.executions.waitFor(execution, ['waiting']);
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
    });

    test('the example adds a task for a dispute of an unknown sale', async () => {
      const { control } = bench.host.sandbox;
      const amounts = () => control.state().disputes.map(({ amt_dispute }) => amt_dispute);
      while (amounts().at(-1) !== NO_SALE) await createDispute();
      const { executed } = await activate('dispute-responses.json');
      await createDispute();
      await executed('Add Task');
      expect(await bench.tables.rows('Disputes')).toMatchObject([
        { dispute_id: String(control.state().disputes.at(-1)?.rec_id), status: 'open', amount: NO_SALE, sale_id: '' },
      ]);
    });

    test('the example writes the results of a request that completed while n8n was down', async () => {
      const { id } = await activate('updated-cards.json');
      const { host } = bench;
      const [first, second] = await bench.tables.rows('Members');
      // The first catch-up begins ten seconds after the activation.
      await sleep(15_000);
      await bench.service('/platform/aus/add', {
        data: [
          { card_number: '4111111111111111', exp_date: '1230', card_id: first?.card_id },
          { card_number: '4111111111111119', exp_date: '1230', card_id: second?.card_id },
        ],
      });
      await host.n8n.stop();
      await host.sandbox.control.advanceClock({ days: 5 });
      await host.n8n.restart();
      await host.rest.signIn(PASSWORD);
      const rows = await poll(
        'The results of the account updater',
        async () => {
          const members = await bench.tables.rows('Members');
          return members[1]?.card_note ? members : undefined;
        },
        60_000,
      );
      expect(rows.slice(0, 2).map(({ card_note }) => card_note)).toEqual([
        expect.stringMatching(/: new expiration date, expires \d\d\/\d\d$/),
        expect.stringContaining('was rejected: '),
      ]);
      const executions = await host.rest.executions.list(id);
      const items = await Promise.all(executions.map(async (one) => await host.rest.executions.get(one.id)));
      expect(items.flatMap((one) => itemsOf(one, 'Cards Updated'))).toHaveLength(2);
    });

    test('the example alerts the account manager about a suspended subscription', async () => {
      const { executed } = await activate('subscription-suspended.json');
      const [customer] = bench.host.sandbox.control.state().customers;
      const { subscription_id } = await service<{ subscription_id: number }>('/platform/subscription', {
        customer_id: customer?.customer_id,
        date_start: bench.host.sandbox.control.now(),
        plan_frequency: 3,
        plan_duration: 12,
        amt_tran: 0.14,
      });
      await bench.host.sandbox.control.advanceClock({ days: 1 });
      expect(itemsOf(await executed('Alert'), 'Alert')).toMatchObject([
        { subscription_id: String(subscription_id), customer_id: customer?.customer_id },
      ]);
    });

    test('the example marks a CRM row as paid when the customer pays the hosted invoice', async () => {
      await execute('crm-invoices.json');
      const { executed } = await activate('invoice-paid.json');
      const [, row] = await bench.tables.rows('CRM');
      const page = await axios.get<string>(String(row?.invoice_link));
      const attempt = /name="attempt" value="(\d+)"/.exec(page.data)?.[1];
      const card = { holder: 'Chidi Okafor', card_number: '4111111111111111', exp_date: '12/30', cvv2: '123' };
      const paid = await axios.post<string>(
        String(row?.invoice_link),
        new URLSearchParams({ ...card, attempt: attempt ?? '' }),
      );
      expect(paid.data).toContain('The invoice is paid in full.');
      expect(itemsOf(await executed('CRM Row'), 'CRM Row')).toMatchObject([
        { company: 'Okafor Legal', status: 'paid' },
      ]);
      const rows = await bench.tables.rows('CRM');
      expect(statuses(rows)).toEqual(['invoiced', 'paid', 'invoiced', 'invoiced', 'invoiced']);
      expect(rows[1]).toMatchObject({ paid: 420 });
    });
  });
}
