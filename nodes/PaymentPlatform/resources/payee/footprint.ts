import { instant } from '../../fields/kinds/date';
import type { FootprintOf } from '../../model/operation';
import { asText, isList, objectIn } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { filterOn } from '../filter-on';
import { comparableText, isSameWhereSent } from '../../model/footprint';

const HAS_OFFSET = /(?:z|[+-]\d\d:?\d\d)$/i;
/** Number of visible digits at the end of a masked account number. */
const SEEN = 4;

function shows(shown: unknown, sent: unknown): boolean {
  const [seen, whole] = [comparableText(shown), comparableText(sent)];
  const digits = /\d*$/.exec(seen)?.[0] ?? '';
  return digits === seen ? seen === whole : digits.length >= SEEN && whole.endsWith(digits);
}

/** Accepts a completely masked routing number, because the account number is more specific. */
const isRouting = (shown: unknown, sent: unknown) => !/\d/.test(comparableText(shown)) || shows(shown, sent);

/** After a lost response, the payee's record shows whether the service changed the bank account. */
export const accountFootprint: FootprintOf<'updatePayeeAccount', 'getPayee'> = {
  list: { path: wire.getPayee.request.path, identity: 'payee_id' },
  filter: () => [],
  // The node can't look up a payee of a different merchant.
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
  agreement: 'same last digits of the account number, same account type and holder if the item has them',
};

const emailsIn = (value: unknown): string =>
  (isList(value) ? value : [value])
    .map((one) => comparableText(one).toLowerCase())
    .sort()
    .join();

const sentAccount = (body: { payee_account?: unknown }) =>
  isList(body.payee_account) ? objectIn(body.payee_account[0]) : {};

/** After a lost response, finds the new payee in the list of payees by name and account. */
export const payeeFootprint: FootprintOf<'addPayee', 'browsePayees'> = {
  list: { path: wire.browsePayees.request.path, identity: 'payee_id', newestBy: 'payee_id' },
  filter: ({ body }) => filterOn('payee_name', body.payee_name),
  // The node can list only the payees of the credential's merchant.
  isIdentifiable: ({ body }) => body.merchant_id === undefined && comparableText(body.payee_name) !== '',
  key: ({ body }) => comparableText(body.payee_name),
  lifetime: ({ body }) => (sentAccount(body).dda_number === undefined ? 'minutes' : 'always'),
  matches: (record, { body }) => {
    const [sent, account] = [sentAccount(body), objectIn(record.payee_account)];
    return (
      comparableText(record.payee_name) === comparableText(body.payee_name) &&
      (body.payee_email === undefined || emailsIn(record.payee_email) === emailsIn(body.payee_email)) &&
      (sent.dda_number === undefined
        ? comparableText(account.dda_number) === ''
        : shows(account.dda_number, sent.dda_number) && isRouting(account.tr_number, sent.tr_number))
    );
  },
  mayMatch: (record, { body }) => {
    const [{ dda_number: sent }, { dda_number: shown }] = [sentAccount(body), objectIn(record.payee_account)];
    return (
      comparableText(record.payee_name) === comparableText(body.payee_name) &&
      (sent === undefined || asText(shown) === '' || shows(shown, sent))
    );
  },
  where: 'the list of payees',
  agreement: 'same name, same email addresses and last digits of the account number if the item has them',
  resemblance: 'same name',
};
