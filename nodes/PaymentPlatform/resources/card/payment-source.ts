import type { IDataObject } from 'n8n-workflow';

import {
  accountNumber,
  accountType,
  cardNumber,
  expirationDate,
  routingNumber,
  securityCode,
  isExpired,
} from '../../fields/kinds/card';
import { boolean } from '../../fields/kinds/choice';
import { emailList } from '../../fields/kinds/multiple-values';
import { gatewayFields } from '../../fields/common';
import { todayAtLeast } from '../../fields/kinds/date';
import {
  BANK_ACCOUNT,
  CARD,
  OTHER_METHODS,
  paymentMethod,
  SAVED_CARD,
  SWIPE,
  WALLET_A,
  WALLET_B,
  whilePayingBy,
} from '../../fields/kinds/payment-method';
import { text } from '../../fields/kinds/text';
import type { Field, Problem } from '../../fields/types';
import type { ValuesOf } from '../../model/operation';
import { asText } from '../../shared/objects';
import type { BooleanFact } from '../../wire/facts';
import { GatewayTokenizeRequest } from '../../wire/schemas';

interface PaymentSource {
  label: string;
  names: readonly string[];
}

/** Payment methods that users can save. A request contains exactly one (service.md#card-data). */
export const SOURCES: readonly PaymentSource[] = [
  { label: 'Card Number', names: ['card_number'] },
  { label: 'Card Swipe', names: ['card_swipe'] },
  { label: 'Bank Routing Number and Bank Account Number', names: ['tr_number', 'dda_number'] },
  { label: 'Wallet A Payload', names: ['payload_walletA_pay'] },
  { label: 'Wallet B Payload', names: ['payload_walletB_pay'] },
];

/** Returns fields of encrypted payment data and card readers, by payment method. */
export const otherSources = (): Array<[method: string, field: Field]> => [
  [
    SWIPE,
    text({
      ...GatewayTokenizeRequest.card_swipe,
      label: 'Card Swipe',
      notIdentifying: false,
      description: 'Track data from a card reader',
    }),
  ],
  [
    WALLET_A,
    text({
      ...GatewayTokenizeRequest.payload_walletA_pay,
      label: 'Wallet A Payload',
      notIdentifying: false,
      description: 'Encrypted payment data from digital wallet A',
    }),
  ],
  [
    WALLET_B,
    text({
      ...GatewayTokenizeRequest.payload_walletB_pay,
      label: 'Wallet B Payload',
      notIdentifying: false,
      description: 'Encrypted payment data from digital wallet B. Support must enable this wallet for your account.',
    }),
  ],
];

/**
 * @param needed whether the payment method must be complete.
 * @param does verb for the description, such as "save".
 * @param saved field for a saved payment method.
 */
export function paymentSourceFields(needed: boolean, does = 'save', saved?: Field): Field[] {
  const method = paymentMethod(`Payment method to ${does}. Your choice determines the fields below.`, [
    ...(saved
      ? [{ name: 'Card ID', value: SAVED_CARD, description: 'Card or bank account that is already saved' }]
      : []),
    ...OTHER_METHODS,
  ]);
  const card = cardNumber(GatewayTokenizeRequest.card_number);
  const account = [routingNumber(GatewayTokenizeRequest.tr_number), accountNumber(GatewayTokenizeRequest.dda_number)];
  const by = (value: string, fields: Field[], whole: Field[]) =>
    whilePayingBy(method, value, fields, needed ? whole : []);
  return [
    method,
    ...by(
      CARD,
      [card, expirationDate(GatewayTokenizeRequest.exp_date), securityCode(GatewayTokenizeRequest.cvv2)],
      [card],
    ),
    ...by(BANK_ACCOUNT, [...account, accountType(GatewayTokenizeRequest.type_id)], account),
    ...(saved ? by(SAVED_CARD, [saved], [saved]) : []),
    ...otherSources().flatMap(([value, field]) => by(value, [field], [field])),
    text({
      ...GatewayTokenizeRequest.cardholder_name,
      label: 'Cardholder Name',
      isName: true,
      notIdentifying: false,
      description: 'Name of the card or bank account holder',
      placeholder: 'e.g. Ana Silva',
    }),
  ];
}

