import { maskAnswer, maskRecord, secretOptionOf, shownRecord } from '../../../nodes/PaymentPlatform/messages/scrubber';
import { isCardNumber } from '../../../nodes/PaymentPlatform/shared/privacy';

const card = '4111111111111111';
/** Transaction ID that looks like a card number: 18 digits with a valid check digit. */
const cardLike = '501800000000000108';

const NUMBERS = [
  ...['card_number', 'primary_card_number', 'card_number_new', 'card_number_original'],
  ...['dda_number', 'tr_number', 'account_number', 'routing_number'],
];

test.each(NUMBERS)('shows the last four digits of %s as text or a number at any depth', (name) => {
  const account = '90817263541';
  expect(maskRecord({ [name]: account })).toEqual({ [name]: 'x3541' });
  expect(maskRecord({ [name]: Number(account) })).toEqual({ [name]: 'x3541' });
  expect(maskAnswer([{ a: { b: [{ [name]: account }] } }])).toEqual([{ a: { b: [{ [name]: 'x3541' }] } }]);
  expect(maskRecord({ [name]: [account, { value: account }] })).toEqual({ [name]: ['x3541', { value: 'x3541' }] });
});

test.each(NUMBERS)('hides %s if the last four digits would be most of it', (name) => {
  expect(maskRecord({ [name]: '1234567' })).toEqual({ [name]: 'x' });
  expect(maskRecord({ [name]: 'CH93-A' })).toEqual({ [name]: 'x' });
  expect(maskRecord({ [name]: '12345678' })).toEqual({ [name]: 'x5678' });
});

test.each(NUMBERS)('keeps %s if it is masked, empty or missing', (name) => {
  for (const value of ['xxxx2345', 'XXXX2345', '****2345', 'xxxxxxxxx', 'x1111', ''])
    expect(maskRecord({ [name]: value })).toEqual({ [name]: value });
  for (const value of [null, undefined, true]) expect(maskRecord({ [name]: value })).toEqual({ [name]: value });
});

test('keeps the first six digits of masked card numbers but not of account numbers', () => {
  for (const value of ['411111xxxxxx1111', '411111XXXXXX1111', '411111******1111', '411111xx1111']) {
    expect(maskRecord({ card_number: value })).toEqual({ card_number: value });
    expect(maskRecord({ dda_number: value })).toEqual({ dda_number: 'x1111' });
  }
  expect(maskRecord({ card_number: '411111x1111' })).toEqual({ card_number: 'x1111' });
});

test.each(NUMBERS)('masks %s if it only resembles a masked number', (name) => {
  for (const value of [
    '4111111x11111111',
    '4111 1111 1111 1111',
    '4111111xx11111',
    `x${card}`,
    '4111x'.repeat(4) + '1111',
  ])
    expect(JSON.stringify(maskRecord({ [name]: value }))).not.toMatch(/4111/);
});

test.each(['cvv2', 'cvv', 'card_swipe'])('hides %s completely', (name) => {
  expect(maskRecord({ [name]: '123' })).toEqual({ [name]: 'x' });
  expect(maskRecord({ [name]: `%B${card}^A/B^3012` })).toEqual({ [name]: 'x' });
  expect(maskRecord({ [name]: 4242 })).toEqual({ [name]: 'x' });
});

test('masks card numbers in all other values and in names', () => {
  expect(maskRecord({ comments: `number ${card}, 12/30`, note: Number(card), list: [card], [card]: 1 })).toEqual({
    comments: 'number x1111, 12/30',
    note: 'x1111',
    list: ['x1111'],
    x1111: 1,
  });
});

test.each(['purchase_id', 'reference_id', 'card_id', 'invoice_number', 'merch_ref_num', 'label'])(
  'masks a card number that the user entered as %s',
  (name) => {
    expect(maskRecord({ [name]: card })).toEqual({ [name]: 'x1111' });
  },
);

test.each([
  ...['pg_id', 'pg_id_linked', 'merchant_id', 'rec_id', 'rec_id_linked', 'qp_id', 'customer_id', 'profile_id'],
  ...['subscription_id', 'invoice_id', 'auth_tran_id', 'pgId', 'id', 'reference_number', 'acq_reference_number'],
  ...['cb_ref_num', 'cb_ref_num_assoc', 'customer_phone', 'phone', 'phone_number', 'invoice_link', 'checkout_link'],
])('keeps all digits of %s', (name) => {
  expect(isCardNumber(cardLike)).toBe(true);
  expect(maskRecord({ [name]: cardLike })).toEqual({ [name]: cardLike });
  expect(maskRecord({ [name]: Number(card) })).toEqual({ [name]: Number(card) });
});

test('masks an ID formatted like a card number with separators', () => {
  expect(maskRecord({ pg_id: '4111 1111 1111 1111' })).toEqual({ pg_id: 'x1111' });
});

