const { dirname, join } = require('node:path');

/** npm's own script: where the npm says that runs this, else where Node.js for Windows brings it along. */
function npmScript() {
  const running = process.env.npm_execpath ?? '';
  if (running.endsWith('npm-cli.js')) return running;
  return join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js');
}

/**
 * How npm is started without a shell. On Windows `npm` is a script of the shell, and the shell takes arguments with
 * blanks apart: there npm's script is run by Node.js, by the given one if any.
 */
exports.npmCommand = (args, { node = process.execPath, platform = process.platform } = {}) =>
  platform === 'win32' ? { file: node, args: [npmScript(), ...args] } : { file: 'npm', args };
