/** Starts npm scripts such as `npm start` after installing missing packages. Requires only Node.js and npm. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { npmCommand } from './npm.cjs';
import { createProgress } from './progress.cjs';

const OLDEST_NODE = 20;
const root = dirname(dirname(fileURLToPath(import.meta.url)));

const tsx = (file) => ({ args: ['--import', 'tsx', join(root, file)] });
const jest = (project) => ({
  args: [join(root, 'node_modules', 'jest', 'bin', 'jest.js')],
  env: { TEST_PROJECT: project },
});
const commands = {
  start: tsx('host/start.ts'),
  sandbox: tsx('sandbox/main.ts'),
  simulate: tsx('test/simulator/main.ts'),
  e2e: jest('e2e'),
  browser: jest('browser'),
  speed: jest('speed'),
  test: jest('unit'),
  deep: jest('deep'),
  mutation: tsx('test/mutation/run.ts'),
  docs: tsx('host/docs-site.ts'),
  hosts: tsx('host/install-all.ts'),
  install: undefined,
};

const usages = {
  start: `Usage: npm start -- [options]

  --once               run the CRM workflow and end, with exit code 0 on success and 1 on failure
  --reset              delete the data of earlier runs, but keep the installation
  --port <n>           port of the n8n editor, also PAYMENT_PLATFORM_N8N_PORT (default 5678)
  --sandbox-port <n>   port of the sandbox, also PAYMENT_PLATFORM_SANDBOX_PORT (default 4010)
  --help               show this text`,
  docs: `Usage: npm run docs -- [preview] [--help]

  (nothing)   build the documentation site and check its links and searches
  preview     also serve the site on this computer
  --help      show this text`,
};

function fail(message) {
  console.error(`\n${message}\n`);
  process.exit(1);
}

function run(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
  return {
    child,
    code: new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ? 1 : (code ?? 1)))),
  };
}

async function installDependencies() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = join(root, 'node_modules', '.installed-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  const began = Date.now();
  const seconds = () => Math.round((Date.now() - began) / 1000);
  const progress = createProgress();
  progress.show(1, 'about a minute, once');
  const log = [];
  const npm = npmCommand(['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  const { child, code } = run(npm.file, npm.args, { stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => log.push(String(chunk)));
  const ticker = setInterval(() => progress.show(1, `${seconds()} s`), 5000);
  const status = await code;
  clearInterval(ticker);
  progress.end();
  if (status !== 0) {
    const text = log.join('');
    const offline = /ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENETUNREACH/.test(text);
    fail(
      offline
        ? 'The npm registry can not be reached. Check the network (and the proxy settings of npm), then run the command again.'
        : `npm could not install the packages:\n${text.split('\n').slice(-25).join('\n')}`,
    );
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, lock);
}

const [name, ...args] = process.argv.slice(2);
if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE)
  fail(
    `Node.js ${OLDEST_NODE} or newer is needed; this is ${process.version}. Install a newer one and run the command again.`,
  );
if (!(name in commands)) fail(`Unknown command "${name}". Known: ${Object.keys(commands).join(', ')}.`);

if (usages[name] && args.includes('--help')) {
  console.log(usages[name]);
  process.exit(0);
}
await installDependencies();
const command = commands[name];
if (!command) process.exit(0);
const { child, code } = run(process.execPath, [...command.args, ...args], { env: { ...process.env, ...command.env } });
// Forwards signals that reach only this process. Ctrl+C reaches both processes.
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
process.on('SIGINT', () => undefined);
process.exit(await code);
