import axios from 'axios';

import { itemsOf } from '../../host/rest';
import type { ExampleBench } from './example-bench';
import { startMailbox, type Mailbox } from './mailbox';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140 Safari/537.36';

export function describePreviewApproval(bench: ExampleBench): void {
  describe('The example in which a person approves a preview', () => {
    let mailbox: Mailbox;
    let smtp: { id: string; name: string };
    beforeAll(async () => {
      mailbox = await startMailbox();
      const server = { user: '', password: '', host: '127.0.0.1', port: mailbox.port, hostName: '' };
      const data = { ...server, secure: false, disableStartTls: true };
      smtp = { id: await bench.host.rest.saveCredential('Approvals', data, 'smtp'), name: 'Approvals' };
    });
    afterAll(async () => await mailbox.stop());

    /** Starts the example, waits for the email, and approves or stops the run. */
    async function decide(approved: boolean) {
      mailbox.messages.length = 0;
      const saved = await bench.save('preview-invoices.json', (workflow) => ({
        ...workflow,
        nodes: workflow.nodes.map((node) => (node.name === 'Approval' ? { ...node, credentials: { smtp } } : node)),
      }));
      const id = await bench.host.rest.start(saved, 'Start');
      await bench.host.rest.executions.waitFor(id, ['waiting']);
      const created = () => bench.host.sandbox.control.journal({ operationId: 'createInvoice' });
      expect(created()).toEqual([]);
      const [message = ''] = mailbox.messages;
      const links = [...message.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
      const link = links.find((one) => one.includes(`approved=${approved}`)) ?? '';
      await axios.get(link, { headers: { 'user-agent': BROWSER } });
      return { message, execution: await bench.host.rest.executions.waitFor(id), created };
    }

    test('the node creates exactly the previewed invoices after the approval', async () => {
      const { message, execution, created } = await decide(true);
      expect(execution.status).toBe('success');
      expect(message).toContain('This run would create 5 invoices for a total of');
      const previews = itemsOf(execution, 'Preview Invoices');
      expect(previews.map(({ preview, decision }) => [preview, decision])).toEqual(previews.map(() => [true, 'send']));
      const numbers = (bodies: unknown[]) =>
        bodies.map((body) => (body as { invoice_number: string }).invoice_number).sort();
      const shown = previews.map(({ request }) => (request as { body: unknown }).body);
      expect(numbers(created().map(({ body }) => body))).toEqual(numbers(shown));
      expect(itemsOf(execution, 'Create Invoices')).toHaveLength(5);
    });

    test('the node creates no invoice if the person stops the run', async () => {
      const { execution, created } = await decide(false);
      expect(execution.status).toBe('success');
      expect(created()).toEqual([]);
    });
  });
}
