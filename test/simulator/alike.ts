import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { readAccount, readCardNumber } from '../../sandbox/core/cards';
import { DEFAULT_CURRENCY } from '../../sandbox/core/currency';
import { billingCard } from '../../sandbox/rules/cards-of-customer';
import { saveCustomer } from '../../sandbox/rules/customers';
import { TEST_CARD_NUMBERS } from '../../sandbox/seed/sample-data';
import type { Environment } from '../../sandbox/state/environment';
import type { BillingCard, Customer } from '../../sandbox/state/records';
import { NO_AMOUNT, SWAPPED } from './answers';
import { LINKED_MERCHANT_ID, MERCHANT_ID } from './keys';
import { moneyFacts } from './money';
import type { Random } from './random';
import {
  DIFFERENCES,
  type Alike,
  type Happening,
  type Item,
  type OperationName,
  type Schedule,
  type Stranger,
  type ObjectName,
} from './schedule';

const ALIKE_SHARE = 70;
export const EUROS = '978';
export const [PURCHASE_ID, REFERENCE] = ['ORDER-1', 'REF-1'];
const TAKES_CARD: OperationName[] = ['sale', 'authorize', 'force', 'credit'];
const APPROVED_IN_PART: OperationName[] = ['sale', 'authorize', 'recharge'];
const LOST: Happening = { kind: 'cut', code: 'ECONNRESET', latencyMs: 5 };
const UNTOLD: Happening = { kind: 'swapped', code: NO_AMOUNT, latencyMs: 5 };
/** Amount in cents that the service approves only in part, and the code of the approval. */
const [IN_PART_CENTS, IN_PART] = [10, '010'];

/** Makes different items look alike: they share amounts, references, names or account numbers. */
export function drawAlike(random: Random, schedule: Schedule): Schedule {
  const { caller, operation, second, options, service } = schedule;
  const on = moneyFacts(operation)?.on;
  if (on === undefined || caller !== 'items' || second !== undefined || !random.percent(ALIKE_SHARE)) return schedule;
  const alike: Alike = {
    ...(random.percent(50) && { purchaseId: true }),
    ...(random.percent(70) && { reference: true }),
    names: random.percent(60),
    numbers: random.percent(60),
    ...(random.percent(35) && { linked: random.list(random.integer(1, 3), () => random.integer(0, 3)) }),
  };
  const isOne = random.percent(60);
  const cents = random.pick([400, 1000]);
  const hasCurrency = on === 'customer' && random.percent(40);
  const hasCards = TAKES_CARD.includes(operation) && random.percent(50);
  const strangers = random.list(random.integer(1, 4), (): Stranger => {
    const differs = random.pick(
      on === 'customer'
        ? DIFFERENCES
        : (['object', 'amount', ...(on === 'payee' ? ['reference' as const] : [])] as const),
    );
    return {
      item: random.integer(0, schedule.items.length - 1),
      differs,
      atMs: random.pick([1, 50, 300, 2000, 10_000]),
    };
  });
  // The report doesn't tell payees with the same name and account apart.
  const hasStrangers = !(on === 'payee' && alike.names && alike.numbers) && random.percent(75);
  // If the item's own payment is lost, the node finds only the other client's payment.
  const lost = new Set(
    hasStrangers ? strangers.flatMap(({ item }) => (random.percent(50) ? [schedule.items[item]?.object] : [])) : [],
  );
  const swap = (one: Happening): Happening =>
    one.kind === 'answer' && random.percent(10) ? { ...one, kind: 'swapped', code: random.pick(SWAPPED) } : one;
  const items = schedule.items.map((item) => ({
    ...item,
    ...(isOne && !moneyFacts(operation)?.isWhole && { cents }),
    ...(hasCurrency && random.percent(50) && { currency: EUROS }),
    ...(on === 'customer' && random.percent(15) && { fee: random.pick([100, 2500]) }),
    ...(hasCards && random.percent(50) && { hasCard: true }),
    ...(APPROVED_IN_PART.includes(operation) && random.percent(15) && { cents: IN_PART_CENTS }),
  }));
  const inPart = new Set(items.flatMap((item) => (item.cents === IN_PART_CENTS ? [item.object] : [])));
  const firstFor = (object: number) => {
    if (inPart.has(object) && random.percent(50)) return [UNTOLD];
    return lost.has(object) ? [LOST] : [];
  };
  return {
    ...schedule,
    alike: { ...alike, ...(hasStrangers && { strangers }) },
    items,
    options: {
      ...options,
      ...(on !== 'sale' && random.percent(25) && { returnExisting: true, resend: false }),
      ...(alike.linked && random.percent(50) && { resend: true, returnExisting: false }),
    },
    service: {
      ...service,
      writes: service.writes.map((list, object) => [...firstFor(object), ...list.map(swap)]),
    },
  };
}

/** Returns the fields of a row that make it look like other rows. */
export const alikeFields = ({ alike }: Schedule, item: Item, name?: ObjectName): IDataObject => ({
  ...(item.hasCard && { card: name?.card }),
  ...(item.fee !== undefined && { fee: item.fee / 100 }),
  ...(alike?.purchaseId && { order: PURCHASE_ID }),
  ...(alike?.reference && { reference: REFERENCE }),
  ...(item.currency !== undefined && { currency: item.currency }),
  ...(isLinked(alike, item.object) && { merchant: LINKED_MERCHANT_ID }),
});

