import type { IDataObject } from 'n8n-workflow';

import { digitsOf } from '../../shared/digits';
import { asText, objectIn, objectsIn } from '../../shared/objects';
import { AddCustomerRequest } from '../../wire/schemas';
import { comparableText } from '../merge-with-current';

const { customer_first_name, customer_last_name, customer_firm_name, ...others } = AddCustomerRequest;
const NAMES = [customer_first_name.name, customer_last_name.name, customer_firm_name.name];

/** How two values of a field are compared: as people write them in many ways. */
const COMPARED: ReadonlyArray<[name: string, form: (value: unknown) => string]> = [
  [others.customer_email.name, (value) => comparableText(value).toLowerCase()],
  [others.customer_phone.name, (value) => digitsOf(asText(value))],
  [others.reference_id.name, comparableText],
];

/** Digits at the end that a masked number leaves. */
const SEEN = 4;
const lastDigits = (value: unknown) => digitsOf(asText(value)).slice(-SEEN);

/** What tells the ways to pay of a customer apart, as far as records show them. */
const waysToPay = (cards: unknown): string[] =>
  objectsIn(cards)
    .flatMap(({ card_id: saved, card_number: card, dda_number: account }) => [
      comparableText(saved),
      lastDigits(card),
      lastDigits(account),
    ])
    .filter((text) => text.length >= SEEN);

/** The names by which a new customer is called. */
export const namesOf = (customer: unknown): string[] => NAMES.map((name) => comparableText(objectIn(customer)[name]));

/**
 * Whether a record is of a new customer, who has no ID but the one that the answer would have told. Many people have one
 * name, so something beside it has to agree, and nothing may differ. A card says nothing where it differs: cards are replaced.
 * @param isTold whether something else that is the customer's alone agrees: a reference that was given, or a saved card.
 * @returns `same`, `other`, or `open` where nothing beside the name tells, or one thing agrees and another does not.
 */
export function sameCustomer(record: IDataObject, customer: unknown, isTold: boolean): 'same' | 'other' | 'open' {
  const [given, shown] = [objectIn(customer), { ...record, ...objectIn(record.customer) }];
  const named = NAMES.filter((name) => comparableText(given[name]) !== '');
  if (named.length === 0 || named.some((name) => comparableText(given[name]) !== comparableText(shown[name])))
    return 'other';
  const both = COMPARED.map(([name, form]) => [form(given[name]), form(shown[name])]).filter(
    ([one, other]) => one !== '' && other !== '',
  );
  const differs = both.some(([one, other]) => one !== other);
  const cards = new Set(waysToPay(shown.billing_cards));
  const agrees =
    isTold ||
    both.some(([one, other]) => one === other) ||
    waysToPay(given.billing_cards).some((one) => cards.has(one));
  return agrees === differs ? 'open' : agrees ? 'same' : 'other';
}
