import type { IDataObject } from 'n8n-workflow';
import type { Given, RecordOf, FootprintOf } from '../../model/operation';
import { isList, objectsIn, comparableText } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { CODE_WORDS } from '../../wire/words';
import { likeIf, likeStatus, likeText, type Likeness } from '../../model/likeness';

type Summary = Given<RecordOf<'browseAusRequestsSummary'>>;

const list = {
  path: wire.browseAusRequestsSummary.request.path,
  identity: 'request_id',
  newestBy: 'request_id',
} as const;

const referencesOf = (cards: unknown) => new Set(objectsIn(cards).map(({ card_id }) => comparableText(card_id)));

const refusesOthers = ({ rejected_cards: refused }: Summary, sent: ReadonlySet<string>) =>
  [...referencesOf(refused)].some((reference) => reference !== '' && !sent.has(reference));

/** Finds the request in the list by its number of cards. */
export const submitFootprint: FootprintOf<'submitAccountUpdater', 'browseAusRequestsSummary'> = {
  list,
  filter: () => [],
  isIdentifiable: ({ body }) => objectsIn(body.data).length > 0,
  key: ({ body }) => String(objectsIn(body.data).length),
  lifetime: 'minutes',
  compare: (record, { body }) => [
    likeText(record.cnt_request, objectsIn(body.data).length),
    likeIf(!refusesOthers(record, referencesOf(body.data))),
  ],
  applied: ({ status }) => likeStatus(status, CODE_WORDS.browseAusRequestsSummary?.status, ['CANCELED']),
  where: 'the list of account updater requests',
  agreement: 'same number of cards',
};

type WithCards = Summary & { cards?: IDataObject[] };

const idsIn = (value: unknown): string[] => (isList(value) ? value.map(comparableText) : []);

/** Method of requests that contain card IDs (openapi.yaml#AccountUpdaterSummary). */
const BY_ID = 'harvest_card_id';

/** The number of cards alone proves nothing. Also searches the rejected cards, which the service lists separately. */
function likeCards({ cards, rejected_cards: rejected }: WithCards, ids: string[]): Likeness {
  if (cards === undefined) return 'notShown';
  const listed = new Set([...referencesOf(cards), ...referencesOf(rejected)]);
  return likeIf(listed.size === new Set(ids).size && ids.every((id) => listed.has(id)));
}

/** Finds the request in the list by its cards. */
export const submitSavedFootprint: FootprintOf<'createAusRequest', 'browseAusRequestsSummary'> = {
  list,
  filter: () => [],
  isIdentifiable: ({ body }) => idsIn(body.card_id).length > 0,
  key: ({ body }) => idsIn(body.card_id).sort().join(' '),
  lifetime: 'minutes',
  details: {
    name: 'cards',
    isList: true,
    path: ({ request_id: id }) =>
      wire.getAusDetail.request.path.replace('{request_id}', encodeURIComponent(comparableText(id))),
  },
  compare: (record: WithCards, { body }) => [
    likeText(record.cnt_request, idsIn(body.card_id).length),
    likeText(record.method ?? BY_ID, BY_ID),
    likeCards(record, idsIn(body.card_id)),
  ],
  answer: ({ request_id }) => ({ request_id }),
  where: submitFootprint.where,
  agreement: 'same cards',
};

/** A canceled status proves the cancellation, because the node read a different status before its request. */
export const canceledRequestFootprint: FootprintOf<'cancelAusRequest', 'getAccountUpdaterSummary'> = {
  list: { path: wire.getAccountUpdaterSummary.request.path, identity: 'request_id' },
  filter: () => [],
  isIdentifiable: ({ path }) => comparableText(path.request_id) !== '',
  key: ({ path }) => comparableText(path.request_id),
  lifetime: () => 'always',
  compare: (record, { path }) => [likeText(record.request_id, path.request_id), likeText(record.status, 'CANCELED')],
  where: "the request's own record",
  agreement: 'the request is canceled',
  when: 'changed since the request',
};
