import type { IDataObject } from 'n8n-workflow';

import { firstShort, inMoneyOf, customerWords } from '../../messages/what-happened';
import type { Given, RecordOf, ValuesOf } from '../../model/operation';
import type { PartialFailureCheck } from '../../model/types';
import { APPROVED_TOO, isLimitedApproval, PARTLY_APPROVED } from '../../model/failure';
import { gatewayFailure } from '../../messages/describe-answers';
import { asText, only, centsOf, comparableText } from '../../shared/objects';
import { lastDigits } from '../../shared/privacy';
import { GatewayTransactionRequest } from '../../wire/schemas';
import { CODE_WORDS } from '../../wire/words';
import { approvedAmount } from '../../model/read-amounts';
import type { Charge } from './charge-source';
import { afterCapture } from './still-possible';

export const APPROVALS = [PARTLY_APPROVED, ...APPROVED_TOO];

export interface ChargeVerb {
  done: string;
  /** Preposition before the account, such as "to". */
  to: string;
  /** Possible next action, at the end of the summary. */
  next?: string;
  /** Status code that allows the next action (service.md#letters). */
  open?: string;
}

type Shown = Given<RecordOf<'sale'>> & Partial<Given<RecordOf<'getTransactionRequests'>>>;

/** Status code of a payment on hold, which waits for the service's decision. */
const UNDER_REVIEW = 'H';

export const underReview = ({ tran_status: letter }: { tran_status?: unknown }): string =>
  asText(letter).trim() === UNDER_REVIEW ? ', which is under review' : '';

/**
 * Compares the approved amount with the requested amount if only a part was approved.
 * @param words phrase that names the currency if the record doesn't.
 */
export function approvedMoney(record: Pick<Shown, 'amt_tran' | 'rcode' | 'tran_currency'>, asked: unknown, words = '') {
  const amount = approvedAmount(record, asked);
  const whole = inMoneyOf(asked, record, words);
  if (amount === undefined) return `only a part of ${whole}`;
  const isPart = (centsOf(amount) ?? 0) < (centsOf(asked) ?? 0);
  return isPart ? `only ${inMoneyOf(amount, record)} of ${whole}` : inMoneyOf(amount, record, words);
}

export function chargeSummary(verb: ChargeVerb, record: Shown, values: Charge): string {
  const { body } = values;
  const currency = record.tran_currency ?? body.tran_currency ?? GatewayTransactionRequest.tran_currency.serverDefault;
  const money = approvedMoney({ ...record, tran_currency: currency }, body.amt_tran);
  const what = `${verb.done} ${money} ${verb.to} ${accountOf(record, values)}`;
  const letter = asText(record.tran_status).trim();
  const isOpen = letter === '' || letter === verb.open;
  const more = underReview(record) || (isOpen ? (verb.next ?? '') : '');
  const customer = what.endsWith(asText(body.customer_id)) ? '' : customerWords(body);
  return firstShort([`${what}${customer}${more}.`, `${what}${customer}.`, `${what}.`]);
}

function accountOf({ card_number: shown, card_type: type }: Shown, { body }: Charge): string {
  const digits = lastDigits(shown ?? body.card_number);
  if (body.dda_number !== undefined) return 'the bank account';
  const brand = CODE_WORDS.getTransactionRequests?.card_type?.[comparableText(type)];
  if (digits !== '') return `${brand ?? 'the card'} ending in ${digits}`;
  if (body.customer_id !== undefined) return `customer ${body.customer_id}`;
  return body.card_id === undefined ? 'the card' : 'the saved card';
}

export const mainChargeFields = (record: Given<RecordOf<'sale'>>) =>
  only(record, ['pg_id', 'rcode', 'amt_tran', 'auth_code', 'auth_avs_result', 'auth_cvv2_result', 'card_id']);

/** Adds the void deadline and the refundable amount. */
export const presentCharge = (record: Shown, { body }: Charge): IDataObject => ({
  ...record,
  ...afterCapture(record, approvedAmount(record, body.amt_tran)),
});

/** Finds a partial or conditional approval. The charge itself succeeded. */
export const partialApproval: PartialFailureCheck<ValuesOf<'sale'>, Given<RecordOf<'sale'>>> = {
  find: (record, { body: asked }) => {
    if (!isLimitedApproval(record.rcode)) return undefined;
    const failure = gatewayFailure({ ...record }, 200);
    const approved = centsOf(approvedAmount(record, asked.amt_tran));
    return {
      ...(approved !== undefined && { unmovedCents: Math.max(0, (centsOf(asked.amt_tran) ?? 0) - approved) }),
      text: failure.message,
      about: `pg_id ${asText(record.pg_id)}`,
      failure: { ...failure, applied: true },
    };
  },
  fails: () => false,
};
