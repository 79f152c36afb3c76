import type { IDataObject } from 'n8n-workflow';

import { customerId, merchantId } from '../../fields/common';
import type { Problem } from '../../fields/types';
import { operation, type ValuesOf } from '../../model/operation';
import type { Step } from '../../model/types';
import { asText, objectsIn, onlyObjectsIn } from '../../shared/objects';
import { keepOthers, keeps, lookFor, takenOf } from '../merge-with-current';
import { billingCards, LISTED_OR_SAVED_FACTS, checkBillingCards, lacksZip, TWICE, zipProblem } from './billing-card';
import { mainCustomerFields, namedWithId, customerContactFields, noteFields, type Customer } from './fields';
import { noteExpiredCards } from './past';
import { shippingAddresses } from './shipping-address';
import * as wire from '../../wire/operations';
import { AddShippingAddressRequest, UpdateBillingCardRequest } from '../../wire/schemas';

const { body, path, request } = wire.updateCustomer;

const isPrimary = ({ primary }: IDataObject) => primary === true;
const withOnePrimary = (kept: IDataObject[], given: IDataObject[]) => [
  ...kept.map((one) => (given.some(isPrimary) ? { ...one, primary: false } : one)),
  ...given,
];

function withCards(known: IDataObject[], given: IDataObject[]): IDataObject[] {
  const changeOf = (card: IDataObject) =>
    given.find(({ card_id: id }) => id !== undefined && asText(id) === asText(card.card_id));
  const changed = known.map(changeOf);
  const isNew = (one: IDataObject) => !changed.includes(one);
  const kept = known.map((card) => takenOf(card, UpdateBillingCardRequest));
  const others = kept.filter((_, index) => changed[index] === undefined);
  const renewed = kept.flatMap((card, index) => (changed[index] ? [{ ...card, ...changed[index] }] : []));
  return withOnePrimary(others, [...renewed, ...given.filter(isNew)]);
}

function withAddresses(known: IDataObject[], given: IDataObject[]): IDataObject[] {
  const kept = known.map((address) => takenOf(address, AddShippingAddressRequest));
  const isThere = (one: IDataObject) =>
    kept.some((address) => Object.entries(one).every(([name, value]) => asText(address[name]) === asText(value)));
  return withOnePrimary(
    kept,
    given.filter((one) => !isThere(one)),
  );
}

/** Cards without a saved card ID need a ZIP code. If the item replaces the existing cards, all cards need one. */
const checkZips = (values: ValuesOf<'updateCustomer'>): Problem[] =>
  objectsIn(values.body.billing_cards).flatMap((card, index) =>
    lacksZip(card) && (!keeps(values) || card.card_id === undefined) ? [zipProblem(index)] : [],
  );

const completes = (values: ValuesOf<'updateCustomer'>): boolean =>
  keeps(values) && (values.body.billing_cards !== undefined || values.body.shipping_addresses !== undefined);

/** The service replaces complete lists of cards and addresses, so the node sends the existing ones too. */
const complete: Step<ValuesOf<'updateCustomer'>, Customer> = {
  look: (values) => (completes(values) ? lookFor(wire.getCustomer.request, values) : undefined),
  unchanged: true,
  decide: ([found], values) => {
    if (!completes(values)) return { request: { to: request, body: values.body } };
    if (!found) return { refuse: 'No customer has this ID, so nothing was sent' };
    const { billing_cards: cards, shipping_addresses: addresses, ...others } = values.body;
    const [savedCards, savedAddresses] = [onlyObjectsIn(found.billing_cards), onlyObjectsIn(found.shipping_addresses)];
    if (!savedCards || !savedAddresses)
      return { refuse: 'The node could not read the cards and addresses of this customer, so nothing was changed' };
    const known = new Set(savedCards.map(({ card_id: id }) => asText(id)));
    const incomplete = objectsIn(cards).findIndex((card) => lacksZip(card) && !known.has(asText(card.card_id)));
    if (incomplete >= 0) {
      const { label, allowed } = zipProblem(incomplete);
      return { refuse: `"${label}" ${allowed}, so nothing was sent` };
    }
    return {
      request: {
        to: request,
        body: {
          ...others,
          ...(cards !== undefined && { billing_cards: withCards(savedCards, objectsIn(cards)) }),
          ...(addresses !== undefined && {
            shipping_addresses: withAddresses(savedAddresses, objectsIn(addresses)),
          }),
        },
      },
    };
  },
};

export const update = operation({
  value: 'update',
  name: 'Update',
  action: 'Update customer',
  description: 'Update a customer in the vault. Empty fields keep their current values.',
  request,
  fields: [
    customerId(path.customer_id, {
      description: 'Customer to update. Search by name, email address or reference, or enter the ID.',
    }),
    ...customerContactFields(body, 'Leave empty to keep the current value.'),
    keepOthers(
      "Whether the customer keeps the cards and addresses that you don't enter here. If the node detects another change, it sends nothing. If this is off, your entries replace all existing cards or addresses. If you enter addresses, all existing addresses get new IDs. To change a single address, use 'Customer Address'.",
    ),
    billingCards(LISTED_OR_SAVED_FACTS),
    shippingAddresses(),
  ],
  additional: [...noteFields(body), merchantId(body.merchant_id)],
  check: (values) => [
    ...(Object.keys(values.body).every((name) => name === body.merchant_id.name)
      ? [
          {
            label: 'First Name',
            found: 'nothing',
            allowed: 'is required, unless you enter a value in another field',
          },
        ]
      : []),
    ...checkBillingCards(values.body.billing_cards),
    ...checkZips(values),
  ],
  notice: noteExpiredCards,
  steps: { sends: [request], each: [complete] },
  simplified: mainCustomerFields,
  summary: (record) => `Updated customer ${namedWithId(record)}.`,
  refusals: [TWICE],
  lookUp: 'Repeating the same update has no further effect.',
});
