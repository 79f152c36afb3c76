import type { INodeProperties } from 'n8n-workflow';

import { alphabetically } from '../shared/objects';
import { movesMoney } from '../model/read-amounts';
import { makesPayment } from '../model/identity';
import { takesMany } from '../model/operation';
import { guardParameters } from '../limits/guard-parameters';
import { GUARDS } from '../model/guards';
import { PANEL_GUARDS } from '../limits/tool-guards';
import { canExist } from '../model/footprint';
import { SENDING } from '../model/option-types';
import type { Operation } from '../model/types';

const timeout: INodeProperties = {
  displayName: 'Timeout (Seconds)',
  name: 'timeout',
  type: 'number',
  typeOptions: { minValue: 1, maxValue: 600 },
  default: 60,
  description: 'Time in which the response to one request must be complete',
};

const tries = (operation: Operation): INodeProperties => ({
  displayName: 'Max Tries',
  name: 'maxTries',
  type: 'number',
  typeOptions: { minValue: 1, maxValue: 20, numberPrecision: 0 },
  default: 5,
  description:
    operation.request.effect === 'reads'
      ? 'Maximum number of times to send a request if the service does not respond or is too busy'
      : 'Maximum number of times to send a request if the service is unreachable, or too busy to accept it. Within these tries, the node never repeats a request that may have been applied.',
});

const retryTime: INodeProperties = {
  displayName: 'Longest Retry Time',
  name: 'retryTime',
  type: 'number',
  typeOptions: { minValue: 0, maxValue: 3600 },
  default: 120,
  hint: 'In seconds',
  description:
    'Maximum time to retry a request, counted from the first failure. If the service rejects requests for this long, the run stops.',
};

const parallel: INodeProperties = {
  displayName: 'Max Parallel Requests',
  name: 'maxParallelRequests',
  type: 'number',
  typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 },
  default: 20,
  description:
    'Maximum number of items to process at the same time. The node starts with 5 items and increases the number while the service responds well. Requests that change the same transaction, customer or invoice never run at the same time.',
};

function sending(operation: Operation): INodeProperties {
  return {
    displayName: 'Sending',
    name: SENDING,
    type: 'collection',
    placeholder: 'Add Field',
    default: { timeout: 60, maxTries: 5, retryTime: 120, maxParallelRequests: 20 },
    description: 'Timeout, retries and parallel requests',
    options: [timeout, tries(operation), retryTime, parallel],
  };
}

const besidePanel = (property: INodeProperties): INodeProperties =>
  PANEL_GUARDS.some((name) => name === property.name)
    ? { ...property, displayOptions: { show: { '@tool': [false] } } }
    : property;

const guardsOf = (operation: Operation) => {
  const { footprint, dayRecords } = operation;
  return guardParameters({
    moves: movesMoney(operation),
    pays: makesPayment(operation) || operation.optionalSteps !== undefined,
    ...(footprint && canExist(footprint) && { found: { hasTime: footprint.time !== undefined } }),
    dayRecords,
    hasKey: !takesMany(operation),
  });
};

/** Recommends "If It Already Exists" until the user adds the option. */
export const existsNotice = ({ footprint }: Operation): INodeProperties[] =>
  footprint !== undefined && canExist(footprint)
    ? [
        {
          displayName: `If this workflow runs on a schedule or could start twice, add '${GUARDS.ifExists}' under Options, so that the node does not create duplicates`,
          name: 'ifExistsNotice',
          type: 'notice',
          default: '',
          displayOptions: {
            show: { '@tool': [false] },
            hide: { '/options.ifExists': [{ _cnd: { exists: true } }] },
          },
        },
      ]
    : [];

/** The options are in alphabetical order. */
export function runOptions(operation: Operation): INodeProperties {
  const writes = operation.request.effect !== 'reads';
  const offered = [sending(operation), ...(writes ? guardsOf(operation).map(besidePanel) : [])];
  return {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add Option',
    default: {},
    options: offered.sort((a, b) => alphabetically(a.displayName, b.displayName)),
  };
}
