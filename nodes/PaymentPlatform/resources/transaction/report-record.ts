import type { IDataObject } from 'n8n-workflow';

import { momentsOf, REPORT_ZONE } from '../../fields/kinds/date';
import { isEmpty } from '../../fields/value';
import { issuerApprovals } from '../../messages/catalogue/issuer-approvals';
import { GATEWAY_UNKNOWN, readRcode } from '../../model/failure';
import type { WriteValues } from '../../model/footprint';
import { partyOf } from '../../model/identity';
import { likeNumber, likeStatus, likeText, likeWhereSent, type Likeness } from '../../model/likeness';
import type { FootprintOf, Given, RecordOf } from '../../model/operation';
import { asText, comparableText, objectIn, objectsIn, centsOf } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { CODE_WORDS } from '../../wire/words';
import { pathWith } from '../merge-with-current';

/** Transaction in the report (openapi.yaml#TransactionRequestRecord). */
export type Reported = Given<RecordOf<'getTransactionRequests'>>;

/** Returns an empty text for a type that isn't text. */
export const typeOf = ({ request_type: type }: { request_type?: unknown }): string =>
  typeof type === 'string' ? type.trim().toLowerCase() : '';
export const letterOf = ({ tran_status: letter }: Reported): string => asText(letter).trim();

/** Includes a timeout and an internal error of the gateway. */
const MAY_HAVE_MOVED = new Set([...issuerApprovals.flatMap(({ codes }) => codes), ...GATEWAY_UNKNOWN]);

/** A transaction whose code is unreadable may have moved money. */
export const wasRefused = ({ rcode }: Reported): boolean => {
  const code = readRcode(comparableText(rcode));
  return code !== undefined && !MAY_HAVE_MOVED.has(code);
};

/** Status codes of transactions that moved no money or were reversed (service.md#letters). */
export const WITHOUT_EFFECT: ReadonlySet<string> = new Set(['D', 'F', 'R', 'K', 'V', 'v']);

/** A transaction with an unknown status code may have been voided. */
export const hasKnownStatus = ({ tran_status: letter }: Reported): boolean =>
  likeStatus(letter, CODE_WORDS.getTransactionRequests?.tran_status, []) === 'equal';

/** A transaction without a valid amount matches any amount. */
export const SAME_AMOUNT = {
  shown: ({ amt_tran: shown }: Reported) => centsOf(shown),
  asked: ({ body }: { body: { amt_tran?: unknown } }) => centsOf(body.amt_tran),
};

const { path } = wire.getTransactionRequests.request;

/** The node looks up payments in the transaction report. */
export const IN_REPORT = {
  list: { path, identity: 'pg_id', newestBy: 'tran_time' },
  isCheckedInTools: true,
  earliest: ({ tran_time: time }: Reported) => momentsOf(time, REPORT_ZONE)?.[0],
  time: ({ tran_time: time }: Reported) => momentsOf(time, REPORT_ZONE)?.[1],
  where: 'the transaction report',
} as const satisfies Partial<FootprintOf<'refund', 'getTransactionRequests'>>;

/** Types of transactions, except payouts (service.md#payouts). */
export const TYPES: ReadonlySet<string> = new Set([
  ...['sale', 'auth', 'force', 'recharge', 'capture', 'void', 'refund', 'credit', 'verify'],
]);

/** Compares the type of a transaction, which the report may leave empty. An unknown type shows nothing. */
export function likeType(record: Reported, ...types: readonly string[]): Likeness {
  if (types.includes(typeOf(record))) return 'equal';
  return TYPES.has(typeOf(record)) ? 'different' : 'notShown';
}

/** The node adds the single transaction, which shows the customer, under this name. */
export const DETAIL = 'detail';

/** Only the single transaction, not the report, shows the ID of the customer. */
export const WITH_DETAIL = {
  name: DETAIL,
  path: ({ pg_id }: Reported): string =>
    wire.getTransactionByPgId.request.path.replace('{pg_id}', encodeURIComponent(asText(pg_id))),
};