/** Returns the node's additional fields for these rows. */
export function alikeParameters({ alike, operation, items }: Schedule): INodeParameters {
  if (!alike) return {};
  const on = moneyFacts(operation)?.on;
  return {
    ...(alike.purchaseId && on === 'customer' && { purchase_id: '={{ $json.order }}' }),
    ...(alike.reference && on !== 'sale' && { merch_ref_num: '={{ $json.reference }}' }),
    ...(items.some(({ currency }) => currency !== undefined) && {
      tran_currency: `={{ $json.currency ?? "${DEFAULT_CURRENCY}" }}`,
    }),
    ...(items.some(({ fee }) => fee !== undefined) && { fees: { amt_convenience_fee: '={{ $json.fee ?? "" }}' } }),
    ...(alike.linked && { merchant_id: `={{ $json.merchant ?? "${MERCHANT_ID}" }}` }),
  };
}

/** Returns the parameter for the saved card that pays. */
export const cardParameter = ({ items }: Schedule): INodeParameters =>
  items.some(({ hasCard }) => hasCard) ? { card_id: { __rl: true, mode: 'id', value: '={{ $json.card ?? "" }}' } } : {};

export const isLinked = (alike: Alike | undefined, object: number): boolean => alike?.linked?.includes(object) === true;

/** Gives the customers and payees of the service the same names or numbers, and moves some to another merchant. */
export function makeAlike(environment: Environment, alike: Alike | undefined): void {
  if (!alike) return;
  const [first] = environment.customers;
  const [payee] = environment.payees.values();
  for (const [object, customer] of [...environment.customers].entries()) {
    const source = readCardNumber(TEST_CARD_NUMBERS[(object + 3) % TEST_CARD_NUMBERS.length] ?? '', '1230');
    const second = source ? [billingCard(environment, source, customer.billing_cards[0]?.details)] : [];
    environment.removeCustomer(customer);
    saveCustomer(environment, {
      ...customer,
      ...(isLinked(alike, object) && { merchant_id: LINKED_MERCHANT_ID }),
      ...(first && looksLike(first, alike)),
      billing_cards: [...cardsLike(customer, first, alike), ...second],
    });
  }
  for (const [object, one] of [...environment.payees.values()].entries()) {
    const source = readAccount('021000021', alike.numbers ? '000123456789' : `00012345${6789 - object}`);
    if (one.account && source) one.account = { ...one.account, source };
    if (alike.names && payee) one.payee_name = payee.payee_name;
    if (isLinked(alike, object)) one.merchant_id = LINKED_MERCHANT_ID;
  }
  for (const [object, sale] of [...environment.transactions.values()].entries())
    if (isLinked(alike, object)) sale.merchant_id = LINKED_MERCHANT_ID;
}

function looksLike(first: Customer, { names }: Alike): Partial<Customer> {
  const { customer_first_name, customer_last_name, customer_firm_name } = first;
  return names ? { customer_first_name, customer_last_name, customer_firm_name } : {};
}

function cardsLike({ billing_cards }: Customer, first: Customer | undefined, { names, numbers }: Alike): BillingCard[] {
  const [model] = first?.billing_cards ?? [];
  return billing_cards.map((card) => ({
    ...card,
    ...(numbers && model && { source: model.source }),
    ...(names && model && { details: model.details }),
  }));
}

/** Returns how a record that the node reports for an item differs from the item. The node isn't asked. */
export function differsFrom(
  environment: Environment,
  operation: OperationName,
  id: string,
  item: Item,
  { allowed, object, isOther, shown }: { allowed: number[]; object: ObjectName; isOther: boolean; shown?: number },
): string | undefined {
  const record = environment.transactions.get(id);
  if (!record || moneyFacts(operation) === undefined) return undefined;
  const { payer, source, merchant_id, tran_currency, requestedCents, capturedCents, pg_id_linked, rcode } = record;
  const { on, isWhole } = moneyFacts(operation) ?? {};
  if (on === 'customer' && payer.customer_id !== object.customer) return `of customer ${payer.customer_id}`;
  const cards = environment.customers.find(({ customer_id }) => customer_id === object.customer)?.billing_cards;
  if (on === 'customer' && item.hasCard && source.fingerprint !== cards?.[1]?.source.fingerprint)
    return 'of another card';
  if (on === 'payee' && environment.payees.get(object.customer)?.account?.source !== source) return 'of another payee';
  if (on === 'sale' && pg_id_linked !== object.pgId) return `of sale ${pg_id_linked}`;
  if (!isWhole && !allowed.includes(requestedCents)) return `of ${requestedCents} cents`;
  if (merchant_id !== (isOther ? LINKED_MERCHANT_ID : MERCHANT_ID)) return `of merchant ${merchant_id}`;
  if (shown !== undefined && rcode === IN_PART && capturedCents < shown)
    return `with ${shown} cents, but ${capturedCents} were approved`;
  const currency = on === 'customer' ? (item.currency ?? DEFAULT_CURRENCY) : tran_currency;
  return tran_currency === currency ? undefined : `in currency ${tran_currency}`;
}
