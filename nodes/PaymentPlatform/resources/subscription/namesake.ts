import type { IDataObject } from 'n8n-workflow';

import { digitsOf } from '../../shared/digits';
import { asText, objectIn, objectsIn, comparableText } from '../../shared/objects';
import { AddCustomerRequest } from '../../wire/schemas';
import { likeIf, type Likeness } from '../../model/likeness';

const { customer_first_name, customer_last_name, customer_firm_name, ...others } = AddCustomerRequest;
const NAMES = [customer_first_name.name, customer_last_name.name, customer_firm_name.name];

/** Users may write the same value in different formats, so these functions normalize values for comparison. */
const COMPARED: ReadonlyArray<[name: string, form: (value: unknown) => string]> = [
  [others.customer_email.name, (value) => comparableText(value).toLowerCase()],
  [others.customer_phone.name, (value) => digitsOf(asText(value))],
  [others.reference_id.name, comparableText],
];

/** Number of visible digits at the end of a masked number. */
const SEEN = 4;
const lastDigits = (value: unknown) => digitsOf(asText(value)).slice(-SEEN);

const waysToPay = (cards: unknown): string[] =>
  objectsIn(cards)
    .flatMap(({ card_id: saved, card_number: card, dda_number: account }) => [
      comparableText(saved),
      lastDigits(card),
      lastDigits(account),
    ])
    .filter((text) => text.length >= SEEN);

export const namesOf = (customer: unknown): string[] => NAMES.map((name) => comparableText(objectIn(customer)[name]));

/**
 * Compares a customer's record with a new customer. Names aren't unique, so another value must also match.
 * @param isTold whether another value already matches, such as a saved card.
 * @returns `notShown` if only the name matches, or if one value matches and another differs.
 */
export function likeCustomer(record: IDataObject, customer: unknown, isTold: boolean): Likeness {
  const [given, shown] = [objectIn(customer), { ...record, ...objectIn(record.customer) }];
  const named = NAMES.filter((name) => comparableText(given[name]) !== '');
  if (named.length === 0 || named.some((name) => comparableText(given[name]) !== comparableText(shown[name])))
    return 'different';
  const both = COMPARED.map(([name, form]) => [form(given[name]), form(shown[name])]).filter(
    ([one, other]) => one !== '' && other !== '',
  );
  const differs = both.some(([one, other]) => one !== other);
  const cards = new Set(waysToPay(shown.billing_cards));
  const agrees =
    isTold ||
    both.some(([one, other]) => one === other) ||
    waysToPay(given.billing_cards).some((one) => cards.has(one));
  return agrees === differs ? 'notShown' : likeIf(agrees);
}
