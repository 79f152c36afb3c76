import type { DateTime } from 'luxon';

import { toTimestamp } from '../core/clock';
import type { UpdaterRequest } from '../state/records';

/** Summary of an account updater request at a moment (interface.md section 2.12). */
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
    request_date: toTimestamp(request.requested),
    rejected_cards: request.rejected_cards,
  };
}
