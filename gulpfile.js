const { rm, writeFile } = require('node:fs/promises');
const { resolve } = require('node:path');
const { Transform } = require('node:stream');
const { dest, src } = require('gulp');

/** Files that the compiler doesn't copy: icons, codex files and output schemas. Their paths stay the same. */
const assets = ['icons/*.svg', 'nodes/**/*.svg', 'credentials/**/*.svg', 'nodes/**/*.node.json'];
const schemas = 'nodes/**/__schema__/**/*.json';

/** Copies the assets into dist/, byte for byte. */
function buildAssets() {
  return src(assets, { base: '.', encoding: false }).pipe(dest('dist'));
}

/** Copies the output schemas into dist/ without white space, because only n8n reads the copies. */
function buildSchemas() {
  const compact = new Transform({
    objectMode: true,
    transform(file, _encoding, done) {
      file.contents = Buffer.from(JSON.stringify(JSON.parse(file.contents.toString())));
      done(null, file);
    },
  });
  return src(schemas, { base: '.' }).pipe(compact).pipe(dest('dist'));
}

/**
 * Evaluates the functions of the compiled description.data.ts and replaces them by functions that parse the results
 * from JSON text. JSON loads faster than code, and each call returns new objects.
 */
async function buildData() {
  const file = resolve('dist/nodes/PaymentPlatform/description.data.js');
  const functions = Object.entries(require(file)).map(([name, value]) => {
    const text = JSON.stringify(value()).replace(/[\\']/g, '\\$&');
    return `exports.${name} = () => JSON.parse('${text}');\n`;
  });
  await writeFile(file, ["'use strict';\n", ...functions].join(''));
}

/** Removes dist/, so that no file without a source is packed. */
function clean() {
  return rm('dist', { recursive: true, force: true });
}

exports['build:assets'] = buildAssets;
exports['build:schemas'] = buildSchemas;
exports['build:data'] = buildData;
exports.clean = clean;
