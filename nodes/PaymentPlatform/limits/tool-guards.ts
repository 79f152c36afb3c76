import type { INodeProperties } from 'n8n-workflow';

import { movesMoney } from '../model/read-amounts';
import type { DayBudget } from '../model/day-budget';
import { GUARDS, type Guard } from './guard-parameters';
import type { Operation } from '../model/types';

/** The guards that a tool shows in its panel, where whoever builds the agent sees them, and not among its options. */
export const PANEL_GUARDS = [
  'maxAmount',
  'maxTotal',
  'maxPerDay',
  'requireTest',
  'duplicateCheck',
  'allowEqual',
] as const satisfies readonly Guard[];

/** Shown where n8n made a tool of the node. */
const inTools = (property: INodeProperties): INodeProperties => ({
  ...property,
  displayOptions: { show: { '@tool': [true] } },
});

/** A guard of a tool is a fixed value: no expression, and nothing that the model fills. */
const guard = (name: Guard, rest: Omit<INodeProperties, 'displayName' | 'name'>): INodeProperties =>
  inTools({ displayName: GUARDS[name], name, noDataExpression: true, ...rest });

const notice = (displayName: string): INodeProperties =>
  inTools({ displayName, name: 'toolGuardsNotice', type: 'notice', default: '' });

/** Text, so that nothing stands in it until somebody has decided: a number would begin as 0. */
const limit = (name: 'maxAmount' | 'maxTotal' | 'maxPerDay', example: string, description: string) =>
  guard(name, { type: 'string', default: '', placeholder: `e.g. ${example}`, description });

const requireTest = guard('requireTest', {
  type: 'boolean',
  default: true,
  description:
    'Whether the tool refuses a credential for Production. Switch it off when everything else is as you want it.',
});

const duplicateCheck = guard('duplicateCheck', {
  type: 'boolean',
  default: true,
  description:
    'Whether the tool looks in the transaction report, before each refund, for a refund of the same transaction with the same amount in the last 24 hours, and refuses a second one',
});

const allowEqual = guard('allowEqual', {
  type: 'boolean',
  default: false,
  description:
    'Whether two equal payments in one execution are meant. While it is off, a call that the model repeats pays nothing twice.',
});

const moneyGuards: INodeProperties[] = [
  notice(
    'What the model may do with this tool. It can not change these values. The first two limits are needed: without them nothing is paid, charged or refunded.',
  ),
  limit(
    'maxAmount',
    '500',
    'The highest amount of one call, such as 500 or 12.50. A call with a higher one, or one that nobody can tell before, is refused and nothing is sent.',
  ),
  limit(
    'maxTotal',
    '2000',
    'How much all calls of one execution may come to together. The call that would go beyond is refused and nothing is sent.',
  ),
];

const maxPerDay = ({ of, where }: DayBudget) =>
  limit(
    'maxPerDay',
    '5000',
    `How much all ${of} of a day may come to, whoever made them, by what ${where} shows of today. The call that would go beyond is refused and nothing is sent. Empty means no limit.`,
  );

/** The guards in the panel of a tool, by what the operation does; nothing for one that only reads. */
export function toolGuards(operation: Operation): INodeProperties[] {
  if (operation.request.effect === 'reads') return [];
  if (!movesMoney(operation))
    return [notice('What the model may do with this tool. It can not change this value.'), requireTest];
  const { budget, footprint } = operation;
  return [
    ...moneyGuards,
    ...(budget ? [maxPerDay(budget)] : []),
    requireTest,
    ...(footprint?.hasDuplicateCheck ? [duplicateCheck] : []),
    allowEqual,
  ];
}
