import type { IDataObject } from 'n8n-workflow';
import { exactDecimal } from '../../fields/kinds/number';
import { inMoney } from '../../messages/what-happened';
import type { Given, RecordOf } from '../../model/operation';
import { asText, isObject, objectsIn, only } from '../../shared/objects';

/**
 * Effect of a transaction on money. The effect is `unclear` if the transaction contains too little or contradictory
 * data.
 */
type Effect = 'received' | 'reserved' | 'returned' | 'nothing' | 'unclear';

/** Effects of approved requests on money, by request type (service.md#letters). */
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
/**
 * Patterns for the `tran_status` of approved transactions without a charge (service.md#letters). The first pattern
 * matches amounts on hold. The second pattern matches transactions that ended.
 */
const RESERVED_STATUS = /^[AH]$/;
const ENDED_STATUS = /^[VvKDFRU]$/;

/** Issuer codes of payments that took money (service.md#codes). The code 085 only approves a card verification. */
const APPROVALS = new Set(['000', '008', '010', '011', '0Y1', '0Y3']);
const CARD_CHECK = '085';
/** Codes that may mean an approval. The codes have two meanings or report an error of the service. */
const UNCLEAR_CODES = new Set(['004', '998', '999']);

const word = (value: unknown) => asText(value).trim().toLowerCase();
const codeOf = ({ rcode }: IDataObject) => asText(rcode).trim().toUpperCase().padStart(3, '0');

/**
 * Returns whether a transaction was approved, based on its status and code. Returns `undefined` if the status and the
 * code are missing or contradict each other.
 */
function isApproved(transaction: IDataObject): boolean | undefined {
  const status = word(transaction.status);
  const byStatus = status === 'approved' ? true : status === 'declined' ? false : undefined;
  if (status !== '' && byStatus === undefined) return undefined;
  if (word(transaction.rcode) === '') return byStatus;
  const code = codeOf(transaction);
  const byCode = UNCLEAR_CODES.has(code) ? undefined : APPROVALS.has(code) || code === CARD_CHECK;
  if (byStatus === undefined) return byCode;
  return byCode === undefined || byCode === byStatus ? byStatus : undefined;
}

function effectOf(transaction: IDataObject, link: IDataObject): Effect {
  const approved = isApproved(transaction);
  if (approved === undefined) return 'unclear';
  const tranStatus = asText(transaction.tran_status).trim();
  if (!approved || ENDED_STATUS.test(tranStatus) || codeOf(transaction) === CARD_CHECK) return 'nothing';
  const kind = word(transaction.request_type);
  // Many results contain no request type (openapi.yaml#TransactionResult). The preferences of the link then determine
  // the type.
  const wanted = isObject(link.preferences) ? word(link.preferences.request_type) : '';
  const effect = kind === '' && wanted !== 'auth' ? 'received' : (EFFECTS[kind || 'auth'] ?? 'unclear');
  return effect === 'received' && RESERVED_STATUS.test(tranStatus) ? 'reserved' : effect;
}

/**
 * Returns whether a transaction only holds the amount on the card. The merchant receives no money before the capture.
 */
export const isReservation = (transaction: IDataObject, link: IDataObject): boolean =>
  effectOf(transaction, link) === 'reserved';

/**
 * Returns the money received through a checkout link, in the currency's main unit. The result is the sum of approved
 * sales and captures minus returned amounts. Returns `undefined` if the record contains no list of transactions. Also
 * returns `undefined` if the outcome or amount of a transaction is unclear, or if its currency differs from the link's
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
  // If a link has a sale and a capture, the capture reduces the sale (service.md#refunds), so the sum would be wrong.
  return /sale/.test(kinds) && /capture/.test(kinds) ? undefined : exactDecimal(sum, 2);
}

const isForeign = (transaction: IDataObject, link: IDataObject) =>
  word(transaction.tran_currency) !== '' &&
  word(link.tran_currency) !== '' &&
  word(transaction.tran_currency) !== word(link.tran_currency);

type Checkout = Given<RecordOf<'getCheckout'>>;

/** Values that depend on the transactions of a link. */
interface Told {
  paid?: boolean;
  amt_paid?: number;
  transactions_text?: string;
}

/**
 * Names of the output fields of a checkout link. The values come from the record of the link and from its transactions.
 */
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

/**
 * Summarizes a checkout link. Calculates `paid` and `amt_paid` from the money that the transactions received, and
 * describes each transaction. Omits `paid` and `amt_paid` if the link has no amount or if its transactions are unclear.
 * Doesn't use `amt_balance`, because a reservation may also change the balance.
 */
export function status(record: Checkout) {
  const transactions = objectsIn([record.transactions].flat());
  const told: Told = {
    ...payment(record, transactions.length),
    transactions_text: transactions.map((transaction) => inWords(transaction, record)).join('; '),
  };
  return only({ ...record, ...told }, SHOWN);
}

function payment(record: Checkout, count: number): Told {
  const asked = exactDecimal(record.amt_tran, 2);
  const received = moneyReceived(record);
  if (asked === undefined || asked <= 0 || received === undefined) return {};
  const left = exactDecimal(record.amt_balance, 2);
  // The balance decreased although the link has no transactions, so the paid amount is unknown.
  if (count === 0 && left !== undefined && left < asked) return {};
  return { paid: received >= asked, amt_paid: received };
}

/** Describes a transaction, such as "Approved: sale of 30.30 at 2026-05-04 10:00, pg_id ...". */
function inWords(transaction: IDataObject, link: IDataObject): string {
  const { status, rmsg, request_type, amt_tran, tran_time, pg_id } = transaction;
  const ended = [asText(status) || 'Status unknown', isReservation(transaction, link) ? ' (authorized only)' : ''].join(
    '',
  );
  const reason = asText(status) === 'Declined' && rmsg !== undefined ? ` (${asText(rmsg)})` : '';
  const when = tran_time === undefined ? '' : ` at ${asText(tran_time)}`;
  const id = pg_id === undefined ? '' : `, pg_id ${asText(pg_id)}`;
  return `${ended}${reason}: ${asText(request_type) || 'payment'} of ${inMoney(amt_tran)}${when}${id}`;
}
