const { rm } = require('node:fs/promises');
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

/** Removes dist/, so that a file whose source is gone is not packed. */
function clean() {
  return rm('dist', { recursive: true, force: true });
}

exports['build:assets'] = buildAssets;
exports.clean = clean;
