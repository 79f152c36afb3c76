import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { DateTime } from 'luxon';
import type { INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { sandboxForFile } from '../bench';
import { runWorkflow } from '../harness';

const sandbox = sandboxForFile({ seed: false });

/** In this time zone, the day starts three hours before the service's day. */
const ZONE = 'America/New_York';
const DAY = '2031-03-10';

async function at(local: string): Promise<void> {
  const wanted = DateTime.fromISO(local, { zone: ZONE });
  const now = DateTime.fromISO(sandbox.control.now());
  await sandbox.control.advanceClock({ milliseconds: wanted.toMillis() - now.toMillis() });
}

const MINUTES = [
  '2031-03-09T23:59:30',
  '2031-03-10T00:00:30',
  '2031-03-10T12:00',
  '2031-03-10T23:59:30',
  '2031-03-11T00:00:30',
];
const OF_THE_DAY = [2, 3, 4];

async function makeRecords(): Promise<void> {
  for (const [index, minute] of MINUTES.entries()) {
    await at(minute);
    sandbox.control.addCapturedSales({ count: 1, amountCents: 100 * (index + 1) });
    sandbox.control.closeBatch();
  }
}

const run = async (parameters: INodeParameters, baseUrl = sandbox.baseUrl) =>
  await runWorkflow({
    rows: [{}],
    parameters: { simplify: false, period: 'dates', ...parameters },
    credential: { ...credentialFor(sandbox), baseUrl },
    timezone: ZONE,
  });

const REPORTS: Array<[string, string, string]> = [
  ['report', 'getTransactions', 'amt_tran'],
  ['report', 'getBatches', 'amt_purch'],
  ['report', 'getSettlements', 'amt_purch'],
  ['transaction', 'getAll', 'amt_tran'],
];

/** Starts a proxy that simulates a service without the filter condition LESS. */
async function startWithoutLess(refuses: boolean): Promise<Server> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', sandbox.baseUrl);
    const filters = url.searchParams.getAll('filter');
    if (refuses && filters.some((filter) => filter.includes(',LESS,')))
      return void response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ code: 2, message: 'Validation error', data: { filter: 'unknown conditional' } }));
    url.searchParams.delete('filter');
    for (const filter of filters) if (!filter.includes(',LESS,')) url.searchParams.append('filter', filter);
    return void fetch(`${sandbox.baseUrl}${url.pathname}${url.search}`, {
      headers: { authorization: request.headers.authorization ?? '' },
    }).then(async (answer) =>
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text()),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

describe.each(REPORTS)('days of %s.%s', (resource, operation, amount) => {
  const amountsOf = async (parameters: INodeParameters, baseUrl?: string) => {
    const { items, error } = await run({ resource, operation, returnAll: true, ...parameters }, baseUrl);
    expect(error).toBeUndefined();
    return items.map(({ json }) => Number(json[amount])).sort();
  };
  beforeEach(makeRecords);

  test('returns records of the first and last minute of a day but not of the minutes around it', async () => {
    expect(await amountsOf({ dateFrom: DAY, dateTo: DAY })).toEqual(OF_THE_DAY);
  });

  test('includes a first or last day that is given alone', async () => {
    expect(await amountsOf({ dateFrom: DAY })).toEqual([...OF_THE_DAY, 5]);
    expect(await amountsOf({ dateTo: DAY })).toEqual([1, ...OF_THE_DAY]);
  });

  test('returns each record once in two nightly runs', async () => {
    const nights = ['2031-03-09', DAY, '2031-03-11'];
    const counted = await Promise.all(nights.map(async (day) => await amountsOf({ dateFrom: day, dateTo: day })));
    expect(counted).toEqual([[1], OF_THE_DAY, [5]]);
  });

  test('applies a limit to the records that match', async () => {
    const two = await amountsOf({ returnAll: false, limit: 2, dateFrom: DAY, dateTo: DAY });
    expect(two).toHaveLength(2);
    expect(OF_THE_DAY).toEqual(expect.arrayContaining(two));
    expect(await amountsOf({ returnAll: false, limit: 50, dateFrom: DAY, dateTo: DAY })).toEqual(OF_THE_DAY);
  });

  test.each([true, false])(
    "returns the right records if the service doesn't support the LESS filter (refuses it: %p)",
    async (refuses) => {
      const service = await startWithoutLess(refuses);
      try {
        expect(await amountsOf({ dateFrom: DAY, dateTo: DAY }, urlOf(service))).toEqual(OF_THE_DAY);
      } finally {
        await new Promise((resolve) => service.close(resolve));
      }
    },
  );

  test("applies a user's filter that the service ignores", async () => {
    const service = await startWithoutLess(false);
    try {
      const filter = { item: [{ field: amount, condition: 'LESS', value: '3' }] };
      expect(await amountsOf({ filterMode: 'fields', filter }, urlOf(service))).toEqual([1, 2]);
    } finally {
      await new Promise((resolve) => service.close(resolve));
    }
  });

  test("reports a user's filter that the service refuses", async () => {
    const filter = { item: [{ field: 'no_such_field', condition: 'LESS', value: '3' }] };
    const { error } = await run({ resource, operation, returnAll: true, filterMode: 'fields', filter });
    expect(error?.message).toContain('names a field that the records do not have');
  });
});
