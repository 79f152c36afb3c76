import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { noSuchResource } from '../core/refusals';
import { updaterSummary } from '../views/updater';

/**
 * How far an account updater request is (openapi.yaml#getAccountUpdaterSummary): QUEUED, and COMPLETED four days
 * later.
 */
export const getAccountUpdaterSummary: Handler<'getAccountUpdaterSummary'> = ({ environment, path }) => {
  const request = environment.updaterRequests.get(Number(path.request_id));
  if (!request) throw noSuchResource('Account updater request');
  return success(updaterSummary(request, environment.clock.now()));
};
