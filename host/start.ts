import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { startSandbox, type Sandbox } from '../sandbox';
import { runCommand } from './command';
import { buildSite, FIRST_PAGE, serveSite, sitePort, siteUrl } from './docs-site';
import { exampleFiles, MAIN_JOB, PAID_JOB, readExample } from './examples';
import { installHost } from './install';
import { startN8n, type N8n } from './n8n';
import { readOptions, type StartOptions } from './options';
import { npmCommand } from './npm.cjs';
import { packPackage } from './package/pack';
import { dataFolder } from './paths';
import { isFree } from './ports';
import { createProgress } from './progress.cjs';
import { itemsOf, N8nRest } from './rest';
import { DataTables } from './tables';

const CREDENTIAL = 'Payment Platform (Sandbox)';
const demoFolder = join(dataFolder, 'demo');
const DAY_MS = 24 * 60 * 60 * 1000;
const progress = createProgress();
const say = (message: string) => {
  progress.end();
  console.log(message);
};

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env);
  await requirePorts(options);
  if (options.reset) rmSync(demoFolder, { recursive: true, force: true });
  const installation = await installHost((message) => progress.show(2, message));
  const onTick = (seconds: number) => progress.show(3, `${seconds} s`);
  progress.show(3);
  await runCommand('build', npmCommand(['run', 'build']), { onTick });
  // Uses a tarball, because n8n doesn't call the credential test of a custom extension.
  mkdirSync(demoFolder, { recursive: true });
  const tarball = packPackage(demoFolder);

  const running: Array<{ stop: () => Promise<void> }> = [];
  const stopAll = async () => {
    for (const one of running.splice(0).reverse()) await one.stop();
  };
  stopOnSignals(stopAll);
  try {
    progress.show(4, 'about 15 s');
    const documentation = options.once ? undefined : buildSite(() => undefined).catch(reasonOf);
    const sandbox = await startSandbox({ port: options.sandboxPort });
    running.push(sandbox);
    const userFolder = join(demoFolder, 'n8n');
    const docsPort = await sitePort();
    const n8n = await startN8n({
      ...{ installation, userFolder, tarball, port: options.port },
      // The page of the npm package exists only after publishing.
      ...(!options.once && { help: `${siteUrl(docsPort)}${FIRST_PAGE}` }),
    });
    running.push(n8n);
    const demo = await prepareDemo(n8n, sandbox);
    if (options.once) {
      const succeeded = await runMainJob(demo);
      await stopAll();
      process.exitCode = succeeded ? 0 : 1;
      return;
    }
    sayWhere(n8n, sandbox, demo, await serveDocumentation(await documentation, docsPort, running));
  } catch (error) {
    await stopAll();
    throw error;
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Serves the documentation. Returns its address, or the reason why it isn't available. */
async function serveDocumentation(
  built: number | string | undefined,
  port: number,
  running: Array<{ stop: () => Promise<void> }>,
): Promise<string> {
  if (typeof built === 'string') return `not available: ${built.split('\n')[0]}`;
  const site = await serveSite(port);
  running.push(site);
  return site.url;
}

async function requirePorts({ port, sandboxPort }: StartOptions): Promise<void> {
  for (const [number, option, variable] of [
    [port, '--port', 'PAYMENT_PLATFORM_N8N_PORT'],
    [sandboxPort, '--sandbox-port', 'PAYMENT_PLATFORM_SANDBOX_PORT'],
  ] as const)
    if (!(await isFree(number)))
      throw new Error(
        `Port ${number} is in use, perhaps by another "npm start". Stop that process, or choose another port with ${option} <n> or ${variable}.`,
      );
}

function stopOnSignals(stopAll: () => Promise<void>): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      say('\nStopping ...');
      void stopAll().finally(() => process.exit(signal === 'SIGINT' ? 0 : 1));
    });
}

/** Returns the demo owner's password, which the first start generates. */
function ownerPassword(): string {
  const file = join(demoFolder, 'owner-password');
  if (!existsSync(file)) {
    mkdirSync(demoFolder, { recursive: true });
    // Generates an uppercase letter and a digit, because n8n requires both in a password.
    writeFileSync(file, `Demo1-${randomBytes(9).toString('base64url')}\n`, { mode: 0o600 });
  }
  return readFileSync(file, 'utf8').trim();
}

