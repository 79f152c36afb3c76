import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';
import { hasTwoReadings } from '../fields/kinds/number';
import { whatToType } from '../fields/detect-mistyped';
import { instant, now } from '../fields/kinds/date';
import { hasInvisible, NO_INVISIBLE } from '../fields/kinds/text';
import type { Problem } from '../fields/types';
import { describe, isEmpty, namesNothing, NO_HALF_CHARACTERS, NO_MISSING_VALUE } from '../fields/value';
import { GUARDS, GUARD_NAMES, type Guard } from '../model/guards';
import { PANEL_GUARDS } from '../limits/tool-guards';
import { SENDING, type GivenOptions, type ItemOptions, type Resolution, type RunOptions } from '../model/option-types';
import { isTool } from '../n8n/lineage';
import { evaluated, readParameter, timeZoneOf } from '../n8n/read-parameter';
import { asText, inOneForm, isBlank, isList, isObject, isWellFormed, readableNumber } from '../shared/objects';

const YES_OR_NO: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

type Read<Value> = (value: unknown) => Value | undefined;

/** An expression may return text or a number instead of a boolean. */
export const yesOrNo: Read<boolean> = (value) =>
  ['boolean', 'number', 'string'].includes(typeof value)
    ? YES_OR_NO.get(String(value).trim().toLowerCase())
    : undefined;

type Words = (value: unknown) => string | undefined;

const limit: Read<number> = (value) => {
  const number = hasTwoReadings(value, 2) ? undefined : readableNumber(value);
  return number !== undefined && number >= 0 ? number : undefined;
};

/** JavaScript can round two different keys to the same number. */
const isExact = (value: unknown) => typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
const isKey = (value: unknown) =>
  (typeof value === 'string' && !isBlank(value) && !namesNothing(value) && !hasInvisible(value.trim())) ||
  isExact(value);
const key: Read<string> = (value) => (isKey(value) ? inOneForm(asText(value)) : undefined);
const wrongKey: Words = (value) => {
  if (typeof value !== 'string' || isBlank(value)) return undefined;
  return namesNothing(value) ? NO_MISSING_VALUE : NO_INVISIBLE;
};

/** Keeps blank entries, because they may stand for IDs that an expression or a person left out. */
const listed = (value: unknown): unknown[] => {
  if (isList(value)) return value.flatMap(listed);
  return typeof value === 'string' ? value.trim().split(/[,;]?\s*\n\s*|[,;]/) : [value];
};

const idList: Read<readonly string[]> = (value) => {
  const ids = listed(value).map(key);
  return ids.length > 0 && ids.every((id) => id !== undefined) ? ids : undefined;
};

const oneOf =
  <Word extends string>(words: readonly Word[]): Read<Word> =>
  (value) =>
    words.find((word) => word === asText(value).trim());

const UNKNOWN_OUTCOME = ['lookUp', 'refuse', 'resend', 'resolve'] as const;
const EXISTS_ACTION = ['return', 'fail', 'skip'] as const;
const mustBeOneOf = (words: readonly string[]) => `must be one of: ${words.join(', ')}`;

/**
 * @param given evaluated options, by name.
 * @param timezone time zone for times without an offset.
 */
