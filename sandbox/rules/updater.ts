import type { Environment } from '../state/environment';
import { updaterSummary } from '../views/updater';

/** Emits the completion of every account updater request that the issuers have answered by now. */
export function completeUpdaterRequests(environment: Environment): void {
  const now = environment.clock.now();
  for (const request of environment.updaterRequests.values())
    if (!request.completionTold && request.completes <= now) {
      request.completionTold = true;
      environment.emit('account_updater_request_completed', request.merchant_id, updaterSummary(request, now));
    }
}
