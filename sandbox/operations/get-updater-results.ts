import { objectSchema, referenceOperation } from '../calls/reference';
import { noSuchResource } from '../core/refusals';
import { updaterResults } from '../views/updater';

/**
 * Returns the issuers' results for a request. The reference describes this operation, but the interface document
 * doesn't (service.md#account-updater).
 */
export const getUpdaterResults = referenceOperation<{ request_id: number }>({
  operationId: 'getUpdaterResults',
  method: 'GET',
  path: '/platform/aus/{request_id}',
  schemas: {
    path: objectSchema({ request_id: { type: 'integer', minimum: 1 } }),
    query: objectSchema({
      count: { type: 'integer', minimum: 1, maximum: 100 },
      page: { type: 'integer', minimum: 0 },
    }),
  },
  apply: ({ environment, path }) => {
    const request = environment.updaterRequests.get(path.request_id);
    if (!request) throw noSuchResource('Account updater request');
    const data = updaterResults(request, environment.clock.now());
    return { code: 0, message: 'Success', totalPages: 1, totalRecords: data.length, data };
  },
});
