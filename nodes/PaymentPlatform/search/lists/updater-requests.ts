import { DateTime } from 'luxon';
import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { calendarDay } from '../../fields/kinds/date';
import { asText } from '../../shared/objects';
import { day, id, words } from '../engine/line-parts';
import { searchList } from '../engine/list-search';
import type { ListEntry, Picker, View } from '../engine/picker';

/** States in openapi.yaml#AccountUpdaterSummary. */
const STATES: Record<string, string> = {
  INPROGRESS: 'in progress',
  QUEUED: 'queued',
  COMPLETED: 'completed',
  CANCELED: 'canceled',
};

const updaterRequests: Picker = {
  of: 'account updater requests',
  path: '/platform/aus/request/summary',
  identity: 'request_id',
  searched: { words: ['request_id'] },
  ownWords: new Set(['in', 'progress', 'queued', 'completed', 'canceled', 'card', 'cards', 'updated']),
  entries: requestEntry,
  add: 'day, status or ID',
};

function requestEntry(request: IDataObject, { now }: View): ListEntry[] {
  const status = asText(request.status);
  const sent = asText(request.cnt_request);
  const updated = asText(request.cnt_update);
  const made = calendarDay(request.request_date, now.zoneName ?? 'utc');
  const requestId = asText(request.request_id);
  const shown = [
    ...(made === undefined ? [] : [day(DateTime.fromISO(made, { zone: now.zoneName ?? 'utc' }), now)]),
    words(sent && `${sent} ${sent === '1' ? 'card' : 'cards'}`),
    words(status && (STATES[status] ?? status.toLowerCase())),
    words(status === 'COMPLETED' && updated ? `${updated} updated` : ''),
    id(requestId),
  ];
  return [{ id: requestId, shown, known: [] }];
}

export async function searchUpdaterRequests(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  return await searchList(this, updaterRequests, search, paginationToken);
}
