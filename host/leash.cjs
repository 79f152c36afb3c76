/**
 * Loaded into n8n before it starts: when the process that started it is gone, for whatever reason, n8n ends too, with
 * everything that it started. The other end of standard input is held by that process alone.
 */
const { execFileSync } = require('node:child_process');
const { isMainThread } = require('node:worker_threads');

const end = () => {
  try {
    // Windows has no groups: what this process started is found by who started it.
    if (process.platform === 'win32') execFileSync('taskkill', ['/PID', String(process.pid), '/T', '/F']);
    else process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.exit(1);
  }
};
// The threads of n8n load this file too, and share the process but not its standard input.
if (isMainThread) {
  process.stdin.on('end', end).on('error', end).resume();
  process.stdin.unref();
}
// What n8n forks would inherit this file, and has another standard input.
process.execArgv = process.execArgv.filter((argument, index, all) => ![argument, all[index - 1]].includes('--require'));
