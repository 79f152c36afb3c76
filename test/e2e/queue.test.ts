import { publishTool } from './agent-ways';
import { AFTER_TRIGGER, Sender } from './load';
import { call, callAtOnce, inTurn, isSent, KEY_ONLY, newSale, refund, refunds } from './mcp-refunds';
import { NOTICE_SOON, startQueueHost, type QueueHost } from './queue-host';
import { allEnded, postgresRuns, tally } from './tally';
import { node } from './workflows';

const DELIVERIES = 60;
const END_LIMIT_MS = 90_000;

describe('Queue mode with two workers and two webhook processes', () => {
  let host: QueueHost;
  beforeAll(async () => {
    host = await startQueueHost({ env: NOTICE_SOON });
  });
  afterAll(async () => await host?.stop());

  describe('An MCP client in queue mode', () => {
    let urls: string[];
    beforeAll(async () => {
      const path = await publishTool(host, { guards: KEY_ONLY });
      urls = host.queue.webhooks.map(({ baseUrl }) => `${baseUrl}/${path}`);
    });
    beforeEach(() => host.sandbox.control.clearJournal());

    test('the tool sends one refund for two calls with the same key through two processes', async () => {
      const id = newSale(host);
      const texts = await inTurn(urls, async (url) => await call(url, refund(id, 'K1')));
      expect(texts[0]).toContain('"rcode":"000"');
      expect(texts[1]).toContain('DONE BEFORE');
      expect(refunds(host)).toHaveLength(1);
    });

    test('the tool sends one refund for simultaneous calls with the same key through two processes', async () => {
      const texts = await callAtOnce(urls, refund(newSale(host), 'K2'));
      expect(texts.filter(isSent)).toHaveLength(1);
      expect(refunds(host)).toHaveLength(1);
    });
  });

  test('the trigger completes or reports each delivery even if a webhook process and a worker are killed', async () => {
    const read = postgresRuns(host.queue.database);
    // Pauses each execution for a second, so that the worker is killed during some executions.
    const pause = { resume: 'timeInterval', amount: 1, unit: 'seconds' };
    const sender = await Sender.activate(host, node(AFTER_TRIGGER, 'n8n-nodes-base.wait', pause, { typeVersion: 1.1 }));
    const { webhooks, workers } = host.queue;
    const deliveries = sender.next(DELIVERIES);
    const killed: Array<Promise<void>> = [];
    await sender.deliver(deliveries, {
      urls: webhooks.map(({ baseUrl }) => sender.at(baseUrl)),
      parallel: 10,
      onStart: (index) => {
        if (index === 30) for (const one of [webhooks[0], workers[0]]) if (one) killed.push(one.kill());
      },
    });
    await Promise.all(killed);
    expect(await allEnded(read, sender.workflowId, END_LIMIT_MS)).toBe(true);
    const first = tally(deliveries, read(sender.workflowId));
    expect(first).toMatchObject({ sent: DELIVERIES, acknowledged: DELIVERIES, lost: 0 });
    expect(first.executed + first.failed).toBe(DELIVERIES);
    // n8n reports executions of the killed worker as failed.
    expect(first.failed).toBeGreaterThan(0);
  });
});
