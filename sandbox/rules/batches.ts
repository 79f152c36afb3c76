import { multiplyCents } from '../core/money';
import type { Environment } from '../state/environment';
import type {
  PlanTotals,
  RequestType,
  SettledBatch,
  Settlement,
  Transaction,
  TransactionStatus,
} from '../state/records';
import { transactionReport } from '../views/transactions';
import { isCharge, refundableCents } from './refundable';

/** Discount rate that the service keeps. The settlement report needs a rate, and its value is arbitrary. */
const DISCOUNT_RATE = 0.025;

/**
 * Closes the batch. Captured transactions become settled (C to S), and each merchant gets a batch for each currency.
 * @param isOf returns whether a transaction belongs to the batch. Defaults to all.
 * @returns the transactions of the batch.
 */
export function closeBatch(environment: Environment, isOf: (one: Transaction) => boolean = () => true): Transaction[] {
  const batch = changeStatus(environment, 'C', 'S', isOf);
  const accountOf = ({ merchant_id, tran_currency }: Transaction) => `${merchant_id} ${tran_currency}`;
  for (const account of new Set(batch.map(accountOf))) {
    const own = batch.filter((transaction) => accountOf(transaction) === account);
    const settlement = settlementOf(environment, own);
    if (!settlement) continue;
    environment.settlements.push(settlement);
    for (const transaction of own) transaction.batch = settledIn(environment, settlement, transaction);
  }
  tellStatuses(environment, batch);
  return batch;
}

/**
 * Changes a status for all transactions. The record of a capture follows its authorization, which alone is part of the
 * batch.
 * @returns the changed transactions without the records of captures.
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
/** Returns whether a transaction moves money from the merchant. */
const returnsMoney = ({ request_type }: Transaction): boolean => RETURNS.includes(request_type);

function settlementOf(environment: Environment, batch: Transaction[]): Settlement | undefined {
  const [first] = batch;
  if (!first) return undefined;
  const codes = [...new Set(batch.map(({ source }) => source.card_type))];
  return {
    rec_id_linked: environment.ids.nextNumber('settlement', 901),
    merchant_id: first.merchant_id,
    tran_currency: first.tran_currency,
    batch_date: environment.clock.now(),
    reference_number: environment.ids.nextNumber('batch', 100_001),
    source_id: 1,
    plans: codes.map((code) =>
      planTotals(
        code,
        batch.filter(({ source }) => source.card_type === code),
      ),
    ),
  };
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

/**
 * Sends the deposits of closed batches. Settled transactions become "Deposit Sent" (S to P). Returns the transactions.
 */
export function sendDeposits(environment: Environment): Transaction[] {
  const settled = changeStatus(environment, 'S', 'P');
  tellStatuses(environment, settled);
  return settled;
}

/** Emits the new statuses of transactions, one event for each merchant. */
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
