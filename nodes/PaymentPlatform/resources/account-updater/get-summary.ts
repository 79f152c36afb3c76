import { text } from '../../fields/text';
import type { Operation } from '../../pipeline/types';

export const getSummary: Operation = {
  value: 'getSummary',
  name: 'Get Summary',
  action: 'Get the summary of an account updater request',
  description: 'Get the status of an account updater request, with its counts and rejected cards',
  request: {
    method: 'GET',
    path: '/platform/aus/request/summary/{request_id}',
    family: 'platform',
    effect: 'reads',
    operationId: 'getAccountUpdaterSummary',
  },
  fields: [
    text({
      name: 'request_id',
      label: 'Request ID',
      description: 'The request_id that the service gave when the cards were submitted',
      placeholder: 'e.g. 4711',
      place: 'path',
      required: true,
      pattern: { matches: /^\d{1,18}$/, allowed: 'must be digits only' },
    }),
  ],
};
