import { NodeOperationError, type IDataObject, type INode, type INodeExecutionData } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { failureData, failureDescription, toNodeError } from './errors';
import type { RequestResult } from './process';
import { idsOf } from './references';
import type { Failure, Operation } from './types';

/** Finished and failed items named one by one in the message of a run that stopped; all of them are in the error's data. */
const MOST_NAMED = 20;

/**
 * Output items in input order, each paired to its item. A failed item carries nothing but `error`: its message, what
 * to do, and what a workflow can branch on. n8n routes an item of this shape to the error output and adds the input
 * item's data there; an Error instance beside it would make n8n replace all of this by the message alone
 * (docs/n8n.md#items-and-errors).
 */
export function outputItems(results: RequestResult[]): INodeExecutionData[] {
  const inOrder = [...results].sort((a, b) => (a.items[0] ?? 0) - (b.items[0] ?? 0));
  return inOrder.flatMap((result): INodeExecutionData[] => {
    const paired = result.items.map((item) => ({ item }));
    if (result.kind === 'done')
      return result.records.map((json) => ({ json, pairedItem: paired.length === 1 ? paired[0] : paired }));
    const failure = result.kind === 'failed' ? result.failure : notStartedFailure(result.reason);
    const error = { ...failureData(failure), description: failureDescription(failure) };
    return paired.map((pairedItem) => ({ json: { error }, pairedItem }));
  });
}

/** What a person should know about a run that went well on the whole. */
export function hints(results: RequestResult[]): string[] {
  const notes = results.flatMap((result) => (result.kind === 'done' && result.note ? [result.note] : []));
  const done = results.filter((result) => result.kind === 'done');
  const remembered = done.filter((result) => result.remembered && !result.byWord);
  const itemsOf = (list: RequestResult[]) => list.reduce((sum, { items }) => sum + items.length, 0);
  const numbers = (list: RequestResult[]) => ranges(list.flatMap(({ items }) => items).sort((a, b) => a - b));
  const secretless = done.filter((result) => (result.withoutSecrets ?? []).length > 0);
  const byWord = done.filter((result) => result.byWord);
  const open = done.filter((result) => (result.openTries ?? 0) > 0);
  return [
    ...new Set(notes),
    ...remarkHints(results),
    ...(remembered.length > 0
      ? [
          `${itemsOf(remembered)} of ${itemsOf(results)} items were done by an earlier try of this execution. They were answered from memory and not sent again.`,
        ]
      : []),
    ...(secretless.length > 0
      ? [
          `Item ${numbers(secretless)}: answered from memory without ${secretsIn(secretless)}, which the service shows once and this node never keeps. If you need it, make a new one.`,
        ]
      : []),
    ...(byWord.length > 0
      ? [`Item ${numbers(byWord)}: not sent, because a person said that it was applied (option "Resolve Items").`]
      : []),
    ...(open.length > 0
      ? [
          `Item ${numbers(open)}: done now, but an earlier try was sent again while its outcome was unknown. It may have been applied as well: look it up.`,
        ]
      : []),
  ];
}

const secretsIn = (results: Array<{ withoutSecrets?: string[] }>) =>
  [...new Set(results.flatMap(({ withoutSecrets = [] }) => withoutSecrets))].join(', ');

/** One hint for all items of which the same part went wrong, with their count and what each is about. */
function remarkHints(results: RequestResult[]): string[] {
  const remarks = new Map<string, string[]>();
  for (const { items, ...result } of results)
    if (result.kind === 'done' && result.remark) {
      const { text, about } = result.remark;
      remarks.set(text, [...(remarks.get(text) ?? []), `item ${items.join(', ')} (${about})`]);
    }
  return [...remarks].map(([text, all]) => {
    const rest = all.length > MOST_NAMED ? ', ...' : '';
    return `${text} ${all.length} of ${results.length}: ${all.slice(0, MOST_NAMED).join(', ')}${rest}.`;
  });
}

/** @param reason a sentence that says why, when it was not another item's failure or a person. */
const notStartedFailure = (reason?: string): Failure => ({
  outcome: 'notSent',
  message: reason === undefined ? 'Not started, because the run stopped before' : `Not started. ${reason}`,
  advice: 'Run this item again.',
});

/**
 * The error of a run that stops at a failing item. Says how many items were done, which one failed and which were not
 * started, and keeps the IDs of everything that was done, so that no result is lost.
 */
export function stoppingError(node: INode, operation: Operation, results: RequestResult[]) {
  const perItem = results
    .flatMap((result) => result.items.map((item) => ({ item, result })))
    .sort((a, b) => a.item - b.item);
  const failed = perItem.flatMap(({ item, result }) =>
    result.kind === 'failed' ? [{ itemIndex: item, failure: result.failure }] : [],
  );
  const notStarted = perItem.flatMap(({ item, result }) => (result.kind === 'notStarted' ? [item] : []));
  const done = perItem.flatMap(({ item, result }) =>
    result.kind === 'done' ? [{ item, ...idsOf(result.records[0] ?? {}) }] : [],
  );
  const [first, ...others] = failed;
  const summary = summarize(done, others, notStarted, operation);
  const error = first
    ? toNodeError(node, first.failure, first.itemIndex, summary)
    : new NodeOperationError(node, 'The execution was cancelled', { description: summary });
  error.context.data = {
    ...(first && failureData(first.failure)),
    finished: done,
    failed: failed.map(({ itemIndex, failure }) => ({ item: itemIndex, ...failureData(failure) })),
    notStarted,
  };
  return error;
}

function summarize(
  done: IDataObject[],
  others: Array<{ itemIndex: number; failure: Failure }>,
  notStarted: number[],
  operation: Operation,
): string {
  if (done.length + others.length + notStarted.length === 0) return '';
  const named = done.slice(0, MOST_NAMED).map(({ item, ...ids }) => `${asText(item)}${idText(ids)}`);
  const rest = done.length > MOST_NAMED ? ', ...' : '';
  const applied =
    operation.request.effect === 'reads'
      ? ''
      : ' They are applied: trying this execution again does not send them again, but a new execution would.';
  return [
    done.length > 0
      ? `${done.length} items were done: item ${named.join(', ')}${rest}.${applied}`
      : 'No item was done.',
    others.length > 0
      ? `Also failed: ${others.slice(0, MOST_NAMED).map(nameFailure).join('; ')}${others.length > MOST_NAMED ? `; and ${others.length - MOST_NAMED} more` : ''}.`
      : '',
    notStarted.length > 0 ? `Not started: ${notStarted.length} items (${ranges(notStarted)}).` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

const nameFailure = ({ itemIndex, failure }: { itemIndex: number; failure: Failure }) =>
  `item ${itemIndex} (${failure.outcome}${failure.resolveCode === undefined ? '' : `, code ${failure.resolveCode}`}): ${failure.message}`;

const idText = (ids: IDataObject) => {
  const [entry] = Object.entries(ids);
  return entry ? ` (${entry[0]} ${asText(entry[1])})` : '';
};

/** 3, 4, 5, 9 as "3-5, 9"; the first twenty of what is in a row. */
export function ranges(numbers: number[]): string {
  const parts: Array<[number, number]> = [];
  for (const number of numbers) {
    const last = parts.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else parts.push([number, number]);
  }
  const named = parts.slice(0, MOST_NAMED).map(([from, to]) => (from === to ? String(from) : `${from}-${to}`));
  return [...named, ...(parts.length > MOST_NAMED ? ['...'] : [])].join(', ');
}
