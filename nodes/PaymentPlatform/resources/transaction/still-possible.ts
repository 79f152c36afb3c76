import type { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { instant, now, REPORT_ZONE } from '../../fields/kinds/date';
import type { AddedFields } from '../../model/types';
import { asText, only, centsOf } from '../../shared/objects';

/** Default hour at which a batch closes, in the service's time zone (service.md#refunds). */
const BATCH_CLOSES = 21;
/** The service voids an open authorization after this time (service.md#authorizations). */
const CAPTURABLE = { days: 28 };
/** Maximum delay of the service's response. */
const LATE = { minutes: 10 };

const VOIDABLE_UNTIL = {
  type: 'string',
  description:
    'Latest time at which you can void the payment, if the batch closes at the default time, 9 PM Pacific time. You can close it earlier.',
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

type State = Partial<Record<'pg_id' | 'tran_status' | 'tran_time' | 'amt_refunded', unknown>>;

/** Status codes of captured payments whose batch is open, and of all captured payments (service.md#letters). */
const IN_OPEN_BATCH = ['', 'C'];
const CAPTURED = [...IN_OPEN_BATCH, 'S', 'P', 'N'];
const OPEN = ['', 'A'];

/** Only responses to a request lack both the status code and the time. */
const letterOf = ({ tran_status: letter, tran_time: time }: State) =>
  asText(letter).trim() || (time === undefined ? '' : 'unknown');

/** Returns the text while the payment's batch is open, and `''` afterwards. */
export const whileVoidable = (record: State, words: string): string =>
  IN_OPEN_BATCH.includes(letterOf(record)) ? words : '';

/** Responses contain no time, so the function returns the earliest possible time. */
const madeAt = ({ tran_time: time }: State): DateTime | undefined =>
  time === undefined ? now(REPORT_ZONE).minus(LATE) : instant(time, REPORT_ZONE);

const until = (name: string, at: DateTime | undefined): IDataObject =>
  at?.isValid && at > now() ? { [name]: at.toISO() } : {};

/** Adds the deadline for a void and the refundable amount. */
export function afterCapture(record: State, amount: unknown): IDataObject {
  const letter = letterOf(record);
  const [cents, refunded] = [centsOf(amount), letter === '' ? 0 : centsOf(record.amt_refunded)];
  const isKnown = CAPTURED.includes(letter) && cents !== undefined && refunded !== undefined;
  return {
    ...(IN_OPEN_BATCH.includes(letter) && until('voidable_until', batchCloses(madeAt(record)))),
    ...(isKnown && { amt_refundable: (cents - refunded) / 100 }),
  };
}

export const afterAuthorization = (record: State): IDataObject =>
  OPEN.includes(letterOf(record)) ? until('capturable_until', madeAt(record)?.plus(CAPTURABLE)) : {};

/** A voided payment has nothing left to refund. */
export const afterVoid = <Voided extends object>(record: Voided) => ({ ...record, amt_refundable: 0 });

function batchCloses(at: DateTime | undefined): DateTime | undefined {
  const local = at?.setZone(REPORT_ZONE);
  const closing = local?.startOf('day').set({ hour: BATCH_CLOSES });
  return local && closing && closing <= local ? closing.plus({ days: 1 }) : closing;
}
