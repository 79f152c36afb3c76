import { timeLimitsAre } from '../time-limits';
import { triggerBenchForTest } from './bench';

const TOO_LATE = 'The response was not complete before the timeout';

timeLimitsAre(150);
const bench = triggerBenchForTest({ events: ['*'], enrich: true });

const webhooks = () => bench.sandbox.control.state().webhooks.map(({ status }) => status);
const drip = (method: string) => bench.sandbox.control.addFault({ kind: 'drip', method });

test('an activation ends with an error if the list of webhooks arrives byte by byte', async () => {
  drip('GET');
  await expect(bench.host.activate()).rejects.toThrow(TOO_LATE);
  expect(webhooks()).toEqual(['ACTIVE']);
});

test('an activation ends with an error if the new webhook arrives byte by byte', async () => {
  bench.host.parameters = { events: ['*'], options: { webhook_node: '7' } };
  drip('POST');
  await expect(bench.host.activate()).rejects.toThrow(TOO_LATE);
  expect(webhooks()).toEqual(['ACTIVE']);
});

test.each(['GET', 'PUT'])('a deactivation ends if responses to %s arrive byte by byte, and says so', async (method) => {
  drip(method);
  expect(await bench.host.deactivate()).toBe(false);
  expect(bench.host.log.map(({ text }) => text).join()).toContain(TOO_LATE);
});

test('an event is emitted without its record if the record arrives byte by byte', async () => {
  drip('GET');
  await bench.deliver('invoice_paid', { invoice_id: 7 });
  const [item] = bench.host.executions.at(-1) ?? [];
  expect(item?.json).toMatchObject({ record: null, record_error: TOO_LATE });
});
