/** Prints elapsed and CPU milliseconds for loading nodes and credentials: `node load.cjs <file> ...`. */
const { createRequire } = require('node:module');

const files = process.argv.slice(2);
// Resolves n8n-workflow relative to the installed file.
createRequire(files[0])('n8n-workflow');
const startedAt = performance.now();
const before = process.cpuUsage();
for (const file of files)
  for (const made of Object.values(require(file))) if (typeof made === 'function') void new made().description;
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ ms: performance.now() - startedAt, cpuMs: (user + system) / 1000 }));