interface Demo {
  rest: N8nRest;
  tables: DataTables;
  mainJob: string;
}

/** Imports the examples and publishes the workflow that marks CRM rows as paid. */
async function prepareDemo(n8n: N8n, sandbox: Sandbox): Promise<Demo> {
  const rest = new N8nRest(n8n.baseUrl);
  await rest.signIn(ownerPassword());
  const { merchantId, apiKey } = sandbox.credentials.test;
  const id = await rest.saveCredential(CREDENTIAL, {
    environment: 'test',
    baseUrl: sandbox.baseUrl,
    merchantId,
    authMethod: 'apiKey',
    apiKey,
  });
  const tables = await DataTables.create(rest);
  const values = {
    typePrefix: n8n.typePrefix,
    credential: { id, name: CREDENTIAL },
    tables,
    sandbox: sandbox.overviewUrl,
  };
  const workflows = new Map<string, string>();
  for (const file of exampleFiles()) workflows.set(file, await rest.saveWorkflow(readExample(file, values)));
  await rest.activate(workflows.get(PAID_JOB) ?? '');
  await addRecords(sandbox);
  return { rest, tables, mainJob: workflows.get(MAIN_JOB) ?? '' };
}

async function addRecords({ baseUrl, credentials }: Sandbox): Promise<void> {
  const headers = { authorization: `Basic ${credentials.test.token}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object) => {
    const response = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`The sandbox refused ${path}: ${await response.text()}`);
    return (await response.json()) as { data: { invoice_id?: number } };
  };
  for (const days of [10, 40]) {
    const { data } = await post('/platform/invoice', {
      customer_id: 'CUST0001',
      invoice_number: `LATE-${days}`,
      billing_contact: { email_address: 'late@example.com' },
      line_items: [{ quantity: 2, description: 'Hour, on site', unit_cost: 60 }],
      payment_terms: { type: 'DATE', value: new Date(Date.now() - days * DAY_MS).toISOString() },
    });
    await post(`/platform/invoice/${data.invoice_id}/send`, {});
  }
  const date_start = new Date().toISOString();
  for (const customer_id of ['CUST0002', 'CUST0003'])
    await post('/platform/subscription', { customer_id, plan_code: 'MONTHLY25', date_start });
}

/** Runs the CRM workflow and prints its invoices. Returns whether the workflow sent an invoice. */
async function runMainJob({ rest, mainJob }: Demo): Promise<boolean> {
  const execution = await rest.execute(mainJob);
  const sent = itemsOf(execution, 'Invoices');
  if (execution.status === 'success' && sent.length > 0) {
    progress.end();
    console.table(sent, ['invoice_number', 'customer', 'sent_to', 'amount', 'status', 'invoice_link']);
    return true;
  }
  const { error } = execution.data.resultData;
  say(`The CRM workflow ended with the status "${execution.status}": ${error?.message ?? 'no invoice was sent'}`);
  return false;
}

function sayWhere(n8n: N8n, sandbox: Sandbox, { tables, mainJob }: Demo, documentation: string): void {
  const { merchantId, apiKey } = sandbox.credentials.test;
  say(`
CRM workflow   ${n8n.baseUrl}/workflow/${mainJob}
Login          ${N8nRest.ownerEmail} / ${ownerPassword()}   (this local demo only)
CRM table      ${n8n.baseUrl}${tables.pageOf('CRM')}
Sandbox        ${sandbox.overviewUrl}   (records as they change, the clock and failures)
Documentation  ${documentation}
Credential     base URL ${sandbox.baseUrl}, merchant ID ${merchantId}, API key ${apiKey}

Open the CRM workflow and choose "Execute workflow". It sends an invoice for each open row of the CRM table.
Then pay an invoice on the sandbox page with the card 4111 1111 1111 1111. The row becomes "paid".

Press Ctrl-C to stop.`);
}

main().catch((error: unknown) => {
  console.error(`\n${reasonOf(error)}\n`);
  process.exit(1);
});
