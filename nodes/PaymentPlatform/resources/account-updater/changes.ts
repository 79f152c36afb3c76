import type { Given, KnownFields, RecordOf } from '../../model/operation';
import { asText } from '../../shared/objects';
import { lastDigits } from '../../shared/privacy';

type Detail = Given<RecordOf<'getAusDetail'>>;
type Changed = Pick<Detail, 'reason_code' | 'card_number_new' | 'exp_date_new'>;

/** Card issuers' responses, most important first (openapi.yaml#UpdaterReasonCode). */
const RESPONSES = [
  { name: 'New Expiration Date', value: '201' },
  { name: 'New Card Number', value: '202' },
  { name: 'Account Closed', value: '203' },
  { name: 'Contact the Cardholder', value: '204' },
  { name: 'No Change', value: '200' },
  { name: 'No Matching Account', value: '206' },
  { name: 'No Response Yet', value: '000' },
  { name: 'Invalid Expiration Date', value: '315' },
  { name: 'Invalid Card Number', value: '320' },
  { name: 'Unsupported Card Type', value: '329' },
];

const NEW_NUMBER = '202';

/** Includes the new expiration date and the last digits of a new card number. */
export function whatChanged({ reason_code, card_number_new, exp_date_new }: Changed): string {
  const code = asText(reason_code);
  const label = RESPONSES.find(({ value }) => value === code)?.name ?? `Reason ${code || 'unknown'}`;
  const words = `${label.slice(0, 1)}${label.slice(1).toLowerCase()}`;
  const [, month, year] = /^(\d\d)(\d\d)$/.exec(asText(exp_date_new)) ?? [];
  const date = month === undefined ? '' : `${month}/${year}`;
  const digits = lastDigits(card_number_new);
  if (digits === '') return date === '' ? words : `${words} ${date}`;
  return `${code === NEW_NUMBER ? words : `${words}, new number`} ending in ${digits}${date && `, expires ${date}`}`;
}

/** @param all number of cards in the request, which several items may share. */
export function submitted(own: number, what: string, all: number): string {
  const shared = all > own ? `, in a request of ${all} cards` : '';
  return `Submitted ${own} ${what}${own === 1 ? '' : 's'} to the account updater${shared}.`;
}

export const withChange = <Record extends Changed>(record: Record) => ({
  ...record,
  what_changed: whatChanged(record),
});

export const mainDetailFields = (record: Detail) => ({
  // First, because the editor's table cuts later columns.
  what_changed: whatChanged(record),
  request_id: record.request_id,
  request_date: record.request_date,
  card_id: record.card_id,
  reason_code: record.reason_code,
  card_number: record.card_number,
  exp_date: record.exp_date,
  card_number_new: record.card_number_new,
  exp_date_new: record.exp_date_new,
});

export const detailFields: KnownFields<'getAusDetail'> = [
  { name: 'Card ID', value: 'card_id' },
  { name: 'Request Date', value: 'request_date' },
  { name: 'Request ID', value: 'request_id' },
  { name: 'Response', value: 'reason_code', values: RESPONSES },
  { name: 'Response Date', value: 'response_date' },
];
