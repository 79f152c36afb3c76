import { toOffsetTimestamp } from '../core/clock';
import type { Payee } from '../state/records';

/** Personal checking (openapi.yaml#AchAccountType). */
export const DEFAULT_ACCOUNT_TYPE = 'C';

interface FullNumbers {
  tr_number: string;
  dda_number: string;
}

/**
 * A payee's account (openapi.yaml#PayeeAccount). The document shows both numbers without saying that they are masked,
 * so the answer to who has just sent them holds them in full. Nothing else does: they are not kept.
 */
export function payeeAccountView(account: NonNullable<Payee['account']>, full?: FullNumbers) {
  return {
    type_id: account.type_id,
    tr_number: full?.tr_number ?? 'xxxxxxxxx',
    dda_number: full?.dda_number ?? account.source.masked,
    accountholder_name: account.accountholder_name,
    verified_date: toOffsetTimestamp(account.verified),
  };
}

export function payeeView(payee: Payee) {
  const { payee_id, payee_name, account } = payee;
  return { payee_id, payee_name, payee_account: account && payeeAccountView(account) };
}
