import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { instant, REPORT_ZONE } from '../../fields/kinds/date';
import type { AddedFields } from '../../model/types';
import { asText, only } from '../../shared/objects';
import { centsOf } from '../../model/read-amounts';

/** Hour at which a batch closes by default, in the time zone of the report (service.md#refunds). */
const BATCH_CLOSES = 21;
/** Time after which the service voids an open authorization (service.md#authorizations). */
const CAPTURABLE = { days: 28 };
/** Maximum time between the processing of a transaction and the service's response. */
const LATE = { minutes: 10 };

const VOIDABLE_UNTIL = {
  type: 'string',
  description:
    'Latest time at which you can void the payment. A batch closes at 9 PM Pacific time by default, or earlier if you close it.',
} as const;

export const AFTER_CAPTURE = {
  voidable_until: VOIDABLE_UNTIL,
  amt_refundable: { type: 'number', description: 'Amount that you can still refund.' },
} as const satisfies AddedFields;

export const AFTER_VOID = only(AFTER_CAPTURE, ['amt_refundable']) satisfies AddedFields;

export const AFTER_AUTHORIZATION = {
  capturable_until: {
    type: 'string',
    description: 'Latest time at which you can capture or void the authorization. The service then voids it.',
  },
} as const satisfies AddedFields;

/** Record from a response or from the transaction report. */
type State = Partial<Record<'pg_id' | 'tran_status' | 'tran_time' | 'amt_refunded', unknown>>;

/**
 * Status codes of captured payments whose batch is open, and of all captured payments (service.md#letters). Responses
 * have no status code.
 */
const IN_OPEN_BATCH = ['', 'C'];
const CAPTURED = [...IN_OPEN_BATCH, 'S', 'P', 'N'];
const OPEN = ['', 'A'];

/**
 * Returns the status code. A record without a status code and without a time comes from a response. A record of the
 * report without a status code has an unknown state.
 */
const letterOf = ({ tran_status: letter, tran_time: time }: State) =>
  asText(letter).trim() || (time === undefined ? '' : 'unknown');

/** Returns the text if the payment is captured and its batch is still open. Otherwise, returns empty text. */
export const whileVoidable = (record: State, words: string): string =>
  IN_OPEN_BATCH.includes(letterOf(record)) ? words : '';

/**
 * Returns the earliest time at which the service can have created the record. Responses contain no time, so the
 * function subtracts the maximum delay from the current time.
 */
const madeAt = ({ tran_time: time }: State): DateTime | undefined =>
  time === undefined ? DateTime.now().minus(LATE).setZone(REPORT_ZONE) : instant(time, REPORT_ZONE);

/** Returns an object with a deadline. Returns an empty object if the deadline is unknown or has passed. */
const until = (name: string, at: DateTime | undefined): IDataObject =>
  at?.isValid && at > DateTime.now() ? { [name]: at.toISO() } : {};

/**
 * Returns the deadline for a void and the refundable amount of a captured payment. Omits unknown values.
 * @param amount captured amount. Missing if the amount is unknown.
 */
export function afterCapture(record: State, amount: unknown): IDataObject {
  const letter = letterOf(record);
  const [cents, refunded] = [centsOf(amount), letter === '' ? 0 : centsOf(record.amt_refunded)];
  const isKnown = CAPTURED.includes(letter) && cents !== undefined && refunded !== undefined;
  return {
    ...(IN_OPEN_BATCH.includes(letter) && until('voidable_until', batchCloses(madeAt(record)))),
    ...(isKnown && { amt_refundable: (cents - refunded) / 100 }),
  };
}

/** Returns the deadline for capturing an open authorization. */
export const afterAuthorization = (record: State): IDataObject =>
  OPEN.includes(letterOf(record)) ? until('capturable_until', madeAt(record)?.plus(CAPTURABLE)) : {};

/** Sets the refundable amount of a voided payment to zero. */
export const afterVoid = <Voided extends object>(record: Voided) => ({ ...record, amt_refundable: 0 });

/** Returns the latest time at which the batch of a payment closes. */
function batchCloses(at: DateTime | undefined): DateTime | undefined {
  const local = at?.setZone(REPORT_ZONE);
  const closing = local?.startOf('day').set({ hour: BATCH_CLOSES });
  return local && closing && closing <= local ? closing.plus({ days: 1 }) : closing;
}
