import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { instant } from '../fields/date';
import type { Problem } from '../fields/types';
import { describe, isEmpty } from '../fields/value';
import { takesAmounts } from './guard';
import type { ItemOptions, Operation, RunOptions } from './types';

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
  description: 'How long after its first try a request may still be tried again',
};

const unknownOutcome: INodeProperties = {
  displayName: 'If the Outcome Is Unknown',
  name: 'unknownOutcome',
  type: 'options',
  options: [
    {
      name: 'Refuse to Send Again',
      value: 'refuse',
      description: 'The item fails until somebody looked up what became of it',
    },
    {
      name: 'Send Again',
      value: 'resend',
      description: 'The item is sent again even though it may have been applied: money can move twice',
    },
  ],
  default: 'refuse',
  description:
    'What to do when n8n tries the node again (Retry On Fail, or a retry of the execution) and nobody knows whether an item was applied, e.g. because the connection broke before the answer',
};

const maxAmount: INodeProperties = {
  displayName: 'Refuse Amounts Above',
  name: 'maxAmount',
  type: 'number',
  default: 0,
  description:
    'Items with a higher amount fail before anything is sent, e.g. 500. Recommended when an AI agent uses this node.',
};

const requireTest: INodeProperties = {
  displayName: 'Require Test Environment',
  name: 'requireTest',
  type: 'boolean',
  default: true,
  description:
    'Whether to refuse to run with a credential for Production. Recommended while a workflow is being built.',
};

const duplicateCheck: INodeProperties = {
  displayName: 'Duplicate Check Since',
  name: 'duplicatesSince',
  type: 'dateTime',
  default: '',
  placeholder: 'e.g. {{ $now.minus({ days: 1 }) }}',
  description:
    'Before each refund, look in the transaction report for a refund of the same transaction with the same amount since this time. If there is one, the item fails and nothing is sent.',
};

/** The options of a run of one operation (design: pipeline points 1 to 5), by name. */
export function runOptions(operation: Operation): INodeProperties {
  const writes = operation.request.effect !== 'reads';
  const offered = [
    parallel,
    timeout,
    tries(operation),
    retryTime,
    ...(writes ? [unknownOutcome, requireTest] : []),
    ...(takesAmounts(operation) ? [maxAmount] : []),
    ...(operation.duplicate ? [duplicateCheck] : []),
  ];
  return {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add Option',
    default: {},
    options: offered.sort((a, b) => a.displayName.localeCompare(b.displayName, 'en')),
  };
}

/**
 * Reads the options of the run, the same for all items. A missing or unusable number means its default.
 */
export function readRunOptions(context: IExecuteFunctions): RunOptions {
  const given = context.getNodeParameter('options', 0, {});
  const number = (value: unknown, otherwise: number, least: number, most: number) => {
    const wanted = isEmpty(value) ? otherwise : Number(value);
    return Math.min(most, Math.max(least, Number.isFinite(wanted) ? wanted : otherwise));
  };
  return {
    maxParallelRequests: Math.floor(number(given.maxParallelRequests, 20, 1, 100)),
    timeoutMs: number(given.timeout, 60, 1, 600) * 1000,
    maxTries: Math.floor(number(given.maxTries, 5, 1, 20)),
    retryTimeMs: number(given.retryTime, 120, 0, 3600) * 1000,
  };
}

/** Reads the options of one item. What guards money is never guessed: a value that means nothing is a problem. */
export function readItemOptions(context: IExecuteFunctions, itemIndex: number, problems: Problem[]): ItemOptions {
  const given = context.getNodeParameter('options', itemIndex, {});
  const refuse = (label: string, value: unknown, allowed: string): undefined =>
    void problems.push({ label, found: describe(value), allowed });
  const options: ItemOptions = {
    resendUnknown: given.unknownOutcome === 'resend',
    requireTest: given.requireTest === true,
  };
  if (given.maxAmount !== undefined) {
    const most = isEmpty(given.maxAmount) ? NaN : Number(given.maxAmount);
    if (!(most >= 0)) refuse('Refuse Amounts Above', given.maxAmount, 'must be a number that is not negative');
    options.maxAmount = most;
  }
  if (!isEmpty(given.duplicatesSince)) {
    const since = instant(given.duplicatesSince, context.getTimezone());
    options.duplicatesSince =
      since ?? refuse('Duplicate Check Since', given.duplicatesSince, 'must be a date and time, e.g. 2026-03-31T12:00');
  }
  return options;
}
