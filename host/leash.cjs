/**
 * Preloaded by n8n. Ends n8n and all its child processes when the parent process has ended for any reason. Detects this
 * when standard input ends, because only the parent process has the other end open.
 */
const { execFileSync } = require('node:child_process');
const { isMainThread } = require('node:worker_threads');

const end = () => {
  try {
    // Windows has no process groups, so taskkill finds the child processes by their parent.
    if (process.platform === 'win32') execFileSync('taskkill', ['/PID', String(process.pid), '/T', '/F']);
    else process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.exit(1);
  }
};
// Threads of n8n also load this file. They share the process, but not its standard input.
if (isMainThread) {
  process.stdin.on('end', end).on('error', end).resume();
  process.stdin.unref();
}
// Child processes of n8n would inherit this file, but they have a different standard input.
process.execArgv = process.execArgv.filter((argument, index, all) => ![argument, all[index - 1]].includes('--require'));
