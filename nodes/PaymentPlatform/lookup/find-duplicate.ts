import type { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import type { LookingRun } from './match-records';
import { couldNotLook, notWhole } from '../service/look-up';
import type { IfExists } from '../model/option-types';
import type { FoundRecord, Looked } from './found-record';
import { likenessOf, withoutReference, type Footprint } from '../model/footprint';
import type { PlannedRequest } from '../model/types';
import type { Failure } from '../model/failure';
import { timeText } from '../fields/kinds/date';
import { timeZoneOf } from '../n8n/read-parameter';
import { asText } from '../shared/objects';

/** Milliseconds between checks for the response to another item. */
const WAIT_MS = 500;

/** Searches for a matching record before a write (option If It Already Exists). */
export class DuplicateSearch {
  /** Earliest creation times to consider, by footprint. */
  private readonly moments = new Map<Footprint, Array<DateTime | undefined>>();

  constructor(private readonly run: LookingRun) {
    for (const { operation, options } of run.writes) {
      if (!operation.footprint || !options.existing) continue;
      const moments = this.moments.get(operation.footprint) ?? [];
      this.moments.set(operation.footprint, moments);
      moments.push(options.existing.since);
    }
  }

  /**
   * @returns the existing record, a failure if the node must not send the write, or `undefined`.
   * @throws NotStarted if the run stopped during the wait for another item's response.
   */
  async findDuplicate(request: PlannedRequest): Promise<FoundRecord | { failure: Failure } | undefined> {
    const { operation, options } = request;
    const [footprint, wanted] = [operation.footprint, options.existing];
    if (!footprint || !wanted) return undefined;
    const values = withoutReference(request.values);
    if (!footprint.isIdentifiable(values)) return { failure: NOTHING_TO_LOOK_FOR };
    const moments = this.moments.get(footprint) ?? [];
    const read = await this.run.lists.whole(footprint.list, moments, footprint.filter(values));
    const since = wanted.since && { at: wanted.since, above: undefined };
    const seen = await this.run.lists.complete(footprint, values, read, since);
    if ('failure' in seen) return { failure: blind(seen.failure) };
    const { records, note } = seen;
    const agreement = this.agreement(footprint, wanted);
    const isGuard = wanted.then === 'fail';
    const looked: Looked = { values: seen.values, footprint, records, since, isGuard, kind: 'existed' };
    looked.hasEqualElsewhere =
      (await this.run.keys.hasEqualElsewhere(request)) || (!isGuard && (await this.isContested(request, looked)));
    const record = await this.claimed(request, looked);
    if (record && wanted.then === 'return') return { record, agreement, kind: 'existed' };
    const standing = record ?? this.run.recordMatcher.doubtful(looked);
    if (standing) {
      const id = asText(standing[footprint.list.identity]);
      const isSure = record !== undefined;
      return {
        failure: inTheWay(footprint, id, isSure ? agreement : (footprint.resemblance ?? agreement), isSure),
      };
    }
    return note === undefined ? undefined : { failure: blind(notWhole(note)) };
  }

  /** Returns whether the write's record may belong to another item that the node has not sent yet. */
  private async isContested(request: PlannedRequest, looked: Looked): Promise<boolean> {
    const { footprint } = looked;
    const { records, others } = this.run.recordMatcher.contest(request, looked);
    for (const other of others) {
      const seen = await this.run.lists.complete(footprint, other, { records });
      if (
        'failure' in seen ||
        seen.records.some((record) => likenessOf(footprint, record, seen.values) !== 'different')
      )
        return true;
    }
    return false;
  }

  /** Returns the item's record. Waits for other items that may have created it. */
  private async claimed(request: PlannedRequest, looked: Looked): Promise<IDataObject | undefined> {
    const { recordMatcher, gate } = this.run;
    let match = recordMatcher.claim(request, looked);
    while (match.isPending) {
      await gate.rest(WAIT_MS);
      gate.assertOpen();
      match = recordMatcher.claim(request, looked);
    }
    return match.record;
  }

  private agreement({ agreement }: Footprint, { since }: IfExists): string {
    return since ? `${agreement}, since ${timeText(since, timeZoneOf(this.run.context))}` : agreement;
  }
}

/** Returns the failure of an item whose duplicate search failed. */
const blind = (failure: Failure): Failure =>
  couldNotLook('"If It Already Exists" could not read the records of the service, so nothing was sent', failure);

const SKIP = 'set the option "If It Already Exists" to "Skip the Check".';

const NOTHING_TO_LOOK_FOR: Failure = {
  outcome: 'invalid',
  message: '"If It Already Exists" can\'t distinguish this item from others, so nothing was sent',
  advice: `Fill in the fields that distinguish this item, or ${SKIP}`,
};

/** Returns the failure for an existing record. If `isSure` is false, the record may not be a duplicate. */
function inTheWay({ list, where }: Footprint, id: string, agreement: string, isSure: boolean): Failure {
  const record = `${list.identity} ${id}`;
  const state = isSure ? 'already exists' : 'may already exist';
  return {
    outcome: 'invalid',
    message: `A matching record ${state}: ${record} is in ${where} (${agreement})`,
    advice: `To send this request anyway, a person can ${SKIP}`,
    ...(list.identity === 'pg_id' && { pgId: id }),
  };
}
