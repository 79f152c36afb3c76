import type { IDataObject } from 'n8n-workflow';
import { instant, REPORT_ZONE, timeText } from '../../fields/kinds/date';
import { exactDecimal } from '../../fields/kinds/number';
import { inMoney } from '../../messages/what-happened';
import { paymentOutcomeOf } from '../../model/failure';
import type { Given, RecordOf, ValuesOf } from '../../model/operation';
import { asText, isObject, objectsIn, only } from '../../shared/objects';

/** Missing or contradictory data makes the effect of a transaction `unclear`. */
type Effect = 'received' | 'reserved' | 'returned' | 'nothing' | 'unclear';

/** Effects of approved transactions, by request type (service.md#letters). */
const EFFECTS: Record<string, Effect> = {
  sale: 'received',
  force: 'received',
  recharge: 'received',
  capture: 'received',
  auth: 'reserved',
  verify: 'nothing',
  refund: 'returned',
  credit: 'returned',
};
/** `tran_status` codes of approved transactions without a charge: on hold, and ended (service.md#letters). */
const RESERVED_STATUS = /^[AH]$/;
const ENDED_STATUS = /^[VvKDFRU]$/;

/** A card verification takes no money (service.md#codes). */
const CARD_CHECK = '085';

const word = (value: unknown) => asText(value).trim().toLowerCase();
const codeOf = ({ rcode }: IDataObject) => asText(rcode).trim().toUpperCase().padStart(3, '0');

function isApproved(transaction: IDataObject): boolean | undefined {
  const status = word(transaction.status);
  const byStatus = status === 'approved' ? true : status === 'declined' ? false : undefined;
  if (status !== '' && byStatus === undefined) return undefined;
  if (word(transaction.rcode) === '') return byStatus;
  const code = codeOf(transaction);
  const outcome = code === CARD_CHECK ? 'approved' : paymentOutcomeOf(code);
  const byCode = outcome === 'open' ? undefined : outcome !== 'declined';
  if (byStatus === undefined) return byCode;
  return byCode === undefined || byCode === byStatus ? byStatus : undefined;
}

function effectOf(transaction: IDataObject, link: IDataObject): Effect {
  const approved = isApproved(transaction);
  if (approved === undefined) return 'unclear';
  const tranStatus = asText(transaction.tran_status).trim();
  if (!approved || ENDED_STATUS.test(tranStatus) || codeOf(transaction) === CARD_CHECK) return 'nothing';
  const kind = word(transaction.request_type);
  // Many transactions contain no request type (openapi.yaml#TransactionResult), so the preferences of the link
  // determine it.
  const wanted = isObject(link.preferences) ? word(link.preferences.request_type) : '';
  const effect = kind === '' && wanted !== 'auth' ? 'received' : (EFFECTS[kind || 'auth'] ?? 'unclear');
  return effect === 'received' && RESERVED_STATUS.test(tranStatus) ? 'reserved' : effect;
}

/** A reservation only holds the amount on the card until its capture. */
export const isReservation = (transaction: IDataObject, link: IDataObject): boolean =>
  effectOf(transaction, link) === 'reserved';

/**
 * Returns the received money in the currency's main unit, or `undefined` if a transaction is unclear or in another
 * currency.
 * @param link record of the link (openapi.yaml#Checkout).
 */
export function moneyReceived(link: IDataObject): number | undefined {
  if (link.transactions === undefined || link.transactions === null) return undefined;
  const all: unknown[] = [link.transactions].flat();
  if (!all.every(isObject)) return undefined;
  const seen = new Set<string>();
  let sum = 0;
  let kinds = '';
  for (const transaction of all) {
    const id = asText(transaction.pg_id);
    const effect = effectOf(transaction, link);
    if (effect === 'unclear') return undefined;
    if (effect === 'reserved' || effect === 'nothing' || seen.has(id)) continue;
    if (id !== '') seen.add(id);
    const amount = exactDecimal(transaction.amt_tran, 2);
    if (amount === undefined || isForeign(transaction, link)) return undefined;
    sum += effect === 'returned' ? -Math.abs(amount) : amount;
    kinds += ` ${word(transaction.request_type)}`;
  }
  // A capture reduces the sale (service.md#refunds), so the sum of both would be wrong.
  return /sale/.test(kinds) && /capture/.test(kinds) ? undefined : exactDecimal(sum, 2);
}

const isForeign = (transaction: IDataObject, link: IDataObject) =>
  word(transaction.tran_currency) !== '' &&
  word(link.tran_currency) !== '' &&
  word(transaction.tran_currency) !== word(link.tran_currency);

type Checkout = Given<RecordOf<'getCheckout'>>;

interface Told {
  paid?: boolean;
  amt_paid?: number;
  transactions_text?: string;
}

const SHOWN = [
  'checkout_id',
  'purchase_id',
  'customer_id',
  'paid',
  'amt_tran',
  'amt_paid',
  'amt_balance',
  'tran_currency',
  'expiry_time',
  'transactions_text',
] as const;

/** Calculates `paid` and `amt_paid` from the transactions, because a reservation may also change `amt_balance`. */
export function status(record: Checkout, { timezone = 'UTC' }: Pick<ValuesOf<'getCheckout'>, 'timezone'> = {}) {
  const transactions = objectsIn([record.transactions].flat());
  const told: Told = {
    ...payment(record, transactions.length),
    transactions_text: transactions.map((transaction) => inWords(transaction, record, timezone)).join('; '),
  };
  return only({ ...record, ...told }, SHOWN);
}

function payment(record: Checkout, count: number): Told {
  const asked = exactDecimal(record.amt_tran, 2);
  const received = moneyReceived(record);
  if (asked === undefined || asked <= 0 || received === undefined) return {};
  const left = exactDecimal(record.amt_balance, 2);
  // The balance decreased without a transaction, so the paid amount is unknown.
  if (count === 0 && left !== undefined && left < asked) return {};
  return { paid: received >= asked, amt_paid: received };
}

/** Example: "Approved: sale of 30.30 at 2026-05-04 10:00 America/New_York, pg_id ...". */
function inWords(transaction: IDataObject, link: IDataObject, zone: string): string {
  const { status, rmsg, request_type, amt_tran, tran_time, pg_id } = transaction;
  const ended = [asText(status) || 'Status unknown', isReservation(transaction, link) ? ' (authorized only)' : ''].join(
    '',
  );
  const reason = asText(status) === 'Declined' && rmsg !== undefined ? ` (${asText(rmsg)})` : '';
  const time = instant(tran_time, REPORT_ZONE);
  const when = time === undefined ? '' : ` at ${timeText(time, zone)}`;
  const id = pg_id === undefined ? '' : `, pg_id ${asText(pg_id)}`;
  return `${ended}${reason}: ${asText(request_type) || 'payment'} of ${inMoney(amt_tran)}${when}${id}`;
}
