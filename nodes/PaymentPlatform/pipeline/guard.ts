import type { INode } from 'n8n-workflow';
import { DateTime } from 'luxon';

import type { Problem } from '../fields/types';
import { isObject } from '../shared/objects';
import { amountOf, amountsOf } from './amounts';
import { EXTRA_BODY, extraBody } from './extra-body';
import { GUARDS } from './guard-parameters';
import { isTool } from './tool';
import { missingLimits } from './tool-guard';
import type { GivenOptions, ItemOptions } from './option-types';
import type { Account, MoneyRequest } from './types';

/** How far Duplicate Check looks back unless a time is given. */
const LOOK_BACK = { hours: 24 };

/**
 * The options of an item that hold: what was set, and where the node is a tool, the test environment and Duplicate
 * Check switched on unless they were switched off. Duplicate Check is on as well where a time is given for it.
 */
export function inForce(given: GivenOptions, { operation, effect }: MoneyRequest, node: INode): ItemOptions {
  const { duplicateCheck, ...options } = given;
  const safe = isTool(node) && effect !== 'reads';
  const checks = duplicateCheck ?? (safe || options.duplicatesSince !== undefined);
  return {
    ...options,
    requireTest: options.requireTest ?? safe,
    duplicatesSince:
      checks && operation.duplicate ? (options.duplicatesSince ?? DateTime.now().minus(LOOK_BACK)) : undefined,
  };
}

/**
 * What keeps money where it is: the test environment only, no amount above a limit, nothing of an amount that nobody
 * knows under a limit, and the rules of a tool.
 */
export function guardProblems(request: MoneyRequest, account: Account, options: ItemOptions, node: INode): Problem[] {
  return [
    ...missingLimits(request, options, node),
    ...environmentProblems(account, options),
    ...limitProblems(request, options),
  ];
}

const environmentProblems = ({ environment }: Account, { requireTest }: ItemOptions): Problem[] =>
  requireTest && environment === 'production'
    ? [
        {
          label: GUARDS.requireTest,
          found: 'a credential for Production',
          allowed: 'allows the test environment only',
        },
      ]
    : [];

/** A limit refuses what is above it, and everything of which nobody can say whether it is. */
function limitProblems(request: MoneyRequest, { maxAmount, maxTotal }: ItemOptions): Problem[] {
  if (request.effect === 'reads' || (maxAmount === undefined && maxTotal === undefined)) return [];
  const label = maxAmount === undefined ? GUARDS.maxTotal : GUARDS.maxAmount;
  const amounts = amountsOf(request);
  const refuse = (found: string, allowed: string): Problem => ({ label, found, allowed });
  const unreadable = amounts.filter(({ amount }) => amount === undefined);
  return [
    ...amounts.flatMap(({ found, amount = 0 }) => above(found, amount, maxAmount, maxTotal)),
    ...unreadable.map(({ found }) => refuse(found, 'needs amounts that can be read: numbers, or text such as "12.50"')),
    ...(unreadable.length === 0 && amountOf(request) === undefined
      ? [
          refuse(
            'a request that does not say how much it moves',
            'allows only what says before it is sent how much it moves',
          ),
        ]
      : []),
    ...(hasExtraFields(request)
      ? [refuse(`"${extraBody.label}"`, 'allows only what this node knows, for other fields may move more')]
      : []),
  ];
}

const above = (found: string, amount: number, maxAmount = Infinity, maxTotal = Infinity): Problem[] => {
  const [label, most] = Math.abs(amount) > maxAmount ? [GUARDS.maxAmount, maxAmount] : [GUARDS.maxTotal, maxTotal];
  return Math.abs(amount) > most ? [{ label, found, allowed: `allows at most ${most}` }] : [];
};

const hasExtraFields = ({ values }: MoneyRequest): boolean => {
  const extra = values.node[EXTRA_BODY];
  return isObject(extra) && Object.keys(extra).length > 0;
};
