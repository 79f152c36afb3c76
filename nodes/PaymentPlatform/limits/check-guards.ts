import type { INode } from 'n8n-workflow';
import { now } from '../fields/kinds/date';
import type { Problem } from '../fields/types';
import { EXTRA_BODY, extraBody } from '../model/extra-fields';
import { declaredFields, takesMany } from '../model/operation';
import { type Lifetime, canExist, lifetimeOf } from '../model/footprint';
import type { GivenOptions, IfExists, ItemOptions } from '../model/option-types';
import { amountOf, amountsOf, toldBy } from '../model/read-amounts';
import { TARGETS, type Account, type MoneyRequest } from '../model/types';
import { isTool } from '../n8n/lineage';
import { asText, isObject } from '../shared/objects';
import { toolProblems } from './tool-guards';
import { GUARDS } from '../model/guards';

const LIMITS = ['limitPerItem', 'limitPerExecution', 'limitPerDay'] as const;

/** Default search period for matching records, unless a match at any time identifies the write. */
const LOOK_BACK = { hours: 24 };

/** By default, a tool writes only in the test environment. */
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

const lookBack = (tells: Lifetime) => (tells === 'always' ? undefined : now().minus(LOOK_BACK));

function existingOf(
  given: GivenOptions['ifExists'],
  { operation: { footprint }, values }: MoneyRequest,
  safe: boolean,
): IfExists | undefined {
  // Without the user's own reference, no record of another call could be recognized.
  const isChecked = safe && footprint?.isCheckedInTools && footprint.isIdentifiable(values);
  const then = given?.then ?? (isChecked ? 'fail' : 'skip');
  if (then === 'skip' || !footprint || !canExist(footprint)) return undefined;
  const since = footprint.time && (given?.since ?? lookBack(lifetimeOf(footprint, values)));
  return { then, since };
}

export function guardProblems(request: MoneyRequest, account: Account, options: ItemOptions, node: INode): Problem[] {
  return [
    ...(isTool(node) ? toolProblems(request, options) : []),
    ...otherTarget(request, options),
    ...environmentProblems(request, account, options),
    ...limitProblems(request, options),
    ...otherMerchant(request, account, options),
  ];
}

function otherMerchant(
  { operation, values }: MoneyRequest,
  { merchantId }: Account,
  { limitPerDay, existing }: ItemOptions,
): Problem[] {
  const { merchant = merchantId } = values;
  if (merchant === merchantId) return [];
  const refused = (label: string, allowed: string) => ({ label, found: `merchant_id ${merchant}`, allowed });
  return [
    ...(limitPerDay === undefined || !operation.dayRecords
      ? []
      : [
          refused(
            GUARDS.limitPerDay,
            "works only for the credential's merchant, because the node adds up only this merchant's amounts",
          ),
        ]),
    ...(existing === undefined
      ? []
      : [
          refused(
            GUARDS.ifExists,
            "works only for the credential's merchant, because the node searches only this merchant's records",
          ),
        ]),
  ];
}

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
  'allows only the test environment, because this operation affects all transactions in the open batch. To allow this operation in Production, a person must add this option and turn it off';

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
      ? [refuse(`"${extraBody.label}"`, "can't be used with a field that could change the amount")]
      : []),
  ];
}

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
