import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { now } from '../../fields/kinds/date';
import type { Failure } from '../../model/failure';
import { CHOOSE_ZONE, timeZoneOf } from '../../n8n/read-parameter';
import { LinkedRecords } from '../../service/linked-records';
import { chosenRecord } from './chosen';
import { entriesOf, type Picker, queriesFor, type View } from './picker';
import { ranked, type Ranked } from './ranked';
import { listRefused, ListService, said, type Read } from './service';
import { leftOutRow, moreRow, rows } from './rows';
import { termsOf, type Term } from './terms';

const SHOWN = 50;
/** If a page provides too few selectable records, the node reads further pages. */
const LEAST_SHOWN = 10;
const MOST_PAGES = 5;
/** Maximum numbers of records: the newest, those matching a filter, and those from one day. */
const LATEST = 500;
const MOST_ASKED = 200;
const MOST_OF_A_DAY = 1000;
/** Maximum number of linked records for each filter. */
const MOST_LINKED = 200;
/** Maximum number of records to look up in another list. The limit is low, because users wait for the list. */
const MOST_OF_OTHER = 50;
/** The pagination token contains the number of records that the editor already shows. */
const AFTER = /^after:(\d{1,4})$/;

interface Asked {
  context: ILoadOptionsFunctions;
  picker: Picker;
  service: ListService;
  view: Omit<View, 'linked'>;
}

/**
 * Returns one page in the service's order, or the records that match the typed text, best match first.
 * @throws NodeApiError if the node can't read the list, or if the time zone doesn't exist.
 */
export async function searchList(
  context: ILoadOptionsFunctions,
  row: Picker,
  typed = '',
  token = '',
): Promise<INodeListSearchResult> {
  const within = await row.within?.(context);
  const picker = { ...row, ...within };
  const service = await ListService.open(context, picker);
  const operation = chosenRecord(context, 'operation') ?? '';
  const view = { now: now(zoneOf(context)), operation, isWithin: within !== undefined };
  const terms = termsOf(typed, view.now);
  const asked = { context, picker, service, view };
  return terms.length > 0
    ? await search(asked, terms, Number(AFTER.exec(token)?.[1] ?? 0))
    : await list(asked, Number(/^\d+$/.exec(token)?.[0] ?? 0));
}

function zoneOf(context: ILoadOptionsFunctions): string {
  try {
    return timeZoneOf(context);
  } catch (error) {
    throw said(context.getNode(), error instanceof Error ? error.message : 'The time zone does not exist', CHOOSE_ZONE);
  }
}

async function list(asked: Asked, first: number): Promise<INodeListSearchResult> {
  const all: Ranked[] = [];
  let page = first;
  let read = 0;
  let more = true;
  while (more && usable(all).length < LEAST_SHOWN && page < first + MOST_PAGES) {
    const answer = recordsOf(asked, await asked.service.page(page, SHOWN));
    all.push(...(await completed(asked, answer.records, [], { first: SHOWN })));
    read += answer.records.length;
    more = answer.more;
    page += 1;
  }
  return {
    results: [
      ...rows(usable(all).map(({ entry }) => entry)),
      ...(first === 0 ? leftOutRow(leftOut(all), `the latest ${read} ${asked.picker.of}`) : []),
    ],
    ...(more && { paginationToken: String(page) }),
  };
}

const usable = (all: Ranked[]) => all.filter(({ entry }) => entry.leftOut === undefined);
const leftOut = (all: Ranked[]) => all.map(({ entry }) => entry).filter((entry) => entry.leftOut !== undefined);

async function search(asked: Asked, terms: Term[], after: number): Promise<INodeListSearchResult> {
  const { picker, service, view } = asked;
  const recent = recordsOf(asked, await service.read({ filter: [] }, LATEST));
  const queries = recent.more ? queriesFor(terms, picker, view.now) : [];
  const others = await Promise.all(
    queries.map(async (query) => await service.read(query, query.isBeyond ? MOST_OF_A_DAY : MOST_ASKED)),
  );
  const older = others.flatMap((read) => ('records' in read ? read.records : []));
  const known = !recent.more;
  const all = await completed(asked, [...recent.records, ...older], terms, { first: after + SHOWN, known });
  const found = usable(all).map(({ entry }) => entry);
  const isLast = found.length <= after + SHOWN;
  return {
    results: [
      ...rows(found.slice(after, after + SHOWN)),
      ...(after === 0 ? leftOutRow(leftOut(all), 'all matches') : []),
      ...(recent.more && isLast ? [moreRow(recent.records.length, picker)] : []),
    ],
    ...(!isLast && { paginationToken: `after:${after + SHOWN}` }),
  };
}

/** Adds linked records only to the best matches. */
async function completed(
  { picker, service, view: unlinked }: Asked,
  records: IDataObject[],
  terms: Term[],
  { first, known = false }: { first: number; known?: boolean },
): Promise<Ranked[]> {
  const { linked: link, identity } = picker;
  if (!link) return ranked(records, terms, picker, { ...unlinked, linked: () => [] });
  const { other } = link;
  const linked = new LinkedRecords({ ...link, identity: other?.identity ?? identity });
  const list = other ? service.with(other) : service;
  // If the service fails, the list shows the totals in `records` instead.
  const readFiltered = async (filter: string[]) => {
    const found = await list.read({ filter }, MOST_LINKED);
    return 'records' in found ? found.records : found;
  };
  if (other) await linked.read(other.isNeeded ? records.filter(other.isNeeded) : records, readFiltered, MOST_OF_OTHER);
  else linked.add(records);
  const view: View = { ...unlinked, linked: linked.of };
  const found = ranked(records, terms, picker, view);
  const shown = usable(found).slice(0, first);
  if (known || other || shown.length === 0) return found;
  await linked.read(
    shown.map(({ record }) => record),
    readFiltered,
  );
  for (const one of shown)
    one.entry = entriesOf(picker, one.record, view).find(({ id }) => id === one.entry.id) ?? one.entry;
  return found;
}

function recordsOf({ context, picker, service }: Asked, read: Read): Exclude<Read, { failure: Failure }> {
  if ('failure' in read) throw listRefused(context.getNode(), read.failure, picker.of, service.secret);
  return read;
}
