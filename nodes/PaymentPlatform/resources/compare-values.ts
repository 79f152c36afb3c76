import { readableNumber } from '../model/read-amounts';
import { toCents } from '../shared/cents';
import { asText } from '../shared/objects';

/** How what was sent is compared with what a record shows of it. */

export const comparableText = (value: unknown): string => asText(value).trim();

/** An amount in cents, without its sign; `undefined` when it can't be read. */
export function centsOf(value: unknown): number | undefined {
  const amount = readableNumber(value);
  return amount === undefined ? undefined : Math.abs(toCents(amount));
}

/** Whether both are the same amount; one that can't be read is none. */
export const isSameAmount = (shown: unknown, sent: unknown): boolean =>
  centsOf(sent) !== undefined && centsOf(shown) === centsOf(sent);

/** The day with which a date or timestamp begins (service.md#values). */
export const dayOf = (value: unknown): string => comparableText(value).slice(0, 10);

/** Whether the record shows the text that was sent. What was not sent agrees with anything: the service fills it in. */
export const isSameWhereSent = (shown: unknown, sent: unknown): boolean =>
  sent === undefined || comparableText(shown) === comparableText(sent);
