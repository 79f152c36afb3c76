import type { Gate } from './gate';
import type { Answer } from '../model/failure';

/** Tells the gate what an answer says about how much the service can take. */
export function adjustPace(gate: Gate, answer: Answer): void {
  if (answer.ok) return gate.speedUp();
  const { httpStatus, retryAfterMs } = answer.failure;
  if (httpStatus === 429 || httpStatus === 503) gate.slowDown(retryAfterMs);
  else if (httpStatus !== undefined && httpStatus < 500) gate.answered();
}
