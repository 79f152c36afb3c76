import type { IDataObject } from 'n8n-workflow';
import type { Given, RecordOf, FootprintOf } from '../../model/operation';
import { isList, objectsIn } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { comparableText } from '../../model/footprint';

type Summary = Given<RecordOf<'browseAusRequestsSummary'>>;

const list = {
  path: wire.browseAusRequestsSummary.request.path,
  identity: 'request_id',
  newestBy: 'request_id',
} as const;

const referencesOf = (cards: unknown) => new Set(objectsIn(cards).map(({ card_id }) => comparableText(card_id)));

const refusesOthers = ({ rejected_cards: refused }: Summary, sent: ReadonlySet<string>) =>
  [...referencesOf(refused)].some((reference) => reference !== '' && !sent.has(reference));

/** After a lost response, finds the request in the list of account updater requests by its number of cards. */
export const submitFootprint: FootprintOf<'submitAccountUpdater', 'browseAusRequestsSummary'> = {
  list,
  filter: () => [],
  isIdentifiable: ({ body }) => objectsIn(body.data).length > 0,
  key: ({ body }) => String(objectsIn(body.data).length),
  lifetime: 'minutes',
  matches: (record, { body }) =>
    comparableText(record.cnt_request) === String(objectsIn(body.data).length) &&
    !refusesOthers(record, referencesOf(body.data)) &&
    record.status !== 'CANCELED',
  where: 'the list of account updater requests',
  agreement: 'same number of cards',
};

type WithCards = Summary & { cards?: IDataObject[] };

const idsIn = (value: unknown): string[] => (isList(value) ? value.map(comparableText) : []);

/** The number of cards alone proves nothing. The list of cards is the proof. */
const mayContain = ({ cnt_request: count, method = BY_ID }: Summary, ids: string[]) =>
  comparableText(count) === String(ids.length) && method === BY_ID;
/** Method of requests that contain card IDs (openapi.yaml#AccountUpdaterSummary). */
const BY_ID = 'harvest_card_id';

/** Also searches the rejected cards, which the service lists separately. */
function contains({ cards, rejected_cards: rejected }: WithCards, ids: string[]): boolean {
  const listed = new Set([...referencesOf(cards), ...referencesOf(rejected)]);
  return listed.size === new Set(ids).size && ids.every((id) => listed.has(id));
}

/** After a lost response, finds the request in the list of account updater requests by its cards. */
export const submitSavedFootprint: FootprintOf<'createAusRequest', 'browseAusRequestsSummary'> = {
  list,
  filter: () => [],
  isIdentifiable: ({ body }) => idsIn(body.card_id).length > 0,
  key: ({ body }) => idsIn(body.card_id).sort().join(' '),
  lifetime: 'minutes',
  rows: {
    name: 'cards',
    path: ({ request_id: id }) =>
      wire.getAusDetail.request.path.replace('{request_id}', encodeURIComponent(comparableText(id))),
  },
  matches: (record: WithCards, { body }) =>
    record.cards !== undefined && mayContain(record, idsIn(body.card_id)) && contains(record, idsIn(body.card_id)),
  mayMatch: (record: WithCards, { body }) => {
    const ids = idsIn(body.card_id);
    return mayContain(record, ids) && (record.cards === undefined || contains(record, ids));
  },
  answer: ({ request_id }) => ({ request_id }),
  where: submitFootprint.where,
  agreement: 'same cards',
};

/**
 * After a lost response, a canceled status proves the cancellation, because the node read a different status before its
 * request.
 */
export const canceledRequestFootprint: FootprintOf<'cancelAusRequest', 'getAccountUpdaterSummary'> = {
  list: { path: wire.getAccountUpdaterSummary.request.path, identity: 'request_id' },
  filter: () => [],
  isIdentifiable: ({ path }) => comparableText(path.request_id) !== '',
  key: ({ path }) => comparableText(path.request_id),
  lifetime: () => 'always',
  matches: (record, { path }) =>
    comparableText(record.request_id) === comparableText(path.request_id) && record.status === 'CANCELED',
  where: "the request's own record",
  agreement: 'the request is canceled',
  when: 'changed since the request',
};
