import { multiplyCents } from '../core/money';
import type { Environment } from '../state/environment';
import type {
  PlanTotals,
  RequestType,
  Reserve,
  SettledBatch,
  Settlement,
  Transaction,
  TransactionStatus,
} from '../state/records';
import { DISCOUNT_PERCENT, totalsOf } from '../views/settlements';
import { transactionReport } from '../views/transactions';
import { isCharge, refundableCents } from './refundable';

const DISCOUNT_RATE = DISCOUNT_PERCENT / 100;
/** Fraction of the purchases to withhold as a reserve for RESERVE_DAYS days. Both numbers are arbitrary. */
const RESERVE_RATE = 0.05;
const RESERVE_DAYS = 30;

/**
 * Settles captured transactions in one batch for each merchant and currency.
 * @param isOf selects the transactions.
 * @returns the settled transactions.
 */
export function closeBatch(environment: Environment, isOf: (one: Transaction) => boolean = () => true): Transaction[] {
  const batch = changeStatus(environment, 'C', 'S', isOf);
  const accounts = new Map(batch.map((one) => [`${one.merchant_id} ${one.tran_currency}`, one]));
  for (const account of accounts.values()) {
    const own = batch.filter((one) => isOfAccount(one, account));
    const settlement = settlementOf(environment, account, own);
    environment.settlements.push(settlement);
    for (const transaction of own) transaction.batch = settledIn(environment, settlement, transaction);
  }
  tellStatuses(environment, batch);
  return batch;
}

type Account = Pick<Settlement, 'merchant_id' | 'tran_currency'>;

const isOfAccount = (one: Account, account: Account): boolean =>
  one.merchant_id === account.merchant_id && one.tran_currency === account.tran_currency;

/**
 * Changes the status of matching transactions.
 * @returns the changed transactions, excluding capture records.
 */
function changeStatus(
  environment: Environment,
  from: TransactionStatus,
  to: TransactionStatus,
  isOf: (one: Transaction) => boolean = () => true,
): Transaction[] {
  const all = [...environment.transactions.values()].filter((one) => one.tran_status === from && isOf(one));
  const changed = all.filter(({ request_type }) => request_type !== 'capture');
  for (const transaction of changed) transaction.tran_status = to;
  const ids = new Set(changed.map(({ pg_id }) => pg_id));
  for (const one of all) if (one.pg_id_linked !== undefined && ids.has(one.pg_id_linked)) one.tran_status = to;
  return changed;
}

const RETURNS: readonly RequestType[] = ['refund', 'credit', 'payment'];
const returnsMoney = ({ request_type }: Transaction): boolean => RETURNS.includes(request_type);

function settlementOf(environment: Environment, account: Account, batch: Transaction[]): Settlement {
  const codes = [...new Set(batch.map(({ source }) => source.card_type))];
  const plans = codes.map((code) =>
    planTotals(
      code,
      batch.filter(({ source }) => source.card_type === code),
    ),
  );
  return {
    rec_id_linked: environment.ids.nextNumber('settlement', 901),
    merchant_id: account.merchant_id,
    tran_currency: account.tran_currency,
    batch_date: environment.clock.now(),
    reference_number: environment.ids.nextNumber('batch', 100_001),
    source_id: 1,
    plans,
    reserve: holdReserve(environment, account, totalsOf({ plans }).purchaseCents),
  };
}

function holdReserve(environment: Environment, account: Account, purchaseCents: number): Reserve {
  const earlier = environment.settlements.filter((one) => isOfAccount(one, account));
  const end = environment.clock.now().minus({ days: RESERVE_DAYS });
  const due = earlier.filter(({ batch_date, reserve }) => batch_date <= end && !reserve.isReleased);
  for (const { reserve } of due) reserve.isReleased = true;
  const heldCents = multiplyCents(purchaseCents, RESERVE_RATE);
  const releasedCents = due.reduce((sum, { reserve }) => sum + reserve.heldCents, 0);
  const before = earlier.at(-1)?.reserve.balanceCents ?? 0;
  return { heldCents, releasedCents, balanceCents: before + heldCents - releasedCents, isReleased: false };
}

function planTotals(plan_code: string, transactions: Transaction[]): PlanTotals {
  const [sales, returns] = [transactions.filter(isCharge), transactions.filter(returnsMoney)];
  const purchaseCents = sales.reduce((sum, sale) => sum + refundableCents(sale), 0);
  return {
    plan_code,
    purchaseCount: sales.length,
    purchaseCents,
    returnCount: returns.length,
    returnCents: returns.reduce((sum, one) => sum + one.capturedCents, 0),
    discountCents: multiplyCents(purchaseCents, DISCOUNT_RATE),
  };
}

function settledIn(
  environment: Environment,
  { reference_number, batch_date }: Settlement,
  transaction: Transaction,
): SettledBatch {
  const cents = returnsMoney(transaction) ? -transaction.capturedCents : refundableCents(transaction);
  return { rec_id: environment.ids.nextNumber('settled', 70_001), reference_number, closed: batch_date, cents };
}

export function sendDeposits(environment: Environment): Transaction[] {
  const settled = changeStatus(environment, 'S', 'P');
  for (const settlement of environment.settlements)
    settlement.deposit ??= { rec_id: environment.ids.nextNumber('deposit', 80_001), sent: environment.clock.now() };
  tellStatuses(environment, settled);
  return settled;
}

export function tellStatuses(environment: Environment, transactions: Transaction[]): void {
  for (const merchantId of new Set(transactions.map(({ merchant_id }) => merchant_id))) {
    const own = transactions.filter(({ merchant_id }) => merchant_id === merchantId).map(transactionReport);
    environment.emit('transaction_status_updated', merchantId, {
      transactions: own.map(({ pg_id, purchase_id, amt_tran, tran_currency, tran_status }) => ({
        pg_id,
        purchase_id,
        amt_tran,
        tran_currency,
        tran_status,
      })),
    });
  }
}
