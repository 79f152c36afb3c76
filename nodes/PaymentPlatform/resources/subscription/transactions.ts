import { merchantId } from '../../fields/common';
import { daysField } from '../../fields/kinds/days';
import { filters, sorting } from '../../fields/kinds/filters-and-sorting';
import { operation, type Given, type KnownFields, type RecordOf } from '../../model/operation';
import { only } from '../../shared/objects';
import { cardTypes, transactionStatuses } from '../report/words';
import { subscriptionId } from './fields';
import * as wire from '../../wire/operations';

const knownFields: KnownFields<'getSubscriptionTransactions'> = [
  { name: 'Amount', value: 'amt_tran' },
  { name: 'Card Type', value: 'card_type', values: cardTypes },
  { name: 'Purchase ID', value: 'purchase_id' },
  { name: 'Transaction Date', value: 'tran_date' },
  { name: 'Transaction ID', value: 'pg_id' },
  { name: 'Transaction Status', value: 'tran_status', values: transactionStatuses },
  { name: 'Transaction Time', value: 'tran_time' },
];

/** The service filters by day in its own time zone, so the node also checks the exact time. */
const days = { field: 'tran_date', of: 'transactions made' } as const;
const identity = 'pg_id';

const mainFields = (record: Given<RecordOf<'getAllSubscriptionTransactions'>>) =>
  only(record, [
    'subscription_id',
    'pg_id',
    'tran_status',
    'tran_time',
    'amt_tran',
    'amt_refunded',
    'tran_currency',
    'customer_id',
    'card_number',
    'purchase_id',
  ]);

export const getTransactions = operation({
  value: 'getTransactions',
  name: 'Get Transactions',
  action: 'Get amounts charged by subscription',
  description: 'Retrieve the approved and declined transactions of a subscription',
  request: wire.getSubscriptionTransactions.request,
  fields: [
    subscriptionId(wire.getSubscriptionTransactions.path.subscription_id),
    daysField(days),
    filters(wire.getSubscriptionTransactions.query.filter, knownFields, days),
    sorting(wire.getSubscriptionTransactions.query),
  ],
  additional: [merchantId(wire.getSubscriptionTransactions.query.merchant_id)],
  simplified: mainFields,
  list: { identity, fields: knownFields, day: ['tran_time', days.field] },
});

const ofAll: KnownFields<'getAllSubscriptionTransactions'> = [
  ...knownFields,
  { name: 'Customer ID', value: 'customer_id' },
  { name: 'Subscription ID', value: 'subscription_id' },
];
const knownOfAll = ofAll.sort((a, b) => (a.name < b.name ? -1 : 1));

export const getAllTransactions = operation({
  value: 'getAllTransactions',
  name: 'Get Many Transactions',
  action: 'Get amounts charged by many subscriptions',
  description: "Retrieve the transactions of all subscriptions, such as yesterday's declined payments",
  request: wire.getAllSubscriptionTransactions.request,
  fields: [
    daysField(days),
    filters(wire.getAllSubscriptionTransactions.query.filter, knownOfAll, days),
    sorting(wire.getAllSubscriptionTransactions.query),
  ],
  additional: [merchantId(wire.getAllSubscriptionTransactions.query.merchant_id)],
  simplified: mainFields,
  list: { identity, fields: knownOfAll, day: ['tran_time', days.field] },
});
