import { NodeOperationError, type IDataObject, type INode, type INodeExecutionData } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { failureData, failureDescription, headline, toNodeError } from './node-error';
import type { RequestResult } from '../model/results';
import { idsOf, MOST_ROWS_NAMED, rowList, rowOf, titleOf, type Rows } from '../messages/name-rows';
import type { Operation } from '../model/types';
import type { Failure } from '../model/failure';

/**
 * Returns output items in input order, each paired with its input item, even if several items shared a request. A
 * failed item contains a plain object in `error`, because n8n would replace the item with the message of an Error
 * instance (n8n.md#items-and-errors).
 * @param own whether failed items have an output of their own. n8n then adds the input item's data, but only to items
 * of exactly this shape. Otherwise, failed items begin with `what_happened`, as the other items do.
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
 * Returns the records of one item of a request. If several items share the request, each has its own records in order.
 */
function recordsOf({ items, records }: { items: number[]; records: IDataObject[] }, index: number): IDataObject[] {
  const each = records.length / items.length;
  // Memory entries of earlier versions of the node don't distinguish items, so their records belong to all items.
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

/** @param reason sentence about why the run stopped. Missing if another item failed or the user stopped the run. */
const notStartedFailure = (reason?: string): Failure => ({
  outcome: 'notSent',
  message: reason === undefined ? 'Not started, because the run stopped' : `Not started. ${reason}`,
  advice: 'Run this item again.',
});

/**
 * Returns the error of a run that stops at a failed item. The message counts the completed, failed and unstarted rows.
 * The data contains the IDs of everything that was done, so that no result is lost.
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

/** Results of the items other than the one at which the run stopped. */
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
      : ' If you retry this execution, the node does not send completed rows again. A new execution would send them again.';
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

const nameFailure = ({ itemIndex, failure }: Others['others'][number], rows: Rows) =>
  `${rowOf(rows, itemIndex, failure.outcome, failure.resolveCode === undefined ? undefined : `code ${failure.resolveCode}`)}: ${failure.message}`;

const idText = (ids: IDataObject) => {
  const [entry] = Object.entries(ids);
  return entry && `${entry[0]} ${asText(entry[1])}`;
};
