import axios from 'axios';

import { exampleFiles } from '../../host/examples';
import { poll, type Execution } from '../../host/executions';
import type { WorkflowJson } from '../../host/rest';
import { exampleBench } from './example-bench';
import { describeExampleEvents } from './example-events';
import { describeExampleRuns } from './example-runs';
import { major, version } from './host';
import { describePreviewApproval } from './preview-approval';

/** n8n checks once a minute for executions that can continue. */
const TIMEOUT_MS = 90_000;

const withTimes =
  (remind: string, stop = '{ days: 7 }') =>
  (workflow: WorkflowJson): WorkflowJson =>
    JSON.parse(
      JSON.stringify(workflow).replace('{ days: 1 }', remind).replace('{ days: 7, minutes: 5 }', stop),
    ) as WorkflowJson;

const runsOf = (execution: Execution, node: string) => execution.data.resultData.runData[node] ?? [];
const itemsOf = (execution: Execution, node: string) =>
  runsOf(execution, node).flatMap(({ data }) =>
    (data?.main ?? []).flatMap((items) => items ?? []).map(({ json }) => json),
  );

interface Started {
  id: string;
  link: string;
  resumeUrl: string;
}

describe(`Examples in ${version}`, () => {
  const bench = exampleBench();
  describeExampleRuns(bench);
  describeExampleEvents(bench);
  describePreviewApproval(bench);

  describe('The example that waits for a checkout payment', () => {
    /** Returns the checkout link and the resume URL of a waiting execution. */
    async function start(name: string, edited = (workflow: WorkflowJson) => workflow): Promise<Started> {
      const before = bench.host.sandbox.control.journal({ operationId: 'addCheckout' }).length;
      const id = await bench.host.rest.start(
        await bench.save('checkout-wait.json', (workflow) => ({ ...edited(workflow), name })),
        'Start',
      );
      await bench.host.rest.executions.waitFor(id, ['waiting']);
      const link = String(bench.host.sandbox.control.state().checkouts.at(-1)?.checkout_link);
      const body = bench.host.sandbox.control.journal({ operationId: 'addCheckout' })[before]?.body;
      const { success_url: resumeUrl = '' } = (body as { preferences: { success_url?: string } }).preferences;
      // The sandbox masks a signature that looks like a card number.
      if (/signature=.*x/.test(resumeUrl)) return await start(name, edited);
      return { id, link, resumeUrl };
    }

    const ran = async (id: string, node: string, times: number) =>
      await poll(
        `Run ${times} of ${node} in execution ${id}`,
        async () => {
          const execution = await bench.host.rest.executions.get(id);
          return execution.status !== 'running' && runsOf(execution, node).length >= times ? execution : undefined;
        },
        TIMEOUT_MS,
      );

    async function pay(link: string): Promise<string> {
      const form = (await axios.get<string>(link)).data;
      const attempt = /name="attempt" value="(\d+)"/.exec(form)?.[1] ?? '';
      const card = { holder: 'Ana Silva', card_number: '4111111111111111', exp_date: '12/30', cvv2: '123', attempt };
      const page = (await axios.post<string>(link, new URLSearchParams(card))).data;
      return (/href="([^"]*)"[^>]*>Continue</.exec(page)?.[1] ?? '').replaceAll('&amp;', '&');
    }

    const openUrl = async (url: string) => await axios.get<string>(url, { validateStatus: () => true });

    test('a forged call to the resume URL changes nothing, and the workflow resumes when the customer pays and returns', async () => {
      const { id, link, resumeUrl } = await start('Customer returns');
      const forged = new URL(resumeUrl);
      forged.searchParams.set('paid', 'true');
      forged.searchParams.set('amt_paid', '48.5');
      expect((await openUrl(forged.href)).data).toBe('Your payment has not arrived yet. We look again later.');
      const waiting = await ran(id, 'Look Up Link', 1);
      expect(waiting.status).toBe('waiting');
      expect(itemsOf(waiting, 'Look Up Link')).toMatchObject([{ paid: false, amt_paid: 0 }]);
      expect([...itemsOf(waiting, 'Paid'), ...itemsOf(waiting, 'Reminder Text')]).toEqual([]);

      expect(await pay(link)).toBe(resumeUrl);
      expect((await openUrl(resumeUrl)).data).toBe('Thank you. Your payment arrived.');
      const ended = await bench.host.rest.executions.waitFor(id);
      expect(ended.status).toBe('success');
      expect(itemsOf(ended, 'Paid')).toMatchObject([{ order: 'ORDER-6001', paid: 48.5 }]);
      expect(itemsOf(ended, 'Not Paid')).toEqual([]);
      expect(bench.host.sandbox.control.journal({ operationId: 'getCheckout' })).toHaveLength(2);
    });

    test('n8n 2 refuses a call without the token of the resume URL', async () => {
      const { id, resumeUrl } = await start('Without a token');
      const { origin, pathname, search } = new URL(resumeUrl);
      expect(resumeUrl.length).toBeLessThanOrEqual(128);
      expect(search).toMatch(major === 2 ? /^\?signature=/ : /^$/);
      const { status } = await openUrl(`${origin}${pathname}`);
      expect(status).toBe(major === 2 ? 401 : 200);
      const execution = major === 2 ? await bench.host.rest.executions.get(id) : await ran(id, 'Look Up Link', 1);
      expect(execution.status).toBe('waiting');
      expect(itemsOf(execution, 'Paid')).toEqual([]);
    });

    test('at the timeout, the workflow reminds only customers who have not paid, and keeps waiting', async () => {
      const soon = withTimes('{ seconds: 1 }');
      const late = await start('Pays after the reminder', soon);
      const lost = await start('Pays and does not return', soon);
      const never = await start('Never pays', withTimes('{ seconds: 1 }', '{ seconds: 2 }'));
      await pay(lost.link);

      const reminded = await ran(late.id, 'Reminder Text', 1);
      expect(itemsOf(reminded, 'Reminder Text')).toMatchObject([
        { to: 'ana@example.com', text: expect.stringContaining(late.link) as string },
      ]);
      expect(await pay(late.link)).toBe(late.resumeUrl);
      await openUrl(late.resumeUrl);
      expect(itemsOf(await bench.host.rest.executions.waitFor(late.id), 'Paid')).toMatchObject([{ paid: 48.5 }]);

      const returned = await bench.host.rest.executions.waitFor(lost.id);
      expect(itemsOf(returned, 'Paid')).toMatchObject([{ paid: 48.5 }]);
      expect(itemsOf(returned, 'Reminder Text')).toEqual([]);

      await ran(never.id, 'Reminder Text', 1);
      await openUrl(never.resumeUrl);
      const ended = await bench.host.rest.executions.waitFor(never.id);
      expect(itemsOf(ended, 'Reminder Text')).toHaveLength(1);
      expect(itemsOf(ended, 'Not Paid')).toEqual([{ order: 'ORDER-6001', payments: 'None' }]);
      expect(itemsOf(ended, 'Paid')).toEqual([]);
    });
  });
});

test('every example runs in a test', () => {
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
    'preview-invoices.json',
    'refund-approval.json',
    'sample-events.json',
    'subscription-churn.json',
    'subscription-sign-up.json',
    'subscription-suspended.json',
    'support-agent.json',
    'updated-cards.json',
  ]);
});
