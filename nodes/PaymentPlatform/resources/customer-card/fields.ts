import { boolean } from '../../fields/kinds/choice';
import { customerId, merchantId, savedCard } from '../../fields/common';
import { emailList } from '../../fields/kinds/multiple-values';
import type { Field } from '../../fields/types';
import type { Given, RecordOf } from '../../model/operation';
import { only } from '../../shared/objects';
import type { BooleanFact, IntegerFact, TextFact, ValuesFact } from '../../wire/facts';
import { address, type AddressFacts } from '../customer/address';

export const cardOwner = (fact: TextFact): Field =>
  customerId(fact, {
    description: 'Customer who owns the cards. Search by name, email address or reference, or enter the ID.',
  });

export const CARD_FIELDS = ['card_id', 'card_type', 'card_number', 'exp_date', 'primary'] as const;

type Customer = Given<RecordOf<'addBillingCard'>>;
type Card = Given<RecordOf<'getBillingCards'>>;

export const withCustomer = (record: Customer & Pick<Card, (typeof CARD_FIELDS)[number]>) =>
  only(record, ['customer_id', ...CARD_FIELDS, 'customer_first_name', 'customer_last_name', 'customer_firm_name']);

export const cardOfCustomer = (fact: TextFact): Field =>
  savedCard(fact, {
    description:
      'Card or bank account of the customer. Select the customer first. The list shows the saved payment methods of that customer.',
    required: true,
  });

type CardFacts = AddressFacts<'billing'> & {
  readonly billing_email: ValuesFact & { readonly type: 'texts' };
  readonly primary: BooleanFact;
  readonly verify: BooleanFact;
  readonly merchant_id: IntegerFact;
};

/** Excludes the card number. `fields` are always visible. `more` are under "Additional Fields". */
export function holderFields(facts: CardFacts): { fields: Record<'first' | 'last' | 'zip', Field>; more: Field[] } {
  const { firstName, lastName, zip, ...others } = address(facts, 'billing', 'holder', 'Billing ');
  return {
    fields: { first: firstName, last: lastName, zip },
    more: [
      ...Object.values(others),
      emailList({
        ...facts.billing_email,
        label: 'Billing Emails',
        description: 'Email addresses of the holder, separated by commas',
      }),
      boolean({
        ...facts.primary,
        label: 'Primary',
        description: 'Whether to make this the primary payment method, which is charged by default',
        default: true,
      }),
      boolean({
        ...facts.verify,
        label: 'Verify',
        notIdentifying: true,
        description: 'Whether to verify the card with the issuer before saving it',
        default: true,
      }),
      merchantId(facts.merchant_id),
    ],
  };
}
