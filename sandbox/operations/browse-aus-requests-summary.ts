import type { Handler } from '../calls/call';
import { listPage } from '../core/lists';
import { updaterSummary } from '../views/updater';

/** Lists account updater requests, latest first (openapi.yaml#browseAusRequestsSummary). */
export const browseAusRequestsSummary: Handler<'browseAusRequestsSummary'> = ({ environment, query, recordFields }) => {
  const now = environment.clock.now();
  const records = [...environment.updaterRequests.values()]
    .filter(({ requested }) => environment.isListed(requested))
    .map((request) => updaterSummary(request, now));
  const page = listPage(records, query, { fields: recordFields, order_on: 'request_date', order_by: 'desc' });
  return { code: 0, message: 'Success', ...page };
};
