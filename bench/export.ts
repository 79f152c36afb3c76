/**
 * Measures the memory and the time of a list that becomes a CSV file on disk. Environment variables: RECORDS (default
 * "100000,1000000"), and LATENCY of each response in milliseconds (default 0). Measures each size in its own process.
 */
import { spawnSync } from 'node:child_process';
import { rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { declared } from '../nodes/PaymentPlatform/resources';
import { run } from '../nodes/PaymentPlatform/run/run';
import { contextOf } from '../test/unit/context';
import { print } from './table';

const SIZES = (process.env.RECORDS ?? '100000,1000000').split(',').map(Number);
const LATENCY = Number(process.env.LATENCY ?? 0);
const MEGABYTE = 2 ** 20;
const PARAMETERS = {
  resource: 'report',
  operation: 'getTransactions',
  returnAs: 'file',
  fileFormat: 'csv',
  binaryPropertyName: 'data',
};

const recordOf = (row: number): IDataObject => ({
  rec_id: row,
  pg_id: `p${String(row).padStart(31, '0')}`,
  request_type: 'sale',
  tran_status: 'P',
  tran_time: '2026-10-05T10:15:00.000-07:00',
  tran_date: '2026-10-05',
  amt_tran: row / 100,
  tran_currency: '840',
  purchase_id: `ORDER${row}`,
  cardholder_first_name: 'Ana',
  cardholder_last_name: 'Example',
  card_number: '411111xxxxxx1111',
  card_type: 'VS',
  rcode: '000',
});

let requests = 0;

async function respond(total: number, { qs }: { qs: IDataObject }) {
  requests += 1;
  if (LATENCY > 0) await wait(LATENCY);
  const [page, count] = [Number(qs.page), Number(qs.count)];
  const length = Math.max(0, Math.min(count, total - page * count));
  const data = Array.from({ length }, (_, index) => recordOf(page * count + index));
  const body = { code: 0, message: 'Success', totalPages: Math.ceil(total / count), totalRecords: total, data };
  return { statusCode: 200, headers: {}, body: JSON.stringify(body) };
}

function contextFor(total: number, path: string): IExecuteFunctions {
  const credential = {
    environment: 'test',
    baseUrl: 'http://127.0.0.1:1',
    merchantId: '1',
    authMethod: 'apiKey',
    apiKey: 'k',
  };
  return {
    ...contextOf(PARAMETERS),
    getNode: () => ({ name: 'Payment Platform', type: 'paymentPlatform', typeVersion: 1, parameters: PARAMETERS }),
    getInputData: () => [{ json: {} }],
    getContext: () => ({}),
    getMode: () => 'trigger',
    getExecutionId: () => '1',
    getCredentials: async () => await Promise.resolve(credential),
    continueOnFail: () => false,
    onExecutionCancellation: () => undefined,
    addExecutionHints: () => undefined,
    getExecutionCancelSignal: () => undefined,
    evaluateExpression: () => 0,
    helpers: {
      httpRequestWithAuthentication: async (_: string, options: { qs: IDataObject }) => await respond(total, options),
      // Writes the stream as n8n does with binary data on disk.
      prepareBinaryData: async (stream: Readable, fileName: string) => {
        await writeFile(path, stream);
        return { data: 'filesystem-v2', fileName };
      },
    },
  } as unknown as IExecuteFunctions;
}

async function measure(total: number): Promise<void> {
  const path = join(tmpdir(), `export-${process.pid}.csv`);
  const begun = Date.now();
  let resident = 0;
  const sampling = setInterval(() => (resident = Math.max(resident, process.memoryUsage().rss)), 100);
  const [items = []] = await run(contextFor(total, path), declared);
  clearInterval(sampling);
  const { size } = await stat(path);
  await rm(path);
  if (items[0]?.json.records !== total) throw new Error(`The file has ${JSON.stringify(items[0]?.json)}`);
  print(
    {
      records: total,
      'file, MB': (size / MEGABYTE).toFixed(0),
      'resident memory, MB': (resident / MEGABYTE).toFixed(0),
      seconds: ((Date.now() - begun) / 1000).toFixed(1),
      requests,
    },
    total === SIZES[0],
  );
}

async function main(): Promise<void> {
  const [only] = SIZES;
  if (process.env.SINGLE === 'yes' && only !== undefined) return await measure(only);
  for (const [index, size] of SIZES.entries()) {
    const env = { ...process.env, RECORDS: String(size), SINGLE: 'yes' };
    const { status, stdout, stderr } = spawnSync('npx', ['tsx', __filename], { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    process.stdout.write(index === 0 ? stdout : (stdout.trim().split('\n').at(-1) ?? '').concat('\n'));
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
