/**
 * Script that n8n preloads. Ends n8n and all its child processes when the parent process ends for any reason. The end
 * of standard input indicates that the parent process has ended, because only the parent process has the other end
 * open.
 */
const { execFileSync } = require('node:child_process');
const { isMainThread } = require('node:worker_threads');

const end = () => {
  try {
    // Uses taskkill to end child processes, because Windows has no process groups.
    if (process.platform === 'win32') execFileSync('taskkill', ['/PID', String(process.pid), '/T', '/F']);
    else process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.exit(1);
  }
};
// Reads standard input only in the main thread, because n8n also loads this script in worker threads.
if (isMainThread) {
  process.stdin.on('end', end).on('error', end).resume();
  process.stdin.unref();
}
// Removes this script from the child processes' arguments, because a child process has its own standard input.
process.execArgv = process.execArgv.filter((argument, index, all) => ![argument, all[index - 1]].includes('--require'));
