import { toOffsetTimestamp } from '../core/clock';
import type { Payee } from '../state/records';

/** Personal checking (facts.md section 5). */
export const DEFAULT_ACCOUNT_TYPE = 'C';

/** A payee's account (interface.md section 2.11), with its numbers masked: the sandbox shows no account number. */
export function payeeAccountView(account: NonNullable<Payee['account']>) {
  return {
    type_id: account.type_id,
    tr_number: 'xxxxxxxxx',
    dda_number: account.source.masked,
    accountholder_name: account.accountholder_name,
    verified_date: toOffsetTimestamp(account.verified),
  };
}

export function payeeView(payee: Payee) {
  const { payee_id, payee_name, account } = payee;
  return { payee_id, payee_name, payee_account: account && payeeAccountView(account) };
}
