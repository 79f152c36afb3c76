import type { StateDump } from '../views/state';

type Transaction = StateDump['transactions'][number];
type Checkout = StateDump['checkouts'][number];

const KINDS: Readonly<Record<string, string>> = {
  auth: 'authorization',
  force: 'sale (forced)',
  recharge: 'sale (repeated)',
  credit: 'credit to a card',
  payment: 'payout',
};

const STATUSES: Readonly<Record<string, string>> = {
  A: 'authorized',
  C: 'captured',
  D: 'declined',
  P: 'deposit sent',
  S: 'settled',
  V: 'voided',
  v: 'expired',
};

/** Statuses of transactions that pay money out, which aren't captured. */
const PAYS_OUT: ReadonlySet<string> = new Set(['refund', 'credit', 'payment']);

/** Words for the letters and names of the statuses of all records except transactions (openapi.yaml). */
export const WORDS = {
  invoice: { SAVED: 'draft', OUTSTANDING: 'unpaid', PAID: 'paid', CANCELED: 'canceled' },
  subscription: { A: 'active', P: 'paused', S: 'suspended', C: 'canceled', D: 'complete' },
  dispute: { N: 'new', Q: 'under review' },
  disputeKind: { V: 'retrieval request', C: 'chargeback' },
  updater: { INPROGRESS: 'in progress', QUEUED: 'queued', COMPLETED: 'completed', CANCELED: 'canceled' },
  webhook: { ACTIVE: 'active', DISABLED: 'disabled', SUSPENDED: 'suspended' },
} as const;

/** Returns words for a refund before settlement, which is a void or a capture in the report (service.md#refunds). */
function refundWords({ request_type: type, tran_status: status, pg_id_linked: id }: Transaction, all: Transaction[]) {
  if (status !== 'V' || id === undefined) return undefined;
  if (type === 'capture') return 'refund (sale reduced)';
  const refunded = all.find(({ pg_id }) => pg_id === id)?.amt_refunded ?? 0;
  // A void of an uncaptured authorization returns no money.
  return type === 'void' && refunded > 0 ? 'refund (sale voided)' : undefined;
}

export const kindWords = (one: Transaction, all: Transaction[]): string =>
  refundWords(one, all) ?? KINDS[one.request_type] ?? one.request_type;

/** Returns the status of a transaction, with the reason of a decline, and with the refunds of a sale. */
export function statusWords(one: Transaction, all: Transaction[]): string {
  const { tran_status: letter, request_type, amt_refunded, dispute_flag, rcode } = one;
  if (refundWords(one, all)) return 'completed';
  if (letter === 'D') return `declined (code ${rcode})`;
  if (letter === 'V' && amt_refunded > 0) return 'refunded in full';
  const status = letter === 'C' && PAYS_OUT.has(request_type) ? 'accepted' : (STATUSES[letter] ?? letter);
  const refunds = amt_refunded > 0 ? `, ${amt_refunded.toFixed(2)} refunded` : '';
  return `${status}${refunds}${dispute_flag ? ', disputed' : ''}`;
}

export function checkoutWords({ used, amt_tran, amt_balance, expiry_time }: Checkout, now: string): string {
  if (used) return amt_tran === undefined ? 'payment method saved' : 'paid';
  if (Date.parse(expiry_time) <= Date.parse(now)) return 'expired';
  return amt_tran !== undefined && amt_balance < amt_tran ? 'partly paid' : 'open';
}
