/** n8n loads this code only when it calls a node. Import this file only from `load.ts`. */
export { testCredential } from './service/test-credential';
export { loadOptions } from './panel/load-options';
export { run } from './run/run';
export { declared } from './resources';
export { search } from './search';
export { scheduleCatchUp } from './trigger/catch-up/schedule';
export { emit } from './trigger/emit';
export { receive } from './trigger/receive';
export { activateWebhook } from './trigger/registration';
export { removeWebhook } from './trigger/disabling';
