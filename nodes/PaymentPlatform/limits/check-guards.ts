import { DateTime } from 'luxon';
import type { INode } from 'n8n-workflow';
import { jsonObject } from '../fields/kinds/json';
import type { Field, Problem } from '../fields/types';
import { declaredFields, takesMany } from '../model/operation';
import { type Lifetime, canExist, lifetimeOf } from '../model/footprint';
import type { GivenOptions, IfExists, ItemOptions } from '../model/option-types';
import { amountOf, amountsOf, toldBy } from '../model/read-amounts';
import type { Account, MoneyRequest, Operation } from '../model/types';
import { isTool } from '../n8n/lineage';
import { asText, isObject } from '../shared/objects';
import { missingLimits } from './tool-guards';
import { GUARDS } from './guard-parameters';

/** The parameter, and where its fields are found among the choices for the node. */
export const EXTRA_BODY = 'extraBodyFields';

/** Offered on every operation that sends a body: for fields that the service has and this node does not know yet. */
export const extraBody: Field = jsonObject({
  name: EXTRA_BODY,
  label: 'Extra Body Fields (JSON)',
  description:
    'JSON object with fields that this node does not offer yet. If the node offers a field as a parameter, the value here is used only while that parameter is empty.',
  place: 'node',
  technical: true,
});

/** Whether the operation sends a body that can take more fields than are declared. */
export const takesExtraBody = ({ request, shape }: Operation) =>
  !shape && (request.method === 'POST' || request.method === 'PUT');

/** The narrowest first. */
const LIMITS = ['maxAmount', 'maxTotal', 'maxPerDay'] as const;

/** How far back an equal write counts unless a time is given, or a reference of the person's own is part of it. */
const LOOK_BACK = { hours: 24 };

/**
 * The options of an item that hold: what was set, and where the node is a tool, the test environment and Duplicate
 * Check switched on unless they were switched off. Duplicate Check is on as well where a time is given for it.
 */
export function inForce(given: GivenOptions, request: MoneyRequest, node: INode): ItemOptions {
  const { duplicateCheck, duplicatesSince, ifExists, maxPerDay, oncePerKey, ...options } = given;
  const safe = isTool(node) && request.effect !== 'reads';
  const existing = existingOf({ duplicateCheck, duplicatesSince, ifExists }, request, safe);
  return {
    ...options,
    requireTest: options.requireTest ?? safe,
    ...(request.operation.budget && { maxPerDay }),
    ...(!takesMany(request.operation) && { oncePerKey }),
    ...(existing && { existing }),
  };
}

const lookBack = (tells: Lifetime) => (tells === 'always' ? undefined : DateTime.now().minus(LOOK_BACK));

/** Who says what to return is not refused; who says nothing, or to send, is still kept by Duplicate Check. */
function existingOf(
  { duplicateCheck, duplicatesSince, ifExists }: Pick<GivenOptions, 'duplicateCheck' | 'duplicatesSince' | 'ifExists'>,
  { operation: { footprint }, values }: MoneyRequest,
  safe: boolean,
): IfExists | undefined {
  if (!footprint || !canExist(footprint)) return undefined;
  const checks = footprint.hasDuplicateCheck && (duplicateCheck ?? (safe || duplicatesSince !== undefined));
  const isChosen = ifExists === 'return' || ifExists === 'fail';
  if (!isChosen && !checks) return undefined;
  // Where records do not say when they were made, no moment tells them apart.
  const since = footprint.time && (duplicatesSince ?? lookBack(lifetimeOf(footprint, values)));
  return {
    then: isChosen ? ifExists : 'fail',
    ...(!isChosen && { byCheck: true }),
    since,
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
    ...otherMerchant(request, account, options),
  ];
}

/** The report of a day, and the list in which something is looked for, are those of the credential's merchant. */
function otherMerchant(
  { operation, values }: MoneyRequest,
  { merchantId }: Account,
  { maxPerDay, existing }: ItemOptions,
): Problem[] {
  const { place, name } = operation.request.merchant ?? {};
  const named = place && name !== undefined ? asText(values[place][name]) : merchantId;
  if (named === merchantId) return [];
  const refused = (label: string, allowed: string) => ({ label, found: `${name} ${named}`, allowed });
  return [
    ...(maxPerDay === undefined
      ? []
      : [refused(GUARDS.maxPerDay, "allows only the credential's own merchant, whose report is added up")]),
    ...(existing === undefined
      ? []
      : [
          refused(
            existing.byCheck ? GUARDS.duplicateCheck : GUARDS.ifExists,
            "looks in the list of the credential's own merchant only",
          ),
        ]),
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
function limitProblems(request: MoneyRequest, options: ItemOptions): Problem[] {
  const set = LIMITS.find((name) => options[name] !== undefined);
  if (request.effect === 'reads' || set === undefined) return [];
  const label = GUARDS[set];
  const amounts = amountsOf(request);
  const refuse = (found: string, allowed: string): Problem => ({ label, found, allowed });
  const unreadable = amounts.filter(({ amount }) => amount === undefined);
  return [
    ...amounts.flatMap(({ found, amount = 0 }) => above(found, amount, options)),
    ...unreadable.map(({ found }) => refuse(found, 'needs amounts that can be read: numbers, or text such as "12.50"')),
    ...(unreadable.length === 0 && amountOf(request) === undefined
      ? [
          refuse(
            'a request that does not say how much it moves',
            `allows only what says before it is sent how much it moves${missing(request)}`,
          ),
        ]
      : []),
    ...(hasExtraFields(request)
      ? [refuse(`"${extraBody.label}"`, 'allows only what this node knows, for other fields may move more')]
      : []),
  ];
}

/** The field of the panel that would say it. */
function missing(request: MoneyRequest): string {
  const name = toldBy(request);
  const field = declaredFields(request.operation).find((one) => one.name === name);
  return field ? `: give "${field.label}" as well` : '';
}

const above = (found: string, amount: number, options: ItemOptions): Problem[] => {
  const passed = LIMITS.find((name) => Math.abs(amount) > (options[name] ?? Infinity));
  return passed ? [{ label: GUARDS[passed], found, allowed: `allows at most ${options[passed]}` }] : [];
};

const hasExtraFields = ({ values }: MoneyRequest): boolean => {
  const extra = values.node[EXTRA_BODY];
  return isObject(extra) && Object.keys(extra).length > 0;
};
