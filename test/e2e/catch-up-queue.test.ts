import { setTimeout as sleep } from 'node:timers/promises';

import { asText } from '../../nodes/PaymentPlatform/shared/objects';
import { PASSWORD } from './host';
import { changeOf, countBy, EXPECTED, itemsAfter, playOutage, prepareOutage, watchAllEvents } from './outage';
import { startQueueHost, type QueueHost } from './queue-host';
import { until } from './trigger-bench';

const QUIET_MS = 30_000;

describe('Catch-up in queue mode with two workers and two webhook processes', () => {
  let host: QueueHost;
  beforeAll(async () => {
    host = await startQueueHost();
  });
  afterAll(async () => await host?.stop());

  test('after an outage of all processes, catch-up emits each event once, except those without a list', async () => {
    const { control } = host.sandbox;
    const { main, webhooks, workers } = host.queue;
    await prepareOutage(host);
    const id = await watchAllEvents(host);
    await until(() => control.state().webhooks.some(({ status }) => status === 'ACTIVE'));
    expect(await itemsAfter(host, id, QUIET_MS)).toEqual([]);
    for (const one of [...webhooks, main, ...workers]) await one.stop();
    await playOutage(host);
    for (const one of [main, ...workers, ...webhooks]) await one.restart();
    await host.rest.signIn(PASSWORD);
    await sleep(2_000);
    control.retryNow();
    const items = await itemsAfter(host, id, QUIET_MS);
    process.stderr.write(`${JSON.stringify(countBy(items.map(({ source }) => asText(source))))}\n`);
    const changes = items.map(changeOf);
    expect(changes).toHaveLength(new Set(changes).size);
    expect(countBy(items.map(({ event }) => asText(event)))).toEqual(EXPECTED);
  });
});
