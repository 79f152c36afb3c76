import type { Handler } from '../calls/call';
import { listPage, type ListQuery } from '../core/lists';
import { findUpdaterRequest } from '../rules/updater';
import type { Environment } from '../state/environment';
import type { UpdaterRequest } from '../state/records';
import { updaterDetails, updaterResults } from '../views/updater';

export const browseAusRequestsDetail: Handler<'browseAusRequestsDetail'> = ({ environment, query, recordFields }) =>
  page([...environment.updaterRequests.values()], environment, query, recordFields);

export const getAusDetail: Handler<'getAusDetail'> = ({ environment, path, query, recordFields }) =>
  page([findUpdaterRequest(environment, path.request_id)], environment, query, recordFields);

export const getAusResponse: Handler<'getAusResponse'> = ({ environment, path }) => {
  const request = findUpdaterRequest(environment, path.requestId);
  const data = request.method === 'harvest_api' ? updaterResults(request, environment.clock.now()) : [];
  return { code: 0, message: 'Success', totalPages: data.length > 0 ? 1 : 0, totalRecords: data.length, data };
};

function page(requests: UpdaterRequest[], environment: Environment, query: ListQuery, fields: readonly string[]) {
  const now = environment.clock.now();
  const records = requests
    .filter(({ requested }) => environment.isListed(requested))
    .flatMap((request) => updaterDetails(request, now));
  return {
    code: 0,
    message: 'Success',
    ...listPage(records, query, { fields, order_on: 'request_date', order_by: 'desc' }),
  };
}
