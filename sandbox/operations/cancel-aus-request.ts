import type { Handler } from '../calls/call';
import { success } from '../core/envelopes';
import { PlatformRefusal } from '../core/refusals';
import { without } from '../core/without';
import { findUpdaterRequest } from '../rules/updater';
import { updaterStatus, updaterSummary } from '../views/updater';

export const cancelAusRequest: Handler<'cancelAusRequest'> = ({ environment, path }) => {
  const request = findUpdaterRequest(environment, path.request_id);
  const now = environment.clock.now();
  const status = updaterStatus(request, now);
  if (status !== 'INPROGRESS')
    throw new PlatformRefusal(2, `A request with the status ${status} can't be canceled`, 400);
  request.isCanceled = true;
  return success(without(updaterSummary(request, now), 'method', 'rejected_cards'));
};
