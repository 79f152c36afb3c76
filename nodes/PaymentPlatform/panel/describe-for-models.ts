import { editorProperties } from '../fields/editor';
import { readField } from '../fields/read-field';
import type { Field, Problem } from '../fields/types';
import { parameterName } from '../fields/value';
import { movesMoney } from '../model/read-amounts';
import type { Operation, Resource } from '../model/types';

/** Amounts that break one rule each: too small, too large, too many decimals. */
const WRONG_AMOUNTS = ['-1000000000000000', '10000000000000000', '0.123456789'];

/** Returns the text about each operation that a model reads, by `resource.operation`. */
export const describeForModels = (resources: Resource[]): Record<string, string> =>
  Object.fromEntries(
    resources.flatMap(({ value: resource, operations }) =>
      operations.map((operation) => [`${resource}.${operation.value}`, toolDescription(operation)]),
    ),
  );

/** n8n appends the name of the node to the text. */
function toolDescription(operation: Operation): string {
  const parts = [sentence(operation.description), moneyPart(operation), lookUpPart(operation), valuesPart(operation)];
  return [...parts, repeatPart(operation), `Action: ${operation.action}`].filter((part) => part !== '').join(' ');
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

function moneyPart(operation: Operation): string {
  if (operation.budget) return 'This affects money immediately.';
  return movesMoney(operation) ? 'This can move money, now or later.' : 'This moves no money.';
}

const isPicked = (field: Field): boolean => editorProperties(field).some(({ type }) => type === 'resourceLocator');

/** A model may invent an ID unless the text says where the ID comes from. */
function lookUpPart({ fields }: Operation): string {
  const labels = fields.filter((field) => field.required && isPicked(field)).map(({ label }) => label);
  return labels.length === 0
    ? ''
    : `Look up these values with another tool, and never guess them: ${labels.join(', ')}.`;
}

function valuesPart({ fields }: Operation): string {
  const explained = fields.filter((field) => field.required && !field.secret && !isPicked(field));
  return explained.flatMap((field) => (field.money ? amountRules(field) : purposeOf(field))).join(' ');
}

/** Returns the bounds in the words of the node's own refusals. */
function amountRules(field: Field): string {
  const rules = WRONG_AMOUNTS.flatMap((value) => {
    const problems: Problem[] = [];
    readField(field, { [parameterName(field)]: value }, problems, { timezone: 'utc' });
    return problems.map(({ allowed }) => allowed.replace(/^must be /, ''));
  });
  return `${field.label}: in the currency's main unit, never in cents, ${[...new Set(rules)].join(', ')}.`;
}

/** Returns the first sentence about a value that a person types. */
function purposeOf(field: Field): string[] {
  const { type = 'options', description = '' } = editorProperties(field)[0] ?? {};
  const [purpose = ''] = description.split('. ');
  return type === 'options' || purpose === '' ? [] : [`${field.label}: ${sentence(purpose)}`];
}

function repeatPart({ request, setsState, readsWith }: Operation): string {
  if (request.effect === 'reads' || readsWith) return '';
  return request.effect === 'writesOnce' && !setsState
    ? 'Call once. If the result begins with DONE BEFORE or OUTCOME UNKNOWN, never call again.'
    : 'Calling again with the same values changes nothing more.';
}
