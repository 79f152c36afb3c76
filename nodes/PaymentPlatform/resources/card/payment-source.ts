import { accountNumber, accountType, cardNumber, expirationDate, routingNumber, securityCode } from '../../fields/card';
import { boolean } from '../../fields/choice';
import { emailList } from '../../fields/multiple-values';
import { gatewayFields } from '../../fields/common';
import { text } from '../../fields/text';
import type { Field, Problem } from '../../fields/types';
import type { FieldValues } from '../../pipeline/types';
import { GatewayTokenizeRequest } from '../../wire/schemas';

/** What can be saved under a card ID: exactly one of these (docs/service.md#card-data). */
const SOURCES: Array<{ label: string; names: string[] }> = [
  { label: 'Card Number', names: ['card_number'] },
  { label: 'Card Swipe', names: ['card_swipe'] },
  { label: 'Bank Routing Number and Bank Account Number', names: ['tr_number', 'dda_number'] },
  { label: 'Wallet A Payload', names: ['payload_walletA_pay'] },
  { label: 'Wallet B Payload', names: ['payload_walletB_pay'] },
];

/** The main parameters of both tokenize operations: the payment method itself. */
export const paymentSourceFields = (): Field[] => [
  cardNumber(GatewayTokenizeRequest.card_number),
  expirationDate(GatewayTokenizeRequest.exp_date),
  securityCode(GatewayTokenizeRequest.cvv2),
  text({
    ...GatewayTokenizeRequest.cardholder_name,
    label: 'Cardholder Name',
    wording: false,
    description: 'Name of the person who holds the card or bank account',
    placeholder: 'e.g. Ana Silva',
  }),
];

/** The rarely needed parameters of both tokenize operations (openapi.yaml#tokenize). */
export const tokenizeAdditional = (): Field[] => [
  ...gatewayFields(GatewayTokenizeRequest),
  text({
    ...GatewayTokenizeRequest.avs_address,
    label: 'Billing Street',
    wording: true,
    description: 'Street of the billing address, compared with the one that the card issuer knows',
  }),
  text({
    ...GatewayTokenizeRequest.avs_zip,
    label: 'Billing ZIP Code',
    wording: true,
    description: 'Postal code of the billing address, compared with the one that the card issuer knows',
  }),
  emailList({
    ...GatewayTokenizeRequest.email_address,
    label: 'Email Addresses',
    description: 'Email addresses of the holder, separated by commas',
  }),
  text({
    ...GatewayTokenizeRequest.card_swipe,
    label: 'Card Swipe',
    wording: false,
    description: 'Track data from a card reader',
  }),
  text({
    ...GatewayTokenizeRequest.client_ip,
    label: 'Customer IP Address',
    wording: true,
    description: "Address of the customer's computer",
  }),
  routingNumber(GatewayTokenizeRequest.tr_number),
  accountNumber(GatewayTokenizeRequest.dda_number),
  accountType(GatewayTokenizeRequest.type_id),
  text({
    ...GatewayTokenizeRequest.payload_walletA_pay,
    label: 'Wallet A Payload',
    wording: false,
    description: 'Encrypted payment data from the first kind of digital wallet',
  }),
  text({
    ...GatewayTokenizeRequest.payload_walletB_pay,
    label: 'Wallet B Payload',
    wording: false,
    description: 'Encrypted payment data from the second kind of digital wallet. Support must enable it first.',
  }),
  boolean({
    ...GatewayTokenizeRequest.single_use,
    label: 'Single Use',
    description: 'Whether the card ID can be used only once',
    default: true,
  }),
];

/** Exactly one payment source; ACH needs both numbers. `optional` allows none, to change other data of a saved card. */
export const checkPaymentSource =
  (optional: boolean) =>
  ({ body }: FieldValues): Problem[] => {
    const given = SOURCES.filter(({ names }) => names.some((name) => body[name] !== undefined));
    const labels = SOURCES.map(({ label }) => label).join('; ');
    if (given.length > 1)
      return [
        {
          label: 'Payment Source',
          found: given.map(({ label }) => label).join(' together with '),
          allowed: `must be exactly one of: ${labels}`,
        },
      ];
    const [source] = given;
    if (!source)
      return optional
        ? []
        : [{ label: 'Payment Source', found: 'nothing', allowed: `must be exactly one of: ${labels}` }];
    return source.names.every((name) => body[name] !== undefined)
      ? []
      : [{ label: source.label, found: 'only one of them', allowed: 'are needed together' }];
  };

export const cardIdPattern = {
  ...GatewayTokenizeRequest.card_id.pattern,
  allowed: 'must be the card ID that a tokenize answer gave: at most 32 letters and digits',
};
