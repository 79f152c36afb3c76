import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';

import type { Installation } from '../host/install';
import { distFolder, root } from '../host/paths';
import { median } from './figures';

const ROUNDS = 15;
/** Number of copies of all operations. Twice the current operations exceeds the number that the service has. */
const COPIES = 2;

const DATA = join('nodes', 'PaymentPlatform', 'description.data');
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
  /** Median of the elapsed times. */
  ms: number;
  /** Minimum of the processor times, which other work on the machine affects least. */
  cpuMs: number;
}

/**
 * Returns n8n's load times in milliseconds after n8n-workflow is loaded: for the package, for the package with several
 * copies of all operations, and for a built-in node. Each measurement runs in turn in its own process.
 */
export function loadingTimes({ node, n8n }: Installation): Loading[] {
  const modules = dirname(dirname(dirname(n8n)));
  const folder = mkdtempSync(join(tmpdir(), 'loading-'));
  try {
    // Uses a folder outside the repository, as in an installation, so that n8n-workflow resolves to n8n's copy.
    const [own, many] = [join(folder, 'own', 'dist'), join(folder, 'many', 'dist')];
    cpSync(distFolder, own, { recursive: true });
    cpSync(distFolder, many, { recursive: true });
    const operations = multiply(join(many, 'nodes', 'PaymentPlatform', 'resources'));
    buildData(many);
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

/** Copies the folder of each resource and registers the copies under other names. Returns the number of operations. */
function multiply(folder: string): number {
  const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && !entry.name.startsWith('_') ? [entry.name] : [],
  );
  const index = join(folder, 'index.js');
  const copies = Array.from({ length: COPIES - 1 }, (_, copy) => `copy${copy}`);
  for (const copy of copies)
    for (const name of names) {
      cpSync(join(folder, name), join(folder, `${copy}${name}`), { recursive: true });
      for (const file of readdirSync(join(folder, `${copy}${name}`)))
        reword(join(folder, `${copy}${name}`, file), copy);
    }
  const requires = copies.flatMap((copy) => names.map((name) => `...named('${copy}', require('./${copy}${name}'))`));
  const more = `
const named = (copy, made) => Object.values(made).map((one) => ({ ...one, value: copy + one.value }));
exports.resources.push(${requires.join(', ')});
`;
  writeFileSync(index, readFileSync(index, 'utf8') + more);
  return countOperations(index);
}

/** Changes the words of a copy, because the description stores identical texts only once. */
const reword = (file: string, copy: string) =>
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(\bdescription: ['"])/g, `$1${copy} `));

const countOperations = (index: string): number =>
  Number(
    evaluate(
      `require(${JSON.stringify(index)}).resources.flatMap(({ operations }) => operations).length`,
      dirname(index),
    ),
  );

/** Rebuilds the data of the descriptions from this copy of `dist`, as the build does. */
function buildData(dist: string): void {
  const source = readFileSync(join(root, `${DATA}.ts`), 'utf8');
  const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 };
  writeFileSync(join(dist, `${DATA}.js`), transpileModule(source, { compilerOptions }).outputText);
  evaluate(`require(${JSON.stringify(join(root, 'gulpfile.js'))})['build:data']()`, dirname(dist));
}

/** Evaluates an expression in a separate process in a folder, with the packages of this repository. */
function evaluate(expression: string, cwd: string): string {
  const script = `void Promise.resolve(${expression}).then((value) => process.stdout.write(String(value)))`;
  const env = { ...process.env, NODE_PATH: join(root, 'node_modules') };
  return execFileSync(process.execPath, ['-e', script], { cwd, encoding: 'utf8', env });
}
