/**
 * Bundles the nodes, the credential and the run-time code into one file each: `tsx host/package/build.ts [source]
 * [target]`. gulpfile.js copies all other files of the package.
 */
import { createRequire } from 'node:module';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compileFunction } from 'node:vm';

import { build, type BuildOptions, type Plugin } from 'esbuild';

import { distFolder, root } from '../paths';
import { shareRepeatedText } from './share-repeated-text';

const ENTRY_POINTS = [
  'credentials/PaymentPlatformApi.credentials.ts',
  'nodes/PaymentPlatform/PaymentPlatform.node.ts',
  'nodes/PaymentPlatform/PaymentPlatformTrigger.node.ts',
  'nodes/PaymentPlatform/runtime.ts',
];
const CODE = {
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  charset: 'utf8',
  // Excludes modules that n8n provides, and ./runtime, which the nodes load on the first call.
  external: ['n8n-workflow', 'luxon', './runtime'],
  supported: { 'dynamic-import': false },
  logLevel: 'warning',
} satisfies BuildOptions;

/** Converts description.data.ts to JSON text, because n8n loads JSON faster than code. */
const evaluateDescriptions: Plugin = {
  name: 'evaluate-descriptions',
  setup(building) {
    building.onLoad({ filter: /description\.data\.ts$/ }, async ({ path }) => {
      const { outputFiles } = await build({ ...CODE, entryPoints: [path], write: false });
      const module = { exports: {} as Record<string, () => unknown> };
      const run = compileFunction(outputFiles[0]?.text ?? '', ['module', 'require']) as (...given: unknown[]) => void;
      run(module, createRequire(path));
      const functions = Object.entries(module.exports).map(
        ([name, value]) => `export const ${name} = () => {\n${shareRepeatedText(value())}};\n`,
      );
      return { contents: functions.join('') };
    });
  },
};

async function main([source = root, target = distFolder]: string[]): Promise<void> {
  const from = resolve(source);
  const to = resolve(target);
  // Removes outdated files, because the package must not contain them.
  rmSync(to, { recursive: true, force: true });
  const entryPoints = ENTRY_POINTS.map((path) => join(from, path));
  await build({ ...CODE, entryPoints, outbase: from, outdir: to, plugins: [evaluateDescriptions] });
}

void main(process.argv.slice(2));
