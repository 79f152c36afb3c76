import type { DateTime } from 'luxon';

import { SERVICE_ZONE } from '../core/clock';
import type { Environment } from '../state/environment';
import { closeBatch, sendDeposits } from './batches';

/** The service closes the batch at 9 PM Pacific unless set otherwise (service.md#refunds). */
const CLOSES_AT = 21;
/** When a deposit is sent is not known; the sandbox does it the morning after. */
const DEPOSITS_AT = 9;

/**
 * Plans that the batch closes by the sandbox's clock, and that its deposits are sent, once something was captured. Real time
 * that passes does neither: only a clock that is moved.
 */
export function planBatch(environment: Environment): void {
  if (environment.batchIsPlanned) return;
  environment.batchIsPlanned = true;
  environment.timeline.at(next(environment.clock.now(), CLOSES_AT), () => {
    environment.batchIsPlanned = false;
    if (closeBatch(environment).length === 0) return;
    environment.timeline.at(next(environment.clock.now(), DEPOSITS_AT), () => void sendDeposits(environment));
  });
}

/** The next moment at which it is so many o'clock where the service is. */
function next(now: DateTime, hour: number): DateTime {
  const today = now.setZone(SERVICE_ZONE).startOf('day').set({ hour });
  return today > now ? today : today.plus({ days: 1 });
}
