import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { sleep, type IDataObject } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { timeIsSimulated } from '../../simulated-time';
import { benchOf, capturedSales, goOn, refund, refunding, sandboxForFile } from '../bench';
import { runWorkflow, type RunInput } from '../harness';

type FailedItem = { outcome: string; message: string; description: string };
const errorOf = ({ json }: { json: IDataObject }) => json.error as FailedItem;

describe('a run with On Error set to Stop after a failed response', () => {
  /** Starts a server that delays the response to each refund until the test releases it. */
  async function startHolding() {
    const received: string[] = [];
    const held = new Map<string, ServerResponse>();
    let answersAtOnce = 0;
    const answer = (id: string, status = 200, headers: Record<string, string> = {}) => {
      const body = status === 200 ? { rcode: '000', pg_id: `r${id}` } : { rcode: '402', rmsg: 'Refund refused' };
      held.get(id)?.writeHead(status, { 'content-type': 'application/json', ...headers });
      held.get(id)?.end(JSON.stringify(body));
      held.delete(id);
    };
    const server = createServer((request, response) => {
      const id = (request.url ?? '').split('/').pop() ?? '';
      request.resume().on('end', () => {
        received.push(id);
        held.set(id, response);
        if (received.length <= answersAtOnce) answer(id);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return {
      received,
      held,
      answer,
      answerAtOnce: (count: number) => (answersAtOnce = count),
      credential: { ...credentialFor(sandbox), baseUrl: `http://127.0.0.1:${port}` },
      untilHeld: async (count: number) => {
        while (held.size < count) await sleep(2);
      },
      stop: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }
  type Holding = Awaited<ReturnType<typeof startHolding>>;
  let service: Holding;
  beforeEach(async () => (service = await startHolding()));
  afterEach(async () => await service.stop());

  const start = (rows: IDataObject[], options: IDataObject = {}) =>
    runWorkflow({ rows, parameters: { ...refund, options } as never, credential: service.credential });
  const rowsOf = (count: number) => Array.from({ length: count }, (_, row) => ({ id: `${row}`, amount: 1 }));

  async function finish(running: ReturnType<typeof start>) {
    let ended = false;
    void running.finally(() => (ended = true));
    while (!ended) {
      await sleep(20);
      for (const id of [...service.held.keys()]) service.answer(id);
    }
    return await running;
  }

  test.each([
    [1, 0],
    [5, 0],
    [20, 20],
  ])('starts nothing more with %d requests in flight', async (maxParallelRequests, before) => {
    service.answerAtOnce(before);
    const running = start(rowsOf(60), { sending: { maxParallelRequests } });
    await service.untilHeld(maxParallelRequests);
    service.answer(`${before}`, 402);
    const { error } = await finish(running);
    expect(service.received).toHaveLength(before + maxParallelRequests);
    expect(error?.message).toMatch(new RegExp(`^Row ${before + 1} of 60 \\(`));
    expect(error?.context?.data).toMatchObject({
      notStarted: rowsOf(60)
        .map((_, item) => item)
        .slice(before + maxParallelRequests),
    });
  });

  test('starts no waiting request for the same transaction', async () => {
    const running = start([
      { id: 'a', amount: 1 },
      { id: 'a', amount: 2 },
    ]);
    await service.untilHeld(1);
    service.answer('a', 402);
    await finish(running);
    expect(service.received).toEqual(['a']);
  });

  test('starts no retry of a waiting request', async () => {
    const running = start(rowsOf(2));
    await service.untilHeld(2);
    service.answer('0', 429, { 'retry-after': '1' });
    await sleep(50);
    service.answer('1', 402);
    const { error } = await finish(running);
    await sleep(1200);
    expect(service.received.sort()).toEqual(['0', '1']);
    expect(error?.context?.data).toMatchObject({
      failed: [{ item: 0, outcome: 'notSent' }, { item: 1 }],
      notStarted: [],
    });
  });
});

timeIsSimulated();

const sandbox = sandboxForFile({ seed: false });
const bench = benchOf(sandbox);

describe('a service that rejects requests', () => {
  const run = async (rows: IDataObject[], options: IDataObject, more: Partial<RunInput> = {}) =>
    await bench.run(refunding(options), rows, more);
  const sent = () => sandbox.control.journal().length;

  test('ends a run of 1,000 items at once and reports the reason for each if a service that rejects requests asks for an hour', async () => {
    const rows = capturedSales(sandbox, 1000);
    sandbox.control.addFault({ kind: 'rate_limited', retryAfterSeconds: 3600 });
    const start = Date.now();
    const { items, error } = await run(rows, {}, goOn);
    expect(Date.now() - start).toBeLessThan(10);
    expect(error).toBeUndefined();
    expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
    expect(items.map((item) => errorOf(item).outcome)).toEqual(rows.map(() => 'notSent'));
    const notStarted = items.map(errorOf).filter(({ message }) => message.startsWith('Not started'));
    expect(notStarted).toHaveLength(1000 - sent());
    expect(sent()).toBeLessThanOrEqual(5);
    expect(notStarted[0]?.message).toBe(
      'Not started. The service asked the node to wait for 3600 seconds, but the option "Longest Retry Time" allows only 120',
    );
    expect(notStarted[0]?.description).toContain('Run this item again.');
  }, 30_000);

  test('stops a run at once and names the unstarted items if the service asks for an hour', async () => {
    const rows = capturedSales(sandbox, 50);
    sandbox.control.addFault({ kind: 'rate_limited', retryAfterSeconds: 3600 });
    const { error } = await run(rows, {});
    expect(error?.message).toMatch(/^Row \d+ of 50 \(/);
    expect(error?.context?.data).toMatchObject({ outcome: 'notSent' });
    expect((error?.context?.data as { notStarted: number[] }).notStarted).toHaveLength(50 - sent());
    expect(sent()).toBeLessThanOrEqual(5);
  });

  test('waits as long as the option allows in total, not for each item', async () => {
    const rows = capturedSales(sandbox, 300);
    sandbox.control.addFault({ kind: 'rate_limited', retryAfterSeconds: 1 });
    const start = Date.now();
    const { items } = await run(rows, { sending: { retryTime: 3, maxTries: 20 } }, goOn);
    const elapsed = Date.now() - start;
    expect(elapsed).toBeGreaterThanOrEqual(2000);
    expect(elapsed).toBeLessThan(3010);
    expect(items.map((item) => errorOf(item).outcome)).toEqual(rows.map(() => 'notSent'));
    expect(items.map((item) => errorOf(item).message)).toContain(
      'Not started. The service keeps rejecting requests because it is busy, and the option "Longest Retry Time" allows only 3 seconds of waiting',
    );
    expect(sent()).toBeLessThan(20);
  }, 30_000);
});

test('reports a failed page as the failure of its list', async () => {
  sandbox.control.addCustomers(3000);
  // The node reads other pages if the service rejects one, and fails if it rejects these too.
  const calls = Array.from({ length: 100 }, (_, index) => 3 + index);
  sandbox.control.addFault({ kind: 'status', status: 400, code: '1', path: '/platform/vault/customer', calls });
  const parameters = { resource: 'customer', operation: 'getAll', returnAll: true, options: {} } as never;
  const credential = credentialFor(sandbox);
  const stopped = await runWorkflow({ rows: [{}], parameters, credential });
  expect(stopped.error?.context?.data).toMatchObject({ failed: [{ item: 0 }], notStarted: [] });
  expect(sandbox.control.journal().length).toBeLessThan(30);
});
