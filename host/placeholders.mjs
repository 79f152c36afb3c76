/**
 * `node host/placeholders.mjs [folder]` lists placeholders to replace and values to add before publishing
 * (docs/how-to/publish.md). Exits with status 1 if it finds any.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));
const places = [
  'package.json',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'credentials',
  'nodes',
  'dist',
];
const placeholder = /Package Owner|\bowner@example\.(com|org|net)|:\/\/(www\.)?example\.(com|org|net)\b/i;

function filesOf(place) {
  if (!existsSync(join(root, place))) return [];
  if (!statSync(join(root, place)).isDirectory()) return [place];
  return readdirSync(join(root, place)).flatMap((name) => filesOf(`${place}/${name}`));
}

const found = places.flatMap(filesOf).flatMap((file) =>
  readFileSync(join(root, file), 'utf8')
    .split(/\r?\n/)
    .flatMap((line, index) => (placeholder.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
);
const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
if (!repository?.url?.startsWith('git+https://github.com/')) found.push('package.json: no GitHub repository');
for (const one of found) console.error(one);
if (found.length > 0)
  console.error(`${found.length} placeholders or missing values are left: see docs/how-to/publish.md.`);
process.exitCode = found.length > 0 ? 1 : 0;
