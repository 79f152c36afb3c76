import { toServiceStamp } from '../core/clock';
import { isExpirationDate, readAccount, readCardNumber, type PaymentSource } from '../core/cards';
import { invalidFields } from '../core/refusals';
import type { Body } from '../contract/types';
import type { Environment } from '../state/environment';
import type { BillingCard, Customer } from '../state/records';

type CardRequest = Body<'addBillingCard'> & { verify?: boolean };

const CARD_DETAILS = /^billing_/;

/** Returns the request fields whose names begin with `billing_`. */
export const cardDetails = (fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => CARD_DETAILS.test(name)));

/** Makes the first card primary unless another card is primary. */
export function withOnePrimary(cards: BillingCard[]): BillingCard[] {
  const chosen = cards.findIndex((card) => card.primary);
  return cards.map((card, index) => ({ ...card, primary: index === Math.max(0, chosen) }));
}

export const withPrimary = (cards: BillingCard[], cardId: string): BillingCard[] =>
  cards.map((card) => ({ ...card, primary: card.card_id === cardId }));

/**
 * Refuses a customer's cards if two cards have the same number (service.md#vault).
 * @throws PlatformRefusal with code 2.
 */
export function assertNoneTwice(cards: readonly BillingCard[]): void {
  const numbers = cards.map(({ source }) => source.fingerprint);
  if (new Set(numbers).size < numbers.length)
    throw invalidFields({ card_number: 'is saved for this customer already' });
}

/**
 * Returns one of a customer's cards.
 * @throws PlatformRefusal with code 2 if the card doesn't exist.
 */
export function findCard(customer: Customer, cardId: string): BillingCard {
  const found = customer.billing_cards.find(({ card_id }) => card_id === cardId);
  if (!found) throw invalidFields({ card_id: 'does not belong to the customer' });
  return found;
}

/** Creates a billing card with a new ID. */
export function billingCard(environment: Environment, source: PaymentSource, details: object = {}): BillingCard {
  return {
    card_id: environment.ids.nextText('card_id'),
    source,
    primary: 'primary' in details && details.primary === true,
    details: cardDetails(details),
  };
}

/**
 * Reads a customer's billing cards.
 * @param parent name of the list in messages.
 * @throws PlatformRefusal with code 2.
 */
export function readBillingCards(
  environment: Environment,
  merchantId: string,
  cards: readonly CardRequest[],
  parent?: string,
  own: readonly BillingCard[] = [],
): BillingCard[] {
  return cards.map((card, index) => {
    const at = (name?: string) => {
      if (parent === undefined) return name ?? 'card_number';
      return [`${parent}[${index}]`, ...(name === undefined ? [] : [name])].join('.');
    };
    const known = own.find(({ card_id }) => card_id === card.card_id);
    const source = known?.source ?? readSource(environment, merchantId, card, at);
    const saved = { ...billingCard(environment, source, card), ...(known && { card_id: known.card_id }) };
    return card.verify ? { ...saved, verified_date: toServiceStamp(environment.clock.now()) } : saved;
  });
}

function readSource(
  environment: Environment,
  merchantId: string,
  card: CardRequest,
  at: (name?: string) => string,
): PaymentSource {
  if (card.exp_date !== undefined && !isExpirationDate(card.exp_date))
    throw invalidFields({ [at('exp_date')]: 'must be MMYY' });
  const sources = [card.card_number, card.card_id, card.tr_number ?? card.dda_number].filter(
    (one) => one !== undefined,
  );
  if (sources.length > 1) throw invalidFields({ [at()]: 'must hold one way to pay only' });
  if (card.card_number !== undefined) {
    if (card.exp_date === undefined) throw invalidFields({ [at('exp_date')]: 'is required with a card_number' });
    const source = readCardNumber(card.card_number, card.exp_date);
    if (!source) throw invalidFields({ [at('card_number')]: 'is not a valid card number' });
    return source;
  }
  if (card.card_id !== undefined) {
    const token = environment.tokens.get(card.card_id);
    if (!token || token.merchant_id !== merchantId) throw invalidFields({ [at('card_id')]: 'is not known' });
    return token.source;
  }
  const source = readAccount(card.tr_number ?? '', card.dda_number ?? '');
  if (!source) throw invalidFields({ [at()]: 'needs a card_number, a card_id, or tr_number with dda_number' });
  const isNamed = (card.billing_first_name && card.billing_last_name) || card.billing_firm_name;
  if (!isNamed) throw invalidFields({ [at('billing_last_name')]: 'is required for an ACH account' });
  return source;
}
