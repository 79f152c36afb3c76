import { operation } from '../../model/operation';
import * as wire from '../../wire/operations';
import { detailFields, mainDetailFields, withChange } from '../account-updater/changes';
import { requestFields } from '../account-updater/get-all';
import { reportList } from './report-list';

const days = { field: 'request_date', of: 'requests made' } as const;

export const getUpdaterDetails = operation({
  value: 'getUpdaterDetails',
  name: 'Get Many Account Updater Details',
  action: 'Get report of account updater details',
  description: 'Retrieve the cards in account updater requests, with the changes from the card issuers',
  request: wire.browseAusRequests.request,
  ...reportList(wire.browseAusRequests.query, { known: detailFields, days }),
  present: withChange,
  simplified: mainDetailFields,
  addedBySimplify: ['what_changed'],
});

export const getUpdaterSummaries = operation({
  value: 'getUpdaterSummaries',
  name: 'Get Many Account Updater Summaries',
  action: 'Get report of account updater summaries',
  description: 'Retrieve account updater requests, with their status and card counts',
  request: wire.browseAusSummary.request,
  ...reportList(wire.browseAusSummary.query, { known: requestFields, days, identity: 'request_id' }),
});
