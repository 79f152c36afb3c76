/**
 * Measures the node's processor time as the number of items grows. Environment variables: ITEMS (default
 * "1000,10000,100000") and CASE (part of a case's name).
 */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { run } from '../nodes/PaymentPlatform/run/run';
import { declared } from '../nodes/PaymentPlatform/resources';
import { contextOf } from '../test/unit/context';
import { print } from './table';

const SIZES = (process.env.ITEMS ?? '1000,10000,100000').split(',').map(Number);
const WANTED = process.env.CASE ?? '';
const PAGE = 100;
const NOW = new Date().toISOString();

const saleOf = (item: number) => String(426351789012000000n + BigInt(item));
/** Returns a different amount for each item, so that an amount identifies its item. */
const amountOf = (item: number) => 1 + item / 100;

const reported = (type: string, item: number, more: IDataObject = {}): IDataObject => ({
  rec_id: `${type}${item}`,
  pg_id: `${type}${item}`,
  request_type: type,
  amt_tran: amountOf(item),
  rcode: '000',
  tran_status: 'P',
  tran_time: NOW,
  ...more,
});
const refundOf = (item: number) => reported('refund', item, { pg_id_linked: saleOf(item) });

interface Case {
  name: string;
  parameters: IDataObject;
  records?: (count: number) => IDataObject[];
  isRetry?: boolean;
  sent: number;
  failed?: number;
}

const range = <Value>(count: number, make: (item: number) => Value) =>
  Array.from({ length: count }, (_, item) => make(item));
const refund = (options: IDataObject, amount = '=amount'): IDataObject => ({
  resource: 'transaction',
  operation: 'refund',
  pg_id: { __rl: true, mode: 'id', value: '=sale' },
  amt_tran: amount,
  options,
});
const sale = (options: IDataObject): IDataObject => ({
  resource: 'transaction',
  operation: 'sale',
  paymentMethod: 'customerCard',
  customer_id: { __rl: true, mode: 'id', value: '=customer' },
  amt_tran: '=amount',
  options,
});
const LIMIT = { limitPerDay: 1e12 };
const EXISTS = { ifExists: { then: 'return' } };
const withSales = (records: (item: number) => IDataObject) => (count: number) => [
  ...range(count, records),
  ...range(count, (item) => reported('sale', item)),
];
const ofOthers = (item: number) => reported('refund', item, { pg_id_linked: `other ${item}` });

const CASES: Case[] = [
  { name: 'refunds', parameters: refund({}), sent: 1 },
  { name: 'items that fail', parameters: refund({}, ''), sent: 0, failed: 1 },
  { name: 'items that the service declines', parameters: refund({}), sent: 1, failed: 1 },
  { name: 'existing records', parameters: refund(EXISTS), records: withSales(refundOf), sent: 0 },
  { name: 'no existing records', parameters: refund(EXISTS), records: withSales(ofOthers), sent: 1 },
  { name: 'a limit per day of refunds', parameters: refund(LIMIT), records: withSales(ofOthers), sent: 1 },
  {
    name: 'a limit per day with If It Already Exists',
    parameters: refund({ ...LIMIT, ...EXISTS }),
    records: withSales(ofOthers),
    sent: 1,
  },
  {
    name: 'a limit per day in a retry',
    parameters: refund(LIMIT),
    records: withSales(ofOthers),
    isRetry: true,
    sent: 1,
  },
  {
    name: 'a limit per day in a retry, all in the report',
    parameters: refund(LIMIT),
    records: withSales(refundOf),
    isRetry: true,
    sent: 1,
  },
  {
    name: 'a limit per day in a retry of charges without a reference',
    parameters: sale(LIMIT),
    records: (count) => range(count, (item) => reported('sale', count + item)),
    isRetry: true,
    sent: 1,
  },
];

