import { DateTime } from 'luxon';
import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { estimateDueDay, IN_REVIEW, NEW, possibleActions, RETRIEVAL } from '../../messages/describe-dispute';
import { asText, readableNumber } from '../../shared/objects';
import { chosenRecord } from '../engine/linked';
import { day, fitted, id, money, words } from '../engine/line-parts';
import { searchList } from '../engine/list-search';
import type { ListEntry, Picker, View } from '../engine/picker';

/** The service lists the newest disputes first. */
const disputes: Omit<Picker, 'entries'> = {
  of: 'disputes',
  path: '/platform/dispute/browse',
  identity: 'rec_id',
  searched: {
    words: ['reason_desc', 'reason_code', 'purchase_id', 'rec_id'],
    amount: 'amt_dispute',
    card: 'card_number',
  },
  ownWords: new Set(['due', 'accept', 'or', 'respond', 'wait', 'reset', 'unknown']),
  add: 'whole amount, reason, order number or ID',
};

/** An unknown status is not a reason, because the operation may work. */
function whyNot({ status, data_type: type }: IDataObject, operation?: string): string | undefined {
  const isResponse = operation === 'accept' || operation === 'respond';
  if (isResponse && status === IN_REVIEW) return 'under review';
  if (operation === 'accept' && type === RETRIEVAL) return 'retrieval request';
  return operation === 'reset' && status === NEW ? 'new' : undefined;
}

function disputeEntry(dispute: IDataObject, { now }: View, operation?: string): ListEntry[] {
  const zone = now.zoneName ?? 'utc';
  const due = estimateDueDay(dispute);
  const amount = readableNumber(dispute.amt_dispute);
  const leftOut = whyNot(dispute, operation);
  const date = due === undefined ? undefined : day(DateTime.fromISO(due, { zone }), now);
  const identifying = [
    ...(amount === undefined ? [] : [money(amount, '')]),
    ...(date ? [{ ...date, text: `due about ${date.text}` }] : []),
    ...(leftOut === undefined ? [words(possibleActions(dispute).toLowerCase())] : []),
  ];
  const shown = [fitted(words(asText(dispute.reason_desc)), identifying), ...identifying];
  const known = [
    ...[dispute.rec_id, dispute.cb_ref_num].map((one) => id(asText(one))),
    ...[dispute.purchase_id, dispute.reason_code, dispute.card_number].map((one) => words(asText(one))),
  ];
  return [{ id: asText(dispute.rec_id), shown, known, ...(leftOut !== undefined && { leftOut }) }];
}

/** Omits disputes that the selected operation can't use. */
export async function searchDisputes(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  const operation = chosenRecord(this, 'operation');
  const entries = (record: IDataObject, view: View) => disputeEntry(record, view, operation);
  return await searchList(this, { ...disputes, entries }, search, paginationToken);
}
