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

/** Returns the user's references for the cards. A missing reference becomes empty text. */
const referencesOf = (cards: unknown) => new Set(objectsIn(cards).map(({ card_id }) => comparableText(card_id)));

/** Returns whether the service rejected a card that the request did not contain. */
const refusesOthers = ({ rejected_cards: refused }: Summary, sent: ReadonlySet<string>) =>
  [...referencesOf(refused)].some((reference) => reference !== '' && !sent.has(reference));

/**
 * Finds a submitted request in the list of account updater requests. The cards of several items share one request. The
 * list contains the number of cards and the date, but no cards and no time.
 */
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

/** Summary of a request, with its cards if the node has read them. */
type WithCards = Summary & { cards?: IDataObject[] };

const idsIn = (value: unknown): string[] => (isList(value) ? value.map(comparableText) : []);

/**
 * Returns whether a request may contain the cards, based on their number. Only the list of the request's cards is
 * proof.
 */
const mayContain = ({ cnt_request: count, method = BY_ID }: Summary, ids: string[]) =>
  comparableText(count) === String(ids.length) && method === BY_ID;
/** Method of requests that contain card IDs (openapi.yaml#AccountUpdaterSummary). */
const BY_ID = 'harvest_card_id';

/**
 * Returns whether a request contains exactly the cards with the specified IDs. The service lists rejected cards
 * separately.
 */
function contains({ cards, rejected_cards: rejected }: WithCards, ids: string[]): boolean {
  const listed = new Set([...referencesOf(cards), ...referencesOf(rejected)]);
  return listed.size === new Set(ids).size && ids.every((id) => listed.has(id));
}

/**
 * Finds a submitted request in the list of account updater requests. The cards of several items share one request, and
 * all cards together identify the request. The list contains only the number of cards, so the node reads the cards
 * separately.
 */
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
 * Determines from the request's summary whether the service canceled the request. Immediately before the cancellation,
 * the node read another status. A changed status therefore proves that the cancellation was applied.
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
