import { toOffsetTimestamp } from '../core/clock';
import { without } from '../core/without';
import type { Payee } from '../state/records';

interface FullNumbers {
  tr_number: string;
  dda_number: string;
}

/**
 * Builds a payee's account (openapi.yaml#PayeeAccount).
 * @param full submitted numbers to show instead of masked numbers.
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

/** Builds a payee with a masked account (openapi.yaml#Payee). */
export function payeeView({ account, ...payee }: Payee) {
  return { ...without(payee, 'merchant_id'), payee_account: account && payeeAccountView(account) };
}
