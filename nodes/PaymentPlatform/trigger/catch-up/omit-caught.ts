import type { IExecuteFunctions } from 'n8n-workflow';

import { asText, objectIn } from '../../shared/objects';
import { recordsOf, withRecords } from '../delivery';
import { DeliveryClaims, isOwn, type Standing } from '../delivery-claims';
import { onChangesEnd, PROCESS_ID } from '../delivery-dedup';
import { readCatchUpOptions } from '../description';
import type { Handover } from '../receive';
import { caughtKey, hourKey, lateKeys, vagueKey } from './position';
import { warnFailed } from './problems';
import { currentDay, currentHour } from './times';
import { canCatchUp, identitiesOf, nameChange, changeTimeOf } from './changes';

/**
 * Removes the records of a delivery that catch-up has emitted, and records the others, so that catch-up doesn't emit
 * them again.
 * @param isTakenOver whether an execution of the delivery seems lost, which may have claimed the changes.
 * @returns the delivery, or `undefined` if no record remains.
 */
export async function withoutCaught(
  context: IExecuteFunctions,
  handover: Handover,
  isTakenOver: boolean,
): Promise<Handover | undefined> {
  const { payload = {}, account, isTest } = handover;
  const event = asText(payload.event);
  const isOff = readCatchUpOptions(context).catchUp === 'never';
  if (isTest || context.getMode() === 'manual' || !canCatchUp(event)) return handover;
  const ledger = DeliveryClaims.of(context);
  const { helpers } = context;
  const records = recordsOf(payload) ?? [objectIn(payload.data)];
  const identities = records.map((record) => identitiesOf(event, record, account));
  const begun = new Map<string, Standing | 'refused'>();
  const executionId = context.getExecutionId();
  let endedAs: boolean | undefined;
  const end = (identity: string, isDone: boolean) =>
    isOwn(begun.get(identity) ?? 'open') && ledger.end(helpers, identity, executionId, isDone);
  const begin = async (identity: string) => {
    const standing = ledger.beginChange(helpers, identity, executionId, isShared(handover)).then(async (found) => {
      if (found !== 'open' || !isTakenOver) return found;
      // Catch-up emits the change, even if its execution is too young for a sign of life.
      if ((await ledger.marks.proofs(helpers, [caughtKey(identity)])).size > 0) return found;
      const isLost = await ledger.takeOver(helpers, identity, executionId);
      return isLost ? 'interrupted' : found;
    });
    begun.set(identity, await standing.catch(() => 'refused'));
    // The trigger emits the delivery.
    if (begun.get(identity) === 'refused') ledger.hold(helpers, identity, executionId);
    // n8n doesn't stop a canceled execution.
    if (endedAs !== undefined) end(identity, endedAs);
    await standing;
  };
  let left = records;
  onChangesEnd(context, (outcome, isDone) => {
    endedAs = isDone;
    for (const identity of begun.keys()) end(identity, isDone);
    const received = records.flatMap((record, index) => (left.includes(record) ? (identities[index] ?? []) : []));
    if (isDone && (outcome === 'succeeded' || isOff)) void ledger.settle(helpers, received);
    else ledger.fail(helpers, received, isDone);
    if (outcome === 'failed' && isDone && !isOff)
      warnFailed(
        context,
        left.map((data) => nameChange({ event, data })),
      );
  });
  // Without catch-up, the trigger records the changes for the time after the user turns it on.
  await Promise.all([
    ledger.marks.addInAnyCase(helpers, [
      ...(isOff ? [] : [hourKey(currentHour())]),
      ...(identities.some((own) => own.length === 0) ? [vagueKey(event, currentDay())] : []),
      ...lateKeys(
        event,
        records.map((record) => changeTimeOf(event, record)),
        Date.parse(handover.receivedAt),
      ),
    ]),
    ...[...new Set(identities.flat())].map(begin),
  ]);
  const others = [...begun].filter(([, standing]) => standing === 'done' || standing === 'open').map(([one]) => one);
  const caught = others.length === 0 ? others : await ledger.marks.proofs(helpers, others.map(caughtKey));
  const isCaught = (own: string[]) => own.some((identity) => new Set(caught).has(caughtKey(identity)));
  // A person who retries an execution wants the event again.
  const isRetry = context.getMode() === 'retry';
  left = records.filter((_, index) => isRetry || !isCaught(identities[index] ?? []));
  if (left.length === records.length) return handover;
  // Of a change with two IDs, catch-up may have claimed only one so far.
  const emitted = new Set(records.flatMap((record, index) => (left.includes(record) ? (identities[index] ?? []) : [])));
  for (const identity of [...begun.keys()].filter((one) => !emitted.has(one))) {
    end(identity, false);
    begun.delete(identity);
  }
  return left.length === 0 ? undefined : { ...handover, payload: withRecords(payload, records, left) };
}

export const isShared = ({ receivedBy }: Handover) => receivedBy !== PROCESS_ID;
