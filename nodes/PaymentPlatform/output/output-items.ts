import { NodeOperationError, type IDataObject, type INode, type INodeExecutionData } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { joinSentences } from '../messages/describe-answers';
import { failureData, failureDescription, headline, toNodeError, type Place } from './node-error';
import type { RequestResult } from '../model/results';
import { idsOf, MOST_ROWS_NAMED, rowList, rowOf, titleOf, type Rows } from '../messages/name-rows';
import { secretOptionOf } from '../messages/scrubber';
import type { Operation } from '../model/types';
import type { Failure } from '../model/failure';

type Shown = Pick<INodeExecutionData, 'json' | 'binary'> & { item: number };

/**
 * The `error` field of a failed item is a plain object. For an Error instance, n8n would replace the item with the
 * message (n8n.md#items-and-errors).
 * @param own whether failed items have a separate output and contain only `error`.
 * @param operation missing if the run failed before the node read the operation.
 */
export function outputItems(results: RequestResult[], own = false, operation?: Operation): INodeExecutionData[] {
  const isRead = operation?.request.effect === 'reads';
  const sent = isRead ? 0 : results.filter(mayBeSent).reduce((sum, { items }) => sum + items.length, 0);
  const all = results.flatMap((result) =>
    result.items.flatMap((item, index): Shown[] => {
      if (result.kind === 'done')
        return recordsOf(result, index).map((json) => ({
          item,
          json,
          ...(result.binary && { binary: result.binary }),
        }));
      const failure = result.kind === 'failed' ? result.failure : notStartedFailure(result.reason);
      const message = headline(failure);
      const error = { ...failureData(failure), message, description: failureDescription(failure, operation, '', sent) };
      const begin = own ? {} : { what_happened: `${ENDED[failure.outcome]}: ${message}` };
      return [{ item, json: { ...begin, error } }];
    }),
  );
  return all.sort((a, b) => a.item - b.item).map(({ item, ...shown }) => ({ ...shown, pairedItem: { item } }));
}

const mayBeSent = (result: RequestResult): boolean =>
  result.kind === 'done' || (result.kind === 'failed' && ['unknown', 'doneBefore'].includes(result.failure.outcome));

/** Each item of a shared request has the same number of records, in item order. */
function recordsOf({ items, records }: { items: number[]; records: IDataObject[] }, index: number): IDataObject[] {
  const each = records.length / items.length;
  if (!Number.isInteger(each)) return records;
  return records.slice(index * each, (index + 1) * each);
}

const ENDED: Record<Failure['outcome'], string> = {
  invalid: 'Not sent',
  declined: 'Failed',
  notSent: 'Not sent',
  unknown: 'Outcome unknown',
  doneBefore: 'Not sent again',
};

/** @param reason sentence about the end of the run. Missing if another item failed or the user stopped the run. */
const notStartedFailure = (reason?: string): Failure => ({
  outcome: 'notSent',
  message: reason === undefined ? 'Not started, because the run stopped' : `Not started. ${reason}`,
  advice: 'Run this item again.',
});

/** The error's data contains the IDs of all completed items. */
export function stoppingError(node: INode, operation: Operation, results: RequestResult[], rows: Rows) {
  const perItem = results
    .flatMap((result) => result.items.map((item, index) => ({ item, index, result })))
    .sort((a, b) => a.item - b.item);
  const failed = perItem.flatMap(({ item, result }) =>
    result.kind === 'failed' ? [{ itemIndex: item, failure: result.failure }] : [],
  );
  const notStarted = perItem.flatMap(({ item, result }) => (result.kind === 'notStarted' ? [item] : []));
  const done = perItem.flatMap(({ item, index, result }) =>
    result.kind === 'done' ? [{ item, ids: idsOf(recordsOf(result, index)[0] ?? {}) }] : [],
  );
  const [first, ...others] = failed;
  const isNothingSent =
    failed.length > 0 &&
    done.length === 0 &&
    failed.every(({ failure }) => failure.outcome === 'invalid' && !failure.applied);
  const summary = isNothingSent
    ? howToContinue(notStarted.length, operation)
    : summarize({ done, others, notStarted }, operation, rows);
  const place = first && { item: first.itemIndex, row: titleOf(rows, first.itemIndex), summary };
  const told = first && isNothingSent && others.length > 0 ? tellInvalid(failed, rows) : undefined;
  const error = place
    ? toNodeError(node, first.failure, { ...place, ...told }, operation)
    : new NodeOperationError(node, 'The execution was canceled', { description: summary });
  error.context.data = {
    ...(first && failureData(first.failure)),
    finished: done.map(({ item, ids }) => ({ item, ...ids })),
    failed: failed.map(({ itemIndex, failure }) => ({ item: itemIndex, ...failureData(failure) })),
    notStarted,
  };
  return error;
}

