import { ADDITIONAL_FIELDS } from '../../fields/editor';
import { choice } from '../../fields/kinds/choice';
import { instant, timeText } from '../../fields/kinds/date';
import { currency, customerId, profileId, savedCard } from '../../fields/common';
import { amount, integer } from '../../fields/kinds/number';
import { text } from '../../fields/kinds/text';
import { when } from '../../fields/kinds/when';
import { inMoney } from '../../messages/what-happened';
import { operation } from '../../model/operation';
import { asText } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { billingFields, payerNameFields } from './customer';
import { preferences } from './preferences';
import { profileKind, purpose, purposeWords, UPDATE, VAULT, whilePaying } from './purpose';
import { checkPurpose } from './rules';

/** A link can be used once, before its expiry time (openapi.yaml#Checkout). */
function validUntil(expiry: unknown, zone: string): string {
  const at = HAS_OFFSET.test(asText(expiry)) ? instant(expiry, zone) : undefined;
  return at === undefined ? '' : `, valid until ${timeText(at, zone)}`;
}

const HAS_OFFSET = /T.*(?:Z|[+-]\d\d:\d\d)$/;

export const create = operation({
  value: 'create',
  name: 'Create',
  action: 'Create checkout payment link',
  description: 'Create a link to a hosted page where a customer makes a payment or saves a payment method',
  moneyEffect: 'No money moves until the customer pays.',
  request: wire.addCheckout.request,
  // Links that only save or update a payment method have no amount to limit.
  money: 'named',
  fields: [
    when(
      purpose,
      VAULT,
      amount({
        ...wire.addCheckout.body.amt_tran,
        label: 'Amount',
        description:
          "Amount to request from the customer, e.g. 12.50. For a link that only saves a payment method, add 'Link Purpose'.",
        placeholder: 'e.g. 12.50',
        hint: 'The customer is charged only when paying on the hosted page',
      }),
      { except: true, collection: ADDITIONAL_FIELDS, required: true, unmarked: true },
    ),
    customerId(wire.addCheckout.body.customer_id, {
      description:
        'Customer from the vault. For a new customer, choose By ID and enter a new ID. Required unless the link only takes a payment.',
    }),
    text({
      ...wire.addCheckout.body.purchase_id,
      label: 'Purchase ID',
      notIdentifying: true,
      description: 'Your reference, e.g. the order number. All payments made through the link contain this reference.',
      placeholder: 'e.g. ORDER-1001',
    }),
  ],
  additional: [
    purpose,
    when(
      purpose,
      [UPDATE],
      savedCard(wire.addCheckout.body.card_id, {
        description: 'Payment method that the customer updates. Required.',
      }),
    ),
    when(purpose, VAULT, profileKind, { required: true, unmarked: true }),
    preferences,
    text({
      ...wire.addCheckout.body.merch_ref_num,
      label: 'Merchant Reference Number',
      notIdentifying: true,
      description:
        'Additional reference that is stored with the link and its payments. If empty, the node generates a reference.',
    }),
    whilePaying(currency(wire.addCheckout.body.tran_currency)),
    whilePaying(
      choice({
        ...wire.addCheckout.body.moto_ecomm_ind,
        label: 'Order Channel',
        notIdentifying: true,
        description: 'Channel of the order, e.g. online or by phone. Defaults to Online.',
        options: [
          { name: 'Online', value: '7' },
          { name: 'By Mail or Phone', value: '1' },
          { name: 'In Person (Card Present)', value: '0' },
          { name: 'Recurring Payment', value: '2' },
          { name: 'Installment', value: '3' },
        ],
      }),
    ),
    ...payerNameFields(),
    ...billingFields(),
    integer({
      ...wire.addCheckout.body.checkout_profile_id,
      label: 'Checkout Profile ID',
      description:
        'ID of the checkout profile in the merchant portal. Links that take a payment need a dynamic profile. Required if you have more than one profile or use a vault profile.',
      placeholder: 'e.g. 3001',
    }),
    profileId(wire.addCheckout.body.profile_id),
  ],
  check: checkPurpose,
  target: 'customer_id',
  creates: 'checkout_id',
  reference: { name: 'merch_ref_num' },
  summary: (record, { body: { amt_tran, customer_id, tran_currency }, node, timezone = 'UTC' }) => {
    const amount = inMoney(amt_tran, record.tran_currency ?? tran_currency);
    const customer = customer_id === undefined ? '' : ` for customer ${customer_id}`;
    return `Created a link${customer} ${purposeWords(node.purpose, amount)}${validUntil(record.expiry_time, timezone)}.`;
  },
  refusals: [
    {
      pattern: /\bcustomer_(?:firm|first|last)_name\b/,
      what: 'A new customer needs a name',
      advice: 'Enter a first and last name or a company name, or select a saved customer.',
    },
  ],
  sameObject: 'customer_id',
  lookUp:
    "The service can't list payment links. If you did not send the link to a customer, you can safely create another link, because unused links expire. To check whether a customer has paid, look for payments in Report > Get Many Transactions[ with the purchase ID {purchase_id}][ and the merch_ref_num {merch_ref_num}].",
});
