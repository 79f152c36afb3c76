import { locator } from '../../fields/kinds/locator';
import { operation } from '../../model/operation';
import * as wire from '../../wire/operations';

export const getSummary = operation({
  value: 'getSummary',
  name: 'Get Summary',
  action: 'Get summary of account updater request',
  description: 'Retrieve the status, counts and rejected cards of an account updater request',
  request: wire.getAccountUpdaterSummary.request,
  fields: [
    locator({
      ...wire.getAccountUpdaterSummary.path.request_id,
      label: 'Request',
      description: 'Account updater request to retrieve. Search by date or status, or enter the request_id.',
      search: 'searchUpdaterRequests',
      placeholder: 'e.g. 4711',
    }),
  ],
});