export function readGuards(
  given: Partial<Record<Guard, unknown>>,
  problems: Problem[],
  timezone: string,
): GivenOptions {
  const read = <Value>(name: Guard, convert: Read<Value>, allowed: string, better?: Words): Value | undefined => {
    if (!(name in given)) return undefined;
    const value = convert(given[name]);
    if (value !== undefined && isWellFormed(value)) return value;
    const wanted = value === undefined ? (better?.(given[name]) ?? allowed) : NO_HALF_CHARACTERS;
    problems.push({ label: GUARDS[name], found: describe(given[name]), allowed: wanted });
    return undefined;
  };
  const number = 'must be a number of 0 or more, e.g. 500, without a currency symbol or thousands separator';
  const typed: Words = (value) =>
    whatToType(value, { fits: (plain) => limit(plain) !== undefined, decimals: 2, money: true });
  const flag = 'must be true or false';
  const unknownOutcome = read('unknownOutcome', oneOf(UNKNOWN_OUTCOME), mustBeOneOf(UNKNOWN_OUTCOME)) ?? 'lookUp';
  const isResolving = unknownOutcome === 'resolve';
  return {
    unknownOutcome: isResolving ? 'lookUp' : unknownOutcome,
    testEnvironmentOnly: read('testEnvironmentOnly', yesOrNo, flag),
    oncePerKey: read('oncePerKey', key, 'must be text that is not empty, e.g. the ID of a deal', wrongKey),
    limitPerItem: read('limitPerItem', limit, number, typed),
    limitPerExecution: read('limitPerExecution', limit, number, typed),
    limitPerDay: read('limitPerDay', limit, number, typed),
    ifExists: 'ifExists' in given ? readIfExists(given.ifExists, problems, timezone) : undefined,
    onlyFor: read('onlyFor', idList, 'must be IDs separated by commas, e.g. 9001, 9002, without blank entries'),
    previewOnly: read('previewOnly', yesOrNo, flag),
    allowAgent: read('allowAgent', yesOrNo, flag),
    allowEqual: read('allowEqual', yesOrNo, flag),
    resolved: isResolving && 'resolve' in given ? readResolved(given.resolve, problems) : undefined,
  };
}

function readIfExists(value: unknown, problems: Problem[], timezone: string): GivenOptions['ifExists'] {
  const refuse = (field: string, found: unknown, allowed: string) =>
    void problems.push({ label: `${GUARDS.ifExists}${field}`, found: describe(found), allowed });
  if (!isObject(value)) return refuse('', value, 'must be an object with an action');
  const { then: chosen = 'return', since: start = '' } = value;
  const then = oneOf(EXISTS_ACTION)(chosen);
  const since = instant(start, timezone);
  if (!then) refuse(' > Action', chosen, mustBeOneOf(EXISTS_ACTION));
  if (!since && start !== '') refuse(' > Look Back To', start, 'must be a date and time, e.g. 2026-03-31T12:00');
  if (since && since > now()) refuse(' > Look Back To', start, 'must be in the past');
  return then && { then, ...(since && { since }) };
}

function readResolved(value: unknown, problems: Problem[]): ReadonlyMap<string, Resolution> {
  const resolved = new Map<string, Resolution>();
  const refuse = (place: string, found: unknown, allowed: string) =>
    void problems.push({ label: `${GUARDS.resolve}${place}`, found: describe(found), allowed });
  const items: unknown = isObject(value) ? (value.item ?? []) : value;
  if (!isList(items)) refuse('', value, 'must be a list of codes and their findings');
  else
    for (const [index, entry] of items.entries()) {
      const { code: typed, finding } = isObject(entry) ? entry : {};
      const code = asText(typed).trim();
      if (code === '') refuse(` ${index + 1} > Code`, typed, 'is required. The error message contains the code');
      else if (finding !== 'applied' && finding !== 'notApplied')
        refuse(` ${index + 1} > Finding`, finding, 'must be one of: applied, notApplied');
      else if ((resolved.get(code) ?? finding) !== finding)
        refuse(` ${index + 1} > Code`, code, 'must not appear twice with conflicting findings');
      else resolved.set(code, finding);
    }
  return resolved;
}

export const OPTIONS = 'options';

