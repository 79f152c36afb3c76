import type { Call, Handler } from '../calls/call';
import { without } from '../core/without';
import type { UpdaterRequest } from '../state/records';
import { reportAnswer } from '../views/report-answer';
import { updaterDetails, updaterSummary } from '../views/updater';

const listedIn = ({ environment }: Pick<Call, 'environment'>): UpdaterRequest[] =>
  [...environment.updaterRequests.values()].filter(({ requested }) => environment.isListed(requested));

/** Reports the cards in account updater requests, latest first. */
export const browseAusRequests: Handler<'browseAusRequests'> = (call) => {
  const now = call.environment.clock.now();
  const records = listedIn(call).flatMap((request) => updaterDetails(request, now));
  return reportAnswer(records, call, 'request_date');
};

/** Reports account updater requests, latest first (openapi.yaml#browseAusSummary). */
export const browseAusSummary: Handler<'browseAusSummary'> = (call) => {
  const now = call.environment.clock.now();
  const records = listedIn(call).map((request) => without(updaterSummary(request, now), 'method', 'rejected_cards'));
  return reportAnswer(records, call, 'request_date');
};
