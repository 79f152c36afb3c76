import { NodeOperationError, type IDataObject, type INode, type INodeExecutionData } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { failureData, failureDescription, headline, toNodeError } from './node-error';
import type { RequestResult } from '../model/results';
import { idsOf, MOST_ROWS_NAMED, rowList, rowOf, titleOf, type Rows } from '../messages/name-rows';
import type { Operation } from '../model/types';
import type { Failure } from '../model/failure';

/**
 * Output items in input order, each paired to its item, also where many items shared a request. A failed item carries `error`: its message, what to do, and
 * what a workflow can branch on; an Error instance beside it would make n8n replace all of this by the message alone
 * (n8n.md#items-and-errors).
 * @param own whether failed items go to an output of their own: n8n adds the input item's data there, to items of
 * exactly this shape. Among the others they begin as those do, with what happened.
 */
export function outputItems(results: RequestResult[], own = false): INodeExecutionData[] {
  const all = results.flatMap((result) =>
    result.items.flatMap((item, index): Array<{ item: number; json: IDataObject }> => {
      if (result.kind === 'done') return recordsOf(result, index).map((json) => ({ item, json }));
      const failure = result.kind === 'failed' ? result.failure : notStartedFailure(result.reason);
      const message = headline(failure);
      const error = { ...failureData(failure), message, description: failureDescription(failure) };
      const begin = own ? {} : { what_happened: `${ENDED[failure.outcome]}: ${message}` };
      return [{ item, json: { ...begin, error } }];
    }),
  );
  return all.sort((a, b) => a.item - b.item).map(({ item, json }) => ({ json, pairedItem: { item } }));
}

/**
 * What the item at a place among those of a request gets: of a request of many items, each has its own records, in their
 * order.
 */
function recordsOf({ items, records }: { items: number[]; records: IDataObject[] }, index: number): IDataObject[] {
  const each = records.length / items.length;
  // As it was kept before each item had its own: it is of all of them.
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

/** @param reason a sentence that says why, when it was not another item's failure or a person. */
const notStartedFailure = (reason?: string): Failure => ({
  outcome: 'notSent',
  message: reason === undefined ? 'Not started, because the run stopped before' : `Not started. ${reason}`,
  advice: 'Run this item again.',
});

/**
 * The error of a run that stops at a failing item. Says how many rows were done, which one failed and which were not
 * started, as a person counts; its data keeps the IDs of everything that was done, so that no result is lost.
 */
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
  const summary = summarize({ done, others, notStarted }, operation, rows);
  const error = first
    ? toNodeError(node, first.failure, { item: first.itemIndex, row: titleOf(rows, first.itemIndex), summary })
    : new NodeOperationError(node, 'The execution was canceled', { description: summary });
  error.context.data = {
    ...(first && failureData(first.failure)),
    finished: done.map(({ item, ids }) => ({ item, ...ids })),
    failed: failed.map(({ itemIndex, failure }) => ({ item: itemIndex, ...failureData(failure) })),
    notStarted,
  };
  return error;
}

/** What became of the items beside the one that a run stopped at. */
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
      : ' What was done stays: trying this execution again does not send it again, but a new execution would.';
  const were = done.length === 1 ? 'row was' : 'rows were';
  return [
    done.length > 0 ? `${done.length} ${were} done: ${named.join(', ')}${rest}.${applied}` : 'No row was done.',
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

const nameFailure = ({ itemIndex, failure }: Others['others'][number], rows: Rows) =>
  `${rowOf(rows, itemIndex, failure.outcome, failure.resolveCode === undefined ? undefined : `code ${failure.resolveCode}`)}: ${failure.message}`;

const idText = (ids: IDataObject) => {
  const [entry] = Object.entries(ids);
  return entry && `${entry[0]} ${asText(entry[1])}`;
};
