import type { IDataObject } from 'n8n-workflow';

import { typeRecord } from '../../../nodes/PaymentPlatform/output/format-record';

test.each<[string, IDataObject, IDataObject]>([
  ['money given as text is a number', { amt_tran: '12.50', amt_net: '-0.00' }, { amt_tran: 12.5, amt_net: 0 }],
  ['money given as a number stays one', { amt_tran: 12.5 }, { amt_tran: 12.5 }],
  [
    'a count and a number of cycles given as text are numbers',
    { cnt_purch: '3', plan_duration: '-1' },
    { cnt_purch: 3, plan_duration: -1 },
  ],
  [
    'an ID given as a number is text',
    { subscription_id: 7001, merchant_id: 990000000001 },
    { subscription_id: '7001', merchant_id: '990000000001' },
  ],
  [
    'an ID given as text stays as it is, zeros in front too',
    { request_id: '007', rec_id: '426351789012345678' },
    { request_id: '007', rec_id: '426351789012345678' },
  ],
  [
    'other text that came as a number is text',
    { billing_zip: 94107, customer_phone: 12025550143 },
    { billing_zip: '94107', customer_phone: '12025550143' },
  ],
  [
    'a flag given as text or a number is true or false',
    { dispute_flag: 'false', is_test: 'TRUE', primary: 1, recurring: 'N' },
    { dispute_flag: false, is_test: true, primary: true, recurring: false },
  ],
  ['a day stays a day', { date_due: '2026-03-31' }, { date_due: '2026-03-31' }],
  [
    'a day given as the timestamp of its midnight is a day',
    { date_due: '2026-03-31T00:00:00.000Z', date_next: '2026-03-31T00:00:00.000-0700' },
    { date_due: '2026-03-31', date_next: '2026-03-31' },
  ],
  ['an instant in UTC is ISO', { tran_time: '2026-05-04T10:00:00.000Z' }, { tran_time: '2026-05-04T10:00:00.000Z' }],
  [
    'an offset is written as ISO has it',
    { expiry_time: '2026-05-04T10:00:00.000-0700' },
    { expiry_time: '2026-05-04T10:00:00.000-07:00' },
  ],
  [
    'an offset counts more than the zone of the service',
    { tran_time: '2026-03-08 02:30:00-0500' },
    { tran_time: '2026-03-08T02:30:00.000-05:00' },
  ],
  [
    'a time of the report without an offset is Pacific time, in summer and in winter',
    { a: [{ tran_time: '2026-07-04 10:00:00' }, { tran_time: '2026-12-04T10:00:00' }] },
    { a: [{ tran_time: '2026-07-04T10:00:00.000-07:00' }, { tran_time: '2026-12-04T10:00:00.000-08:00' }] },
  ],
  [
    'a time without any sign between its parts is Pacific time too',
    { verified_date: '20261204101500' },
    { verified_date: '2026-12-04T10:15:00.000-08:00' },
  ],
  [
    'no digit of a fraction is lost',
    { verified_date: '2026-12-04T10:15:00.123456789+02:00' },
    { verified_date: '2026-12-04T10:15:00.123456789+02:00' },
  ],
  [
    'a name that means something else within an object has that type there',
    {
      recurring: 'true',
      amt_tran_fee: { recurring: '0.50' },
      sales_tax: { value: '7.5' },
      payment_terms: { value: 30 },
    },
    { recurring: true, amt_tran_fee: { recurring: 0.5 }, sales_tax: { value: 7.5 }, payment_terms: { value: '30' } },
  ],
  [
    'all depths and lists are looked at',
    { customer: { billing_cards: [{ primary: 'true', card_id: 12 }] }, events: [1] },
    { customer: { billing_cards: [{ primary: true, card_id: '12' }] }, events: ['1'] },
  ],
])('casts values: %s', (_, came, typed) => {
  expect(typeRecord(came)).toEqual(typed);
  expect(typeRecord(typeRecord(came))).toEqual(typed);
});

test.each<[string, IDataObject]>([
  ['words for an amount', { amt_tran: 'n/a', amt_net: '', amt_paid: 'x1234', amt_tax: '$5.00' }],
  ['an amount that can be read in two ways', { amt_tran: '1,234', amt_net: '12,50' }],
  ['digits that a number would lose', { amt_tran: '12345678901234567.89', cnt_purch: '9007199254740993' }],
  ['an amount with an exponent', { amt_tran: '1e3' }],
  ['nothing', { amt_tran: null, invoice_id: null, is_test: null, tran_time: null, date_due: undefined }],
  ['a word for a flag', { is_test: 'maybe', primary: 2 }],
  ['a day with a time of day, which may be another day elsewhere', { date_due: '2026-03-31T07:30:00.000Z' }],
  ['a day that does not exist', { date_due: '2026-02-30' }],
  ['a day in another order', { date_due: '03/31/2026' }],
  ['a time whose zone nobody knows', { db_timestamp: '2026-05-04 10:00:00' }],
  ['a day where a moment belongs', { tran_time: '2026-05-04' }],
  ['an hour that is left out in spring', { tran_time: '2026-03-08 02:30:00' }],
  ['a truth where an ID belongs', { invoice_id: true }],
  ['a number that JSON has rounded', { rec_id: 1e21 }],
  ['a field that nobody described', { made_up: '12.50', constructor: '1', toString: '2' }],
])('keeps unsuitable values unchanged: %s', (_, came) => expect(typeRecord(came)).toEqual(came));
