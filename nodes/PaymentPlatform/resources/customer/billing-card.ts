import {
  accountNumber,
  accountType,
  cardNumber,
  expirationDate,
  routingNumber,
  securityCode,
} from '../../fields/kinds/card';
import { boolean } from '../../fields/kinds/choice';
import { merchantId } from '../../fields/common';
import { BANK_ACCOUNT, CARD, paymentMethod, SAVED_CARD, whilePayingBy } from '../../fields/kinds/payment-method';
import { group } from '../../fields/kinds/group';
import { emailList } from '../../fields/kinds/multiple-values';
import { text } from '../../fields/kinds/text';
import type { Field, Problem } from '../../fields/types';
import { isEmpty } from '../../fields/value';
import type { Refusal } from '../../model/failure';
import { objectsIn } from '../../shared/objects';
import { address, type AddressFacts } from './address';
import { AddBillingCardRequest, AddCustomerRequest } from '../../wire/schemas';

const HOW_TO_PAY =
  'Payment methods of the customer. The service charges the primary card, which defaults to the first card. "Create or Update" ignores the cards if the customer already exists.';

/** A new card needs a postal code (openapi.yaml#addBillingCard). */
export const newCardFacts = {
  ...AddBillingCardRequest,
  billing_zip: { ...AddBillingCardRequest.billing_zip, required: true },
} as const;

const ZIP = { ...AddBillingCardRequest.billing_zip, unmarked: true, requiredFor: ' for a new card' } as const;
const LISTED_FACTS = { ...newCardFacts, billing_zip: { ...ZIP, required: true } } as const;

/** The postal code is optional, because the service already has it for saved cards. */
export const LISTED_OR_SAVED_FACTS = { ...AddBillingCardRequest, billing_zip: ZIP } as const;

/** Cards and bank accounts (openapi.yaml#AddBillingCardRequest). */
export const billingCards = (facts: AddressFacts<'billing'> = LISTED_FACTS): Field => {
  const { firstName, lastName, zip, ...others } = address(facts, 'billing', 'holder');
  const method = paymentMethod('Payment method of the customer. Your choice determines the fields below.', [
    { name: 'Saved Card', value: SAVED_CARD, description: 'Card or bank account that is already tokenized' },
  ]);
  const card = [cardNumber(AddBillingCardRequest.card_number), expirationDate(AddBillingCardRequest.exp_date)];
  const account = [routingNumber(AddBillingCardRequest.tr_number), accountNumber(AddBillingCardRequest.dda_number)];
  const saved = text({
    ...AddBillingCardRequest.card_id,
    label: 'Saved Card ID',
    isId: true,
    description: 'Card ID returned by Card > Tokenize',
    placeholder: 'e.g. cVbF2jXW1zHbq3M0fAeLk9Rs7TuYp5Nd',
  });
  return group({
    ...AddCustomerRequest.billing_cards,
    label: 'Billing Cards',
    description: HOW_TO_PAY,
    itemLabel: 'Billing Card',
    topLevel: true,
    fields: [
      method,
      ...whilePayingBy(method, CARD, [...card, securityCode(AddBillingCardRequest.cvv2)], card),
      ...whilePayingBy(method, BANK_ACCOUNT, [...account, accountType(AddBillingCardRequest.type_id)], account),
      ...whilePayingBy(method, SAVED_CARD, [saved], [saved]),
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
      boolean({
        ...AddBillingCardRequest.primary,
        label: 'Primary',
        description: 'Whether to charge this payment method by default',
        default: true,
      }),
      boolean({
        ...AddBillingCardRequest.verify,
        label: 'Verify',
        notIdentifying: true,
        description: 'Whether to verify the card with the issuer before saving it',
        default: true,
      }),
      merchantId(AddBillingCardRequest.merchant_id),
    ],
  });
};

/** Error for a card that the customer already has (service.md#vault). */
export const TWICE: Refusal = {
  pattern: /"?card_number"?.*(?:already|exist|duplicate)/i,
  what: 'This card or bank account is already saved for the customer',
  advice: 'Use the saved payment method. Customer Card > Get Many lists the payment methods of the customer.',
};

/** Request fields of each payment method (service.md#card-data). */
const WAYS = [['card_number', 'exp_date'], ['card_id'], ['tr_number', 'dda_number']];

/**
 * A billing card contains exactly one complete payment method (openapi.yaml#AddBillingCardRequest).
 * @param before prefix of the labels for the holder's name, such as "Billing ".
 */
export function checkBillingCard(card: object, label: string, before = ''): Problem[] {
  const given = new Set(Object.entries(card).flatMap(([name, value]) => (value === undefined ? [] : [name])));
  const has = (name: string) => given.has(name);
  // A request can contain an expiration date with a saved card ID.
  const begun = WAYS.filter((way) => way.some((name) => name !== 'exp_date' && has(name)));
  const complete = begun.length === 1 && begun[0]?.every(has);
  const found =
    begun.length === 0 ? 'none of them' : begun.length > 1 ? 'more than one' : 'an incomplete payment method';
  const allowed =
    'must be exactly one of: Card Number and Expiration Date; Saved Card ID; Bank Routing Number and Bank Account Number';
  if (!complete) return [{ label, found, allowed }];
  const isNamed = (has('billing_first_name') && has('billing_last_name')) || has('billing_firm_name');
  if (!has('dda_number') || isNamed) return [];
  return [
    {
      label,
      found: 'a bank account without the name of the holder',
      allowed: `requires ${before}First Name and ${before}Last Name, or ${before}Company Name, for a bank account`,
    },
  ];
}

export const lacksZip = ({ billing_zip: zip }: { billing_zip?: unknown }): boolean => isEmpty(zip);

export const zipProblem = (index: number): Problem => ({
  label: `Billing Cards ${index + 1} > ZIP or Postal Code`,
  found: 'nothing',
  allowed: 'is required for a new card',
});

export const checkBillingCards = (cards: unknown, place = ''): Problem[] =>
  objectsIn(cards).flatMap((card, index) => checkBillingCard(card, `${place}Billing Cards ${index + 1}`));