interface Others {
  done: Array<{ item: number; ids: IDataObject }>;
  others: Array<{ itemIndex: number; failure: Failure }>;
  notStarted: number[];
}

function summarize({ done, others, notStarted }: Others, operation: Operation, rows: Rows): string {
  if (done.length + others.length + notStarted.length === 0) return '';
  const named = done.slice(0, MOST_ROWS_NAMED).map(({ item, ids }) => rowOf(rows, item, idText(ids)));
  const rest = done.length > MOST_ROWS_NAMED ? ', ...' : '';
  const applied =
    operation.request.effect === 'reads'
      ? ''
      : ' If you retry this execution, the node does not send completed rows again. A new execution can send these rows again.';
  const were = done.length === 1 ? 'row was' : 'rows were';
  return [
    done.length > 0
      ? `${done.length} ${were} completed: ${named.join(', ')}${rest}.${applied}`
      : 'No row was completed.',
    others.length > 0
      ? `Also failed: ${others
          .slice(0, MOST_ROWS_NAMED)
          .map((other) => nameFailure(other, rows))
          .join('; ')}${others.length > MOST_ROWS_NAMED ? `; and ${others.length - MOST_ROWS_NAMED} more` : ''}.`
      : '',
    notStarted.length > 0 ? `Not started: ${rowList(rows, notStarted)}.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Lists the rows with errors, those with the same message together. The first message is the error's own. */
function tellInvalid(failed: Others['others'], rows: Rows): Pick<Place, 'row' | 'otherErrors'> {
  const byMessage = new Lists<number>();
  for (const { itemIndex, failure } of failed) byMessage.add(failure.message, itemIndex);
  const [[, same] = ['', []], ...others] = byMessage;
  const [item = 0] = same;
  const named = others.slice(0, MOST_REASONS).map(([message, items]) => `${rowList(rows, items)}: ${message}`);
  const more = others.length > MOST_REASONS ? '; and more' : '';
  return {
    row: `${failed.length} of ${rows.count} rows have errors. Nothing was sent. ${same.length > 1 ? capital(rowList(rows, same)) : titleOf(rows, item)}`,
    otherErrors: named.length > 0 ? `${capital(named.join('; '))}${more}.` : '',
  };
}

function howToContinue(count: number, { request }: Operation): string {
  const what = request.effect === 'reads' ? 'continue with' : 'send';
  const others = count === 1 ? 'other row' : `other ${count} rows`;
  const told = count > 0 ? [`To ${what} the ${others}, set "On Error" to "Continue" under Settings.`] : [];
  return told.join('');
}

const nameFailure = ({ itemIndex, failure }: Others['others'][number], rows: Rows) =>
  `${rowOf(rows, itemIndex, failure.outcome, failure.resolveCode === undefined ? undefined : `code ${failure.resolveCode}`)}: ${failure.message}`;

const idText = (ids: IDataObject) => {
  const [entry] = Object.entries(ids);
  return entry && `${entry[0]} ${asText(entry[1])}`;
};

const MOST_REASONS = 5;

export function hints(results: RequestResult[], rows: Rows, operation?: Operation): string[] {
  const notes = results.flatMap((result) => (result.kind === 'done' && result.note ? [result.note] : []));
  const done = results.filter((result) => result.kind === 'done');
  const remembered = done.filter(
    (result) => result.remembered && !result.byWord && !result.byDatabase && result.found === undefined,
  );
  const itemsOf = (list: RequestResult[]) => list.reduce((sum, { items }) => sum + items.length, 0);
  const named = (list: RequestResult[]) => capital(rowList(rows, list.flatMap(({ items }) => items).sort(ascending)));
  const secretless = done.filter((result) => (result.withoutSecrets ?? []).length > 0);
  const saved = secretless.filter((result) => result.remembered);
  const omitting = secretless.filter((result) => !result.remembered);
  const option = operation && secretOptionOf(operation);
  const byWord = done.filter((result) => result.byWord);
  const byDatabase = done.filter((result) => result.byDatabase);
  const found = done.filter((result) => result.found !== undefined && !result.existed);
  const existed = done.filter((result) => result.existed);
  const open = done.filter((result) => (result.openAttempts ?? 0) > 0);
  return [
    ...new Set(notes),
    ...cutListHints(results, rows),
    ...partialFailureHints(results, rows),
    ...(remembered.length > 0
      ? [
          `An earlier attempt in this execution completed ${itemsOf(remembered)} of ${itemsOf(results)} rows. The node returned the saved results and did not send these rows again.`,
        ]
      : []),
    ...(option && omitting.length > 0
      ? [
          `${named(omitting)}: the output does not contain ${secretsIn(omitting)}, because n8n stores every output. To get the value, turn on "${option.label}". If the service returns the value only once, create a new value.`,
        ]
      : []),
    ...(saved.length > 0
      ? [
          `${named(saved)}: the saved result does not contain ${secretsIn(saved)}, because the service returns this value only once and the node never stores it. If you need the value, create a new value.`,
        ]
      : []),
    ...(byWord.length > 0
      ? [`${named(byWord)}: not sent, because "Resolve Items" confirms that the request was applied.`]
      : []),
    ...(byDatabase.length > 0
      ? [
          `${named(byDatabase)}: not sent again, because n8n's database shows that an earlier attempt of this execution completed the request. n8n kept no result, so the output contains only values of the item itself. Look up the full record at the service.`,
        ]
      : []),
    ...(found.length > 0
      ? [
          `${named(found)}: no response arrived, but the node found a matching record at the service (${foundBy(found)}), so nothing was sent again. A record from another source with the same values would also match.`,
        ]
      : []),
    ...(existed.length > 0
      ? [`${named(existed)}: not sent, because a matching record already exists (${foundBy(existed)}).`]
      : []),
    ...(open.length > 0
      ? [
          `${named(open)}: completed. An earlier attempt with an unknown outcome may have been applied too, so check the service for a duplicate.`,
        ]
      : []),
  ];
}

