import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { Installation } from '../host/install';
import { dataFolder, distFolder, root } from '../host/paths';
import { median } from './figures';

const ROUNDS = 15;
const COPIES = 2;

const PACKAGE = [
  join('nodes', 'PaymentPlatform', 'PaymentPlatform.node.js'),
  join('nodes', 'PaymentPlatform', 'PaymentPlatformTrigger.node.js'),
  join('credentials', 'PaymentPlatformApi.credentials.js'),
];
const STRIPE = [
  'nodes/Stripe/Stripe.node.js',
  'nodes/Stripe/StripeTrigger.node.js',
  'credentials/StripeApi.credentials.js',
];

interface Loading {
  what: string;
  ms: number;
  /** Minimum processor time in milliseconds, which other programs affect least. */
  cpuMs: number;
}

/** Measures load times of the package, the package with copied operations, and a built-in node. */
export function loadingTimes({ node, n8n }: Installation): Loading[] {
  const modules = dirname(dirname(dirname(n8n)));
  const folder = mkdtempSync(join(tmpdir(), 'loading-'));
  try {
    // Outside the repository, the package uses n8n's copy of n8n-workflow.
    const [own, many] = [join(folder, 'own', 'dist'), join(folder, 'many', 'dist')];
    cpSync(distFolder, own, { recursive: true });
    const operations = buildCopies(many);
    const base = join(modules, 'n8n-nodes-base', 'dist');
    const all = [
      { what: 'both nodes and the credential', files: PACKAGE.map((file) => join(own, file)) },
      { what: `the same with ${operations} operations`, files: PACKAGE.map((file) => join(many, file)) },
      { what: 'the built-in Stripe nodes and credential', files: STRIPE.map((file) => join(base, file)) },
    ].map((one) => ({ ...one, times: [] as Array<Omit<Loading, 'what'>> }));
    for (let round = 0; round < ROUNDS; round += 1)
      for (const { files, times } of all) {
        const args = [join(root, 'bench', 'load.cjs'), ...files];
        times.push(JSON.parse(execFileSync(node, args, { encoding: 'utf8', env: { NODE_PATH: modules } })) as Loading);
      }
    return all.map(({ what, times }) => ({
      what,
      ms: median(times.map(({ ms }) => ms)),
      cpuMs: Math.min(...times.map(({ cpuMs }) => cpuMs)),
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function buildCopies(target: string): number {
  mkdirSync(dataFolder, { recursive: true });
  // The build needs the repository's n8n-workflow.
  const source = mkdtempSync(join(dataFolder, 'loading-'));
  try {
    for (const folder of ['credentials', 'icons', 'nodes'])
      cpSync(join(root, folder), join(source, folder), { recursive: true });
    multiply(join(source, 'nodes', 'PaymentPlatform', 'resources'));
    const gulp = join(root, 'node_modules', 'gulp', 'bin', 'gulp.js');
    const from = ['--gulpfile', join(root, 'gulpfile.js'), '--cwd', source];
    execFileSync(process.execPath, [gulp, '--silent', ...from, '--dist', target], { cwd: root });
  } finally {
    rmSync(source, { recursive: true, force: true });
  }
  const runtime = join(target, 'nodes', 'PaymentPlatform', 'runtime.js');
  const script = `process.stdout.write(String(require(${JSON.stringify(runtime)}).declared.flatMap(({ operations }) => operations).length))`;
  const env = { ...process.env, NODE_PATH: join(root, 'node_modules') };
  return Number(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', env }));
}

function multiply(folder: string): void {
  const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && !entry.name.startsWith('_') ? [entry.name] : [],
  );
  const copies = Array.from({ length: COPIES - 1 }, (_, copy) => `copy${copy}`);
  const made = copies.flatMap((copy) => names.map((name) => ({ copy, name, path: `${copy}${name}` })));
  for (const { copy, name, path } of made) {
    cpSync(join(folder, name), join(folder, path), { recursive: true });
    for (const file of readdirSync(join(folder, path), { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.ts')) reword(join(folder, path, file), copy);
  }
  const imports = made.map(({ path }, index) => `import * as made${index} from './${path}';`);
  const copied = made.map(({ copy }, index) => `...named('${copy}', made${index})`);
  const more = `
const named = (copy, made) => Object.values(made).map((one) => ({ ...one, value: copy + one.value }));
declared.push(${copied.join(', ')});
`;
  const index = join(folder, 'index.ts');
  writeFileSync(index, [...imports, readFileSync(index, 'utf8'), more].join('\n'));
}

/** Changes the descriptions in a copy, because the package stores repeated text once. */
const reword = (file: string, copy: string) =>
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(\bdescription:\s*['"])/g, `$1${copy} `));
