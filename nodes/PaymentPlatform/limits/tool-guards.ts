import type { INode, INodeProperties } from 'n8n-workflow';
import type { Problem } from '../fields/types';
import type { DayRecords } from '../model/day-records';
import type { ItemOptions } from '../model/option-types';
import { amountOf, movesMoney } from '../model/read-amounts';
import { TARGETS, type Effect, type MoneyRequest, type Operation, type TargetField } from '../model/types';
import { FROM_AI } from '../n8n/read-parameter';
import { isObject } from '../shared/objects';
import { describeLimitPerDay } from './guard-parameters';
import { GUARDS, GUARD_NAMES, type Guard } from '../model/guards';

/** The panel of a tool shows these options directly, so that the person who builds the agent notices them. */
export const PANEL_GUARDS = [
  'allowAgent',
  'limitPerItem',
  'limitPerExecution',
  'limitPerDay',
  'onlyFor',
  'testEnvironmentOnly',
  'allowEqual',
] as const satisfies readonly Guard[];

const inTools = (property: INodeProperties): INodeProperties => ({
  ...property,
  displayOptions: { show: { '@tool': [true] } },
});

const guard = (name: Guard, rest: Omit<INodeProperties, 'displayName' | 'name'>): INodeProperties =>
  inTools({ displayName: GUARDS[name], name, noDataExpression: true, ...rest });

const notice = (displayName: string): INodeProperties =>
  inTools({ displayName, name: 'toolGuardsNotice', type: 'notice', default: '' });

const limit = (name: 'limitPerItem' | 'limitPerExecution' | 'limitPerDay', example: string, description: string) =>
  guard(name, { type: 'string', default: '', placeholder: `e.g. ${example}`, description });

const requiredLimit = (...[name, example, description]: Parameters<typeof limit>): INodeProperties => ({
  ...limit(name, example, description),
  required: true,
});

const testEnvironmentOnly = guard('testEnvironmentOnly', {
  type: 'boolean',
  default: true,
  description: 'Whether to refuse a credential for Production. Turn this off when the agent is ready for production.',
});

const allowAgent = guard('allowAgent', {
  type: 'boolean',
  default: false,
  description:
    'Whether an AI agent may use this tool for payouts, credits or forced captures. If this is off, the node refuses these calls.',
});

const onlyFor = (target: TargetField) =>
  guard('onlyFor', {
    type: 'string',
    default: '',
    placeholder: 'e.g. 9001, 9002',
    description: `IDs of the allowed ${TARGETS[target]}s, separated by commas. The node refuses calls for other IDs. Leave empty to allow every ${TARGETS[target]}.`,
  });

const allowEqual = guard('allowEqual', {
  type: 'boolean',
  default: false,
  description:
    'Whether the agent may make the same payment more than once in one execution, or within 10 minutes in manual executions in Production. If this is off, the node sends only the first such call.',
});

const hiddenWith = (hide: Record<string, string[]>, property: INodeProperties): INodeProperties => ({
  ...property,
  displayOptions: { ...property.displayOptions, hide },
});

const limitsNotice = notice(
  "The AI agent can't change these settings. The node refuses every payment until you set 'Limit per Item' and 'Limit per Execution'.",
);

const requiredLimits: INodeProperties[] = [
  requiredLimit(
    'limitPerItem',
    '500',
    'Highest amount that the AI agent may move with one call, e.g. 500 or 12.50. The node refuses a call with a higher or unknown amount.',
  ),
  requiredLimit(
    'limitPerExecution',
    '2000',
    'Highest total that the AI agent may move in one execution of the workflow, e.g. 2000. The node refuses a call that would exceed the total.',
  ),
];

const limitPerDay = (dayRecords?: DayRecords) =>
  limit('limitPerDay', '5000', `${describeLimitPerDay(dayRecords)} Leave empty for no limit.`);

export function toolGuards(operation: Operation): INodeProperties[] {
  if (operation.request.effect === 'reads') return [];
  if (!movesMoney(operation)) return [notice("The AI agent can't change this setting"), testEnvironmentOnly];
  const { dayRecords, readsWith, target, offInTools } = operation;
  const shown = (...properties: INodeProperties[]) =>
    properties.map((property) => (readsWith ? hiddenWith(readsWith, property) : property));
  return [
    ...shown(limitsNotice),
    ...(offInTools ? shown(allowAgent) : []),
    ...shown(...requiredLimits, limitPerDay(dayRecords)),
    ...(target === undefined ? [] : [onlyFor(target)]),
    testEnvironmentOnly,
    allowEqual,
  ];
}

const WHERE = 'in the settings of this tool';

export const toolProblems = (request: MoneyRequest, options: ItemOptions): Problem[] => [
  ...switchedOff(request, options),
  ...missingLimits(request, options),
  ...longKey(options),
];

/**
 * Refuses safety options that a language model could fill in. Each option must be a fixed value without `{{`. The
 * deduplication key may be an expression, because a key can only prevent a payment.
 */
export function unfixedGuards(effect: Effect, { parameters }: INode): Problem[] {
  const options: unknown = parameters.options;
  if (effect === 'reads') return [];
  if (typeof options === 'string') return [refused('Options', options)];
  const given = isObject(options) ? options : {};
  const inPanel = (name: Guard) => (PANEL_GUARDS.some((one) => one === name) ? parameters[name] : undefined);
  return GUARD_NAMES.filter((name) => name !== 'oncePerKey').flatMap((name) =>
    textsIn([given[name], inPanel(name)])
      .filter((text) => text.startsWith('=') || text.includes('{{') || FROM_AI.test(text))
      .slice(0, 1)
      .map((text) => refused(GUARDS[name], text)),
  );
}

const refused = (label: string, text: string): Problem => ({
  label,
  found: FROM_AI.test(text) ? 'a value that the model fills ($fromAI)' : 'an expression, which the model could fill',
  allowed: `must be a fixed value ${WHERE}, because the model must not set its own limits`,
});

const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

/** Refuses an operation that tools can't use until a person turns on Allow AI Agent. */
export function switchedOff(request: MoneyRequest, { allowAgent }: ItemOptions): Problem[] {
  const { offInTools, name } = request.operation;
  const isOff = typeof offInTools === 'function' ? offInTools(request) : offInTools === true;
  if (!isOff || allowAgent === true) return [];
  return [
    {
      label: GUARDS.allowAgent,
      found: 'off',
      allowed: `must be turned on by a person ${WHERE} before an AI agent can use "${name}"`,
    },
  ];
}

const LONGEST_KEY = 255;

/** Refuses a key that is too long to be an ID. */
export function longKey({ oncePerKey = '' }: ItemOptions): Problem[] {
  if (oncePerKey.length <= LONGEST_KEY) return [];
  return [
    {
      label: GUARDS.oncePerKey,
      found: `${oncePerKey.length} characters`,
      allowed: `must have at most ${LONGEST_KEY} characters`,
    },
  ];
}

function missingLimits(request: MoneyRequest, options: ItemOptions): Problem[] {
  if (amountOf(request) === 0) return [];
  return (['limitPerItem', 'limitPerExecution'] as const)
    .filter((name) => options[name] === undefined)
    .map((name) => ({
      label: GUARDS[name],
      found: 'nothing',
      allowed: `must be set ${WHERE}, because an AI agent could call the tool with any amount`,
    }));
}
