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
    'Highest amount that one call may move, such as 500 or 12.50. The node refuses a call with a higher or unknown amount and sends nothing.',
  ),
  limit(
    'maxTotal',
    '2000',
    'Highest total of all calls in one execution. The node refuses a call that would exceed the total and sends nothing.',
  ),
];

const maxPerDay = ({ of, where }: DayBudget) =>
  limit(
    'maxPerDay',
    '5000',
    `Highest total of all ${of} of a day, including those made outside n8n. The node reads them from ${where}. The node refuses a call that would exceed the total and sends nothing. Empty means no limit.`,
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
