import { instant } from '../../fields/kinds/date';
import type { FootprintOf } from '../../model/operation';
import { objectIn } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { isSameWhereSent, comparableText } from '../merge-with-current';

/** A moment with its offset, as the interface shows this one. */
const HAS_OFFSET = /(?:z|[+-]\d\d:?\d\d)$/i;
/** Digits at the end that masked account numbers leave. */
const SEEN = 4;

/** Whether a number that may be masked is the one that was sent, as far as it is shown. */
function shows(shown: unknown, sent: unknown): boolean {
  const [seen, whole] = [comparableText(shown), comparableText(sent)];
  const digits = /\d*$/.exec(seen)?.[0] ?? '';
  return digits === seen ? seen === whole : digits.length >= SEEN && whole.endsWith(digits);
}

/** A routing number may be hidden altogether: it says less than the account number. */
const isRouting = (shown: unknown, sent: unknown) => !/\d/.test(comparableText(shown)) || shows(shown, sent);

/**
 * The payee's one bank account. The last digits of its number and the moment at which it was verified, which is when it
 * was set, have to agree.
 */
export const accountFootprint: FootprintOf<'updatePayeeAccount', 'getPayee'> = {
  list: { path: wire.getPayee.request.path, identity: 'payee_id' },
  filter: () => [],
  // A payee of another merchant is not found without naming that one.
  isIdentifiable: ({ path, body }) => comparableText(path.payee_id) !== '' && body.merchant_id === undefined,
  key: ({ path, body }) => `${comparableText(path.payee_id)} ${comparableText(body.dda_number).slice(-SEEN)}`,
  lifetime: () => 'day',
  matches: (record, { path, body }) => {
    const account = objectIn(record.payee_account);
    return (
      comparableText(record.payee_id) === comparableText(path.payee_id) &&
      shows(account.dda_number, body.dda_number) &&
      isRouting(account.tr_number, body.tr_number) &&
      isSameWhereSent(account.type_id, body.type_id) &&
      isSameWhereSent(account.accountholder_name, body.accountholder_name)
    );
  },
  time: (record) => {
    const { verified_date: verified } = objectIn(record.payee_account);
    return HAS_OFFSET.test(comparableText(verified)) ? instant(verified, 'utc') : undefined;
  },
  answer: (record) => objectIn(record.payee_account),
  where: "the payee's own record",
  agreement: 'same last digits of the account number, same kind of account and holder where they were given',
};
