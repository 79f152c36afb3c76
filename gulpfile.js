/** Builds the package in dist/: `gulp`. The option `--dist` names another folder. */
require('tsx/cjs');
const { mkdir, rm, writeFile } = require('node:fs/promises');
const { dirname, join } = require('node:path');
const { Transform } = require('node:stream');
const { parseArgs } = require('node:util');

const { build } = require('esbuild');
const { dest, parallel, series, src } = require('gulp');

const { schemaFiles } = require('./interface/generate/schemas');
const { shareRepeatedText } = require('./interface/generate/share-repeated-text');

const { dist } = parseArgs({ options: { dist: { type: 'string', default: 'dist' } }, strict: false }).values;

/** Removes outdated files, because the package must not contain them. */
const clean = () => rm(dist, { recursive: true, force: true });

/** Converts description.data.ts to JSON text, because n8n loads JSON faster than code. */
const evaluateDescriptions = {
  name: 'evaluate-descriptions',
  setup(building) {
    building.onLoad({ filter: /description\.data\.ts$/ }, ({ path }) => {
      const functions = Object.entries(require(path)).map(
        ([name, describe]) => `export const ${name} = () => {\n${shareRepeatedText(describe())}};\n`,
      );
      return { contents: functions.join('') };
    });
  },
};

const bundled = {
  outbase: '.',
  outdir: dist,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  charset: 'utf8',
  // Excludes modules that n8n provides, and ./runtime, which the nodes load on the first call.
  external: ['n8n-workflow', 'luxon', './runtime'],
  supported: { 'dynamic-import': false },
  logLevel: 'warning',
};

/** Bundles the nodes and the credential into one file each. */
const bundleNodes = () =>
  build({
    ...bundled,
    entryPoints: [
      'credentials/PaymentPlatformApi.credentials.ts',
      'nodes/PaymentPlatform/PaymentPlatform.node.ts',
      'nodes/PaymentPlatform/PaymentPlatformTrigger.node.ts',
    ],
    plugins: [evaluateDescriptions],
  });

/** Bundles the run-time code, without white space. Keeps names and lines, which stack traces point to. */
const bundleRuntime = () =>
  build({
    ...bundled,
    entryPoints: ['nodes/PaymentPlatform/runtime.ts'],
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 1000,
  });

/** Removes white space, because only n8n reads the copies. */
const compact = () =>
  new Transform({
    objectMode: true,
    transform(file, _encoding, done) {
      file.contents = Buffer.from(JSON.stringify(JSON.parse(file.contents.toString())));
      done(null, file);
    },
  });

const copyIcons = () => src('icons/*.svg', { base: '.', encoding: false }).pipe(dest(dist));
const copyCodex = () => src('nodes/**/*.node.json', { base: '.' }).pipe(compact()).pipe(dest(dist));

async function writeSchemas() {
  for (const [path, content] of Object.entries(schemaFiles())) {
    const file = join(dist, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

exports.default = series(clean, parallel(bundleNodes, bundleRuntime, copyIcons, copyCodex, writeSchemas));