const detailOf = (record: { [DETAIL]?: unknown }): IDataObject => objectsIn([record[DETAIL]].flat())[0] ?? {};

/** The report may lack the currency, which the single transaction shows. */
export const shownCurrency = (record: Reported & { [DETAIL]?: unknown }): unknown =>
  asText(record.tran_currency) === '' ? detailOf(record).tran_currency : record.tran_currency;

/** Numbers and names of a holder that the report could show. */
export interface Holder {
  numbers: unknown[];
  names: unknown[];
}

const bestOf = (all: Likeness[]): Likeness =>
  all.includes('equal') ? 'equal' : all.includes('notShown') || all.length === 0 ? 'notShown' : 'different';

const nameIn = (...parts: unknown[]): string => parts.map(asText).join(' ').trim().replace(/\s+/g, ' ').toLowerCase();

const likeAny = (record: Reported, { numbers }: Pick<Holder, 'numbers'>): Likeness =>
  bestOf(numbers.map((one) => likeNumber(record.card_number, one)));

/**
 * Compares the account and the name with a holder, who may have changed one of them since. Only both together exclude
 * the holder. Names that the holder doesn't have exclude nothing.
 */
export function likeHolder(record: Reported, { numbers, names }: Holder): Likeness {
  const shown = nameIn(record.cardholder_first_name, record.cardholder_last_name);
  const known = names.map((one) => nameIn(one)).filter((one) => one !== '');
  const number = likeAny(record, { numbers });
  const name = bestOf(known.map((one) => likeText(shown, one)));
  if (number === 'different' && name === 'different') return 'different';
  return number === 'equal' && name !== 'different' ? 'equal' : 'notShown';
}

/** Compares the payer with the charge's card, bank account or customer. */
export function likePayer(record: Reported & { [DETAIL]?: unknown }, { body, node, source }: WriteValues): Likeness {
  const { customer, accounts } = partyOf({ body, node });
  const number = accounts.card_number ?? accounts.dda_number;
  if (number !== undefined) return likeNumber(record.card_number, number);
  const shown = customer === undefined ? 'notShown' : likeText(detailOf(record).customer_id, customer);
  if (shown === 'notShown') return source ? likeHolder(record, holderOf(source, body)) : shown;
  const isOther = body.card_id !== undefined && likeAny(record, holderOf(source ?? {}, body)) !== 'equal';
  // The saved card may have another number since.
  return shown === 'equal' && isOther ? 'notShown' : shown;
}

export function payerOf({ body, node }: WriteValues) {
  const { customer } = partyOf({ body, node });
  if (customer === undefined) return undefined;
  return { ...pathWith(wire.getCustomer.request.path, { customer_id: customer }), identity: 'customer_id' } as const;
}

const customerNames = (customer: IDataObject): unknown[] => [
  nameIn(customer.customer_first_name, customer.customer_last_name),
  customer.customer_firm_name,
];

/** A request may name the holder otherwise than the customer's record. */
function holderOf(customer: IDataObject, body: IDataObject): Holder {
  const { card_id: card, cardholder_name: holder } = body;
  const cards = objectsIn(customer.billing_cards).filter(({ card_id: id }) => card === undefined || id === card);
  const primary = card === undefined && !isEmpty(customer.primary_card_number) ? [customer.primary_card_number] : [];
  return {
    numbers: [...cards.map(({ card_number: number }) => number), ...primary],
    names: [
      holder,
      ...customerNames(objectIn(body.customer)),
      ...customerNames(customer),
      ...cards.flatMap((one) => [nameIn(one.billing_first_name, one.billing_last_name), one.billing_firm_name]),
    ],
  };
}

export const payeeHolder = (payee: IDataObject): Holder => ({
  numbers: [objectIn(payee.payee_account).dda_number],
  names: [payee.payee_name, objectIn(payee.payee_account).accountholder_name],
});

export const likeReferences = (record: Reported, { body }: Pick<WriteValues, 'body'>): Likeness[] => [
  likeWhereSent(record.purchase_id, body.purchase_id),
  likeWhereSent(record.merch_ref_num, body.merch_ref_num),
];
