import { instant } from '../../fields/kinds/date';
import type { FootprintOf, Given, RecordOf } from '../../model/operation';
import { isList, objectIn, comparableText } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { filterOn } from '../filter-on';
import { likeNumber, likeText, likeWhereSent, mayEqual, type Likeness } from '../../model/likeness';

const HAS_OFFSET = /(?:z|[+-]\d\d:?\d\d)$/i;
type Payee = Given<RecordOf<'browsePayees'>>;

/** Number of visible digits at the end of a masked account number. */
const SEEN = 4;

/** Accepts a completely masked routing number, because the account number is more specific. */
const likeRouting = (shown: unknown, sent: unknown): Likeness =>
  /\d/.test(comparableText(shown)) ? likeNumber(shown, sent) : 'equal';

/** The payee's record shows whether the service changed the bank account. */
export const accountFootprint: FootprintOf<'updatePayeeAccount', 'getPayee'> = {
  list: { path: wire.getPayee.request.path, identity: 'payee_id' },
  filter: () => [],
  isIdentifiable: ({ path }) => comparableText(path.payee_id) !== '',
  key: ({ path, body }) => `${comparableText(path.payee_id)} ${comparableText(body.dda_number).slice(-SEEN)}`,
  lifetime: () => 'day',
  compare: (record, { path, body }) => {
    const account = objectIn(record.payee_account);
    return [
      likeText(record.payee_id, path.payee_id),
      likeNumber(account.dda_number, body.dda_number),
      likeRouting(account.tr_number, body.tr_number),
      likeWhereSent(account.type_id, body.type_id),
      likeWhereSent(account.accountholder_name, body.accountholder_name),
    ];
  },
  time: (record) => {
    const { verified_date: verified } = objectIn(record.payee_account);
    return HAS_OFFSET.test(comparableText(verified)) ? instant(verified, 'utc') : undefined;
  },
  answer: (record) => objectIn(record.payee_account),
  where: "the payee's own record",
  agreement: 'same last digits of the account number, same account type and holder if the item has them',
};

const emailsIn = (value: unknown): string =>
  (isList(value) ? value : [value])
    .map((one) => comparableText(one).toLowerCase())
    .sort()
    .join();

const sentAccount = (body: { payee_account?: unknown }) =>
  isList(body.payee_account) ? objectIn(body.payee_account[0]) : {};

/** A user may have added the account of a payee later. */
function likeAccount(record: Payee, body: { payee_account?: unknown }): Likeness[] {
  const [sent, shown] = [sentAccount(body), objectIn(record.payee_account)];
  if (sent.dda_number === undefined) return [comparableText(shown.dda_number) === '' ? 'equal' : 'notShown'];
  return [likeNumber(shown.dda_number, sent.dda_number), likeRouting(shown.tr_number, sent.tr_number)];
}

/** Finds the new payee by name and account. */
export const payeeFootprint: FootprintOf<'addPayee', 'browsePayees'> = {
  list: { path: wire.browsePayees.request.path, identity: 'payee_id', newestBy: 'payee_id' },
  filter: ({ body }) => filterOn('payee_name', body.payee_name),
  isIdentifiable: ({ body }) => comparableText(body.payee_name) !== '',
  key: ({ body }) => comparableText(body.payee_name),
  lifetime: ({ body }) => (sentAccount(body).dda_number === undefined ? 'minutes' : 'always'),
  compare: (record, { body }) => [
    likeText(record.payee_name, body.payee_name),
    body.payee_email === undefined ? 'equal' : likeText(emailsIn(record.payee_email), emailsIn(body.payee_email)),
    ...likeAccount(record, body),
  ],
  occupies: (record, { body }) =>
    mayEqual(record.payee_name, body.payee_name) && !likeAccount(record, body).includes('different'),
  where: 'the list of payees',
  agreement: 'same name, same email addresses and last digits of the account number if the item has them',
  resemblance: 'same name',
};
