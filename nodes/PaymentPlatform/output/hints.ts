import { headline } from './node-error';
import type { RequestResult } from '../model/results';
import { MOST_ROWS_NAMED, rowList, rowOf, type Rows } from '../messages/name-rows';

/** Maximum number of reasons that a hint lists. */
const MOST_REASONS = 5;

/** Returns the hints for a run that continued to the end. */
export function hints(results: RequestResult[], rows: Rows): string[] {
  const notes = results.flatMap((result) => (result.kind === 'done' && result.note ? [result.note] : []));
  const done = results.filter((result) => result.kind === 'done');
  const remembered = done.filter(
    (result) => result.remembered && !result.byWord && !result.byDatabase && result.found === undefined,
  );
  const itemsOf = (list: RequestResult[]) => list.reduce((sum, { items }) => sum + items.length, 0);
  const named = (list: RequestResult[]) => capital(rowList(rows, list.flatMap(({ items }) => items).sort(ascending)));
  const secretless = done.filter((result) => (result.withoutSecrets ?? []).length > 0);
  const byWord = done.filter((result) => result.byWord);
  const byDatabase = done.filter((result) => result.byDatabase);
  const found = done.filter((result) => result.found !== undefined && !result.existed);
  const existed = done.filter((result) => result.existed);
  const open = done.filter((result) => (result.openTries ?? 0) > 0);
  return [
    ...new Set(notes),
    ...partialFailureHints(results, rows),
    ...(remembered.length > 0
      ? [
          `An earlier attempt of this execution completed ${itemsOf(remembered)} of ${itemsOf(results)} rows. The node returned the saved results and did not send these rows again.`,
        ]
      : []),
    ...(secretless.length > 0
      ? [
          `${named(secretless)}: the saved result does not contain ${secretsIn(secretless)}, because the service returns this value only once and the node never stores it. If you need the value, create a new one.`,
        ]
      : []),
    ...(byWord.length > 0
      ? [`${named(byWord)}: not sent, because a person said that it was applied (option "Resolve Items").`]
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

/** Returns a hint about failed items and their reasons, because n8n shows a run that continued as successful. */
export function failedHint(results: RequestResult[], rows: Rows): string | undefined {
  const reasons = new Lists<number>();
  for (const result of results)
    if (result.kind !== 'done')
      reasons.add(result.kind === 'failed' ? headline(result.failure) : 'Not started', ...result.items);
  if (reasons.size === 0) return undefined;
  const told = [...reasons].map(([reason, items]) => {
    const sentence = reason.replace(/\.$/, '');
    return rows.count > 1 ? `${rowList(rows, items.sort(ascending))}: ${sentence}` : sentence;
  });
  const rest = told.length > MOST_REASONS ? `; and ${told.length - MOST_REASONS} other reasons` : '';
  const count = [...reasons.values()].flat().length;
  return `${count} of ${rows.count} failed: ${told.slice(0, MOST_REASONS).join('; ')}${rest}.`;
}

const ascending = (a: number, b: number) => a - b;
const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const secretsIn = (results: Array<{ withoutSecrets?: string[] }>) =>
  [...new Set(results.flatMap(({ withoutSecrets = [] }) => withoutSecrets))].join(', ');

const foundBy = (results: Array<{ found?: string }>) => [...new Set(results.map(({ found }) => found))].join('; ');

/** Returns one hint for all items with the same partial failure, with their count and names. */
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

/** Map with a list for each key. Appends in place, so that the cost grows only with the number of entries. */
class Lists<Entry> extends Map<string, Entry[]> {
  add(key: string, ...entries: Entry[]): void {
    const list = this.get(key);
    if (list) list.push(...entries);
    else this.set(key, entries);
  }
}
