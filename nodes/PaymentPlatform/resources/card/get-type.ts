import { cardNumber } from '../../fields/kinds/card';
import { merchantId } from '../../fields/common';
import { operation } from '../../model/operation';
import * as wire from '../../wire/operations';

const { body, request } = wire.getCardType;

/** Offers no saved cards, because the request accepts no card ID (openapi.yaml#getCardType). */
export const getType = operation({
  value: 'getType',
  name: 'Get Card Type',
  action: 'Get type of card number',
  description: 'Retrieve the type of a card (credit, debit or prepaid) and the country of its issuer',
  request,
  fields: [cardNumber(body.card_number)],
  additional: [merchantId(body.merchant_id)],
});
