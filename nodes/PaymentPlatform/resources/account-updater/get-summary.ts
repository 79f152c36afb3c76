import { locator } from '../../fields/kinds/locator';
import { operation } from '../../model/operation';
import * as wire from '../../wire/operations';

export const getSummary = operation({
  value: 'getSummary',
  name: 'Get Summary',
  action: 'Get summary of account updater request',
  description: 'Get the status of an account updater request, with its counts and rejected cards',
  request: wire.getAccountUpdaterSummary.request,
  fields: [
    locator({
      ...wire.getAccountUpdaterSummary.path.request_id,
      label: 'Request',
      description: 'The request whose cards were submitted. Search the list by day or status, or give its request_id.',
      search: 'searchUpdaterRequests',
      placeholder: 'e.g. 4711',
    }),
  ],
});
