import { movesMoney, NO_MONEY_MOVES } from '../model/read-amounts';
import type { Operation, Resource } from '../model/types';
import { describeValues } from './describe-values';

/** Returns descriptions by `resource.operation`. */
export const describeForModels = (resources: Resource[]): Record<string, string> =>
  Object.fromEntries(
    resources.flatMap(({ value: resource, operations }) =>
      operations.map((operation) => {
        const description = operation.value === 'upsert' ? upsertPurpose(resource) : operation.description;
        return [`${resource}.${operation.value}`, toolDescription({ ...operation, description })];
      }),
    ),
  );

/** Replaces the description that n8n's linter requires for an upsert, because that text doesn't name the record. */
const upsertPurpose = (record: string) => `Create a ${record}, or update the existing ${record}`;

/** Maximum number of characters. Some models reject more than 1,024 characters, and n8n appends the node's name. */
const MOST = 1_000;

function toolDescription(operation: Operation): string {
  const { required, optional } = describeValues(operation);
  const before = [sentence(operation.description), moneyPart(operation), ...required];
  const after = [repeatPart(operation), `Action: ${operation.action}`];
  let left = MOST - words([...before, ...after]).length;
  const fits = optional.filter((text) => text.length < left && (left -= text.length + 1));
  return words([...before, ...fits, ...after]);
}

const words = (parts: string[]): string => parts.filter((part) => part !== '').join(' ');

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

function moneyPart({ moneyEffect, ...operation }: Operation): string {
  return moneyEffect ?? (movesMoney(operation) ? '' : `${NO_MONEY_MOVES}.`);
}

function repeatPart({ request, setsState, readsWith }: Operation): string {
  if (request.effect === 'reads' || readsWith) return '';
  return request.effect === 'writesOnce' && !setsState
    ? 'Call once. If the result begins with DONE BEFORE or OUTCOME UNKNOWN, never call again.'
    : 'Calling again with the same values has no further effect.';
}
