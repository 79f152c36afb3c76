import { locatorList } from '../../fields/kinds/locator';
import { operation } from '../../model/operation';
import { CARD_ID } from '../../fields/common';
import { submitted } from './changes';
import { submitSavedFootprint } from './footprint';
import * as wire from '../../wire/operations';

const { card_id: fact } = wire.createAusRequest.body;

export const submitSaved = operation({
  value: 'submitSaved',
  name: 'Submit Saved Cards',
  action: 'Submit saved cards to account updater (update expired cards)',
  description:
    'Request updated details of saved cards. The node sends the cards of all items in batches of 100. Issuers typically respond within 3 to 4 business days, and the service then updates the cards.',
  request: wire.createAusRequest.request,
  fields: [
    locatorList({
      ...fact,
      ...CARD_ID,
      label: 'Saved Card',
      description:
        'Saved card to submit. To submit several cards, enter their IDs separated by commas, or use an expression that returns an array.',
      perRequest: fact.most,
    }),
  ],
  // Counts the cards of all items that share this request.
  present: (record: { request_id?: number; cnt_request?: number }, { body }, { body: sent }) => ({
    ...record,
    cnt_request: record.cnt_request ?? (sent.card_id ?? []).length,
    card_ids: body.card_id ?? [],
  }),
  summary: (_, { body: { card_id: own = [] } }, _came, { body: { card_id: all = [] } }) =>
    submitted(own.length, 'saved card', all.length),
  eventsBy: 'request_id',
  footprint: submitSavedFootprint,
  lookUp: 'Look for a request with these cards in Account Updater > Get Many Details. Submitting cards moves no money.',
});
