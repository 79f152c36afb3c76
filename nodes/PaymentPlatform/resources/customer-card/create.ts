import {
  accountNumber,
  accountType,
  cardNumber,
  expirationDate,
  routingNumber,
  securityCode,
} from '../../fields/kinds/card';
import { tokenizedCard } from '../../fields/common';
import { BANK_ACCOUNT, CARD, paymentMethod, SAVED_CARD, whilePayingBy } from '../../fields/kinds/payment-method';
import type { Field } from '../../fields/types';
import { operation } from '../../model/operation';
import { noteExpired } from '../card/payment-source';
import { checkBillingCard, newCardFacts, TWICE } from '../customer/billing-card';
import { addedCard } from './added';
import { CARD_FIELDS, cardOwner, holderFields, withCustomer } from './fields';
import * as wire from '../../wire/operations';

const { body, path } = wire.addBillingCard;

const method = paymentMethod('Payment method to save. Your choice determines the fields below.', [
  { name: 'Saved Card', value: SAVED_CARD, description: 'Card or bank account that is already tokenized' },
]);
const card = [cardNumber(body.card_number), expirationDate(body.exp_date)];
const account = [routingNumber(body.tr_number), accountNumber(body.dda_number)];
const saved = tokenizedCard(body.card_id, { description: 'Card ID returned by Card > Tokenize' });
const holder = holderFields(newCardFacts);

const source: Field[] = [
  method,
  ...whilePayingBy(method, CARD, [...card, securityCode(body.cvv2)], card),
  ...whilePayingBy(method, BANK_ACCOUNT, [...account, accountType(body.type_id)], account),
  ...whilePayingBy(method, SAVED_CARD, [saved], [saved]),
];

export const create = operation({
  value: 'create',
  name: 'Add',
  action: 'Add customer card',
  description:
    'Save a card or bank account for a customer. The first payment method becomes the primary payment method. Nothing is charged.',
  moneyEffect: '',
  request: wire.addBillingCard.request,
  fields: [cardOwner(path.customer_id), ...source, ...Object.values(holder.fields)],
  additional: holder.more,
  check: (values) => checkBillingCard(values.body, 'Payment Method', 'Billing '),
  notice: noteExpired,
  present: (record, values) => ({ ...record, ...addedCard(record, values.body) }),
  simplified: withCustomer,
  addedBySimplify: CARD_FIELDS,
  summary: (_, values) =>
    `Saved a ${values.body.dda_number === undefined ? 'card' : 'bank account'} for customer ${values.path.customer_id}.`,
  refusals: [TWICE],
  lookUp:
    'Nothing was charged. Check the cards of customer {customer_id} in Customer Card > Get Many. The service does not save the same card twice.',
});
