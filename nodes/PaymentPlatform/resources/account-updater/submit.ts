import { cardNumber, expirationDate } from '../../fields/kinds/card';
import { group } from '../../fields/kinds/group';
import { text } from '../../fields/kinds/text';
import { operation } from '../../model/operation';
import { submitted } from './changes';
import { submitFootprint } from './footprint';
import * as wire from '../../wire/operations';

export const submit = operation({
  value: 'submit',
  name: 'Submit Cards',
  action: 'Submit cards to account updater',
  description:
    'Request updated card details from the card issuers. The node sends the cards of all items in batches of 100. Issuers typically respond within 3 to 4 business days.',
  request: wire.submitAccountUpdater.request,
  fields: [
    group({
      ...wire.submitAccountUpdater.body.data,
      label: 'Cards',
      description: 'Cards to submit. An item can contain one or more cards.',
      itemLabel: 'Card',
      topLevel: true,
      perRequest: wire.submitAccountUpdater.body.data.most,
      default: { item: [{}] },
      fields: [
        cardNumber(wire.submitAccountUpdater.body.data.parts.card_number),
        expirationDate(wire.submitAccountUpdater.body.data.parts.exp_date),
        text({
          ...wire.submitAccountUpdater.body.data.parts.card_id,
          label: 'Card Reference',
          isId: true,
          notIdentifying: true,
          description:
            "Your reference for the card. The results contain this reference. Don't use the ID of a tokenized card.",
          placeholder: 'e.g. member-17',
        }),
      ],
    }),
  ],
  // Counts the cards of all items that share this request.
  present: (record, { body }, { body: sent }) => ({
    ...record,
    cnt_request: (sent.data ?? []).length,
    card_ids: (body.data ?? []).flatMap(({ card_id }) => (card_id === undefined ? [] : [card_id])),
  }),
  summary: (_, { body: { data: own = [] } }, _came, { body: { data: all = [] } }) =>
    submitted(own.length, 'card', all.length),
  eventsBy: 'request_id',
  footprint: submitFootprint,
  lookUp:
    'In Account Updater > Get Many, look for a request with the same number of cards. Submitting cards moves no money.',
});
