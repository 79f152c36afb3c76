import { merchantId } from '../../fields/common';
import { operation, type Given, type RecordOf } from '../../model/operation';
import { only } from '../../shared/objects';
import { cardOfCustomer, cardOwner } from './fields';
import * as wire from '../../wire/operations';

const { body, path } = wire.setPrimaryBillingCard;

export const setPrimary = operation({
  value: 'setPrimary',
  name: 'Set Primary',
  action: 'Set primary customer card',
  description: 'Make a card or bank account the default payment method of a customer',
  request: wire.setPrimaryBillingCard.request,
  fields: [cardOwner(path.customer_id), cardOfCustomer(body.card_id)],
  additional: [merchantId(body.merchant_id)],
  present: (record, values) => ({ ...record, card_id: values.body.card_id }),
  simplified: (record: Given<RecordOf<'setPrimaryBillingCard'>> & { card_id?: string }) =>
    only(record, [
      'customer_id',
      'card_id',
      'primary_card_number',
      'customer_first_name',
      'customer_last_name',
      'customer_firm_name',
    ]),
  addedBySimplify: ['card_id'],
  summary: (_, values) => `Changed the primary card of customer ${values.path.customer_id}.`,
  lookUp: 'Setting the same card again has no further effect.',
});
