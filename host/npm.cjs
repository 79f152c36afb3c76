const { dirname, join } = require('node:path');

function npmScript() {
  const running = process.env.npm_execpath ?? '';
  if (running.endsWith('npm-cli.js')) return running;
  return join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js');
}

/** Returns a command that starts npm without a shell, which would split arguments at spaces on Windows. */
exports.npmCommand = (args, { node = process.execPath, platform = process.platform } = {}) =>
  platform === 'win32' ? { file: node, args: [npmScript(), ...args] } : { file: 'npm', args };
