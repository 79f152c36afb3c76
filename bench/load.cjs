/**
 * Measures the time to load and instantiate the files of nodes and credentials after n8n-workflow is loaded. Run it in
 * a separate process with n8n's modules on NODE_PATH: node load.cjs <file> ... Prints elapsed and processor
 * milliseconds.
 */
const { createRequire } = require('node:module');

const files = process.argv.slice(2);
// Resolves n8n-workflow from the installed file, because the repository also contains a copy.
createRequire(files[0])('n8n-workflow');
const startedAt = performance.now();
const before = process.cpuUsage();
for (const file of files)
  for (const made of Object.values(require(file))) if (typeof made === 'function') void new made().description;
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ ms: performance.now() - startedAt, cpuMs: (user + system) / 1000 }));
