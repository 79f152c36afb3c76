import type { IExecuteFunctions } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { couldNotLook, lookFor, notWhole } from './look';
import type { RunOptions } from './option-types';
import type { Account, DuplicateCheck, Failure, PlannedRequest } from './types';

/**
 * Looks for what the request would leave behind if it had been made already (option Duplicate Check).
 * @param ownIds identities of the records that this run made itself: two equal refunds in one run are meant.
 * @returns the failure of the item when there is such a record, or when nobody could look.
 */
export async function duplicateFailure(
  context: IExecuteFunctions,
  account: Account,
  options: RunOptions,
  { operation, options: item, values }: PlannedRequest,
  ownIds: ReadonlySet<string>,
): Promise<Failure | undefined> {
  const { duplicate } = operation;
  const { duplicatesSince: since } = item;
  if (!duplicate || !since) return undefined;
  const { path, identity, filter } = duplicate.list;
  const look = { path, family: 'platform' as const, query: { filter: filter(values) }, list: { identity } };
  const found = await lookFor({ context, account, options }, look);
  if ('failure' in found) return couldNotLook(COULD_NOT_LOOK, found.failure);
  const { records, note } = found;
  const same = records.find(
    (record) => !ownIds.has(asText(record[identity])) && duplicate.matches(record, values, since),
  );
  if (same) return alreadyThere(duplicate, asText(same[identity]));
  return note === undefined ? undefined : couldNotLook(COULD_NOT_LOOK, notWhole(note));
}

const COULD_NOT_LOOK = 'Duplicate Check could not look in the report, so nothing was sent';

const alreadyThere = ({ list }: DuplicateCheck, id: string): Failure => ({
  outcome: 'invalid',
  message: `Duplicate Check found that this was done already: ${list.identity} ${id}`,
  advice: 'Only if a person means it to happen once more: switch the option "Duplicate Check" off.',
  pgId: id,
});
