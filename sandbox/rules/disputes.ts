import { PlatformRefusal, noSuchResource } from '../core/refusals';
import type { Environment } from '../state/environment';
import type { Dispute, Transaction } from '../state/records';
import { disputeView } from '../views/disputes';
import { isCharge } from './refundable';

/** Days allowed to respond to a new dispute (arbitrary). */
const DAYS_TO_ANSWER = 20;

const CAPTURED: readonly string[] = ['C', 'S', 'P'];

const refuse = (reason: string) => new PlatformRefusal(2, 'Validation error', 400, { recId: reason });

/**
 * Returns a dispute by its number.
 * @throws PlatformRefusal with code 7 for an unknown dispute.
 */
export function findDispute(environment: Environment, recId: number): Dispute {
  const dispute = environment.disputes.get(recId);
  if (!dispute) throw noSuchResource('Dispute');
  return dispute;
}

/** Returns a merchant's latest captured charge without a dispute. */
export const disputableSale = ({ transactions }: Environment, merchantId: string): Transaction | undefined =>
  [...transactions.values()]
    .filter((one) => one.merchant_id === merchantId && isCharge(one) && CAPTURED.includes(one.tran_status))
    .findLast(({ isDisputed }) => !isDisputed);

/** Stores a new dispute and emits an event. */
export function openDispute(environment: Environment, dispute: Dispute): Dispute {
  environment.disputes.set(dispute.rec_id, dispute);
  if (dispute.sale) dispute.sale.isDisputed = true;
  announce(environment, dispute);
  return dispute;
}

/**
 * Stores the response to a new dispute.
 * @throws PlatformRefusal if the dispute isn't new or the response period is over.
 */
export function answerDispute(environment: Environment, dispute: Dispute, answer: Dispute['answer']): void {
  if (dispute.status !== 'N') throw refuse('is already answered');
  if (environment.clock.now() > dispute.incoming.plus({ days: DAYS_TO_ANSWER }).endOf('day'))
    throw refuse('can no longer be answered, because the time to answer is over');
  dispute.answer = answer;
  setStatus(environment, dispute, 'Q');
}

/** Resets a dispute to the status "new". In production, the dispute must be under review. */
export function resetDispute(environment: Environment, dispute: Dispute): void {
  if (environment.name === 'production' && dispute.status !== 'Q') throw refuse('is not under review');
  dispute.answer = undefined;
  setStatus(environment, dispute, 'N');
}

function setStatus(environment: Environment, dispute: Dispute, status: Dispute['status']): void {
  dispute.status = status;
  dispute.changed = environment.clock.now();
  announce(environment, dispute);
}

const announce = (environment: Environment, dispute: Dispute): void =>
  environment.emit('dispute_update', dispute.merchant_id, disputeView(dispute));

export const creditedTransactions = ({ transactions }: Environment, { sale }: Dispute): Transaction[] =>
  [...transactions.values()].filter((one) => sale && one.pg_id_linked === sale.pg_id && one.request_type === 'refund');

/** Returns undisputed captured charges of the disputed card. */
export const nonDisputedTransactions = ({ transactions }: Environment, { sale, merchant_id }: Dispute): Transaction[] =>
  [...transactions.values()].filter(
    (one) =>
      one.merchant_id === merchant_id &&
      isCharge(one) &&
      CAPTURED.includes(one.tran_status) &&
      !one.isDisputed &&
      one.source.masked === sale?.source.masked,
  );
