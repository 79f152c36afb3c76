import type { DateTime } from 'luxon';

import { toDayStamp } from '../core/clock';
import type { UpdaterRequest } from '../state/records';

/** Every third accepted card gets updated details. The share is arbitrary. */
export const UPDATED_EVERY = 3;
/** Number of years added to the expiration of an updated card. */
const YEARS_LONGER = 3;
/** Reason codes (service.md#letters) for no change and for a new expiration date. */
const NO_CHANGE = '200';
const NEW_EXPIRATION = '201';

/** Returns the issuers' result for each card with masked numbers. Returns nothing before the request is completed. */
export function updaterResults(request: UpdaterRequest, now: DateTime) {
  if (now < request.completes) return [];
  return request.cards.map(({ card_id, masked, exp_date }, index) => {
    const isUpdated = (index + 1) % UPDATED_EVERY === 0;
    const year = String((Number(exp_date.slice(2)) + YEARS_LONGER) % 100).padStart(2, '0');
    return {
      card_id,
      card_number: masked,
      exp_date,
      reason_code: isUpdated ? NEW_EXPIRATION : NO_CHANGE,
      ...(isUpdated && { exp_date_new: `${exp_date.slice(0, 2)}${year}` }),
    };
  });
}

/** Builds the summary of an account updater request at a moment (openapi.yaml#AccountUpdaterSummary). */
export function updaterSummary(request: UpdaterRequest, now: DateTime) {
  const completed = now >= request.completes;
  const accepted = request.cardCount - request.rejected_cards.length;
  return {
    request_id: request.request_id,
    merchant_id: Number(request.merchant_id),
    status: completed ? 'COMPLETED' : 'QUEUED',
    method: 'harvest_api',
    cnt_request: request.cardCount,
    cnt_response: completed ? accepted : 0,
    cnt_update: completed ? request.updateCount : 0,
    request_date: toDayStamp(request.requested),
    rejected_cards: request.rejected_cards,
  };
}