/** Uses the default for a missing or invalid number. */
function runOptionsFrom(valueOf: (name: string) => unknown): RunOptions {
  const number = (name: string, otherwise: number, least: number, most: number) => {
    const value = valueOf(name);
    const wanted = isEmpty(value) ? otherwise : Number(value);
    return Math.min(most, Math.max(least, Number.isFinite(wanted) ? wanted : otherwise));
  };
  return {
    maxParallelRequests: Math.floor(number('maxParallelRequests', 20, 1, 100)),
    timeoutMs: number('timeout', 60, 1, 600) * 1000,
    maxTries: Math.floor(number('maxTries', 5, 1, 20)),
    retryTimeMs: number('retryTime', 120, 0, 3600) * 1000,
  };
}

export const DEFAULT_RUN_OPTIONS: Readonly<RunOptions> = runOptionsFrom(() => undefined);

export const readRunOptions = (context: IExecuteFunctions): RunOptions =>
  runOptionsFrom((name) => {
    const read = evaluated(context, `${OPTIONS}.${SENDING}.${name}`, 0);
    return 'failed' in read ? undefined : read.value;
  });

/** Safety options of a node without any. */
export const NO_OPTIONS: Readonly<ItemOptions> = { unknownOutcome: 'lookUp', testEnvironmentOnly: false };

/** Reports an invalid or empty safety option instead of using a default. */
export function readItemOptions(
  context: IExecuteFunctions,
  itemIndex: number,
  problems: Problem[],
  node: INode = context.getNode(),
): GivenOptions {
  return readGuards(givenGuards(context, itemIndex, problems, node), problems, timeZoneOf(context));
}

/** A tool's panel overrides the Options collection. */
const givenGuards = (context: IExecuteFunctions, itemIndex: number, problems: Problem[], node: INode) => ({
  ...guardsOfOptions(context, itemIndex, problems, node),
  ...guardsOfPanel(context, itemIndex, problems, node),
});

function guardsOfPanel(context: IExecuteFunctions, itemIndex: number, problems: Problem[], node: INode) {
  const guards: Partial<Record<Guard, unknown>> = {};
  for (const name of isTool(node) ? PANEL_GUARDS : []) {
    const value = readParameter(context, node, name, itemIndex);
    if ('failed' in value) problems.push({ label: GUARDS[name], ...value.failed });
    else if (value.value !== '') guards[name] = value.value;
  }
  return guards;
}

function guardsOfOptions(context: IExecuteFunctions, itemIndex: number, problems: Problem[], node: INode) {
  const raw: unknown = node.parameters[OPTIONS];
  if (raw === undefined) return {};
  const all = readParameter(context, node, OPTIONS, itemIndex);
  if ('failed' in all) problems.push(...failing(context, itemIndex, raw, all.failed));
  else if (isObject(all.value)) return guardsIn(isObject(raw) ? raw : all.value, all.value);
  else problems.push({ label: 'Options', found: describe(all.value), allowed: 'must be an object or empty' });
  return {};
}

const guardsIn = (set: IDataObject, values: IDataObject): Partial<Record<Guard, unknown>> =>
  Object.fromEntries(
    GUARD_NAMES.filter((name) => name in set).map((name) => [name, fieldsIn(set[name], values[name])]),
  );

/** Returns null for a field whose expression returns no value. A field that the user left empty stays empty. */
const fieldsIn = (set: unknown, value: unknown): unknown =>
  isObject(set) && isObject(value)
    ? Object.fromEntries(
        Object.entries(set).map(([name, own]) => {
          if (isEmpty(own)) return [name, own];
          return [name, isEmpty(value[name]) ? null : value[name]];
        }),
      )
    : value;

function failing(
  context: IExecuteFunctions,
  itemIndex: number,
  raw: unknown,
  failed: Pick<Problem, 'found' | 'allowed'>,
): Problem[] {
  const guards = GUARD_NAMES.filter((name) => isObject(raw) && name in raw).flatMap((name): Problem[] => {
    const value = evaluated(context, `${OPTIONS}.${name}`, itemIndex);
    return 'failed' in value ? [{ label: GUARDS[name], ...value.failed }] : [];
  });
  return guards.length > 0 ? guards : [{ label: 'Options', ...failed }];
}