/** The card issuer verifies these fields. */
export const billingStreetAndZip = (): Field[] => [
  text({
    ...GatewayTokenizeRequest.avs_address,
    label: 'Billing Street',
    notIdentifying: true,
    description: 'Street of the billing address, for verification by the card issuer',
  }),
  text({
    ...GatewayTokenizeRequest.avs_zip,
    label: 'Billing ZIP Code',
    notIdentifying: true,
    description: 'ZIP or postal code of the billing address, for verification by the card issuer',
  }),
];

/** Optional fields (openapi.yaml#tokenize). */
export const tokenizeAdditional = (): Field[] => [
  ...billingStreetAndZip(),
  emailList({
    ...GatewayTokenizeRequest.email_address,
    label: 'Email Addresses',
    description: 'Email addresses of the holder, separated by commas',
  }),
  boolean({
    ...GatewayTokenizeRequest.single_use,
    label: 'Single Use',
    description: 'Whether the card ID expires after ten minutes or its first use',
    default: true,
  }),
  text({
    ...GatewayTokenizeRequest.client_ip,
    technical: true,
    label: 'Customer IP Address',
    notIdentifying: true,
    description: 'IP address of the customer',
  }),
  ...gatewayFields(GatewayTokenizeRequest),
];

export const saveCard = (fact: BooleanFact): Field =>
  boolean({
    ...fact,
    label: 'Save Card',
    notIdentifying: true,
    description: 'Whether to save the entered card or bank account. The output then contains the card ID.',
    default: true,
  });

export const SAVED_ALREADY: Problem = {
  label: 'Save Card',
  found: 'the value true with a saved card',
  allowed: 'applies only to a card or bank account that is not saved yet',
};

interface SourceRules {
  /** Whether the payment method is optional, because the request may change only other data of a saved card. */
  optional?: boolean;
  /** Defaults to the payment methods that users can save. */
  sources?: readonly PaymentSource[];
  undated?: boolean;
}

/** A request must contain exactly one complete payment method. An expression can violate this rule of the editor. */
export const checkPaymentSource =
  ({ optional = false, sources = SOURCES, undated = false }: SourceRules = {}) =>
  ({ body }: { body: IDataObject }): Problem[] => {
    const given = sources.filter(({ names }) => names.some((name) => body[name] !== undefined));
    const [source] = given;
    if (given.length > 1 || (!source && !optional))
      return [
        {
          label: 'Payment Method',
          found: given.map(({ label }) => label).join(' together with ') || 'nothing',
          allowed: `must be exactly one of: ${sources.map(({ label }) => label).join(', ')}`,
        },
      ];
    const problems: Problem[] = [];
    const [routing, account] = ['Bank Routing Number', 'Bank Account Number'];
    if (body.tr_number === undefined && body.dda_number !== undefined)
      problems.push({ label: routing, found: 'nothing', allowed: `is required with a ${account}` });
    if (body.dda_number === undefined && body.tr_number !== undefined)
      problems.push({ label: account, found: 'nothing', allowed: `is required with a ${routing}` });
    if (body.card_number !== undefined && body.exp_date === undefined && !undated)
      problems.push({ label: 'Expiration Date', found: 'nothing', allowed: 'is required with a Card Number' });
    if (body.avs_address !== undefined && body.avs_zip === undefined)
      problems.push({ label: 'Billing ZIP Code', found: 'nothing', allowed: 'is required with a Billing Street' });
    return problems;
  };

/** The service saves expired cards without an error (service.md#codes). */
export const EXPIRED_CARD =
  'A card was saved with an expiration date in the past. Card issuers can decline payments with expired cards, so check the date.';

export const noteExpired = ({
  body,
}: ValuesOf<'tokenize' | 'addBillingCard' | 'updateBillingCard'>): string | undefined =>
  isExpired(asText(body.exp_date), todayAtLeast()) ? EXPIRED_CARD : undefined;

export const cardIdPattern = {
  ...GatewayTokenizeRequest.card_id.pattern,
  allowed: `must be a card ID returned by Card > Tokenize: ${GatewayTokenizeRequest.card_id.pattern.allowed.replace('must be ', '')}`,
};
