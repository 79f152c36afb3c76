import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { findUpdaterRequest } from '../rules/updater';
import { updaterSummary } from '../views/updater';

export const getAccountUpdaterSummary: Handler<'getAccountUpdaterSummary'> = ({ environment, path }) => {
  const request = findUpdaterRequest(environment, path.request_id);
  return success(updaterSummary(request, environment.clock.now()));
};
