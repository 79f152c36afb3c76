import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import { poll } from '../../host/executions';
import { asText } from '../../nodes/PaymentPlatform/shared/objects';
import { startHost, version, PASSWORD, type Host } from './host';
import { changeOf, countBy, EXPECTED, itemsAfter, MISSED, playOutage, prepareOutage, watchAllEvents } from './outage';
import { until } from './trigger-bench';

const QUIET_MS = 25_000;

describe(`Catch-up in ${version}`, () => {
  let host: Host;
  beforeAll(async () => {
    host = await startHost();
  });
  afterAll(async () => await host.stop());

  test('after an outage of two hours, catch-up emits each of 500 events once, except those without a list', async () => {
    const { control } = host.sandbox;
    await prepareOutage(host);
    const id = await watchAllEvents(host);
    await until(() => control.state().webhooks.some(({ status }) => status === 'ACTIVE'));
    // The first catch-up begins ten seconds after the activation.
    expect(await itemsAfter(host, id, QUIET_MS)).toEqual([]);
    control.clearJournal();
    await host.n8n.stop();
    await playOutage(host);
    const sent = new Map(control.deliveries().map(({ delivery_id, event }) => [delivery_id, event]));
    await host.n8n.restart();
    await host.rest.signIn(PASSWORD);
    await sleep(5_000);
    control.retryNow();
    const items = await itemsAfter(host, id, QUIET_MS);
    const changes = items.map(changeOf);
    process.stderr.write(
      `${JSON.stringify({
        deliveries: countBy([...sent.values()]),
        bySource: countBy(items.map(({ source, event }) => `${asText(source)} ${asText(event)}`)),
        requests: countBy(
          control
            .journal()
            .filter(({ method }) => method === 'GET')
            .map(({ path }) => path.replace(/\d+/, '{id}')),
        ),
      })}\n`,
    );
    expect(changes).toHaveLength(new Set(changes).size);
    expect(countBy(items.map(({ event }) => asText(event)))).toEqual(EXPECTED);
    const all = { ...EXPECTED, ...MISSED };
    expect(Object.values(all).reduce((sum, count) => sum + count)).toBe(500);
    await host.rest.deactivate(id);
  });

  test('the trigger repeats a catch-up a minute after the service was down', async () => {
    const { control } = host.sandbox;
    const id = await watchAllEvents(host);
    const reach = async (statuses: string[], limitMs: number) =>
      await poll(
        `executions: ${statuses.join()}`,
        async () => {
          const found = (await host.rest.executions.list(id)).map(({ status }) => status);
          return isDeepStrictEqual(found.sort(), statuses) || undefined;
        },
        limitMs,
      );
    await reach(['success'], 20_000);
    await host.rest.deactivate(id);
    control.addFault({ kind: 'status', status: 503, method: 'GET', path: '/platform/dispute/browse' });
    await host.rest.activate(id);
    await reach(['error', 'success'], 20_000);
    control.clearFaults();
    await reach(['error', 'success', 'success'], 80_000);
    await host.rest.deactivate(id);
  });
});
