import { newestMajor } from './host';
import { AFTER_TRIGGER, Sender } from './load';
import { startQueueHost, type QueueHost } from './queue-host';
import { allEnded, postgresRuns, tally, type ReadRuns } from './tally';
import { node } from './workflows';

const DELIVERIES = 60;
const END_LIMIT_MS = 90_000;
/**
 * Shortens n8n's detection of a dead worker from two minutes to a quarter of a minute. n8n then also recovers
 * executions whose waiting process died within half a minute instead of three hours (n8n.md#queue-mode).
 */
const NOTICE_SOON = {
  QUEUE_WORKER_LOCK_DURATION: '5000',
  QUEUE_WORKER_STALLED_INTERVAL: '3000',
  N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '0.5',
};

describe('the trigger in queue mode with two workers and two webhook processes', () => {
  let host: QueueHost;
  let read: ReadRuns;
  beforeAll(async () => {
    host = await startQueueHost({ major: newestMajor, env: NOTICE_SOON });
    read = postgresRuns(host.queue.database);
  });
  afterAll(async () => await host?.stop());

  test('completes or reports each delivery even if a webhook process and a worker are killed', async () => {
    // Keeps executions running, so that the worker is killed during some of them.
    const pause = { resume: 'timeInterval', amount: 1, unit: 'seconds' };
    const sender = await Sender.activate(host, node(AFTER_TRIGGER, 'n8n-nodes-base.wait', pause, { typeVersion: 1.1 }));
    const { webhooks, workers } = host.queue;
    const deliveries = sender.next(DELIVERIES);
    const killed: Array<Promise<void>> = [];
    await sender.deliver(deliveries, {
      urls: webhooks.map(({ baseUrl }) => sender.at(baseUrl)),
      parallel: 10,
      onStart: (index) => {
        // Kills both at once, so that no remaining process has messages between the two.
        if (index === 30) for (const one of [webhooks[0], workers[0]]) if (one) killed.push(one.kill());
      },
    });
    await Promise.all(killed);
    expect(await allEnded(read, sender.workflowId, END_LIMIT_MS)).toBe(true);
    const first = tally(deliveries, read(sender.workflowId));
    expect(first).toMatchObject({ sent: DELIVERIES, acknowledged: DELIVERIES, lost: 0 });
    expect(first.executed + first.failed).toBe(DELIVERIES);
    // n8n shows executions of the killed worker as failed, and a user can ask the service to resend their events.
    expect(first.failed).toBeGreaterThan(0);
  });
});
