import { isAxiosError, type AxiosResponse } from 'axios';

import type { FaultRule } from '../../sandbox';
import { timeIsSimulated } from '../simulated-time';
import {
  capturedSale,
  clientFor,
  createInvoice,
  INVOICE_BODY,
  benchForEachTest,
  refund,
  type Envelope,
} from './client';

timeIsSimulated();

describe("The sandbox's faults, latency and limits", () => {
  const bench = benchForEachTest();

  const force = (rule: FaultRule) => bench.sandbox.control.addFault(rule);
  const send = (): Promise<AxiosResponse<Envelope>> => bench.http.post<Envelope>('/platform/invoice', INVOICE_BODY);
  const invoices = (): number => bench.sandbox.control.state().invoices.length;
  const errorCode = async (request: Promise<unknown>): Promise<string | undefined> =>
    request.then(
      () => 'answered',
      (error: unknown) => (isAxiosError(error) ? error.code : 'unexpected'),
    );

  test('the journal records no effect if the connection is reset before the request takes effect', async () => {
    force({ kind: 'reset_before_apply', operationId: 'createInvoice' });
    expect(await errorCode(send())).toBe('ECONNRESET');
    expect(invoices()).toBe(0);
    expect(bench.sandbox.control.journal()).toMatchObject([
      { applied: null, status: null, fault: 'reset_before_apply' },
    ]);
  });

  test('the journal records the time of the effect if the connection is reset after the request takes effect', async () => {
    force({ kind: 'reset_after_apply', operationId: 'createInvoice' });
    expect(await errorCode(send())).toBe('ECONNRESET');
    expect(invoices()).toBe(1);
    const [entry] = bench.sandbox.control.journal();
    expect(entry).toMatchObject({ status: null, fault: 'reset_after_apply' });
    expect(Date.parse(entry?.applied ?? '')).toBeGreaterThanOrEqual(Date.parse(entry?.received ?? ''));
  });

  test('a timeout holds the connection until the client disconnects or the specified time ends', async () => {
    force({ kind: 'timeout', calls: [1] });
    force({ kind: 'timeout', calls: [2], holdMilliseconds: 50, applied: true });
    expect(await errorCode(bench.http.post('/platform/invoice', INVOICE_BODY, { timeout: 150 }))).toBe('ECONNABORTED');
    expect(invoices()).toBe(0);
    expect(await errorCode(send())).toBe('ECONNRESET');
    expect(invoices()).toBe(1);
  });

  test('a dripping response never ends', async () => {
    force({ kind: 'drip' });
    const response = bench.http.post('/platform/invoice', INVOICE_BODY, {
      timeout: 400,
      signal: AbortSignal.timeout(1000),
    });
    expect(await errorCode(response)).toBe('ERR_CANCELED');
    expect(invoices()).toBe(0);
  });

  test('truncated JSON is sent with status 200 after the request took effect', async () => {
    force({ kind: 'truncated_json' });
    const { status, data } = await bench.http.post<string>('/platform/invoice', INVOICE_BODY, { responseType: 'text' });
    expect([status, invoices()]).toEqual([200, 1]);
    expect(data).toMatch(/^\{"code":0/);
    expect(() => JSON.parse(data) as unknown).toThrow(SyntaxError);
  });

  test('an HTML error page replaces JSON', async () => {
    force({ kind: 'html_error_page', status: 503 });
    const answer = await send();
    expect([answer.status, answer.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
    expect([(answer.data as unknown as string).startsWith('<!DOCTYPE html>'), invoices()]).toEqual([true, 0]);
  });

  test('a 429 response has Retry-After in seconds or as a date', async () => {
    force({ kind: 'rate_limited', calls: [1], retryAfterSeconds: 7 });
    force({ kind: 'rate_limited', calls: [2], retryAfterSeconds: 60, retryAfterAsDate: true });
    const [seconds, date] = [await send(), await send()];
    expect([seconds.status, seconds.headers['retry-after']]).toEqual([429, '7']);
    const milliseconds = Date.parse(String(date.headers['retry-after'])) - Date.now();
    expect(milliseconds).toBeGreaterThan(50_000);
    expect(milliseconds).toBeLessThanOrEqual(60_000);
    expect(invoices()).toBe(0);
  });

  test("a response with a forced status has the family's format and the specified code, or the specified body", async () => {
    force({ kind: 'status', status: 509, code: '998', message: 'Timeout', operationId: 'refund' });
    force({ kind: 'status', status: 500, operationId: 'createInvoice', calls: [1], applied: true });
    force({ kind: 'status', status: 403, body: { nothing: 'known' }, path: '/platform/invoice', calls: [2] });
    const gateway = await refund(bench, capturedSale(bench, 500), 5);
    expect([gateway.status, gateway.data]).toEqual([509, { rcode: '998', rmsg: 'Timeout' }]);
    expect(await send()).toMatchObject({ status: 500, data: { code: 99 } });
    expect(invoices()).toBe(1);
    expect(await send()).toMatchObject({ status: 403, data: { nothing: 'known' } });
  });

  test('each fault rule counts its own calls and applies to specific calls, a range of calls or all calls', async () => {
    force({ kind: 'status', status: 501, calls: [2] });
    force({ kind: 'status', status: 502, calls: { from: 4, to: 5 } });
    const statuses: number[] = [];
    for (let call = 1; call <= 6; call += 1) statuses.push((await send()).status);
    expect(statuses).toEqual([200, 501, 200, 502, 502, 200]);
    expect(bench.sandbox.control.faults().map((fault) => fault.matched)).toEqual([6, 6]);
  });

  test('a fault rule can specify the environment, the method and a path with placeholders', async () => {
    const { invoice_id } = await createInvoice(bench);
    force({ kind: 'status', status: 500, path: '/platform/invoice/{invoice_id}/send', method: 'post' });
    force({ kind: 'status', status: 500, environment: 'production' });
    expect((await send()).status).toBe(200);
    expect((await bench.http.post(`/platform/invoice/${invoice_id}/send`, {})).status).toBe(500);
    const { productionBaseUrl, credentials } = bench.sandbox;
    const production = clientFor(productionBaseUrl, `Basic ${credentials.production.token}`);
    expect((await production.get('/platform/vault/customer')).status).toBe(500);
  });

  test('requests above the rate limit have no effect, and the sandbox responds with 429', async () => {
    bench.sandbox.control.setRateLimit(5);
    const answers = await Promise.all(Array.from({ length: 12 }, send));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status, headers }) => status === 429 && headers['retry-after'] === '1')).toHaveLength(7);
    expect(invoices()).toBe(5);
    bench.sandbox.control.setRateLimit(null);
    expect((await send()).status).toBe(200);
  });

  test('latency delays matching requests, and the sandbox counts open requests per server and per object', async () => {
    bench.sandbox.control.addLatency({ operationId: 'refund', milliseconds: 120 });
    const [first, second] = [capturedSale(bench, 1_000), capturedSale(bench, 1_000)];
    const started = performance.now();
    await Promise.all([refund(bench, first, 1), refund(bench, first, 1), refund(bench, second, 1)]);
    expect(performance.now() - started).toBe(120);
    const { maxInFlight, maxInFlightPerObject } = bench.sandbox.control.concurrency();
    expect(maxInFlight).toBe(3);
    expect(maxInFlightPerObject).toEqual({ [`test pgIdOrig=${first}`]: 2, [`test pgIdOrig=${second}`]: 1 });
  });

  test('a delayed request continues when the test controls clear the latency', async () => {
    const { control } = bench.sandbox;
    control.addLatency({ operationId: 'createInvoice', milliseconds: 60_000 });
    const started = performance.now();
    setTimeout(() => control.clearLatency(), 50);
    expect((await send()).status).toBe(200);
    expect(performance.now() - started).toBe(50);
    expect(invoices()).toBe(1);
  });

  test('the HTTP controls change faults, latency and limits, and refuse unknown names', async () => {
    const controls = clientFor(bench.sandbox.controlUrl);
    expect((await controls.post('/faults', { kind: 'status', status: 500, operationID: 'refund' })).status).toBe(400);
    const { data: fault } = await controls.post<{ id: number }>('/faults', { kind: 'reset_after_apply', calls: [1] });
    expect(await errorCode(send())).toBe('ECONNRESET');
    const { data: entries } = await controls.get<object[]>('/journal', {
      params: { operationId: 'createInvoice', after: 0 },
    });
    expect(entries).toEqual(bench.sandbox.control.journal());
    expect((await controls.delete(`/faults/${fault.id}`)).status).toBe(200);
    expect((await controls.put('/rate-limit', { perSecond: 1 })).status).toBe(200);
    expect([(await send()).status, (await send()).status]).toEqual([200, 429]);
    expect((await controls.put('/rate-limit', { perSecond: null })).data).toEqual({ perSecond: null });
    const before = bench.sandbox.control.now();
    const { data: clock } = await controls.post<{ now: string }>('/clock/advance', { days: 2 });
    expect(Date.parse(clock.now) - Date.parse(before)).toBeGreaterThanOrEqual(2 * 24 * 3_600_000);
    const { data: sales } = await controls.post<{ pg_ids: string[] }>('/sales', { count: 2, amountCents: 500 });
    expect((await controls.post('/batch/close')).data).toEqual(sales);
    expect((await controls.post('/batch/deposits', {})).data).toEqual(sales);
    expect((await controls.post('/reset', { seed: false })).status).toBe(200);
    expect([bench.sandbox.control.journal(), invoices()]).toEqual([[], 0]);
  });
});
