import { text } from '../../fields/text';
import { operation } from '../../pipeline/operation';
import * as wire from '../../wire/operations';

export const getSummary = operation({
  value: 'getSummary',
  name: 'Get Summary',
  action: 'Get summary of account updater request',
  description: 'Get the status of an account updater request, with its counts and rejected cards',
  request: wire.getAccountUpdaterSummary.request,
  fields: [
    text({
      ...wire.getAccountUpdaterSummary.path.request_id,
      label: 'Request ID',
      description: 'The request_id that the service gave when the cards were submitted',
      placeholder: 'e.g. 4711',
    }),
  ],
});
