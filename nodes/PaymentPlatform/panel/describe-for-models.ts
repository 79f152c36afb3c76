import { movesMoney } from '../model/read-amounts';
import type { Operation, Resource } from '../model/types';
import { describeValues } from './describe-values';

/** Returns descriptions of all operations for models, by `resource.operation`. */
export const describeForModels = (resources: Resource[]): Record<string, string> =>
  Object.fromEntries(
    resources.flatMap(({ value: resource, operations }) =>
      operations.map((operation) => {
        const key = `${resource}.${operation.value}`;
        const purpose = operation.value === 'upsert' ? upsertPurpose(resource) : operation.description;
        return [key, toolDescription(key, { ...operation, description: purpose })];
      }),
    ),
  );

/** Replaces the description that n8n's linter requires for an upsert, because that text doesn't name the record. */
const upsertPurpose = (record: string) => `Create a ${record}, or update the existing ${record}`;

/**
 * Maximum length of a tool description in characters. Some models reject tools with more than 1,024 characters, and n8n
 * appends the node's name.
 */
const MOST = 1_000;

/** Returns the tool description of an operation. Omits optional values if the text would become too long. */
function toolDescription(key: string, operation: Operation): string {
  const { required, optional } = describeValues(operation);
  const before = [sentence(operation.description), moneyPart(key, operation), ...required];
  const after = [repeatPart(operation), `Action: ${operation.action}`];
  let left = MOST - words([...before, ...after]).length;
  const fits = optional.filter((text) => text.length < left && (left -= text.length + 1));
  return words([...before, ...fits, ...after]);
}

const words = (parts: string[]): string => parts.filter((part) => part !== '').join(' ');

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

/** Descriptions that already state the effect on money. */
const STATES_EFFECT = /Nothing is charged|No money|You lose the disputed amount|transactions settle/;
/** Sentences that tell a model how the other operations that can move money affect the customer or the merchant. */
const EFFECTS: Record<string, string> = {
  'transaction.sale': 'The charge takes effect immediately.',
  'transaction.authorize': 'The hold takes effect immediately. The customer is charged at the capture.',
  'transaction.capture': 'The customer is charged immediately.',
  'transaction.refund': 'The refund takes effect immediately.',
  'transaction.void': 'The void takes effect immediately.',
  'transaction.recharge': 'The charge takes effect immediately.',
  'transaction.payout': 'The payout takes effect immediately.',
  'transaction.credit': 'The credit takes effect immediately.',
  'transaction.force': 'The customer is charged immediately.',
  'invoice.create': 'No money moves until the customer pays.',
  'invoice.addPayment': 'No money moves, but the balance of the invoice changes.',
  'invoice.update': 'No money moves until the customer pays.',
  'invoice.copy': 'No money moves until the customer pays.',
  'invoice.updatePayment': 'No money moves, but the balance of the invoice changes.',
  'checkout.create': 'No money moves until the customer pays.',
  'subscription.create': 'Charges can begin immediately.',
  'subscription.resume': 'The customer can be charged immediately.',
  'plan.create': 'Charges begin when a customer subscribes.',
  'plan.upsert': 'No money moves until a customer subscribes.',
  'plan.update': 'No money moves until a customer subscribes.',
  'api.request': 'The request can move money.',
};

function moneyPart(key: string, operation: Operation): string {
  const effect = EFFECTS[key];
  if (effect !== undefined) return effect;
  return movesMoney(operation) || STATES_EFFECT.test(operation.description) ? '' : 'No money moves.';
}

function repeatPart({ request, setsState, readsWith }: Operation): string {
  if (request.effect === 'reads' || readsWith) return '';
  return request.effect === 'writesOnce' && !setsState
    ? 'Call once. If the result begins with DONE BEFORE or OUTCOME UNKNOWN, never call again.'
    : 'Calling again with the same values has no further effect.';
}
