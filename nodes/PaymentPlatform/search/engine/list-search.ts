import type { DateTime } from 'luxon';
import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { now } from '../../fields/kinds/date';
import type { Failure } from '../../model/failure';
import { CHOOSE_ZONE, timeZoneOf } from '../../n8n/read-parameter';
import { Linked } from './linked';
import { type Picker, type View, queriesFor } from './picker';
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
/** The pagination token contains the number of records that the editor already shows. */
const AFTER = /^after:(\d{1,4})$/;

interface Asked {
  context: ILoadOptionsFunctions;
  picker: Picker;
  service: ListService;
  now: DateTime;
}

/**
 * Returns one page in the service's order, or the records that match the typed text, best match first.
 * @throws NodeApiError if the node can't read the list, or if the time zone doesn't exist.
 */
export async function searchList(
  context: ILoadOptionsFunctions,
  picker: Picker,
  typed = '',
  token = '',
): Promise<INodeListSearchResult> {
  const service = await ListService.open(context, picker);
  const asked = { context, picker, service, now: now(zoneOf(context)) };
  const terms = termsOf(typed, asked.now);
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
  const found: Ranked[] = [];
  const leftOut: Ranked[] = [];
  let page = first;
  let read = 0;
  let more = true;
  while (more && found.length < LEAST_SHOWN && page < first + MOST_PAGES) {
    const answer = recordsOf(asked, await asked.service.page(page, SHOWN));
    const all = await completed(asked, answer.records, [], { first: SHOWN });
    found.push(...all.filter(({ entry }) => entry.leftOut === undefined));
    leftOut.push(...all.filter(({ entry }) => entry.leftOut !== undefined));
    read += answer.records.length;
    more = answer.more;
    page += 1;
  }
  const left = leftOut.map(({ entry }) => entry);
  return {
    results: [
      ...rows(found.map(({ entry }) => entry)),
      ...(first === 0 ? leftOutRow(left, latest(read, asked.picker)) : []),
    ],
    ...(more && { paginationToken: String(page) }),
  };
}

const latest = (count: number, { of }: Picker) => `the latest ${count} ${of}`;

async function search(asked: Asked, terms: Term[], after: number): Promise<INodeListSearchResult> {
  const { picker, service, now } = asked;
  const recent = recordsOf(asked, await service.read({ filter: [] }, LATEST));
  const others = recent.more
    ? await Promise.all(
        queriesFor(terms, picker, now).map(
          async (query) => await service.read(query, query.isBeyond ? MOST_OF_A_DAY : MOST_ASKED),
        ),
      )
    : [];
  const older = others.flatMap((read) => ('records' in read ? read.records : []));
  const known = !recent.more;
  const all = await completed(asked, [...recent.records, ...older], terms, { first: after + SHOWN, known });
  const found = all.filter(({ entry }) => entry.leftOut === undefined).map(({ entry }) => entry);
  const leftOut = all.filter(({ entry }) => entry.leftOut !== undefined).map(({ entry }) => entry);
  const isLast = found.length <= after + SHOWN;
  return {
    results: [
      ...rows(found.slice(after, after + SHOWN)),
      ...(after === 0 ? leftOutRow(leftOut, 'all matches') : []),
      ...(recent.more && isLast ? [moreRow(recent.records.length, picker)] : []),
    ],
    ...(!isLast && { paginationToken: `after:${after + SHOWN}` }),
  };
}

/** Adds linked records only to the best matches. */
async function completed(
  { picker, service, now }: Asked,
  records: IDataObject[],
  terms: Term[],
  { first, known = false }: { first: number; known?: boolean },
): Promise<Ranked[]> {
  const linked = new Linked(picker, records);
  const view: View = { now, linked: linked.of };
  const isOfOther = picker.linked?.other !== undefined;
  if (isOfOther) await linked.look(service, records);
  const found = ranked(records, terms, picker, view);
  const shown = found.filter(({ entry }) => entry.leftOut === undefined).slice(0, first);
  if (known || isOfOther || !picker.linked || shown.length === 0) return found;
  await linked.look(
    service,
    shown.map(({ record }) => record),
  );
  for (const one of shown)
    one.entry = picker.entries(one.record, view).find(({ id }) => id === one.entry.id) ?? one.entry;
  return found;
}

function recordsOf({ context, picker, service }: Asked, read: Read): Exclude<Read, { failure: Failure }> {
  if ('failure' in read) throw listRefused(context.getNode(), read.failure, picker.of, service.secret);
  return read;
}
