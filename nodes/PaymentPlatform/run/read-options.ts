import type { IExecuteFunctions, INode } from 'n8n-workflow';

import type { Problem } from '../fields/types';
import { describe, isEmpty } from '../fields/value';
import { isObject } from '../shared/objects';
import { GUARD_NAMES, GUARDS, type Guard } from '../limits/guard-parameters';
import { evaluated, readParameter } from '../n8n/read-parameter';
import { readGuards, yesOrNo } from './read-guards';
import { isTool } from '../n8n/is-tool';
import { PANEL_GUARDS } from '../limits/tool-guards';
import type { GivenOptions, RunOptions } from '../model/option-types';

/** The collection. */
export const OPTIONS = 'options';

/**
 * Reads the options of the run, the same for all items. A missing or unusable number means its default.
 */
export function readRunOptions(context: IExecuteFunctions): RunOptions {
  const number = (name: string, otherwise: number, least: number, most: number) => {
    const value = evaluated(context, `${OPTIONS}.${name}`, 0);
    const wanted = 'failed' in value || isEmpty(value.value) ? otherwise : Number(value.value);
    return Math.min(most, Math.max(least, Number.isFinite(wanted) ? wanted : otherwise));
  };
  return {
    maxParallelRequests: Math.floor(number('maxParallelRequests', 20, 1, 100)),
    timeoutMs: number('timeout', 60, 1, 600) * 1000,
    maxTries: Math.floor(number('maxTries', 5, 1, 20)),
    retryTimeMs: number('retryTime', 120, 0, 3600) * 1000,
    lookUpUnknown: isLookingUp(context),
  };
}

/** Looking moves nothing: what can't be read means that it is wanted. */
function isLookingUp(context: IExecuteFunctions): boolean {
  const value = evaluated(context, `${OPTIONS}.lookUpUnknown`, 0);
  return 'failed' in value || isEmpty(value.value) || yesOrNo(value.value) !== false;
}

/**
 * Reads what the options say of one item. What guards money is never guessed: a guard that is set, even to nothing,
 * and whose value means nothing is a problem.
 * @param node the node as n8n gives it; to be asked for once in a run, for n8n copies all of it each time.
 */
export function readItemOptions(
  context: IExecuteFunctions,
  itemIndex: number,
  problems: Problem[],
  node: INode = context.getNode(),
): GivenOptions {
  return readGuards(givenGuards(context, itemIndex, problems, node), problems, context.getTimezone());
}

/** The guards that are set: among the options, and in the panel of a tool, which counts before them. */
const givenGuards = (context: IExecuteFunctions, itemIndex: number, problems: Problem[], node: INode) => ({
  ...guardsOfOptions(context, itemIndex, problems, node),
  ...guardsOfPanel(context, itemIndex, problems, node),
});

/** Nothing in a limit of the panel is no limit: the tool's own rules ask for it. */
function guardsOfPanel(context: IExecuteFunctions, itemIndex: number, problems: Problem[], node: INode) {
  const guards: Partial<Record<Guard, unknown>> = {};
  for (const name of isTool(node) ? PANEL_GUARDS : []) {
    const value = readParameter(context, node, name, itemIndex);
    if ('failed' in value) problems.push({ label: GUARDS[name], ...value.failed });
    else if (!isEmpty(value.value)) guards[name] = value.value;
  }
  return guards;
}

/** The options are evaluated for the item. An expression that fails is named by the guard it stands in. */
function guardsOfOptions(context: IExecuteFunctions, itemIndex: number, problems: Problem[], node: INode) {
  const raw: unknown = node.parameters[OPTIONS];
  if (raw === undefined) return {};
  const all = readParameter(context, node, OPTIONS, itemIndex);
  if ('failed' in all) problems.push(...failing(context, itemIndex, raw, all.failed));
  else if (isObject(all.value)) return guardsIn(isObject(raw) ? raw : all.value, all.value);
  else problems.push({ label: 'Options', found: describe(all.value), allowed: 'must be an object, or nothing at all' });
  return {};
}

/** What is set counts, whatever it evaluates to. */
const guardsIn = (set: object, values: Record<string, unknown>): Partial<Record<Guard, unknown>> =>
  Object.fromEntries(GUARD_NAMES.filter((name) => name in set).map((name) => [name, values[name]]));

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
