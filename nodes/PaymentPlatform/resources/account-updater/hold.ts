import { choice } from '../../fields/kinds/choice';
import { when } from '../../fields/kinds/when';
import { customerId, merchantId, savedCard } from '../../fields/common';
import { operation, type ValuesOf } from '../../model/operation';
import * as wire from '../../wire/operations';

const { putOnAusHold: toHold, releaseFromAusHold: toRelease } = wire;

/** The service ignores the customer if a request also contains a card. */
const applyTo = choice({
  name: 'applyTo',
  label: 'Apply To',
  description: 'Cards to hold or release: one saved card or all saved cards of a customer',
  options: [
    { name: 'Saved Card', value: 'card' },
    { name: 'All Cards of the Customer', value: 'customer' },
  ],
  place: 'node',
});

const fields = [
  applyTo,
  when(applyTo, ['card'], savedCard(toHold.body.card_id, { description: 'Saved card to hold or release' }), {
    required: true,
    unmarked: true,
  }),
  when(
    applyTo,
    ['customer'],
    customerId(toHold.body.customer_id, {
      description: 'Customer who owns the cards to hold or release',
    }),
    { required: true, unmarked: true },
  ),
];
const additional = [merchantId(toHold.body.merchant_id)];

type Held = Pick<ValuesOf<'putOnAusHold'>, 'body'>;

const idsOf = ({ body: { card_id, customer_id } }: Held) => (card_id === undefined ? { customer_id } : { card_id });

const cardsOf = ({ body: { card_id, customer_id } }: Held) =>
  card_id === undefined ? `the cards of customer ${customer_id}` : 'the saved card';

export const hold = operation({
  value: 'hold',
  name: 'Hold Card',
  action: 'Stop updates and hold card (account updater)',
  description: 'Exclude a saved card, or all cards of a customer, from the account updater until you release the cards',
  request: toHold.request,
  fields,
  additional,
  present: (_, values) => ({ ...idsOf(values), on_hold: true }),
  summary: (_, values) => `Put ${cardsOf(values)} on hold for the account updater.`,
});

export const release = operation({
  value: 'release',
  name: 'Release Card',
  action: 'Release card for account updater',
  description: 'Include a held card, or all cards of a customer, in the account updater again',
  request: toRelease.request,
  fields,
  additional,
  present: (_, values) => ({ ...idsOf(values), on_hold: false }),
  summary: (_, values) => `Released ${cardsOf(values)} for the account updater.`,
});
