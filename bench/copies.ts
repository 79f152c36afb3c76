/**
 * Counts deliveries that two webhook processes emit twice if copies arrive in quick succession. Environment variables:
 * COPIES (deliveries per delay, default 100) and MAJOR (n8n 2 or 1).
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { HostMajor } from '../host/install';
import { Sender } from '../test/e2e/load';
import { startQueueHost } from '../test/e2e/queue-host';
import { allEnded, postgresRuns, tally } from '../test/e2e/tally';
import { print } from './table';

const COPIES = Number(process.env.COPIES ?? 100);
const MAJOR = Number(process.env.MAJOR ?? 2) as HostMajor;
const DISTANCES_MS = [0, 20, 50, 100, 200, 500];
const END_LIMIT_MS = 60_000;

async function main(): Promise<void> {
  const host = await startQueueHost({ major: MAJOR });
  try {
    const read = postgresRuns(host.queue.database);
    const sender = await Sender.activate(host);
    const [first = '', second = ''] = host.queue.webhooks.map(({ baseUrl }) => sender.at(baseUrl));
    // Sends some deliveries as a warm-up.
    await sender.deliver(sender.next(20), { urls: [first, second], parallel: 2 });
    for (const [index, distance] of DISTANCES_MS.entries()) {
      const deliveries = sender.next(COPIES);
      for (const delivery of deliveries) {
        const later = async () => {
          await sleep(distance);
          return (await sender.post(delivery.body, second)).status;
        };
        const now = async () => (await sender.post(delivery.body, first)).status;
        const statuses = await Promise.all([now(), later()]);
        delivery.acknowledged = statuses.every((status) => status === 200);
        delivery.refusals.push(...statuses.filter((status) => status !== 200));
      }
      await allEnded(read, sender.workflowId, END_LIMIT_MS);
      const { lost, doubled } = tally(deliveries, read(sender.workflowId));
      const refused = deliveries.filter(({ refusals }) => refusals.length > 0).length;
      print({ 'distance in ms': distance, deliveries: COPIES, 'emitted twice': doubled, lost, refused }, index === 0);
    }
  } finally {
    await host.stop();
  }
}

void main();
