/**
 * Loads packages from node_modules once per worker. Jest loads all modules again for each test file, and loading
 * n8n-core takes three seconds. Jest has no setting that shares modules between test files: `resetModules` and
 * `injectGlobals` apply within a file, and the cache of `transform` only saves compiling. The documented setting
 * `runtime` replaces the class that loads modules.
 */
const { createRequire, isBuiltin } = require('node:module');
const { dirname, join } = require('node:path');

const { default: Runtime } = require('jest-runtime');

const ofJest = /^(@jest\/|jest-|expect$)/;
const resolved = new Map();
const sharedModules = ['interface/document', 'sandbox/contract/validator'].map((path) =>
  require.resolve(`../../${path}.ts`).slice(0, -'.ts'.length),
);
const shared = new Map();
const descriptionModule = require.resolve('../../nodes/PaymentPlatform/description.data.ts').slice(0, -'.ts'.length);
const descriptions = new Map();
const transformed = new Map();
/** Jest clears this cache after each test file, although the worker's files stay the same. */
const resolvedModules = Object.assign(new Map(), { clear: () => undefined });

/** Replaces AsyncLocalStorage, which would slow down the following test files. */
class CurrentTest {
  run(test, callback) {
    const before = this.test;
    this.test = test;
    return callback().finally(() => (this.test = before));
  }

  getStore() {
    return this.test;
  }
}

class SharedPackagesRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { coreModule } = this;
    const load = coreModule.require.bind(coreModule);
    coreModule.require = (name) => {
      const loaded = load(name);
      return name === 'node:async_hooks' ? { ...loaded, AsyncLocalStorage: CurrentTest } : loaded;
    };
    const { watch, watchAll } = args.at(-1);
    if (!watch && !watchAll) this.keepFiles();
  }

  /** Resolves, reads and transforms each file once per worker. In watch mode, files can change between two runs. */
  keepFiles() {
    const { transformCache } = this;
    const transform = transformCache.transform.bind(transformCache);
    transformCache.transform = (file, options) => {
      if (!transformed.has(file)) transformed.set(file, transform(file, options));
      return transformed.get(file);
    };
    this._resolution.cjsCache = resolvedModules;
  }

  requireModuleOrMock(from, name) {
    const file = this.packageFile(from, name);
    if (file !== undefined) return require(file);
    const path = join(dirname(from), name);
    if (path === descriptionModule) return this.describeNodes(from, name);
    if (!sharedModules.includes(path)) return super.requireModuleOrMock(from, name);
    if (!shared.has(path)) shared.set(path, super.requireModuleOrMock(from, name));
    return shared.get(path);
  }

  /** Caches the node descriptions, because building them takes longer than most test files. */
  describeNodes(from, name) {
    if (descriptions.size === 0)
      for (const [key, describe] of Object.entries(super.requireModuleOrMock(from, name)))
        descriptions.set(key, JSON.stringify(describe()));
    return Object.fromEntries([...descriptions].map(([key, text]) => [key, () => JSON.parse(text)]));
  }

  requireActual(from, name) {
    const file = this.packageFile(from, name);
    return file === undefined ? super.requireActual(from, name) : require(file);
  }

  setMock(from, name, factory, options) {
    if (this.packageFile(from, name) !== undefined)
      throw new Error(`All test files of a worker share ${name}, so no file can replace it.`);
    super.setMock(from, name, factory, options);
  }

  packageFile(from, name) {
    if (/^\.\.?(\/|$)/.test(name) || ofJest.test(name) || isBuiltin(name)) return undefined;
    const key = `${dirname(from)} ${name}`;
    if (!resolved.has(key)) resolved.set(key, createRequire(from).resolve(name));
    const file = resolved.get(key);
    return this._config.transformIgnorePatterns.some((pattern) => new RegExp(pattern).test(file)) ? file : undefined;
  }
}

module.exports = SharedPackagesRuntime;
