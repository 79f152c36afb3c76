/**
 * Runs all test files of a worker in one global realm. Jest's own environments create a realm for each test file, and
 * in another realm `instanceof` fails for the packages that runtime.cjs shares. No setting of Jest keeps the realm.
 */
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const vm = require('node:vm');

const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

const NODE_STACK_FRAMES = 10;

/** Represents the global realm, which has no context object for `vm.compileFunction`. */
const workerRealm = vm.createContext();
const compileFunction = vm.compileFunction;
/** Jest compiles the project's modules again for each test file. The worker compiles them once and runs them again. */
const compiledModules = new Map();
vm.compileFunction = (code, params, options) => {
  if (options?.parsingContext !== workerRealm) return compileFunction(code, params, options);
  const known = compiledModules.get(options.filename);
  if (known?.code === code && known.params.join() === params.join()) return known.compiled;
  const compiled = compileFunction(code, params, { filename: options.filename });
  compiledModules.set(options.filename, { code, params, compiled });
  return compiled;
};

// Prevents tests from changing the settings of an installed n8n.
const userFolder = mkdtempSync(join(tmpdir(), 'payment-platform-test-'));
process.on('exit', () => rmSync(userFolder, { recursive: true, force: true }));
process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_LOG_LEVEL = 'silent';
// Lets the credential see that no proxy is set.
process.env.N8N_BLOCK_ENV_ACCESS_IN_NODE = 'false';

const globalsNow = () =>
  new Map(Reflect.ownKeys(globalThis).map((key) => [key, Reflect.getOwnPropertyDescriptor(globalThis, key)]));

class WorkerEnvironment {
  global = globalThis;

  constructor({ projectConfig: config }) {
    this.globals = globalsNow();
    this.variables = { ...process.env };
    this.exit = process.exit;
    const global = globalThis;
    global.global = global;
    Object.assign(global, config.globals);
    this.moduleMocker = new ModuleMocker(global);
    const timerConfig = { idToRef: (id) => id, refToId: (timer) => timer };
    this.fakeTimers = new LegacyFakeTimers({ config, global, moduleMocker: this.moduleMocker, timerConfig });
    this.fakeTimersModern = new ModernFakeTimers({ config, global });
  }

  async setup() {
    // Jest records 100 frames of each error, which takes a tenth of the simulator's time.
    Error.stackTraceLimit = NODE_STACK_FRAMES;
  }

  async teardown() {
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    process.exit = this.exit;
    for (const name of Object.keys(process.env)) if (!(name in this.variables)) delete process.env[name];
    Object.assign(process.env, this.variables);
    for (const [key, now] of globalsNow()) {
      const before = this.globals.get(key);
      if (before === undefined) Reflect.deleteProperty(globalThis, key);
      else if (before.value !== now.value || before.get !== now.get) Object.defineProperty(globalThis, key, before);
    }
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return workerRealm;
  }
}

module.exports = WorkerEnvironment;
