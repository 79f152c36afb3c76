import type { IDataObject } from 'n8n-workflow';

import { editorProperties } from '../../nodes/PaymentPlatform/fields/editor';
import { readField } from '../../nodes/PaymentPlatform/fields/read-field';
import type { Field, Problem } from '../../nodes/PaymentPlatform/fields/types';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { testEvery } from '../every-case';

/** Short text that is neither an ID nor a number nor a date. */
const WORDS = 'a !';

interface Found {
  path: string;
  field: Field;
}

const written: Found[] = resources.flatMap(({ value, operations }) =>
  operations
    .filter(({ request }) => request.effect !== 'reads')
    .flatMap((operation) =>
      [...operation.fields, ...(operation.additional ?? [])]
        .filter(({ place }) => place !== 'node')
        .flatMap((field) => withInner(field, `${value}.${operation.value}: `)),
    ),
);

function withInner(field: Field, prefix: string): Found[] {
  const path = `${prefix}${field.name}`;
  return [{ path, field }, ...(field.fields ?? []).flatMap((inner) => withInner(inner, `${path}.`))];
}

function isFreeText(field: Field): boolean {
  const problems: Problem[] = [];
  const value = readField(field, { [field.name]: WORDS } as IDataObject, problems, { timezone: 'utc' });
  return problems.length === 0 && value === WORDS;
}

function needsDecision(field: Field): boolean {
  const own = editorProperties(field).find(({ name }) => name === field.name);
  if (own?.type === 'dateTime') return true;
  if (own?.type === 'collection' || own?.type === 'fixedCollection') return field.fields === undefined;
  return isFreeText(field);
}

const named = (names: string[]) => written.filter(({ field }) => names.includes(field.name));
const isOf = (name: string, { path }: Found) => path.includes(`: ${name}`) || path.includes(`.${name}`);

testEvery(written.filter(({ field }) => needsDecision(field)))(
  'each field either is free text that a model may rephrase or identifies the payment',
  ({ field }) => {
    expect(field.notIdentifying).toEqual(expect.any(Boolean));
  },
);

const WORDING = [
  ...['comments', 'description', 'developer_id', 'echo_fields', 'failure_url', 'footer_note'],
  ...['invoice_number', 'label', 'merch_ref_num', 'payment_terms', 'payment_terms_note', 'plan_desc', 'preferences'],
  ...['purchase_id', 'report_data', 'session_id', 'success_url', 'user_id'],
  ...['date_invoice', 'date_payment', 'date_start'],
];

testEvery(named(WORDING))('free text does not identify a payment', ({ field }) => {
  expect(field.notIdentifying).toBe(true);
  for (const { notIdentifying } of field.fields ?? []) expect(notIdentifying).toBe(true);
});

const WORDS_AS_A_WHOLE = ['from_contact', 'shipping_addresses', 'preferences'];
const standingInWords = (found: Found) => WORDS_AS_A_WHOLE.some((name) => isOf(`${name}.`, found));

test('all fields inside an object of free text are free text', () => {
  const inner = written.filter(standingInWords);
  expect(inner.length).toBeGreaterThan(30);
  for (const { field } of inner) expect(field.notIdentifying).toBe(true);
});

const IDENTIFYING = [
  ...['pgIdOrig', 'invoice_id', 'payee_id', 'customer_id', 'plan_code', 'merchant_id', 'profile_id'],
  ...['amt_tran', 'amt_setup', 'amt_paid', 'quantity', 'unit_cost', 'pct_fee', 'tran_currency'],
  ...['card_number', 'exp_date', 'cvv2', 'tr_number', 'dda_number', 'type_id', 'card_swipe', 'cardholder_name'],
  ...['customer_first_name', 'customer_last_name', 'customer_firm_name', 'customer_email', 'customer_phone'],
  ...['plan_frequency', 'plan_duration', 'interval', 'line_items', 'email_address', 'phone_number'],
  ...['accountholder_name', 'payload_walletA_pay', 'payload_walletB_pay'],
];

testEvery(named(IDENTIFYING).filter((found) => !standingInWords(found)))(
  'identifying fields distinguish one payment from another',
  ({ field }) => {
    expect(field.notIdentifying ?? false).toBe(false);
  },
);

test('every listed free-text or identifying name is a field of a write operation', () => {
  const names = new Set(written.map(({ field }) => field.name));
  expect([...WORDING, ...IDENTIFYING].filter((name) => !names.has(name))).toEqual([]);
});
