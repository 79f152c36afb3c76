import type { Handler } from '../calls/call';
import { isExpirationDate, readCardNumber } from '../core/cards';
import { success } from '../core/envelopes';
import { invalidFields } from '../core/refusals';
import { platformMerchant } from '../rules/merchants';
import { planCompletion } from '../rules/updater';
import type { UpdaterRequest } from '../state/records';
import { UPDATED_EVERY, updaterSummary } from '../views/updater';

const LARGEST_REQUEST = 100;
const TURNAROUND_DAYS = 4;

/** Reason codes for rejected cards (reference enumerations). */
const WRONG_NUMBER = '320';
const WRONG_EXPIRATION = '315';

/**
 * Submits up to 100 cards to the account updater (openapi.yaml#submitAccountUpdater). Rejects unusable cards
 * individually.
 */
export const submitAccountUpdater: Handler<'submitAccountUpdater'> = ({ environment, body }) => {
  if (body.data.length === 0) throw invalidFields({ data: 'must hold at least one card' });
  if (body.data.length > LARGEST_REQUEST) throw invalidFields({ data: `must hold at most ${LARGEST_REQUEST} cards` });
  const rejected_cards = body.data.flatMap(({ card_number, exp_date, card_id = '' }) => {
    if (!readCardNumber(card_number)) return [{ card_id, reject_reason: WRONG_NUMBER }];
    return isExpirationDate(exp_date) ? [] : [{ card_id, reject_reason: WRONG_EXPIRATION }];
  });
  const cards = body.data.flatMap(({ card_number, exp_date, card_id = '' }) => {
    const source = isExpirationDate(exp_date) ? readCardNumber(card_number) : undefined;
    return source ? [{ card_id, masked: source.masked, exp_date }] : [];
  });
  const requested = environment.clock.now();
  const request: UpdaterRequest = {
    request_id: environment.ids.nextNumber('updater request', 15_001),
    merchant_id: platformMerchant(environment, undefined),
    requested,
    completes: requested.plus({ days: TURNAROUND_DAYS }),
    cardCount: body.data.length,
    updateCount: Math.floor(cards.length / UPDATED_EVERY),
    rejected_cards,
    cards,
  };
  environment.updaterRequests.set(request.request_id, request);
  planCompletion(environment, request);
  environment.emit('account_updater_request_created', request.merchant_id, updaterSummary(request, requested));
  return success({ request_id: String(request.request_id) });
};
