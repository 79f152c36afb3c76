/**
 * How long it takes to load files of nodes and credentials and to make of them what n8n makes, once n8n-workflow is there.
 * Run in a process of its own, with n8n's modules on NODE_PATH: node load.cjs <file> ... Prints milliseconds
 * that passed, and those of the processor.
 */
const { createRequire } = require('node:module');

const files = process.argv.slice(2);
// Not from where this script is: the repository has a copy of its own.
createRequire(files[0])('n8n-workflow');
const startedAt = performance.now();
const before = process.cpuUsage();
for (const file of files)
  for (const made of Object.values(require(file))) if (typeof made === 'function') void new made().description;
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ ms: performance.now() - startedAt, cpuMs: (user + system) / 1000 }));
