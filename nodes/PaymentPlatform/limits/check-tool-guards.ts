import type { INode } from 'n8n-workflow';

import type { Problem } from '../fields/types';
import { isObject } from '../shared/objects';
import { amountOf } from '../model/read-amounts';
import { FROM_AI } from '../n8n/expression';
import { GUARD_NAMES, GUARDS, type Guard } from './guard-parameters';
import { isTool } from '../n8n/is-tool';
import { PANEL_GUARDS } from './tool-guards';
import type { ItemOptions } from '../model/option-types';
import type { Effect, MoneyRequest } from '../model/types';

const WHERE = 'in the panel of this tool';

/**
 * Guards of a tool that a model could fill, for a request that writes. Text of a model reaches whatever n8n evaluates,
 * so a guard must stand in the parameters as it is. In the panel n8n takes the sign of an expression away before the node
 * sees it: the braces are left.
 */
export function unfixedGuards(effect: Effect, node: INode): Problem[] {
  const options: unknown = node.parameters.options;
  if (!isTool(node) || effect === 'reads') return [];
  if (typeof options === 'string') return [refused('Options', options)];
  const given = isObject(options) ? options : {};
  const inPanel = (name: Guard) => (PANEL_GUARDS.some((one) => one === name) ? node.parameters[name] : undefined);
  return GUARD_NAMES.flatMap((name) =>
    textsIn([given[name], inPanel(name)])
      .filter((text) => text.startsWith('=') || text.includes('{{') || FROM_AI.test(text))
      .slice(0, 1)
      .map((text) => refused(GUARDS[name], text)),
  );
}

const refused = (label: string, text: string): Problem => ({
  label,
  found: FROM_AI.test(text)
    ? 'a value that the model fills ($fromAI)'
    : 'an expression, which could be filled by the model',
  allowed: `must be a fixed value ${WHERE}: what limits a model must not come from it`,
});

const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

/** The limits that a tool lacks for a request that moves money. */
export function missingLimits(request: MoneyRequest, options: ItemOptions, node: INode): Problem[] {
  if (!isTool(node) || amountOf(request) === 0) return [];
  return (['maxAmount', 'maxTotal'] as const)
    .filter((name) => options[name] === undefined)
    .map((name) => ({
      label: GUARDS[name],
      found: 'nothing',
      allowed: `must be set ${WHERE}, because an AI agent may call it with any amount`,
    }));
}
