import type { DateTime } from 'luxon';

import { toDayStamp } from '../core/clock';
import { issuerResponse } from '../core/issuer-response';
import type { UpdaterRequest } from '../state/records';

const NEW_DATA = ['201', '202'];
const NO_RESPONSE = '000';
const NO_CHANGE = '200';

const isCompleted = ({ completes, isCanceled }: UpdaterRequest, now: DateTime): boolean =>
  !isCanceled && now >= completes;

/** Returns the issuers' responses with masked numbers. Empty until the request completes. */
export function updaterResults(request: UpdaterRequest, now: DateTime) {
  if (!isCompleted(request, now)) return [];
  return request.cards.map(({ card_id, masked, exp_date }) => ({
    card_id,
    card_number: masked,
    exp_date,
    ...issuerResponse({ masked, exp_date }),
  }));
}

/** Returns a request's cards with the issuers' responses (openapi.yaml#AccountUpdaterDetail). */
export function updaterDetails(request: UpdaterRequest, now: DateTime) {
  const isDone = isCompleted(request, now);
  return request.cards.map(({ card_id, masked, exp_date }) => {
    const response = isDone ? issuerResponse({ masked, exp_date }) : { reason_code: NO_RESPONSE };
    return {
      merchant_id: Number(request.merchant_id),
      request_id: request.request_id,
      request_date: toDayStamp(request.requested),
      ...(isDone && { response_date: toDayStamp(request.completes) }),
      card_id,
      card_number: masked,
      exp_date,
      ...response,
      billable: isDone && response.reason_code !== NO_CHANGE,
    };
  });
}

export function updaterSummary(request: UpdaterRequest, now: DateTime) {
  const results = updaterResults(request, now);
  return {
    request_id: request.request_id,
    merchant_id: Number(request.merchant_id),
    status: updaterStatus(request, now),
    method: request.method,
    cnt_request: request.cardCount,
    cnt_response: results.length,
    cnt_update: results.filter(({ reason_code }) => NEW_DATA.includes(reason_code)).length,
    request_date: toDayStamp(request.requested),
    rejected_cards: request.rejected_cards,
  };
}

export function updaterStatus(
  request: UpdaterRequest,
  now: DateTime,
): 'CANCELED' | 'COMPLETED' | 'INPROGRESS' | 'QUEUED' {
  if (request.isCanceled) return 'CANCELED';
  if (isCompleted(request, now)) return 'COMPLETED';
  return now < request.queues ? 'INPROGRESS' : 'QUEUED';
}
