const { dirname, join } = require('node:path');

/** Returns the path of npm's script: from the npm that runs this code, or from the Node.js installation on Windows. */
function npmScript() {
  const running = process.env.npm_execpath ?? '';
  if (running.endsWith('npm-cli.js')) return running;
  return join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js');
}

/**
 * Returns a command that starts npm without a shell. On Windows, `npm` is a shell script, and the shell would split
 * arguments at spaces, so Node.js runs npm's script instead.
 */
exports.npmCommand = (args, { node = process.execPath, platform = process.platform } = {}) =>
  platform === 'win32' ? { file: node, args: [npmScript(), ...args] } : { file: 'npm', args };
