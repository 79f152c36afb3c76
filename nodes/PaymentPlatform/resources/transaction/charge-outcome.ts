import type { IDataObject } from 'n8n-workflow';

import { firstShort, inMoney, customerWords } from '../../messages/what-happened';
import type { Given, RecordOf, ValuesOf } from '../../model/operation';
import type { PartialFailureCheck } from '../../model/types';
import { APPROVED_TOO, isLimitedApproval, PARTLY_APPROVED, paymentOutcomeOf } from '../../model/failure';
import { gatewayFailure } from '../../messages/describe-answers';
import { asText, only } from '../../shared/objects';
import { GatewayTransactionRequest } from '../../wire/schemas';
import { CODE_WORDS } from '../../wire/words';
import { centsOf } from '../../model/read-amounts';
import { comparableText } from '../../model/footprint';
import type { Charge } from './charge-source';
import { afterCapture } from './still-possible';

export const APPROVALS = [PARTLY_APPROVED, ...APPROVED_TOO];

/** Words that describe a charge in a summary. */
export interface ChargeVerb {
  done: string;
  /** Preposition between the amount and the account, such as "to". */
  to: string;
  /** Possible next action, for the end of the summary. */
  next?: string;
  /** Status code that allows the next action (service.md#letters). */
  open?: string;
}

type Shown = Given<RecordOf<'sale'>> & Partial<Given<RecordOf<'getTransactionRequests'>>>;

/** Status code of a payment on hold, which waits for the service's decision. */
const UNDER_REVIEW = 'H';

/** Returns a note if the payment is under review. */
export const underReview = ({ tran_status: letter }: { tran_status?: unknown }): string =>
  asText(letter).trim() === UNDER_REVIEW ? ', which is under review' : '';

/** Summarizes a charge, with the possible next action. */
export function chargeSummary(verb: ChargeVerb, record: Shown, values: Charge): string {
  const { body } = values;
  const currency = record.tran_currency ?? body.tran_currency ?? GatewayTransactionRequest.tran_currency.serverDefault;
  const amount = record.amt_tran ?? body.amt_tran;
  const isPart = (centsOf(amount) ?? 0) < (centsOf(body.amt_tran) ?? 0);
  const money = isPart
    ? `only ${inMoney(amount, currency)} of ${inMoney(body.amt_tran, currency)}`
    : inMoney(amount, currency);
  const what = `${verb.done} ${money} ${verb.to} ${accountOf(record, values)}`;
  const letter = asText(record.tran_status).trim();
  const isOpen = letter === '' || letter === verb.open;
  const more = underReview(record) || (isOpen ? (verb.next ?? '') : '');
  const customer = what.endsWith(asText(body.customer_id)) ? '' : customerWords(body);
  return firstShort([`${what}${customer}${more}.`, `${what}${customer}.`, `${what}.`]);
}

function accountOf({ card_number: shown, card_type: type }: Shown, { body }: Charge): string {
  const digits = /\d{4}$/.exec(comparableText(shown ?? body.card_number))?.[0];
  if (body.dda_number !== undefined) return 'the bank account';
  const brand = CODE_WORDS.getTransactionRequests?.card_type?.[comparableText(type)];
  if (digits !== undefined) return `${brand ?? 'the card'} ending in ${digits}`;
  if (body.customer_id !== undefined) return `customer ${body.customer_id}`;
  return body.card_id === undefined ? 'the card' : 'the saved card';
}

/** Returns the main fields of a charge. */
export const mainChargeFields = (record: Given<RecordOf<'sale'>>) =>
  only(record, ['pg_id', 'rcode', 'amt_tran', 'auth_code', 'auth_avs_result', 'auth_cvv2_result', 'card_id']);

/** Returns the charged amount, or `undefined` if the issuer approved only an unknown part. */
export const chargedAmount = (record: Pick<Shown, 'amt_tran' | 'rcode'>, sent: unknown): unknown =>
  record.amt_tran ?? (paymentOutcomeOf(record.rcode) === 'partlyApproved' ? undefined : sent);

/** Adds a charge's void deadline and refundable amount. */
export const presentCharge = (record: Shown, { body }: Charge): IDataObject => ({
  ...record,
  ...afterCapture(record, chargedAmount(record, body.amt_tran)),
});

/** Finds a partial or conditional approval. The charge itself succeeded. */
export const partialApproval: PartialFailureCheck<ValuesOf<'sale'>, Given<RecordOf<'sale'>>> = {
  find: (record) => {
    if (!isLimitedApproval(record.rcode)) return undefined;
    const failure = gatewayFailure({ ...record }, 200);
    return {
      text: failure.message,
      about: `pg_id ${asText(record.pg_id)}`,
      failure: { ...failure, applied: true },
    };
  },
  fails: () => false,
};
