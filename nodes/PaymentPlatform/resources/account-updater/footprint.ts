import type { Given, RecordOf, FootprintOf } from '../../model/operation';
import { objectsIn } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { comparableText } from '../merge-with-current';

type Summary = Given<RecordOf<'browseAusRequestsSummary'>>;

/** Own references of the cards; one that has none is an empty text. */
const referencesOf = (cards: unknown) => new Set(objectsIn(cards).map(({ card_id }) => comparableText(card_id)));

/** Whether a card was refused that was not sent. */
const refusesOthers = ({ rejected_cards: refused }: Summary, sent: ReadonlySet<string>) =>
  [...referencesOf(refused)].some((reference) => reference !== '' && !sent.has(reference));

/**
 * A request in the list of account updater requests, whole: the cards of many items travel in one. The list shows how many
 * cards it had and the day, no card and no moment.
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
