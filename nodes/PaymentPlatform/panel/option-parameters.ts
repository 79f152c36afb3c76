import type { INodeProperties } from 'n8n-workflow';

import { alphabetically } from '../shared/objects';
import { movesMoney } from '../model/read-amounts';
import { takesMany } from '../model/operation';
import { guardParameters, GUARDS } from '../limits/guard-parameters';
import { PANEL_GUARDS } from '../limits/tool-guards';
import { canExist } from '../model/footprint';
import type { Operation } from '../model/types';

const parallel: INodeProperties = {
  displayName: 'Max Parallel Requests',
  name: 'maxParallelRequests',
  type: 'number',
  typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 },
  default: 20,
  description:
    'How many items are processed at the same time at most. A run starts with 5 and goes faster while all is well. Requests for the same transaction, customer or invoice never run at the same time.',
};

const timeout: INodeProperties = {
  displayName: 'Timeout (Seconds)',
  name: 'timeout',
  type: 'number',
  typeOptions: { minValue: 1, maxValue: 600 },
  default: 60,
  description: 'How long to wait for the answer to one request',
};

const tries = (operation: Operation): INodeProperties => ({
  displayName: 'Max Tries',
  name: 'maxTries',
  type: 'number',
  typeOptions: { minValue: 1, maxValue: 20, numberPrecision: 0 },
  default: 5,
  description:
    operation.request.effect === 'reads'
      ? 'How often a request is sent at most when the service does not answer or is too busy'
      : 'How often a request is sent at most when the service turned it away unread, because it was too busy or could not be reached. A request that may have been applied is never sent again.',
});

const retryTime: INodeProperties = {
  displayName: 'Longest Retry Time (Seconds)',
  name: 'retryTime',
  type: 'number',
  typeOptions: { minValue: 0, maxValue: 3600 },
  default: 120,
  description:
    'How long after its first try a request may still be tried again, and how long the whole run waits for a service that turns requests away',
};

const lookUpUnknown: INodeProperties = {
  displayName: 'Look Up Unknown Outcomes',
  name: 'lookUpUnknown',
  type: 'boolean',
  default: true,
  description:
    'Whether to search the service for up to 15 seconds if the outcome of an item is unknown, e.g. because the connection broke before the response. If the node finds the record, the item is done. The node never sends an item again because it found no record.',
};

/**
 * Hides options in tools that the tool's panel already shows, and Once per Key, because a key chosen by a model
 * protects nothing.
 */
const besidePanel = (property: INodeProperties): INodeProperties =>
  [...PANEL_GUARDS, 'oncePerKey'].some((name) => name === property.name)
    ? { ...property, displayOptions: { show: { '@tool': [false] } } }
    : property;

const guardsOf = (operation: Operation) => {
  const { footprint, budget } = operation;
  return guardParameters({
    moves: movesMoney(operation),
    isNamed: footprint?.reference !== undefined,
    isFound: footprint !== undefined && canExist(footprint),
    checksDuplicates: footprint?.hasDuplicateCheck === true,
    budget,
    hasKey: !takesMany(operation),
  });
};

/**
 * Returns a notice that offers If It Exists Already until the user chooses an action. Users with a scheduled workflow
 * wouldn't look for this option.
 */
export const existsNotice = ({ footprint }: Operation): INodeProperties[] =>
  footprint !== undefined && canExist(footprint)
    ? [
        {
          displayName: `Does this workflow run on a schedule, or could it be started twice? Add '${GUARDS.ifExists}' under Options, and nothing is made a second time.`,
          name: 'ifExistsNotice',
          type: 'notice',
          default: '',
          displayOptions: {
            show: { '@tool': [false] },
            hide: { '/options.ifExists': ['return', 'fail', 'send'] },
          },
        },
      ]
    : [];

/** Returns the options of a run for one operation, in alphabetical order. */
export function runOptions(operation: Operation): INodeProperties {
  const writes = operation.request.effect !== 'reads';
  const offered = [
    parallel,
    timeout,
    tries(operation),
    retryTime,
    ...(operation.footprint ? [lookUpUnknown] : []),
    ...(writes ? guardsOf(operation).map(besidePanel) : []),
  ];
  return {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add Option',
    default: {},
    options: offered.sort((a, b) => alphabetically(a.displayName, b.displayName)),
  };
}
