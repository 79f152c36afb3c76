import type { IDataObject } from 'n8n-workflow';

import { cardNumber, expirationDate } from '../../fields/card';
import { group } from '../../fields/group';
import { text } from '../../fields/text';
import type { Operation } from '../../pipeline/types';

/** The service takes this many cards in one request (docs/service.md#account-updater). */
const MOST_CARDS = 100;

export const submit: Operation = {
  value: 'submit',
  name: 'Submit Cards',
  action: 'Submit cards to the account updater',
  description:
    'Ask the card issuers for fresh card data. The cards of all items go out together, 100 in each request; issuers typically answer within 3 to 4 business days.',
  request: {
    method: 'POST',
    path: '/platform/aus/add',
    family: 'platform',
    effect: 'writesOnce',
    operationId: 'submitAccountUpdater',
  },
  fields: [
    group({
      name: 'data',
      label: 'Cards',
      description: 'The cards of this item. An item is usually one card; it may hold several.',
      list: true,
      itemLabel: 'Card',
      topLevel: true,
      required: true,
      default: { item: [{}] },
      fields: [
        cardNumber({ required: true }),
        expirationDate(true),
        text({
          name: 'card_id',
          label: 'Card Reference',
          wording: true,
          description:
            'Your own ID of the card, by which you recognise it in the answer. Not the ID of a tokenized card.',
          placeholder: 'e.g. member-17',
          maxLength: 32,
        }),
      ],
    }),
  ],
  batch: { field: 'data', most: MOST_CARDS },
  present: (record, { body }) => {
    const cards = body.data as IDataObject[];
    return {
      ...record,
      cnt_request: cards.length,
      card_ids: cards.flatMap(({ card_id }) => (card_id === undefined ? [] : [card_id])),
    };
  },
  lookUp:
    'Look for a request with this number of cards in API Request: GET /platform/aus/request/summary. Submitting cards moves no money.',
};
