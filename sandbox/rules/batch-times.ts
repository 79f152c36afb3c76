import type { DateTime } from 'luxon';

import { SERVICE_ZONE } from '../core/clock';
import type { Environment } from '../state/environment';
import { closeBatch, sendDeposits } from './batches';

/** Hour in Pacific time at which the service closes batches (service.md#refunds). */
export const CLOSES_AT = 21;
/** Arbitrary hour in Pacific time at which the sandbox sends deposits. */
const DEPOSITS_AT = 9;

/** Schedules the batch close and its deposits. Both run only when a test advances the clock. */
export function planBatch(environment: Environment): void {
  if (environment.batchIsPlanned) return;
  environment.batchIsPlanned = true;
  environment.timeline.at(next(environment.clock.now(), CLOSES_AT), () => {
    environment.batchIsPlanned = false;
    if (closeBatch(environment).length > 0) planDeposits(environment);
  });
}

/** Schedules the deposits of a closed batch. */
export function planDeposits(environment: Environment): void {
  environment.timeline.at(next(environment.clock.now(), DEPOSITS_AT), () => void sendDeposits(environment));
}

function next(now: DateTime, hour: number): DateTime {
  const today = now.setZone(SERVICE_ZONE).startOf('day').set({ hour });
  return today > now ? today : today.plus({ days: 1 });
}
