import { DateTime } from 'luxon';
import type { INode } from 'n8n-workflow';
import { jsonObject } from '../fields/kinds/json';
import type { Field, Problem } from '../fields/types';
import { declaredFields, takesMany } from '../model/operation';
import { type Lifetime, canExist, lifetimeOf } from '../model/footprint';
import type { GivenOptions, IfExists, ItemOptions } from '../model/option-types';
import { amountOf, amountsOf, toldBy } from '../model/read-amounts';
import { TARGETS, type Account, type MoneyRequest, type Operation } from '../model/types';
import { isTool } from '../n8n/lineage';
import { asText, isObject } from '../shared/objects';
import { toolProblems } from './tool-guards';
import { GUARDS } from './guard-parameters';

/** Name of the parameter for extra body fields. */
export const EXTRA_BODY = 'extraBodyFields';

/** Field for body fields that the node doesn't offer as parameters. */
export const extraBody: Field = jsonObject({
  name: EXTRA_BODY,
  label: 'Extra Body Fields (JSON)',
  description:
    'JSON object with fields that the node does not offer as parameters. If a parameter sets the same field, the node ignores the value here.',
  place: 'node',
  technical: true,
});

/** Returns whether the operation sends a body that can contain undeclared fields. */
export const takesExtraBody = ({ request, shape }: Operation) =>
  !shape && (request.method === 'POST' || request.method === 'PUT');

/** Limits in order of increasing scope. */
const LIMITS = ['limitPerItem', 'limitPerExecution', 'limitPerDay'] as const;

/** Default search period for matching records, unless the match includes the user's own reference. */
const LOOK_BACK = { hours: 24 };

/**
 * Returns the effective options of an item. Adds safe defaults for options that the user did not set. By default, a
 * tool accepts only the test environment and fails if a matching record exists.
 */
export function inForce(given: GivenOptions, request: MoneyRequest, node: INode): ItemOptions {
  const { ifExists, oncePerKey, ...options } = given;
  const safe = isTool(node) && request.effect !== 'reads';
  const existing = existingOf(ifExists, request, safe);
  return {
    ...options,
    testEnvironmentOnly: options.testEnvironmentOnly ?? (safe || request.operation.affectsMerchant === true),
    ...(!takesMany(request.operation) && { oncePerKey }),
    ...(existing && { existing }),
  };
}

const lookBack = (tells: Lifetime) => (tells === 'always' ? undefined : DateTime.now().minus(LOOK_BACK));

/** Returns the action for a matching record. Defaults to Fail in a tool if the footprint sets `isCheckedInTools`. */
function existingOf(
  given: GivenOptions['ifExists'],
  { operation: { footprint }, values }: MoneyRequest,
  safe: boolean,
): IfExists | undefined {
  const then = given?.then ?? (safe && footprint?.isCheckedInTools ? 'fail' : 'skip');
  if (then === 'skip' || !footprint || !canExist(footprint)) return undefined;
  // If records contain no time, the search period has no start.
  const since = footprint.time && (given?.since ?? lookBack(lifetimeOf(footprint, values)));
  return { then, since };
}

/** Checks the guards of a request, and returns a problem for each guard that refuses the request. */
export function guardProblems(request: MoneyRequest, account: Account, options: ItemOptions, node: INode): Problem[] {
  return [
    ...(isTool(node) ? toolProblems(request, options) : []),
    ...otherTarget(request, options),
    ...environmentProblems(request, account, options),
    ...limitProblems(request, options),
    ...otherMerchant(request, account, options),
  ];
}

/** Refuses another merchant for guards that read the records of the credential's merchant. */
function otherMerchant(
  { operation, values }: MoneyRequest,
  { merchantId }: Account,
  { limitPerDay, existing }: ItemOptions,
): Problem[] {
  const { place, name } = operation.request.merchant ?? {};
  const named = place && name !== undefined ? asText(values[place][name]) : merchantId;
  if (named === merchantId) return [];
  const refused = (label: string, allowed: string) => ({ label, found: `${name} ${named}`, allowed });
  return [
    ...(limitPerDay === undefined || !operation.budget
      ? []
      : [
          refused(
            GUARDS.limitPerDay,
            'works only for the merchant of the credential, because the node adds up only the amounts of this merchant',
          ),
        ]),
    ...(existing === undefined
      ? []
      : [
          refused(
            GUARDS.ifExists,
            'works only for the merchant of the credential, because the node searches only the records of this merchant',
          ),
        ]),
  ];
}

/** Refuses a customer, payee or transaction that Allowed IDs doesn't contain, and an item without an ID. */
function otherTarget({ operation, values }: MoneyRequest, { onlyFor }: ItemOptions): Problem[] {
  const { target } = operation;
  if (target === undefined || onlyFor === undefined) return [];
  const given = asText(values.body[target] ?? values.path[target]).trim();
  if (onlyFor.includes(given)) return [];
  return [
    {
      label: GUARDS.onlyFor,
      found: given === '' ? `no ${TARGETS[target]}` : `${TARGETS[target]} ${given}`,
      allowed: `does not list this ${TARGETS[target]}`,
    },
  ];
}

const TO_CONFIRM =
  'allows only the test environment, because this operation affects all transactions of the merchant. To confirm the operation for Production, a person must add this option and turn it off';

const environmentProblems = (
  { operation }: MoneyRequest,
  { environment }: Account,
  { testEnvironmentOnly }: ItemOptions,
): Problem[] =>
  testEnvironmentOnly && environment === 'production'
    ? [
        {
          label: GUARDS.testEnvironmentOnly,
          found: 'a credential for Production',
          allowed: operation.affectsMerchant ? TO_CONFIRM : 'allows only the test environment',
        },
      ]
    : [];

/** Refuses amounts above a limit, and requests whose amount is unknown. */
function limitProblems(request: MoneyRequest, options: ItemOptions): Problem[] {
  const set = LIMITS.find((name) => options[name] !== undefined);
  if (request.effect === 'reads' || set === undefined) return [];
  const label = GUARDS[set];
  const amounts = amountsOf(request);
  const refuse = (found: string, allowed: string): Problem => ({ label, found, allowed });
  const unreadable = amounts.filter(({ amount }) => amount === undefined);
  return [
    ...amounts.flatMap(({ found, amount = 0 }) => above(found, amount, options)),
    ...unreadable.map(({ found }) => refuse(found, 'requires amounts as numbers or as text such as "12.50"')),
    ...(unreadable.length === 0 && amountOf(request) === undefined
      ? [refuse('a request with an unknown amount', `allows only requests with a known amount${missing(request)}`)]
      : []),
    ...(hasExtraFields(request)
      ? [refuse(`"${extraBody.label}"`, 'does not allow this field, because the field could change the amount')]
      : []),
  ];
}

/** Returns the end of a sentence that names the field for the missing amount. */
function missing(request: MoneyRequest): string {
  const name = toldBy(request);
  const field = declaredFields(request.operation).find((one) => one.name === name);
  return field ? `, so fill in "${field.label}" too` : '';
}

const above = (found: string, amount: number, options: ItemOptions): Problem[] => {
  const passed = LIMITS.find((name) => Math.abs(amount) > (options[name] ?? Infinity));
  return passed ? [{ label: GUARDS[passed], found, allowed: `allows at most ${options[passed]}` }] : [];
};

const hasExtraFields = ({ values }: MoneyRequest): boolean => {
  const extra = values.node[EXTRA_BODY];
  return isObject(extra) && Object.keys(extra).length > 0;
};
