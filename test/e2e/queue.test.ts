import { publishTool } from './agent-ways';
import { AFTER_TRIGGER, Sender } from './load';
import { call, callAtOnce, inTurn, isSent, KEY_ONLY, newSale, refund, refunds } from './mcp-refunds';
import { NOTICE_SOON, startQueueHost, type QueueHost } from './queue-host';
import { allEnded, postgresRuns, tally, type ReadRuns } from './tally';
import { calledRowsInto, node, own } from './workflows';

const DELIVERIES = 60;
const END_LIMIT_MS = 90_000;
const ROUNDS = 10;

describe('Queue mode with two workers and two webhook processes', () => {
  let host: QueueHost;
  let read: ReadRuns;
  beforeAll(async () => {
    host = await startQueueHost({ env: NOTICE_SOON });
    read = postgresRuns(host.queue.database);
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

  test('the node creates one link for each key if two workers receive the same rows at the same time', async () => {
    const rows = Array.from({ length: 20 }, (_, index) => ({ deal: `D-${index}` }));
    const body = '{ "amt_tran": 12.5, "checkout_profile_id": 3002 }';
    const request = { resource: 'api', operation: 'request', method: 'POST', path: '/platform/checkout', body };
    const oncePerKey = "={{ $json.deal + $('Start').first().json.body.round }}";
    const link = own(host, 'Link', { ...request, options: { oncePerKey } }, { onError: 'continueRegularOutput' });
    const id = await host.rest.saveWorkflow(calledRowsInto('deals', rows, link));
    await host.rest.activate(id);
    host.sandbox.control.clearJournal();
    for (let round = 0; round < ROUNDS; round += 1) {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ round }) };
      const urls = host.queue.webhooks.map(({ baseUrl }) => `${baseUrl}/webhook/deals`);
      await Promise.all(urls.map(async (url) => await fetch(url, init)));
    }
    expect(await allEnded(read, id, END_LIMIT_MS)).toBe(true);
    expect(read(id)).toHaveLength(2 * ROUNDS);
    expect(host.sandbox.control.journal({ operationId: 'addCheckout' })).toHaveLength(rows.length * ROUNDS);
  });

  test('the trigger completes or reports each delivery even if a webhook process and a worker are killed', async () => {
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
