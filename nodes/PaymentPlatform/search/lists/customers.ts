import type { DateTime } from 'luxon';
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { isExpired } from '../../fields/kinds/card';
import { asText, fullName, objectIn, objectsIn } from '../../shared/objects';
import { lastDigits } from '../../shared/privacy';
import * as wire from '../../wire/operations';
import { chosenRecord } from '../engine/chosen';
import { words, type Part } from '../engine/line-parts';
import type { Picker } from '../engine/picker';
import { ListService } from '../engine/service';
import { ids, METHOD_WORDS, paymentMethodPart, texts } from './parts';

export const vault = {
  of: 'customers',
  operation: wire.browseCustomers,
  identity: 'customer_id',
  searched: {
    words: [
      ...['customer_id', 'customer_first_name', 'customer_last_name', 'customer_firm_name', 'customer_email'],
      ...['customer_phone', 'reference_id'],
    ],
    card: 'primary_card_number',
  },
  add: 'name, email address or ID',
} satisfies Partial<Picker>;

export const customers: Picker = {
  ...vault,
  ownWords: ['card'],
  shown: (customer) => {
    const last = lastDigits(customer.primary_card_number);
    return [
      ...texts(personOf(customer), last && `card ${last}`, customer.customer_firm_name, customer.customer_email),
      ...ids(customer.customer_id),
    ];
  },
  known: (customer) => [
    ...texts(customer.customer_phone, customer.reference_id),
    ...texts(...objectsIn(customer.billing_cards).map((card) => lastDigits(card.card_number))),
  ],
};

/** The service returns only masked card numbers (openapi.yaml#MaskedNumber). */
export const cards: Picker = {
  ...vault,
  within: async (context) =>
    ofCustomer(chosenRecord(context, 'customer_id') ?? (await customerOfSubscription(context))),
  each: 'billing_cards',
  stored: 'card_id',
  ownWords: ['until', 'expires', 'expired', 'primary', ...METHOD_WORDS],
  shown: (card, { now, owner, isWithin }) => [
    paymentMethodPart(card.card_type, card.card_number),
    expiry(asText(card.exp_date), now),
    words(card.primary ? 'primary' : ''),
    ...(isWithin ? [] : ownerParts(owner)),
  ],
  known: (card, { owner }) => [...ids(card.card_id), ...texts(moreOf(owner))],
};

export const addresses: Picker = {
  ...vault,
  of: 'addresses',
  within: (context) => ofCustomer(chosenRecord(context, 'customer_id')),
  each: 'shipping_addresses',
  stored: 'shipping_id',
  ownWords: ['primary'],
  shown: (address, { owner, isWithin }) => {
    const joined = (names: string[], sign = ' ') =>
      names
        .map((name) => asText(address[`shipping_${name}`]).trim())
        .filter(Boolean)
        .join(sign);
    return [
      ...texts(joined(['first_name', 'last_name']), joined(['firm_name']), joined(['addr1', 'addr2'], ', ')),
      ...texts(joined(['city', 'state', 'zip']), address.primary ? 'primary' : ''),
      ...(isWithin ? [] : ownerParts(owner)),
      ...ids(address.shipping_id),
    ];
  },
  known: (_, { owner }) => texts(moreOf(owner)),
  add: 'name, street, city or ID',
};

export const payees: Picker = {
  of: 'payees',
  operation: wire.browsePayees,
  identity: 'payee_id',
  searched: { words: ['payee_id', 'payee_name', 'payee_phone'] },
  ownWords: ['bank', 'account'],
  shown: (payee) => {
    const { dda_number: number } = objectIn(payee.payee_account);
    const account = number === undefined ? [] : [paymentMethodPart('AP', number)];
    return [...texts(payee.payee_name), ...account, ...ids(payee.payee_id)];
  },
  known: (payee) => texts(payee.payee_email, payee.payee_phone),
  add: 'name or ID',
};

export const personOf = ({ customer_first_name: first, customer_last_name: last }: IDataObject) =>
  fullName(first, last);

const ownerParts = (customer: IDataObject) => [
  ...texts(personOf(customer) || customer.customer_firm_name),
  ...ids(customer.customer_id),
];

/** The search also matches the company and the email address. */
export const moreOf = ({ customer_firm_name: firm, customer_email: email }: IDataObject) =>
  [firm, email].map(asText).join(' ');

const ofCustomer = (customer: string | undefined) =>
  customer === undefined ? undefined : { filters: [`customer_id,IS,${customer}`] };

/** If the node can't read the subscription, the list shows the cards of all customers. */
async function customerOfSubscription(context: ILoadOptionsFunctions): Promise<string | undefined> {
  const subscription = chosenRecord(context, 'subscription_id');
  if (subscription === undefined) return undefined;
  const filters = [`subscription_id,IS,${subscription}`];
  const source = { operation: wire.browseSubscriptions, identity: 'subscription_id', filters };
  const read = await (await ListService.open(context, source)).page(0, 1);
  const customer = 'records' in read ? asText(read.records[0]?.customer_id) : '';
  return customer === '' ? undefined : customer;
}

/** A card is valid until the end of its expiration month. */
function expiry(written: string, now: DateTime): Part {
  const isOver = isExpired(written, now);
  if (isOver === undefined) return words('');
  const month = `${written.slice(0, 2)}/${written.slice(2)}`;
  return isOver ? words(`expired ${month}`) : words(`until ${month}`, 'expires');
}
