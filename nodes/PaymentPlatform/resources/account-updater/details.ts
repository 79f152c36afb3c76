import { filters, sorting } from '../../fields/kinds/filters-and-sorting';
import { operation } from '../../model/operation';
import * as wire from '../../wire/operations';
import { detailFields, mainDetailFields, withChange } from './changes';
import { requestId } from './fields';

const { browseAusRequestsDetail: all, getAusDetail: one, getAusResponse: results } = wire;

const listFields = [filters(all.query.filter, detailFields), sorting(all.query)];

/** No field identifies a card's record, because a card can be in several requests. */
const cards = {
  present: withChange,
  simplified: mainDetailFields,
  addedBySimplify: ['what_changed'],
  list: { fields: detailFields },
} as const;

export const getDetails = operation({
  value: 'getDetails',
  name: 'Get Details',
  action: 'Get card changes of account updater request',
  description: 'Retrieve the cards of an account updater request, with the changes from the card issuers',
  request: one.request,
  fields: [requestId(one.path.request_id), ...listFields],
  ...cards,
});

export const getAllDetails = operation({
  value: 'getAllDetails',
  name: 'Get Many Details',
  action: 'Get card changes of all account updater requests',
  description: 'Retrieve the cards of all account updater requests, with the changes from the card issuers',
  request: all.request,
  fields: listFields,
  ...cards,
});

export const getResults = operation({
  value: 'getResults',
  name: 'Get Results',
  action: 'Get results of account updater request',
  description:
    'Retrieve the changes to cards that you submitted by card number. For saved cards, use Account Updater > Get Details.',
  request: results.request,
  fields: [requestId(results.path.requestId)],
  present: withChange,
});
