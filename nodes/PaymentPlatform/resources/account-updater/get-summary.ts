import { operation } from '../../model/operation';
import * as wire from '../../wire/operations';
import { requestId } from './fields';

export const getSummary = operation({
  value: 'getSummary',
  name: 'Get Summary',
  action: 'Get summary of account updater request',
  description: 'Retrieve the status, card counts and rejected cards of an account updater request',
  request: wire.getAccountUpdaterSummary.request,
  fields: [requestId(wire.getAccountUpdaterSummary.path.request_id)],
});
