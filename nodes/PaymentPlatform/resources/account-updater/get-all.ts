import { filters, sorting } from '../../fields/kinds/filters-and-sorting';
import { operation, type KnownFields } from '../../model/operation';
import * as wire from '../../wire/operations';

/** States in openapi.yaml#AccountUpdaterSummary. */
export const requestStates = [
  { name: 'In Progress', value: 'INPROGRESS' },
  { name: 'Queued', value: 'QUEUED' },
  { name: 'Completed', value: 'COMPLETED' },
  { name: 'Canceled', value: 'CANCELED' },
];

export const requestFields: KnownFields<'browseAusSummary'> = [
  { name: 'Cards Sent', value: 'cnt_request' },
  { name: 'Cards Updated', value: 'cnt_update' },
  { name: 'Request Date', value: 'request_date' },
  { name: 'Request ID', value: 'request_id' },
  { name: 'Status', value: 'status', values: requestStates },
];

export const getAll = operation({
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many account updater requests',
  description: 'Retrieve a list of account updater requests with status and card counts',
  request: wire.browseAusRequestsSummary.request,
  fields: [
    filters(wire.browseAusRequestsSummary.query.filter, requestFields),
    sorting(wire.browseAusRequestsSummary.query),
  ],
  list: { identity: 'request_id', fields: requestFields },
});
