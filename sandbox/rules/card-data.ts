import { createHash } from 'node:crypto';

import { readAccount, readCardNumber, type PaymentSource } from '../core/cards';
import { GatewayRefusal } from '../core/refusals';
import type { Body } from '../contract/types';

/** Validates the merchant's own data in a gateway request. */
export function checkPairs({ echo_fields, report_data }: { echo_fields?: string; report_data?: string }): void {
  checkPairList('echo_fields', echo_fields);
  checkPairList('report_data', report_data);
}

/** Validates that a field contains a JSON array of name/value objects. */
function checkPairList(name: string, text: string | undefined): void {
  if (text === undefined) return;
  let pairs: unknown;
  try {
    pairs = JSON.parse(text);
  } catch {
    pairs = undefined;
  }
  if (!Array.isArray(pairs) || !pairs.every(isPair))
    throw new GatewayRefusal('100', `Invalid request: ${name} must be a JSON-encoded array of name/value objects`);
}

const isPair = (pair: unknown): boolean =>
  typeof pair === 'object' &&
  pair !== null &&
  'name' in pair &&
  typeof pair.name === 'string' &&
  'value' in pair &&
  typeof pair.value === 'string';

/** Request fields with card or account data. */
export type CardData = Pick<
  Body<'tokenize'>,
  'card_number' | 'exp_date' | 'card_swipe' | 'tr_number' | 'dda_number' | 'payload_walletA_pay' | 'payload_walletB_pay'
>;

/** Reads a request's card or account. Refuses a request with several payment sources. */
export function readSource(body: CardData): PaymentSource | undefined {
  const given = [
    body.card_number,
    body.card_swipe,
    body.tr_number ?? body.dda_number,
    body.payload_walletA_pay,
    body.payload_walletB_pay,
  ].filter((value) => value !== undefined);
  if (given.length > 1) throw new GatewayRefusal('103', 'More than one payment source');
  if (body.card_number !== undefined) return cardSource(body.card_number, body.exp_date);
  if (body.card_swipe !== undefined) return swipeSource(body.card_swipe);
  if (body.tr_number !== undefined || body.dda_number !== undefined) {
    const source = readAccount(body.tr_number ?? '', body.dda_number ?? '');
    if (!source)
      throw new GatewayRefusal('119', 'Invalid ACH account: tr_number with nine digits and dda_number are needed');
    return source;
  }
  const payload = body.payload_walletA_pay ?? body.payload_walletB_pay;
  return payload === undefined ? undefined : walletSource(payload, body.exp_date);
}

function cardSource(cardNumber: string, expirationDate?: string): PaymentSource {
  const source = readCardNumber(cardNumber, expirationDate);
  if (!source) throw new GatewayRefusal('108', 'Invalid card number (failed mod 10)');
  return source;
}

/** Reads the card number between the start sentinel and the first separator of track data. */
function swipeSource(track: string): PaymentSource {
  const [, cardNumber] = /^[%;]?[A-Z]?(\d{13,19})[=^]/.exec(track) ?? [];
  if (cardNumber === undefined) throw new GatewayRefusal('103', 'Unreadable card_swipe');
  return cardSource(cardNumber);
}

/** Returns a test card, because the sandbox can't decrypt wallet payloads. */
function walletSource(payload: string, expirationDate?: string): PaymentSource {
  const fingerprint = createHash('sha256').update(payload).digest('hex');
  return { masked: '411111xxxxxx1111', card_type: 'VS', exp_date: expirationDate, fingerprint };
}
