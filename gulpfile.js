const { rm, writeFile } = require('node:fs/promises');
const { resolve } = require('node:path');
const { dest, src } = require('gulp');

/** What the compiler does not carry over: icons, codex files and output schemas. Their paths stay as they are in the source. */
const assets = [
  'icons/*.svg',
  'nodes/**/*.svg',
  'credentials/**/*.svg',
  'nodes/**/*.node.json',
  'nodes/**/__schema__/**/*.json',
];

/** Copies the assets into dist/, byte for byte. */
function buildAssets() {
  return src(assets, { base: '.', encoding: false }).pipe(dest('dist'));
}

/**
 * Calls the functions of the compiled description.data.ts, and writes functions in its place that return the same as
 * data. They hold it as text: JSON is read faster than code, and each call makes new objects.
 */
async function buildData() {
  const file = resolve('dist/nodes/PaymentPlatform/description.data.js');
  const functions = Object.entries(require(file)).map(([name, value]) => {
    const text = JSON.stringify(value()).replace(/[\\']/g, '\\$&');
    return `exports.${name} = () => JSON.parse('${text}');\n`;
  });
  await writeFile(file, ["'use strict';\n", ...functions].join(''));
}

/** Removes dist/, so that a file whose source is gone is not packed. */
function clean() {
  return rm('dist', { recursive: true, force: true });
}

exports['build:assets'] = buildAssets;
exports['build:data'] = buildData;
exports.clean = clean;
