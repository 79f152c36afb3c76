import type { Given, RecordOf, FootprintOf } from '../../model/operation';
import { objectsIn } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { comparableText } from '../merge-with-current';

type Summary = Given<RecordOf<'browseAusRequestsSummary'>>;

/** Returns the user's references of the cards. A missing reference is empty text. */
const referencesOf = (cards: unknown) => new Set(objectsIn(cards).map(({ card_id }) => comparableText(card_id)));

/** Returns whether the service rejected a card that was not in the request. */
const refusesOthers = ({ rejected_cards: refused }: Summary, sent: ReadonlySet<string>) =>
  [...referencesOf(refused)].some((reference) => reference !== '' && !sent.has(reference));

/**
 * Request in the list of account updater requests. The cards of several items share one request. The list shows the
 * number of cards and the day, but no card and no time.
 */
export const submitFootprint: FootprintOf<'submitAccountUpdater', 'browseAusRequestsSummary'> = {
  list: { path: wire.browseAusRequestsSummary.request.path, identity: 'request_id', newestBy: 'request_id' },
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
