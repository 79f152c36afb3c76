/**
 * Logs calls to n8n's deduplication helper in the file PROCESSED_DATA_CALLS. Rejects nodes whose ID begins with
 * "unnoted", as n8n does in an unsaved workflow.
 */
const { appendFileSync } = require('node:fs');
const Module = require('node:module');

const load = Module._load;
let isWatched = false;

Module._load = function (name, ...rest) {
  const loaded = load.call(this, name, ...rest);
  if (!isWatched && name.endsWith('deduplication-helper')) {
    isWatched = true;
    watch(loaded.DeduplicationHelper.prototype, 'checkProcessedAndRecord');
    watch(loaded.DeduplicationHelper.prototype, 'removeProcessed');
  }
  return loaded;
};

function watch(helper, method) {
  const original = helper[method];
  helper[method] = async function (values, scope, place, options) {
    const { id } = place.node;
    if (id.startsWith('unnoted')) throw new Error('FOREIGN KEY constraint failed');
    const startedAt = performance.now();
    const answer = await original.call(this, values, scope, place, options);
    appendFileSync(process.env.PROCESSED_DATA_CALLS, `${id} ${performance.now() - startedAt} ${method}\n`);
    return answer;
  };
}
