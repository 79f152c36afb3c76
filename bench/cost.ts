/**
 * Compares this node's cost per item with n8n's HTTP Request node. Environment variables: ITEMS (default 1000), ROUNDS
 * (default 5) and PROFILE (folder for CPU profiles).
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { INode } from 'n8n-workflow';

import { installHost } from '../host/install';
import { root } from '../host/paths';
import { CREDENTIAL, major, startHost, type Host } from '../test/e2e/host';
import { node, own, rowsInto } from '../test/e2e/workflows';
import { median } from './figures';
import { startInstantService } from './instant-service';
import { loadingTimes } from './loading';
import { print } from './table';

const ITEMS = Number(process.env.ITEMS ?? 1000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const { PROFILE } = process.env;

const WITHOUT = 'HTTP Request, no credential';
const WITH = 'HTTP Request, this credential';
const OURS = 'Payment Platform';
const EVALUATED = 'Payment Platform, expressions';

/**
 * The credential makes n8n connect to a local service through a proxy agent unless it can see that no proxy is set. For
 * a service with https, it never does.
 */
const DIRECT = { N8N_BLOCK_ENV_ACCESS_IN_NODE: 'false' };

interface Target {
  name: string;
  last: INode;
  workflowId: string;
  times: number[];
}

/** Returns other transactions in each round, because a second refund of a transaction needs more database calls. */
const rowsOf = (index: number) =>
  Array.from({ length: ITEMS }, (_, row) => ({
    id: String(426351789012000000n + BigInt(index * ITEMS + row)),
    amount: 4,
  }));

const httpRequest = (baseUrl: string, more: object, credentials?: object) =>
  node(
    'Refund',
    'n8n-nodes-base.httpRequest',
    {
      method: 'POST',
      url: `=${baseUrl}/pg/refund/{{ $json.id }}`,
      sendBody: true,
      bodyParameters: { parameters: [{ name: 'amt_tran', value: '={{ $json.amount }}' }] },
      options: {},
      ...more,
    },
    { typeVersion: 4.2, ...credentials },
  );

const refund = (host: Host, id: string, amount: string) =>
  own(host, 'Refund', {
    resource: 'transaction',
    operation: 'refund',
    pg_id: { __rl: true, mode: 'id', value: id },
    amt_tran: amount,
  });

async function targets(host: Host, baseUrl: string): Promise<Target[]> {
  const credentials = { credentials: { paymentPlatformApi: { id: host.credentialId, name: CREDENTIAL } } };
  const predefined = { authentication: 'predefinedCredentialType', nodeCredentialType: 'paymentPlatformApi' };
  const all = [
    { name: WITHOUT, last: httpRequest(baseUrl, {}) },
    { name: WITH, last: httpRequest(baseUrl, predefined, credentials) },
    { name: OURS, last: refund(host, '={{ $json.id }}', '={{ $json.amount }}') },
    { name: EVALUATED, last: refund(host, '={{ String($json.id) }}', '={{ $json.amount + 0 }}') },
  ];
  return await Promise.all(
    all.map(async ({ name, last }) => ({
      name,
      last,
      workflowId: await host.rest.saveWorkflow(rowsInto(name, [], last)),
      times: [],
    })),
  );
}

async function round(host: Host, { name, last, workflowId }: Target, index: number): Promise<number> {
  await host.rest.updateWorkflow(workflowId, rowsInto(name, rowsOf(index), last));
  const execution = await host.rest.execute(workflowId);
  const [run] = execution.data.resultData.runData.Refund ?? [];
  const done = run?.data?.main?.[0]?.length ?? 0;
  if (done !== ITEMS) throw new Error(`${name}: ${done} of ${ITEMS} items (${JSON.stringify(run?.error)})`);
  return (run?.executionTime ?? 0) / ITEMS;
}

async function profiled(host: Host, work: () => Promise<number>): Promise<number> {
  process.kill(host.n8n.pid, 'SIGUSR2');
  await sleep(500);
  const time = await work();
  process.kill(host.n8n.pid, 'SIGUSR2');
  await sleep(1000);
  return time;
}

async function runningTimes(): Promise<Target[]> {
  const service = await startInstantService();
  const env = { ...DIRECT, ...(PROFILE && { NODE_OPTIONS: `--require=${root}/bench/profiler.cjs`, PROFILE }) };
  const host = await startHost({ credential: { baseUrl: service.baseUrl }, env });
  try {
    const all = await targets(host, service.baseUrl);
    // The first round is a warm-up. Each round runs all targets in turn.
    for (let index = 0; index <= ROUNDS; index += 1)
      for (const target of all) {
        const time =
          PROFILE && index === ROUNDS
            ? await profiled(host, async () => await round(host, target, index))
            : await round(host, target, index);
        if (index > 0) target.times.push(time);
      }
    return all;
  } finally {
    await host.stop();
    await service.stop();
  }
}

async function main(): Promise<void> {
  const all = await runningTimes();
  const ofName = (wanted: string) => median(all.find(({ name }) => name === wanted)?.times ?? []);
  for (const [index, { name, times }] of all.entries())
    print(
      {
        [`${ITEMS} refunds`]: name,
        'ms per item': median(times).toFixed(2),
        rounds: times.map((time) => time.toFixed(2)).join(', '),
        'ours by it': (ofName(OURS) / median(times)).toFixed(2),
      },
      index === 0,
    );
  process.stdout.write('\n');
  const installation = await installHost(() => undefined, major);
  for (const [index, { what, ms, cpuMs }] of loadingTimes(installation).entries())
    print({ loading: what, ms: ms.toFixed(1), 'processor ms': cpuMs.toFixed(1) }, index === 0);
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
