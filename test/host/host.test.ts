import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { exampleFiles, MAIN_JOB, readExample } from '../../host/examples';
import { withLock } from '../../host/lock';
import { readOptions } from '../../host/options';
import { root } from '../../host/paths';
import { freePort, isFree } from '../../host/ports';
import { createProgress } from '../../host/progress.cjs';

const start = async (...args: string[]) =>
  await new Promise<{ status: number; output: string }>((resolve) =>
    execFile(
      process.execPath,
      ['--import', 'tsx', join(root, 'host', 'start.ts'), ...args],
      { cwd: root },
      (error, stdout, stderr) =>
        resolve({ status: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr }),
    ),
  );

test('environment variables override the defaults of options, and the command line overrides environment variables', () => {
  expect(readOptions([], {})).toEqual({ once: false, reset: false, port: 5678, sandboxPort: 4010 });
  const env = { PAYMENT_PLATFORM_N8N_PORT: '6000', PAYMENT_PLATFORM_SANDBOX_PORT: '6001' };
  expect(readOptions(['--once', '--port', '7000'], env)).toMatchObject({ once: true, port: 7000, sandboxPort: 6001 });
});

test.each([[['--port', 'abc']], [['--port', '70000']], [['--what']]])(
  'the program refuses the arguments %p with a message',
  (args) => {
    expect(() => readOptions(args, {})).toThrow(/must be a port|Unknown option/);
  },
);

test("--help lists every option, even if n8n isn't installed", () => {
  const folder = mkdtempSync(join(tmpdir(), 'payment-platform-help-'));
  mkdirSync(join(folder, 'host'));
  for (const file of ['setup.mjs', 'npm.cjs', 'progress.cjs'])
    copyFileSync(join(root, 'host', file), join(folder, 'host', file));
  const help = (command: string) =>
    execFileSync(process.execPath, [join(folder, 'host', 'setup.mjs'), command, '--help'], { encoding: 'utf8' });
  for (const option of ['--once', '--reset', '--port', '--sandbox-port', '--help'])
    expect(help('start')).toContain(option);
  for (const option of ['preview', '--help']) expect(help('docs')).toContain(option);
  expect(readdirSync(folder)).toEqual(['host']);
});

test('the progress line replaces the previous line and fits the width of the terminal', () => {
  const written: string[] = [];
  const progress = createProgress({ isTTY: true, columns: 60, write: (text) => written.push(text) });
  progress.show(2, '  n8n-2.41.1, downloading: 40 s');
  progress.show(4);
  progress.end();
  const erase = '\r\u001b[2K';
  expect(written).toEqual([
    erase,
    '[2/4] Install n8n: n8n-2.41.1, downloading: 40 s. Next: bui',
    erase,
    '[4/4] Start n8n.',
    erase,
  ]);
});

test('a log contains a progress line for each step and every 15 seconds', () => {
  const written: string[] = [];
  let now = 0;
  const progress = createProgress({ write: (text) => written.push(text) }, () => now);
  for (; now <= 20_000; now += 5000) progress.show(3, `${now / 1000} s`);
  progress.show(4, 'about 15 s ...');
  progress.end();
  expect(written).toEqual([
    '[3/4] Build nodes: 0 s. Next: start n8n.\n',
    '[3/4] Build nodes: 15 s. Next: start n8n.\n',
    '[4/4] Start n8n: about 15 s.\n',
  ]);
});

test('the first rows of each Data Table have a value for every column', () => {
  const folder = join(root, 'examples', 'tables');
  for (const file of readdirSync(folder)) {
    const [columns = '', ...rows] = readFileSync(join(folder, file), 'utf8').trim().split('\n');
    expect(rows.map((row) => row.split(',').length)).toEqual(rows.map(() => columns.split(',').length));
  }
});

test('the program names a busy port and a solution, and exits with status 1', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { status, output } = await start('--port', String(port));
  await new Promise((resolve) => server.close(resolve));
  expect(status).toBe(1);
  expect(output).toContain(`Port ${port} is in use`);
  expect(output).toContain('PAYMENT_PLATFORM_N8N_PORT');
});

test('the program detects whether a port is free', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await isFree(port)).toBe(false);
  await new Promise((resolve) => server.close(resolve));
  expect(await isFree(port)).toBe(true);
});

test('free ports are all different and outside the range of outgoing connections', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort));
  expect(new Set(ports).size).toBe(50);
  // Lowest port that Linux assigns to outgoing connections.
  const firstAssigned = 32_768;
  expect(ports.filter((port) => port >= firstAssigned)).toEqual([]);
});

test('simultaneous installations wait for each other, and the lock of a killed installation is removed', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'payment-platform-lock-')), 'installation');
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, (running += 1));
    // Waits in real time, because other processes poll the lock file.
    await new Promise((resolve) => setTimeout(resolve, 50));
    running -= 1;
  };
  await Promise.all([withLock(folder, () => undefined, work), withLock(folder, () => undefined, work)]);
  expect(most).toBe(1);
  const leftover = new Date(Date.now() - 60_000);
  mkdirSync(`${folder}.lock`);
  utimesSync(`${folder}.lock`, leftover, leftover);
  await expect(
    withLock(
      folder,
      () => undefined,
      async () => await Promise.resolve('done'),
    ),
  ).resolves.toBe('done');
});

test("an imported example contains the host's node type prefix, credential and Data Tables, and links to the tables and the sandbox", () => {
  expect(exampleFiles()).toContain(MAIN_JOB);
  const { nodes } = readExample(MAIN_JOB, {
    typePrefix: 'CUSTOM.',
    credential: { id: '7', name: 'Sandbox' },
    tables: { idOf: (name) => `table of ${name}`, pageOf: (name) => `/page-of-${name}` },
    sandbox: 'http://127.0.0.1:7/',
  });
  const note = nodes.find(({ type }) => type === 'n8n-nodes-base.stickyNote')?.parameters.content;
  expect(note).toContain('the table [CRM](/page-of-CRM)');
  expect(note).toContain('(http://127.0.0.1:7/)');
  expect(note).not.toMatch(/4010|_CRM_/);
  const own = nodes.filter(({ type }) => type === 'CUSTOM.paymentPlatform');
  expect(own).toHaveLength(2);
  for (const { credentials } of own) expect(credentials).toEqual({ paymentPlatformApi: { id: '7', name: 'Sandbox' } });
  expect(nodes.some(({ type }) => type.startsWith('n8n-nodes-payment-platform.'))).toBe(false);
  const tables = nodes.filter(({ type }) => type === 'n8n-nodes-base.dataTable');
  expect(tables.map(({ parameters }) => parameters.dataTableId)).toMatchObject([
    { value: 'table of CRM' },
    { value: 'table of CRM' },
  ]);
});

test('n8n and its child processes end with their parent process', async () => {
  const idle = "setInterval(() => 0, 1000); console.log('ready')";
  const parent = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(idle)}], { stdio: ['ignore', 'inherit', 'inherit'] }); setInterval(() => 0, 1000)`;
  const child = spawn(process.execPath, ['--require', join(root, 'host', 'leash.cjs'), '-e', parent], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const allEnded = once(child.stdout, 'close');
  await once(child.stdout, 'data');
  // When the parent process ends, the operating system closes the pipe.
  child.stdin.end();
  await allEnded;
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  // Windows has no signals, so a killed process ends with an exit status.
  if (process.platform === 'win32') expect(child.exitCode).toBe(1);
  else expect(child.signalCode).toBe('SIGKILL');
});
