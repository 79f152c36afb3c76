import { GatewayRefusal } from '../core/refusals';
import type { Environment } from '../state/environment';
import type { Transaction } from '../state/records';
import { planBatch } from './batch-times';
import { tellStatuses } from './batches';
import { isCharge, refundableCents } from './refundable';
import { recordChange, VOIDED } from './refunds';

/** Lifetime of an uncaptured authorization (service.md#authorizations). */
const VALID = { days: 28 };

export function planExpiry(environment: Environment, authorization: Transaction): void {
  environment.timeline.at(authorization.time.plus(VALID), () => {
    if (authorization.tran_status !== 'A') return;
    authorization.tran_status = 'v';
    tellStatuses(environment, [authorization]);
  });
}

/**
 * Captures an authorization completely or partially, at most once (service.md#authorizations).
 * @returns the capture.
 * @throws GatewayRefusal with rcode 403 before any change.
 */
export function captureAuthorization(environment: Environment, authorization: Transaction, cents: number): Transaction {
  const refuse = (reason: string) => new GatewayRefusal('403', `Capture refused: ${reason}`, 409, authorization.pg_id);
  const { request_type, tran_status } = authorization;
  if (request_type !== 'auth') throw refuse('not an authorization');
  if (tran_status === 'D') throw refuse('the authorization was declined');
  if (tran_status === 'V') throw refuse('the authorization is voided');
  if (tran_status === 'v') throw refuse('the authorization has expired');
  if (tran_status !== 'A') throw refuse('already captured');
  if (cents > authorization.capturedCents) throw refuse('over the authorized amount');
  authorization.tran_status = 'C';
  authorization.capturedCents = cents;
  planBatch(environment);
  return recordChange(environment, authorization, cents, {
    request_type: 'capture',
    tran_status: 'C',
    rmsg: 'Capture request accepted',
  });
}

/**
 * Voids an uncaptured authorization, or a captured charge before its batch closes (service.md#authorizations).
 * @returns the void.
 * @throws GatewayRefusal with rcode 401 before any change.
 */
export function voidCharge(environment: Environment, charge: Transaction): Transaction {
  const refuse = (reason: string) => new GatewayRefusal('401', `Void refused: ${reason}`, 409, charge.pg_id);
  const { tran_status } = charge;
  if (!isCharge(charge)) throw refuse('not a sale or authorization');
  if (tran_status === 'D') throw refuse('the transaction was declined');
  if (tran_status === 'V' || tran_status === 'v') throw refuse('already voided');
  if (tran_status !== 'A' && tran_status !== 'C') throw refuse('the batch is closed');
  const cents = refundableCents(charge);
  // A void refunds captured money. An uncaptured authorization has no money to refund.
  if (tran_status === 'C') charge.refundedCents += cents;
  charge.tran_status = 'V';
  return recordChange(environment, charge, cents, VOIDED);
}
