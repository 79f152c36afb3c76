import { parseArgs } from 'node:util';

import { DEFAULT_PORT, startSandbox, type Sandbox } from './index';

const USAGE = 'Usage: tsx sandbox/main.ts [--port <number>] [--no-seed]';

function readOptions(): { port: number; seed: boolean } {
  const { values } = parseArgs({ options: { port: { type: 'string' }, 'no-seed': { type: 'boolean' } } });
  const port = values.port === undefined ? DEFAULT_PORT : Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('--port must be a number from 0 to 65535');
  return { port, seed: values['no-seed'] !== true };
}

function describe(sandbox: Sandbox): string {
  const environment = (
    title: string,
    baseUrl: string,
    { merchantId, apiKey }: Sandbox['credentials']['test'],
  ): string =>
    [
      `${title}`,
      `  Base URL          ${baseUrl}`,
      `  Merchant ID       ${merchantId}`,
      `  Sandbox API key   ${apiKey}`,
    ].join('\n');
  return [
    'The sandbox is running. All data is in memory, and only this computer can connect.',
    environment('Test', sandbox.baseUrl, sandbox.credentials.test),
    environment('Production (simulated, no money moves)', sandbox.productionBaseUrl, sandbox.credentials.production),
    `Overview            ${sandbox.overviewUrl}`,
    `Test controls       ${sandbox.controlUrl}`,
    'Press Ctrl-C to stop.',
  ].join('\n');
}

function explain(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    return 'The port is already in use. Choose another one with --port.';
  return error instanceof Error ? `${error.message}\n${USAGE}` : USAGE;
}

async function main(): Promise<void> {
  const sandbox = await startSandbox(readOptions());
  process.stdout.write(`${describe(sandbox)}\n`);
  const stop = (): void => {
    void sandbox.stop();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
});
