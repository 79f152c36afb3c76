/**
 * Lets Node.js load the packages in node_modules once for all test files of a worker, because loading n8n-core takes
 * three seconds. Each test file still reloads the project's own modules.
 */
const { createRequire, isBuiltin } = require('node:module');
const { dirname } = require('node:path');

const { default: Runtime } = require('jest-runtime');

const ofJest = /^(@jest\/|jest-|expect$)/;
const resolved = new Map();

class SharedPackagesRuntime extends Runtime {
  requireModuleOrMock(from, name) {
    const file = this.packageFile(from, name);
    return file === undefined ? super.requireModuleOrMock(from, name) : require(file);
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

  /** Returns the file of a package that jest wouldn't transform, or nothing. */
  packageFile(from, name) {
    if (/^\.\.?(\/|$)/.test(name) || ofJest.test(name) || isBuiltin(name)) return undefined;
    const key = `${dirname(from)} ${name}`;
    if (!resolved.has(key)) resolved.set(key, createRequire(from).resolve(name));
    const file = resolved.get(key);
    return this._config.transformIgnorePatterns.some((pattern) => new RegExp(pattern).test(file)) ? file : undefined;
  }
}

module.exports = SharedPackagesRuntime;
