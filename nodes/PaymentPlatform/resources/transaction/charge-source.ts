import { todayAtLeast } from '../../fields/kinds/date';
import { withHint } from '../../fields/bounds';
import {
  accountNumber,
  accountType,
  cardNumber,
  expirationDate,
  isExpired,
  routingNumber,
  securityCode,
} from '../../fields/kinds/card';
import {
  BANK_ACCOUNT,
  CARD,
  CUSTOMER_CARD,
  methodChoice,
  OTHER_METHODS,
  SAVED_CARD,
  whilePayingBy,
} from '../../fields/kinds/payment-method';
import type { Field, Problem } from '../../fields/types';
import type { Refusal } from '../../model/failure';
import type { ValuesOf } from '../../model/operation';
import { asText, toCents } from '../../shared/objects';
import { GatewayTransactionRequest as body } from '../../wire/schemas';
import { checkPaymentSource, otherSources, SAVED_ALREADY, SOURCES } from '../card/payment-source';
import { savedSource } from './charge-fields';

export type Charge = Pick<ValuesOf<'sale'>, 'body'>;

/** A request contains exactly one payment method (service.md#card-data). */
const CHARGED = [
  { label: 'Customer', names: ['customer_id'] },
  { label: 'Saved Card', names: ['card_id'] },
  ...SOURCES,
];

export const CHARGE_LOOK_UP =
  'Look in Report > Get Many Transactions for a record with the amount {amt_tran}[ and the purchase_id {purchase_id}][ and the merch_ref_num {merch_ref_num}].';

/** A charge saves no customer, so the customer of the request doesn't exist. */
export const UNKNOWN_CUSTOMER: Refusal = {
  pattern: /\b(?:invalid|unknown) customer_id\b/i,
  what: 'No saved customer has this ID',
  advice: 'Choose the customer from the list. Test and Production have separate customers.',
};

const STORED = 'The number is stored in the workflow and in the data of each execution. Saved cards are safer.';

/** @param undated whether a card number is valid without an expiration date. */
export function chargeSource(undated = false): Field[] {
  const method = methodChoice('Payment method to use. Your choice determines the fields below.', [
    { name: 'Saved Card of a Customer', value: CUSTOMER_CARD, description: 'Card or bank account in the vault' },
    { name: 'Card ID', value: SAVED_CARD, description: 'Card or bank account saved with Card > Tokenize' },
    { name: 'Bank Account (ACH)', value: BANK_ACCOUNT },
    ...OTHER_METHODS,
    { name: 'Card', value: CARD, description: 'Details of a card that is not saved' },
  ]);
  const { customer, card: saved, owner } = savedSource();
  const account = [routingNumber(body.tr_number), accountNumber(body.dda_number)];
  const card = withHint(cardNumber(body.card_number), STORED);
  const date = expirationDate(body.exp_date);
  return [
    method,
    ...whilePayingBy(method, [CUSTOMER_CARD], [customer, owner]),
    ...whilePayingBy(method, [CUSTOMER_CARD, SAVED_CARD], [saved]),
    ...whilePayingBy(method, [BANK_ACCOUNT], [...account, accountType(body.type_id)], account),
    ...otherSources().flatMap(([way, field]) => whilePayingBy(method, [way], [field], [field])),
    ...whilePayingBy(method, [CARD], [card, date, securityCode(body.cvv2)], undated ? [card] : [card, date]),
  ];
}

const isSaved = ({ body }: Charge) => body.card_id !== undefined || body.customer_id !== undefined;

const required = (label: string, other: string): Problem => ({
  label,
  found: 'nothing',
  allowed: `is required with ${other}`,
});

/** Checks rules across several fields (openapi.yaml#GatewayTransactionRequest). */
export const checkCharge =
  (undated = false) =>
  (values: Charge): Problem[] => {
    const { body } = values;
    const problems = checkPaymentSource({ sources: CHARGED, undated })(values);
    const total = toCents(body.amt_tran ?? 0);
    for (const [label, part] of [
      ['Sales Tax Included', body.amt_tax],
      ['Amount for Prepaid Account', body.amt_fbo],
    ] as const)
      if (part !== undefined && toCents(part) > total)
        problems.push({ label, found: String(part), allowed: `must not exceed the Amount (${body.amt_tran})` });
    if (body.tokenize === true && isSaved(values)) problems.push(SAVED_ALREADY);
    const [share, account] = ['Amount for Prepaid Account', 'Prepaid Account ID'];
    if (body.amt_fbo !== undefined && body.fbo_id === undefined) problems.push(required(account, `an ${share}`));
    if (body.fbo_id !== undefined && body.amt_fbo === undefined) problems.push(required(share, `a ${account}`));
    if (body.line_items !== undefined) {
      if (body.amt_tax === undefined) problems.push(required('Sales Tax Included', 'Level 3 Lines'));
      if (body.purchase_id === undefined) problems.push(required('Purchase ID', 'Level 3 Lines'));
      if (!isJsonList(body.line_items))
        problems.push({ label: 'Level 3 Lines', found: 'other text', allowed: 'must be a JSON array of objects' });
    }
    return problems;
  };

function isJsonList(text: string): boolean {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.every((one) => typeof one === 'object' && one !== null);
  } catch {
    return false;
  }
}

export const noteExpiredCharge = ({ body }: Charge): string | undefined =>
  isExpired(asText(body.exp_date), todayAtLeast())
    ? 'A payment used an expiration date in the past. Check the date with the customer.'
    : undefined;