/** n8n marks runs that continue on error as successful, so the hint counts failed items and reasons. */
export function failedHint(results: RequestResult[], rows: Rows): string | undefined {
  const reasons = new Lists<number>();
  for (const result of results)
    if (result.kind !== 'done')
      reasons.add(result.kind === 'failed' ? headline(result.failure) : 'Not started', ...result.items);
  if (reasons.size === 0) return undefined;
  const told = [...reasons].map(([reason, items]) =>
    rows.count > 1 ? `${capital(rowList(rows, items.sort(ascending)))}: ${reason}` : reason,
  );
  const left = told.length - MOST_REASONS;
  const rest = left > 0 ? [left === 1 ? 'There is 1 more reason' : `There are ${left} more reasons`] : [];
  const count = [...reasons.values()].flat().length;
  return `${joinSentences([`${count} of ${rows.count} failed`, ...told.slice(0, MOST_REASONS), ...rest])}.`;
}

const ascending = (a: number, b: number) => a - b;
const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const secretsIn = (results: Array<{ withoutSecrets?: string[] }>) =>
  [...new Set(results.flatMap(({ withoutSecrets = [] }) => withoutSecrets))].join(', ');

const foundBy = (results: Array<{ found?: string }>) => [...new Set(results.map(({ found }) => found))].join('; ');

/** Names lists that the limit cut. A list with a note may lack records for another reason. */
const cutListHints = (results: RequestResult[], rows: Rows): string[] =>
  results.flatMap((result) => {
    const total = result.kind === 'done' && result.note === undefined ? result.list?.total : undefined;
    if (total === undefined || result.kind !== 'done' || result.records.length >= total) return [];
    const of = rows.count > 1 ? `${capital(rowList(rows, result.items))}: ` : '';
    const shown = `${withCommas(result.records.length)} of ${withCommas(total)} records`;
    return [`${of}${shown}. To get more, turn on "Return All" or raise "Limit".`];
  });

const withCommas = (count: number): string => count.toLocaleString('en-US');

function partialFailureHints(results: RequestResult[], rows: Rows): string[] {
  const remarks = new Lists<string>();
  for (const { items, ...result } of results)
    if (result.kind === 'done' && result.partialFailure) {
      const { text, about } = result.partialFailure;
      const [first = 0, ...others] = items;
      const named = [...others.map((item) => rowOf(rows, item)), rowOf(rows, first, about)];
      remarks.add(text, named.join(', '));
    }
  return [...remarks].map(([text, all]) => {
    const rest = all.length > MOST_ROWS_NAMED ? ', ...' : '';
    return `${text} ${all.length} of ${results.length}: ${all.slice(0, MOST_ROWS_NAMED).join(', ')}${rest}.`;
  });
}

/** Appends entries to the existing list, because copying the list for each entry would be slow. */
class Lists<Entry> extends Map<string, Entry[]> {
  add(key: string, ...entries: Entry[]): void {
    const list = this.get(key);
    if (list) list.push(...entries);
    else this.set(key, entries);
  }
}
