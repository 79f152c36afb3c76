import type { Environment } from '../state/environment';
import type { UpdaterRequest } from '../state/records';
import { updaterSummary } from '../views/updater';

/** Schedules the completion event of an account updater request. */
export function planCompletion(environment: Environment, request: UpdaterRequest): void {
  const { completes, merchant_id } = request;
  environment.timeline.at(completes, () =>
    environment.emit('account_updater_request_completed', merchant_id, updaterSummary(request, completes)),
  );
}
