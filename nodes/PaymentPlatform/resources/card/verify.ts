import { gatewayFields, savedCard } from '../../fields/common';
import { emailList } from '../../fields/kinds/multiple-values';
import { text } from '../../fields/kinds/text';
import type { Problem } from '../../fields/types';
import { operation, type ValuesOf } from '../../model/operation';
import { asText } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { CODE_WORDS } from '../../wire/words';
import { orderChannel } from '../transaction/charge-fields';
import { customerDetails } from '../transaction/customer-details';
import {
  billingStreetAndZip,
  cardIdPattern,
  checkPaymentSource,
  paymentSourceFields,
  saveCard,
  SAVED_ALREADY,
  SOURCES,
} from './payment-source';

const { body, request } = wire.verifyCard;

const saved = savedCard(body.card_id, {
  description: 'Saved card or bank account to verify. Choose from the list, or enter the card ID.',
  pattern: cardIdPattern,
});

/** A request contains exactly one payment method (service.md#card-data). */
const VERIFIED = [{ label: 'Saved Card', names: ['card_id'] }, ...SOURCES];

function checkVerified(values: ValuesOf<'verifyCard'>): Problem[] {
  const problems = checkPaymentSource({ sources: VERIFIED })(values);
  if (values.body.tokenize === true && values.body.card_id !== undefined) problems.push(SAVED_ALREADY);
  return problems;
}

const wordsFor = (name: string, code: unknown): string => CODE_WORDS.verifyCard?.[name]?.[asText(code)] ?? '';

const verified = (avs: unknown): string => {
  const words = wordsFor('auth_avs_result', avs);
  return `The issuer has no objection to the card${words && `: ${words}`}.`;
};

/** The node doesn't look up an unknown outcome, because a repeated verification moves no money. */
export const verify = operation({
  value: 'verify',
  name: 'Verify',
  action: 'Verify card with issuer',
  description: 'Ask the issuer to verify a card or bank account and its billing address. Nothing is charged.',
  moneyEffect: '',
  request,
  fields: [...paymentSourceFields(true, 'verify', saved), ...billingStreetAndZip()],
  additional: [
    saveCard(body.tokenize),
    orderChannel(),
    text({
      ...body.merch_ref_num,
      label: 'Merchant Reference Number',
      notIdentifying: true,
      description: 'Your reference for the verification',
    }),
    text({
      ...body.customer_code,
      label: 'Customer Code',
      notIdentifying: true,
      description: "Customer's reference, such as a purchase order number",
    }),
    customerDetails(),
    emailList({
      ...body.email_address,
      label: 'Email Addresses',
      description: 'Email addresses of the holder, separated by commas',
    }),
    text({
      ...body.client_ip,
      technical: true,
      label: 'Customer IP Address',
      notIdentifying: true,
      description: 'IP address of the customer',
    }),
    ...gatewayFields(body),
  ],
  check: checkVerified,
  summary: ({ auth_avs_result: avs }, { body: { dda_number } }) =>
    dda_number === undefined ? verified(avs) : 'The bank account was verified.',
  lookUp:
    'Nothing was charged. The node can\'t look up the outcome of a verification. Verifying again is harmless, but "Save Card" may save the same card again.',
});
