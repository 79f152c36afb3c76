import { accountNumber, accountType, cardNumber, expirationDate, routingNumber, securityCode } from '../../fields/card';
import { boolean } from '../../fields/choice';
import { merchantNumber } from '../../fields/common';
import { group } from '../../fields/group';
import { emailList } from '../../fields/multiple-values';
import { text } from '../../fields/text';
import type { Field, Problem } from '../../fields/types';
import { isObject } from '../../shared/objects';
import { address } from './address';
import { AddBillingCardRequest, AddCustomerRequest } from '../../wire/schemas';

/** How a new customer pays: cards, saved card IDs and bank accounts (openapi.yaml#AddBillingCardRequest). */
export const billingCards = (): Field => {
  const { firstName, lastName, zip, ...others } = address(AddBillingCardRequest, 'billing', 'of the holder');
  return group({
    ...AddCustomerRequest.billing_cards,
    label: 'Billing Cards',
    description: 'How the customer pays. The primary card is charged; the first one unless one is marked as primary.',
    itemLabel: 'Billing Card',
    topLevel: true,
    fields: [
      cardNumber(AddBillingCardRequest.card_number),
      expirationDate(AddBillingCardRequest.exp_date),
      securityCode(AddBillingCardRequest.cvv2),
      firstName,
      lastName,
      zip,
    ],
    additional: [
      ...Object.values(others),
      emailList({
        ...AddBillingCardRequest.billing_email,
        label: 'Emails',
        description: 'Email addresses of the holder, separated by commas',
      }),
      routingNumber(AddBillingCardRequest.tr_number),
      accountNumber(AddBillingCardRequest.dda_number),
      accountType(AddBillingCardRequest.type_id),
      text({
        ...AddBillingCardRequest.card_id,
        label: 'Saved Card ID',
        description: 'Card ID that a tokenize answer gave, instead of a card number',
      }),
      boolean({
        ...AddBillingCardRequest.primary,
        label: 'Primary',
        description: 'Whether this is the payment method that is charged by default',
        default: true,
      }),
      boolean({
        ...AddBillingCardRequest.verify,
        label: 'Verify',
        wording: true,
        description: 'Whether the service verifies the card with its issuer before it saves it',
        default: true,
      }),
      merchantNumber(AddBillingCardRequest.merchant_id),
    ],
  });
};

/** One way to pay is one of these (docs/service.md#card-data). */
const WAYS = [['card_number', 'exp_date'], ['card_id'], ['tr_number', 'dda_number']];

/** Each billing card holds exactly one way to pay, completely. */
export function checkBillingCards(cards: unknown): Problem[] {
  return (Array.isArray(cards) ? cards.filter(isObject) : []).flatMap((card, index) => {
    const has = (name = '') => card[name] !== undefined;
    // An expiration date alone may go with a saved card ID; it is what it belongs to that counts.
    const begun = WAYS.filter((way) => way.some((name) => name !== 'exp_date' && has(name)));
    const complete = begun.length === 1 && begun[0]?.every(has);
    const label = `New Customer > Billing Cards ${index + 1}`;
    const found = begun.length === 0 ? 'none of them' : begun.length > 1 ? 'more than one' : 'a part of one';
    const allowed =
      'must be exactly one of: Card Number and Expiration Date; Saved Card ID; Bank Routing Number and Bank Account Number';
    return complete ? [] : [{ label, found, allowed }];
  });
}
