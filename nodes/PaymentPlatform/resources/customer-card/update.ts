import { expirationDate, securityCode } from '../../fields/kinds/card';
import { operation, type ValuesOf } from '../../model/operation';
import type { Step } from '../../model/types';
import { asText, objectsIn, only } from '../../shared/objects';
import { noteExpired } from '../card/payment-source';
import { keepOthers, keeps, lookAt, takenOf } from '../merge-with-current';
import { CARD_FIELDS, cardOfCustomer, cardOwner, holderFields, withCustomer } from './fields';
import * as wire from '../../wire/operations';

const { body, path, request } = wire.updateBillingCard;
const holder = holderFields(body);

/** Fields that only identify the card or the merchant. */
const WHICH: ReadonlySet<string> = new Set([body.card_id.name, body.merchant_id.name]);

const cardOf = (record: { billing_cards?: unknown } | undefined, id: unknown) =>
  objectsIn(record?.billing_cards).find((card) => asText(card.card_id) === asText(id));

/** The service requires the complete card, so the node reads it and sends it with the changes. */
const complete: Step<ValuesOf<'updateBillingCard'>> = {
  look: (values) => (keeps(values) ? lookAt(wire.getBillingCards.request, values) : undefined),
  unchanged: true,
  decide: ([found], values) => {
    if (!keeps(values)) return { request: { to: request, body: values.body } };
    const card = cardOf(found, values.body.card_id);
    if (!card) return { refuse: 'The customer has no saved card with this ID' };
    return { request: { to: request, body: { ...takenOf(card, body), ...values.body } } };
  },
};

export const update = operation({
  value: 'update',
  name: 'Update',
  action: 'Update customer card',
  description:
    'Update the expiration date, holder or billing address of a card or bank account. To change the number, add a new card.',
  request,
  fields: [
    cardOwner(path.customer_id),
    cardOfCustomer(body.card_id),
    keepOthers(),
    expirationDate(body.exp_date),
    securityCode(body.cvv2),
    ...Object.values(holder.fields),
  ],
  additional: holder.more,
  check: (values) =>
    Object.keys(values.body).every((name) => WHICH.has(name))
      ? [
          {
            label: 'Expiration Date',
            found: 'nothing',
            allowed: 'is required, unless you enter a value in another field',
          },
        ]
      : [],
  notice: noteExpired,
  steps: { sends: [request], each: [complete] },
  present: (record, values) => ({
    ...record,
    card_id: values.body.card_id,
    ...only(cardOf(record, values.body.card_id) ?? {}, ['card_type', 'card_number', 'exp_date', 'primary']),
  }),
  simplified: withCustomer,
  addedBySimplify: CARD_FIELDS,
  summary: (_, values) => `Updated a saved card of customer ${values.path.customer_id}.`,
  lookUp: 'Repeating the same update has no further effect.',
});
