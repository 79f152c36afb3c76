import type { IExecuteFunctions } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { fetchList } from './fetch-list';
import { isRepeatable } from './retry';
import { send } from './send';
import type { Account, DuplicateCheck, Failure, PlannedRequest, RunOptions } from './types';

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
  const list = await fetchList({ identity, fields: [] }, undefined, async (page, count) => {
    const query = { filter: filter(values), count, page };
    return await send(context, account, {
      method: 'GET',
      path,
      family: 'platform',
      query,
      timeoutMs: options.timeoutMs,
    });
  });
  if ('ok' in list) return couldNotLook(list.failure);
  const found = list.records.find(
    (record) => !ownIds.has(asText(record[identity])) && duplicate.matches(record, values, since),
  );
  if (found) return alreadyThere(duplicate, asText(found[identity]));
  return list.note === undefined ? undefined : couldNotLook({ outcome: 'unknown', message: list.note, advice: '' });
}

const couldNotLook = (failure: Failure): Failure => ({
  outcome: isRepeatable('reads', failure) ? 'notSent' : 'invalid',
  message: `Duplicate Check could not look in the report, so nothing was sent: ${failure.message}`,
  advice: failure.advice,
  httpStatus: failure.httpStatus,
  retryAfterMs: failure.retryAfterMs,
});

const alreadyThere = ({ list }: DuplicateCheck, id: string): Failure => ({
  outcome: 'invalid',
  message: `Duplicate Check found that this was done already: ${list.identity} ${id}`,
  advice: 'Only if a person means it to happen once more: switch the option "Duplicate Check" off.',
  pgId: id,
});
