import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { noSuchResource } from '../core/refusals';
import { updaterSummary } from '../views/updater';

/**
 * Returns the status of an account updater request (openapi.yaml#getAccountUpdaterSummary): QUEUED, then COMPLETED
 * after four days.
 */
export const getAccountUpdaterSummary: Handler<'getAccountUpdaterSummary'> = ({ environment, path }) => {
  const request = environment.updaterRequests.get(Number(path.request_id));
  if (!request) throw noSuchResource('Account updater request');
  return success(updaterSummary(request, environment.clock.now()));
};