test('keeps amounts, dates, flags and empty values with their types', () => {
  const record = {
    amt_tran: 1234567.89,
    amt_balance: 0,
    tran_time: '2026-03-31 12:00:00',
    verified_date: '20260331120000',
    date_start: '2026-03-31T00:00:00.000Z',
    db_timestamp: '2026-03-31T12:00:00.000-0700',
    exp_date: '1230',
    auth_code: 'T53680',
    rcode: '000',
    dispute_flag: false,
    nothing: null,
    empty: {},
    none: [],
  };
  expect(maskRecord(record)).toEqual(record);
});

describe('masking JSON in text', () => {
  test('masks fields by their names', () => {
    const option = JSON.stringify({ tr_number: '021000021', amt: 5 });
    expect(maskRecord({ value: option })).toEqual({ value: '{"tr_number":"x0021","amt":5}' });
  });

  test('masks pairs of names and values', () => {
    const pairs = [
      { name: 'dda_number', value: '90817263541' },
      { name: 'note', value: 'abc' },
    ];
    expect(maskRecord({ echo_fields: JSON.stringify(pairs) })).toEqual({
      echo_fields: '[{"name":"dda_number","value":"x3541"},{"name":"note","value":"abc"}]',
    });
    expect(maskAnswer(pairs)).toEqual([{ name: 'dda_number', value: 'x3541' }, pairs[1]]);
  });

  test('hides text whose JSON is nested too deeply', () =>
    expect(maskRecord({ note: '['.repeat(5000) + ']'.repeat(5000) })).toEqual({ note: '***' }));

  test("keeps text without numbers and text that isn't JSON", () => {
    for (const text of ['[ { "name": "a", "value": "b" } ]', '{not json}', '[1, 2]', ''])
      expect(maskRecord({ echo_fields: text })).toEqual({ echo_fields: text });
    expect(maskRecord({ echo_fields: `{broken ${card}` })).toEqual({ echo_fields: '{broken x1111' });
  });
});

test("doesn't change the given record", () => {
  const record = { a: { dda_number: '90817263541' } };
  maskRecord(record);
  expect(record).toEqual({ a: { dda_number: '90817263541' } });
});

test('shows full numbers only for items that request them', () => {
  const record = { dda_number: '90817263541' };
  const asked = (showAccountNumbers?: boolean | string) =>
    shownRecord(record, { path: {}, query: {}, body: {}, node: { showAccountNumbers } });
  expect(asked(true)).toEqual(record);
  for (const other of [false, undefined, 'true', '']) expect(asked(other)).toEqual({ dda_number: 'x3541' });
});

test.each([
  ...['pg_id_note', 'ids_of', 'pgIdNote', 'my_reference_number', 'reference_number_note', 'acq_reference_numbers'],
  ...['card_ids', 'developer_id', 'loc_id', 'invoice_link_note', 'links'],
  ...['ids', 'my_id', 'memberId', 'order_id', 'home_phone', 'phones', 'pay_link'],
])("masks a card number in %s, which the interface doesn't mark as an ID or phone number", (name) => {
  expect(maskRecord({ [name]: card })).toEqual({ [name]: 'x1111' });
});

test.each(['4111111111111111xx1111', '411111xx111111111111', 'xx4111111111111111'])(
  'masks a partly masked card number such as %s',
  (value) => {
    expect(maskRecord({ card_number: value })).toEqual({ card_number: 'x1111' });
  },
);

test('masks a pair with another name like any other value', () => {
  expect(maskRecord({ name: 'phone', value: card })).toEqual({ name: 'phone', value: 'x1111' });
  expect(maskRecord({ name: 5, value: card })).toEqual({ name: 5, value: 'x1111' });
});

test('masks JSON in text with leading spaces', () => {
  expect(maskRecord({ echo_fields: ' \n{"tr_number":"021000021"}' })).toEqual({ echo_fields: '{"tr_number":"x0021"}' });
});

test.each([
  ['showAccountNumbers', 'Show'],
  ['returnSecurityKey', 'Show'],
  ['other', undefined],
])('finds the option of an operation that shows secrets: %s', (name, label) => {
  const [field, more] = [
    { name: 'amt_tran', label: 'Amount' },
    { name, label: 'Show' },
  ];
  expect(secretOptionOf({ fields: [field], additional: [more] } as never)?.label).toBe(label);
});

test('shows the security key of a record only if the user requests it, and never another secret', () => {
  const record = { webhook_id: 7, security_key: 'whsec_1', secret: 'whsec_2', auth_settings: { user_password: 'p' } };
  const shown = (node: object) => shownRecord(record, { path: {}, query: {}, body: {}, node: { ...node } });
  expect(shown({})).toEqual({ webhook_id: 7, auth_settings: {} });
  expect(shown({ returnSecurityKey: false })).toEqual({ webhook_id: 7, auth_settings: {} });
  expect(shown({ returnSecurityKey: true })).toEqual({ webhook_id: 7, security_key: 'whsec_1', auth_settings: {} });
});

test('masks a record that contains millions of digits', () => {
  const digits = '4'.repeat(4_000_000);
  expect(maskRecord({ card_number: digits, [digits]: 1 })).toEqual({ card_number: 'x4444', [digits]: 1 });
  expect(maskRecord({ text: digits }).text === digits).toBe(true);
});
