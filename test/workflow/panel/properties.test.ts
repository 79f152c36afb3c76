import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { timeIsSimulated } from '../../simulated-time';
import { sandboxForFile } from '../bench';
import { runWorkflow } from '../harness';
import { quantity } from '../../quantity';

const RUNS = Number(process.env.PROPERTY_RUNS ?? quantity(20, 60));

timeIsSimulated();

const sandbox = sandboxForFile({ seed: false });

const FAULTS = {
  none: undefined,
  declined: { kind: 'status', status: 402, code: '005' },
  refused: { kind: 'status', status: 400, code: '104' },
  busy: { kind: 'rate_limited', retryAfterSeconds: 0 },
  serverError: { kind: 'status', status: 500 },
  appliedServerError: { kind: 'status', status: 500, applied: true },
  unavailable: { kind: 'status', status: 503 },
  resetBefore: { kind: 'reset_before_apply' },
  resetAfter: { kind: 'reset_after_apply' },
  truncated: { kind: 'truncated_json' },
  gatewayPage: { kind: 'html_error_page' },
  appliedGatewayPage: { kind: 'html_error_page', applied: true },
} as const;
type FaultName = keyof typeof FAULTS;

const schedule = fc.record({
  items: fc.array(
    fc.array(
      fc.oneof(
        { weight: 3, arbitrary: fc.constant<FaultName>('none') },
        { weight: 2, arbitrary: fc.constantFrom(...(Object.keys(FAULTS) as FaultName[])) },
      ),
      { minLength: 3, maxLength: 3 },
    ),
    { minLength: 1, maxLength: 12 },
  ),
  onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
  parallel: fc.constantFrom(1, 2, 5, 20),
  nodeTries: fc.integer({ min: 1, max: 3 }),
});

interface Told {
  outcome: string;
  pg_id?: unknown;
}

function told(output: Awaited<ReturnType<typeof runWorkflow>>, count: number): Told[][] {
  const said: Told[][] = Array.from({ length: count }, () => []);
  const add = (item: unknown, entry: Told) => said[Number(item)]?.push(entry);
  if (output.error) {
    const data = output.error.context?.data as {
      finished: Array<IDataObject>;
      failed: Array<IDataObject>;
      notStarted: number[];
    };
    for (const { item, pg_id } of data.finished) add(item, { outcome: 'done', pg_id });
    for (const { item, outcome } of data.failed) add(item, { outcome: outcome as string });
    for (const item of data.notStarted) add(item, { outcome: 'notStarted' });
    return said;
  }
  for (const { json, pairedItem } of [...output.items, ...output.errors]) {
    const item = (pairedItem as { item: number }).item;
    const error = json.error as IDataObject | undefined;
    add(item, error ? { outcome: error.outcome as string } : { outcome: 'done', pg_id: json.pg_id });
  }
  return said;
}

const parameters = (parallel: number): INodeParameters => ({
  resource: 'transaction',
  operation: 'refund',
  pg_id: '={{ $json.id }}',
  amt_tran: 4,
  options: { sending: { maxParallelRequests: parallel, maxTries: 2 } },
});

test(
  'applies each write at most once and reports the correct outcome after random faults',
  async () => {
    await fc.assert(
      fc.asyncProperty(schedule, async ({ items, onError, parallel, nodeTries }) => {
        sandbox.control.reset();
        sandbox.control.addCustomers(1);
        const ids = sandbox.control.addCapturedSales({ count: items.length, amountCents: 1000 });
        sandbox.control.closeBatch();
        sandbox.control.sendDeposits();
        for (const [index, calls] of items.entries())
          for (const [call, name] of calls.entries()) {
            const fault = FAULTS[name];
            if (fault)
              sandbox.control.addFault({ ...fault, path: `/pg/refund/${ids[index] ?? ''}`, calls: [call + 1] });
          }
        const { merchantId, apiKey } = sandbox.credentials.test;
        const output = await runWorkflow({
          rows: ids.map((id) => ({ id })),
          parameters: parameters(parallel),
          credential: { environment: 'test', baseUrl: sandbox.baseUrl, merchantId, authMethod: 'apiKey', apiKey },
          onError: onError as 'stopWorkflow',
          settings: { retryOnFail: nodeTries > 1, maxTries: nodeTries, waitBetweenTries: 1 },
        });
        const refunds = sandbox.control.state().transactions.filter(({ request_type }) => request_type === 'refund');
        for (const [index, said] of told(output, ids.length).entries()) {
          const made = refunds.filter(({ pg_id_linked }) => pg_id_linked === ids[index]);
          expect(made.length).toBeLessThanOrEqual(1);
          expect(said).toHaveLength(1);
          const [entry] = said;
          if (entry?.outcome === 'done') expect(made.map(({ pg_id }) => pg_id)).toEqual([entry.pg_id]);
          else if (entry?.outcome !== 'unknown') expect(made).toEqual([]);
        }
      }),
      { numRuns: RUNS },
    );
  },
  RUNS * 5000,
);
