/**
 * Measures lists that n8n 2 writes to a CSV file on disk: the resident memory of the n8n process, and the time in
 * comparison with reading one page after the other. Environment variables: RECORDS (default "100000,1000000") and
 * LATENCY of each response in milliseconds (default 0).
 */
import { readFileSync } from 'node:fs';

import axios from 'axios';

import { itemsOf } from '../host/rest';
import { decode } from '../nodes/PaymentPlatform/service/decode-response';
import { fetchList } from '../nodes/PaymentPlatform/service/fetch-list';
import { Gate } from '../nodes/PaymentPlatform/service/gate';
import type { FetchPage } from '../nodes/PaymentPlatform/service/page-requests';
import { adjustPace, sendWithRetries } from '../nodes/PaymentPlatform/service/send';
import { CREDENTIAL, startHost, type Host } from '../test/e2e/host';
import { inLine, node, own } from '../test/e2e/workflows';
import { startListService, type ListService } from './list-service';
import { print } from './table';

const SIZES = (process.env.RECORDS ?? '100000,1000000').split(',').map(Number);
const LATENCY = Number(process.env.LATENCY ?? 0);
const WARM_UP = 5000;
const PARALLEL = 20;
const PAGE = 100;
const SAMPLE_MS = 50;
const LIMIT_MS = 600_000;
const LIST = '/platform/reporting/transaction-requests';
const FILES = { N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem' };
/** Makes n8n connect to the local service without a proxy agent (bench/cost.ts). */
const DIRECT = { N8N_BLOCK_ENV_ACCESS_IN_NODE: 'false' };

const http = axios.create({ proxy: false, responseType: 'text', transformResponse: (body: string) => body });

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}

const pagesOf =
  ({ baseUrl }: ListService, total: number) =>
  async (page: number, count: number) => {
    const { status, data } = await http.get<string>(`${baseUrl}/${total}${LIST}`, { params: { page, count } });
    return decode('platform', { status, headers: {}, body: data }, { reads: true });
  };

/** Reads one page after the other, without a check. */
async function readSequentially(service: ListService, total: number): Promise<void> {
  const read = pagesOf(service, total);
  for (let page = 0; page * PAGE < total; page += 1) await read(page, PAGE);
}

/** Reads the list as the node does, without n8n and without a file. */
async function readAsNode(service: ListService, total: number): Promise<void> {
  const patience = { maxTries: 1, retryTimeMs: 0 };
  const gate = new Gate({ most: PARALLEL, longestWaitMs: 0 });
  const read = pagesOf(service, total);
  const fetchPage: FetchPage = async (page, count) =>
    await sendWithRetries({ effect: 'reads', patience, gate }, async () => {
      const answer = await read(page, count);
      adjustPace(gate, answer);
      return answer;
    });
  const result = await fetchList({ identity: 'rec_id' }, undefined, fetchPage, PARALLEL);
  const count = 'records' in result && result.note === undefined ? result.records.length : 0;
  if (count !== total) throw new Error(`The node read ${count} of ${total} records`);
}

const residentMegabytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Exports a list in n8n. Returns the time of the node and the highest resident memory of n8n. */
async function exportList(host: Host, service: ListService, total: number) {
  const credential = { ...host.credential, baseUrl: `${service.baseUrl}/${total}` };
  await host.rest.saveCredential(CREDENTIAL, credential);
  const parameters = { resource: 'report', operation: 'getTransactions', returnAs: 'file', fileFormat: 'csv' };
  const workflowId = await host.rest.saveWorkflow({
    name: 'Export',
    nodes: [node('Start', 'n8n-nodes-base.manualTrigger'), own(host, 'Export', parameters)],
    connections: inLine('Start', 'Export'),
    settings: { executionOrder: 'v1' },
  });
  let megabytes = 0;
  const sample = () => (megabytes = Math.max(megabytes, residentMegabytes(host.n8n.pid)));
  const sampling = setInterval(sample, SAMPLE_MS);
  try {
    const execution = await host.rest.executions.waitFor(await host.rest.start(workflowId), undefined, LIMIT_MS);
    const [run] = execution.data.resultData.runData.Export ?? [];
    const [item] = itemsOf(execution, 'Export');
    if (item?.records !== total) throw new Error(`The file has ${JSON.stringify(item ?? run?.error)}`);
    return { megabytes, seconds: (run?.executionTime ?? 0) / 1000 };
  } finally {
    clearInterval(sampling);
  }
}

async function measure(service: ListService, total: number): Promise<void> {
  const host = await startHost({ major: 2, credential: { baseUrl: service.baseUrl }, env: { ...FILES, ...DIRECT } });
  try {
    await exportList(host, service, WARM_UP);
    const { megabytes, seconds } = await exportList(host, service, total);
    const row = { records: total, 'n8n, MB': megabytes.toFixed(0), 'export, s': seconds.toFixed(1) };
    if (LATENCY === 0) return print(row, total === SIZES[0]);
    await readAsNode(service, WARM_UP);
    const reading = await secondsOf(async () => await readAsNode(service, total));
    const sequential = await secondsOf(async () => await readSequentially(service, total));
    const times = (by: number) => (sequential / by).toFixed(1);
    const compared = {
      'page after page, s': sequential.toFixed(1),
      'times as fast, export': times(seconds),
      'reading, s': reading.toFixed(2),
      'times as fast, reading': times(reading),
    };
    print({ ...row, ...compared }, total === SIZES[0]);
  } finally {
    await host.stop();
  }
}

async function main(): Promise<void> {
  const service = await startListService(LATENCY);
  try {
    for (const total of SIZES) await measure(service, total);
  } finally {
    service.stop();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