function serviceOf({ records, failed, sent }: Case, count: number) {
  const all = records?.(count) ?? [];
  const totals = { code: 0, message: 'Success', totalPages: Math.ceil(all.length / PAGE), totalRecords: all.length };
  let writes = 0;
  const reply = ({ method, qs }: { method: string; qs: IDataObject }): object => {
    if (method === 'GET') {
      const [from, size] = [Number(qs.page) * Number(qs.count), Number(qs.count)];
      return { ...totals, data: all.slice(from, from + size) };
    }
    writes += 1;
    if (failed && sent) return { rcode: '005', rmsg: 'Do not honor', pg_id: `new${writes}` };
    return { rcode: '000', rmsg: 'Approved', pg_id: `new${writes}` };
  };
  const httpRequestWithAuthentication = async (_: string, options: { method: string; qs: IDataObject }) =>
    await Promise.resolve({ statusCode: 200, headers: {}, body: JSON.stringify(reply(options)) });
  return { httpRequestWithAuthentication, writes: () => writes };
}

function contextFor(one: Case, count: number) {
  const { writes, ...service } = serviceOf(one, count);
  const items: INodeExecutionData[] = range(count, (item) => ({ json: { item } }));
  const expressions = {
    sale: saleOf,
    amount: amountOf,
    customer: (item: number) => `C${item}`,
  };
  const kept = {};
  const stored = new Set<string>();
  const context = {
    ...contextOf(one.parameters, { expressions }),
    getNode: () => ({ name: 'Payment Platform', type: 'paymentPlatform', typeVersion: 1, parameters: one.parameters }),
    getInputData: () => items,
    getContext: () => kept,
    getMode: () => (one.isRetry ? 'retry' : 'trigger'),
    getExecutionId: () => '1',
    getExecutionContext: () => ({
      version: 1,
      establishedAt: 1,
      source: 'trigger',
      triggerNode: { name: 'Start', type: 'start' },
    }),
    getCredentials: async () =>
      await Promise.resolve({
        environment: 'test',
        baseUrl: 'http://127.0.0.1:1',
        merchantId: String(count),
        authMethod: 'apiKey',
        apiKey: 'k',
      }),
    continueOnFail: () => true,
    onExecutionCancellation: () => undefined,
    addExecutionHints: () => undefined,
    getExecutionCancelSignal: () => undefined,
    evaluateExpression: () => 0,
    helpers: {
      ...service,
      checkProcessedAndRecord: async (keys: string[]) => {
        const added = keys.filter((key) => !stored.has(key));
        for (const key of added) stored.add(key);
        return await Promise.resolve({ new: added, processed: [] });
      },
      removeProcessed: async (keys: string[]) => {
        for (const key of keys) stored.delete(key);
        return await Promise.resolve();
      },
    },
  } as unknown as IExecuteFunctions;
  return { context, writes };
}

/**
 * Returns the processor time of one run in milliseconds.
 * @throws Error for an unexpected number of sent or failed items.
 */
async function measure(one: Case, count: number): Promise<number> {
  const { context, writes } = contextFor(one, count);
  const before = process.cpuUsage();
  const [items = []] = await run(context, declared);
  const { user, system } = process.cpuUsage(before);
  const sent = writes();
  const failed = items.filter(({ json }) => json.error !== undefined).length;
  const { error } = items.find(({ json }) => json.error !== undefined)?.json ?? {};
  if (sent !== one.sent * count || failed !== (one.failed ?? 0) * count)
    throw new Error(`${one.name}: ${sent} sent, ${failed} failed of ${count} (${JSON.stringify(error)})`);
  return (user + system) / 1000;
}

async function main(): Promise<void> {
  const [first = 0] = SIZES;
  const cases = CASES.filter(({ name }) => name.includes(WANTED));
  for (const [index, one] of cases.entries()) {
    // Runs the benchmark once as a warm-up.
    await measure(one, first);
    const times: Record<string, string> = {};
    for (const count of SIZES) times[`${count} items, ms`] = (await measure(one, count)).toFixed(0);
    print({ case: one.name, ...times }, index === 0);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
