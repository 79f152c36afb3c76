/**
 * Ends n8n and its child processes when the parent process ends, which closes standard input. n8n preloads this script.
 */
const { execFileSync } = require('node:child_process');
const { isMainThread } = require('node:worker_threads');

const end = () => {
  try {
    // Windows has no process groups.
    if (process.platform === 'win32') execFileSync('taskkill', ['/PID', String(process.pid), '/T', '/F']);
    else process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.exit(1);
  }
};
// Runs only in the main thread, because n8n also loads this script in worker threads.
if (isMainThread) {
  process.stdin.on('end', end).on('error', end).resume();
  process.stdin.unref();
}
// Each child process has its own standard input, so it must not load this script.
process.execArgv = process.execArgv.filter((argument, index, all) => ![argument, all[index - 1]].includes('--require'));
