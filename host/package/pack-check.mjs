/**
 * Checks the files to publish to npm: `node host/package/pack-check.mjs`. Exits with status 1 for a forbidden or
 * missing file.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

import { npmCommand } from '../npm.cjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rootFiles = ['LICENSE', 'README.md', 'package.json'];
const shippedFile = /^dist\/(nodes|credentials|icons)\/.+\.(js|json|svg)$/;
const developmentFile = /(^|\/)(test|tests|__tests__|__mocks__|sandbox|fixtures)\/|\.(test|spec)\.js$/;
const runtimeModules = ['n8n-workflow', 'luxon', 'node:crypto'];
const installScripts = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];
const dependencyFields = [
  'dependencies',
  'optionalDependencies',
  'bundleDependencies',
  'bundledDependencies',
  'overrides',
];

/** Returns `{ filename, size, unpackedSize, files: [{ path, size }] }`, with sizes in bytes. */
function listPackage() {
  const npm = npmCommand(['pack', '--dry-run', '--json', '--ignore-scripts']);
  const stdio = ['ignore', 'pipe', 'ignore'];
  return JSON.parse(execFileSync(npm.file, npm.args, { cwd: root, encoding: 'utf8', stdio }))[0];
}

/** Returns the fields of package.json that n8n's verification forbids. */
function manifestProblems(manifest) {
  const fields = dependencyFields.filter((field) => Object.keys(manifest[field] ?? {}).length > 0);
  const scripts = installScripts.filter((script) => manifest.scripts?.[script] !== undefined);
  return [
    ...fields.map((field) => `package.json has ${field}`),
    ...scripts.map((script) => `package.json has the install script ${script}`),
  ];
}

/** Returns a packed file's source. Files from earlier builds may lack one. The declarations are the source of schemas. */
function sourceOf(path) {
  const source = path.replace(/^dist\//, '').replace(/__schema__\/.*/, 'resources');
  return source.endsWith('.js') ? source.replace(/\.js$/, '.ts') : source;
}

function fileProblems(paths, manifest) {
  const declared = [...(manifest.n8n?.nodes ?? []), ...(manifest.n8n?.credentials ?? [])];
  const packed = new Set(paths);
  const built = paths.filter((path) => !rootFiles.includes(path));
  return [
    ...built
      .filter((path) => !shippedFile.test(path) || developmentFile.test(path))
      .map((path) => `${path} must not be packed`),
    ...built
      .filter((path) => shippedFile.test(path) && !existsSync(join(root, sourceOf(path))))
      .map((path) => `${path} has no source: remove dist/ and build again`),
    ...[...rootFiles, ...declared].filter((path) => !packed.has(path)).map((path) => `${path} is missing`),
  ];
}

/** Returns packed scripts' references to modules and icons that neither the package nor n8n provides. */
function referenceProblems(paths) {
  const packed = new Set(paths);
  return paths
    .filter((path) => path.endsWith('.js'))
    .flatMap((path) => {
      const code = readFileSync(join(root, path), 'utf8');
      const modules = [...code.matchAll(/\brequire\((['"])(.+?)\1\)/g)].map((match) => match[2]);
      const icons = [...code.matchAll(/(['"])file:(.+?)\1/g)].map((match) => match[2]);
      const resolve = (reference) => posix.join(posix.dirname(path), reference);
      const isPacked = (module) =>
        ['', '.js', '.json', '/index.js'].some((ending) => packed.has(resolve(module) + ending));
      return [
        ...modules
          .filter((module) => (module.startsWith('.') ? !isPacked(module) : !runtimeModules.includes(module)))
          .map((module) => `${path} requires ${module}`),
        ...icons.filter((icon) => !packed.has(resolve(icon))).map((icon) => `${path} names the icon ${icon}`),
      ];
    });
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { filename, size, unpackedSize, files } = listPackage();
const paths = files.map((file) => file.path).sort();
const sizes = new Map(files.map((file) => [file.path, file.size]));
for (const path of paths) console.log(`${String(sizes.get(path)).padStart(8)}  ${path}`);
console.log(`${filename}: ${paths.length} files, ${size} bytes packed, ${unpackedSize} bytes unpacked`);

const problems = [...manifestProblems(manifest), ...fileProblems(paths, manifest), ...referenceProblems(paths)];
for (const problem of problems) console.error(`pack-check: ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
