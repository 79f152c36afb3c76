import { merchantId } from '../../fields/common';
import { operation, type Given, type RecordOf } from '../../model/operation';
import { only } from '../../shared/objects';
import { cardOwner } from './fields';
import * as wire from '../../wire/operations';

export const getAll = operation({
  value: 'getAll',
  name: 'Get Many',
  action: 'Get many customer cards',
  description: 'Retrieve all saved cards and bank accounts of a customer, with masked numbers',
  request: wire.getBillingCards.request,
  fields: [cardOwner(wire.getBillingCards.path.customer_id)],
  additional: [merchantId(wire.getBillingCards.query.merchant_id)],
  present: (record, { path }) => ({ customer_id: path.customer_id, ...record }),
  simplified: (record: Given<RecordOf<'getBillingCards'>> & { customer_id?: string }) =>
    only(record, [
      'customer_id',
      'card_id',
      'card_type',
      'card_number',
      'exp_date',
      'primary',
      'billing_first_name',
      'billing_last_name',
      'billing_firm_name',
      'billing_zip',
    ]),
});
