import { identifyWrite } from '../../../nodes/PaymentPlatform/model/identity';
import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';

const field = (name: string, more: object = {}) => ({ name, place: 'body', ...more });
const operation = {
  value: 'create',
  request: { effect: 'writesOnce' },
  fields: [
    field('customer_id'),
    field('invoice_number', { notIdentifying: true }),
    field('line_items', {
      fields: [field('unit_cost'), field('quantity'), field('description', { notIdentifying: true })],
    }),
    field('billing_contact', { fields: [field('first_name'), field('note')] }),
  ],
  additional: [field('footer', { notIdentifying: true }), field('page', { place: 'query' })],
};
const identity = (body: object, changes: object = {}) =>
  JSON.stringify(
    identifyWrite({
      operation,
      method: 'POST',
      path: '/platform/invoice',
      values: { path: {}, query: {}, body, node: {} },
      ...changes,
    } as unknown as PlannedRequest),
  );
const line = { unit_cost: 5, quantity: 2, description: 'Hours' };
const invoice = { customer_id: 'C1', invoice_number: 'A1', line_items: [line], footer: 'Thanks' };

test.each([
  ['a text marked as wording', { ...invoice, invoice_number: 'A2', footer: 'Thank you' }],
  ['wording left out', { customer_id: 'C1', line_items: [line] }],
  ['wording inside a list', { ...invoice, line_items: [{ ...line, description: 'Work' }] }],
  ['the order of the fields', { line_items: [line], customer_id: 'C1' }],
  ['spaces around and between words', { ...invoice, customer_id: ' C1 ' }],
  ['nothing in an optional field', { ...invoice, billing_contact: null, tran_currency: '' }],
  [
    'a field that says how it is paid',
    { ...invoice, profile_id: '1', loc_id: '2', vendor_id: 3, tran_currency: '840' },
  ],
  ['a surcharge', { ...invoice, pct_fee: 1 }],
  ['a number as text', { ...invoice, line_items: [{ ...line, unit_cost: '5.00', quantity: '2' }] }],
  ['the lines that add up to the amount', { ...invoice, line_items: [{ unit_cost: 10, quantity: 1 }] }],
  [
    'tax that is part of the amount',
    { ...invoice, line_items: [{ unit_cost: 8, quantity: 1 }], sales_tax: { type: 'AMOUNT', value: 2 } },
  ],
  ['a switch', { ...invoice, save_customer: true }],
  [
    'the name of a customer whose ID is given',
    { ...invoice, billing_contact: { first_name: 'Ana' }, customer_email: 'a' },
  ],
  ['words in a field that is not declared', { ...invoice, memo: 'x', comments: 'y', date_due: '2026-01-01' }],
])('treats a payment as the same if a value differs: %s', (_, body) => {
  expect(identity(body)).toBe(identity(invoice));
});

test.each([
  ['the customer', { ...invoice, customer_id: 'C2' }],
  ['an amount in a list', { ...invoice, line_items: [{ ...line, unit_cost: 6 }] }],
  ['one line more', { ...invoice, line_items: [line, line] }],
  ['a field that is not declared and holds no words', { ...invoice, amt_tip: 3 }],
])('treats a payment as different if a value differs: %s', (_, body) => {
  expect(identity(body)).not.toBe(identity(invoice));
});

test.each([
  ['method', { method: 'PUT' }],
  ['path', { path: '/platform/invoice/2' }],
  ['query', { values: { path: {}, query: { page: 1 }, body: invoice, node: {} } }],
  ['operation', { operation: { ...operation, value: 'copy' } }],
])('treats a payment as new if it has another %s', (_, changes) => {
  expect(identity(invoice, changes)).not.toBe(identity(invoice));
});

test('uses the customer name if no ID is set', () => {
  const to = (first_name: string) => identity({ ...invoice, customer_id: undefined, billing_contact: { first_name } });
  expect(to('Ana')).not.toBe(to('Bo'));
  expect(to('Ana')).toBe(to('Ana '));
});

test("ignores which of the customer's cards is charged, unless the request has no amount", () => {
  const pay = (card_id: string, more: object) => identity({ customer_id: 'C1', card_id, ...more });
  expect(pay('A', { amt_tran: 5 })).toBe(pay('B', { amt_tran: 5 }));
  expect(pay('A', {})).not.toBe(pay('B', {}));
  expect(identity({ card_id: 'A', amt_tran: 5 })).not.toBe(identity({ card_id: 'B', amt_tran: 5 }));
});

test.each([
  ['007', '7'],
  ['1.50', '15'],
  ['1.2.3', '4.5.6'],
  ['a1.5', 'b1.5'],
  ['a 1', 'a1'],
])('distinguishes the value %s from %s', (one, other) => {
  expect(identity({ customer_id: one })).not.toBe(identity({ customer_id: other }));
});

test('compares a declared name field like free text unless it is marked', () => {
  const noted = (note: string) => identity({ ...invoice, customer_id: '', billing_contact: { note } });
  expect(noted('a')).not.toBe(noted('b'));
});

const WORDS = [
  ...['comment', 'comments', 'desc', 'descr', 'description', 'echo_fields', 'invoice_number', 'label', 'memo'],
  ...['merch_ref_num', 'message', 'note', 'notes', 'plan_desc', 'purchase_id', 'reference_id', 'report_data'],
  ...['session_id', 'subject', 'user_id', 'footer_note', 'payment_terms_note', 'reason_desc', 'date_due'],
];

test.each(WORDS)('treats the undeclared field %s as free text', (name) => {
  expect(identity({ ...invoice, [name]: 'a' })).toBe(identity(invoice));
});

test.each([
  ...[
    'subcomment',
    'comments_count',
    'adesc',
    'described',
    'relabel',
    'labels',
    'amemo',
    'memory',
    'anote',
    'notes_fee',
  ],
  ...['xdate_due', 'due_dates', 'update', 'xuser_id', 'user_ids', 'item_note', 'date_of_birth', 'item_memos'],
])("doesn't treat the undeclared field %s as free text", (name) => {
  expect(identity({ ...invoice, [name]: 'a' })).not.toBe(identity(invoice));
});

const MANNER = [
  ...['loc_id', 'profile_id', 'developer_id', 'vendor_id', 'type', 'type_id', 'moto_ecomm_ind', 'auth_type'],
  ...['cvv2', 'partial_auth', 'duplicate_seconds', 'dba_suffix', 'email_receipt', 'tokenize'],
];

test.each(MANNER)('treats the field %s as a setting of the payment', (name) => {
  expect(identity({ ...invoice, [name]: 'a' })).toBe(identity(invoice));
  for (const other of [`x${name}`, `${name}x`])
    expect(identity({ ...invoice, [other]: 'a' })).not.toBe(identity(invoice));
});

describe('the customer of a payment', () => {
  const anonymous = { ...invoice, customer_id: undefined };

  test.each(['customer', 'from_contact', 'billing_contact', 'customer_email', 'billing_city', 'shipping_zip'])(
    'the customer of a payment is identified by %s only without a customer ID',
    (name) => {
      for (const customer_id of ['C1', 7])
        expect(identity({ ...invoice, customer_id, [name]: 'Ana' })).toBe(identity({ ...invoice, customer_id }));
      for (const customer_id of [undefined, null, '', false])
        expect(identity({ ...anonymous, customer_id, [name]: 'Ana' })).not.toBe(
          identity({ ...anonymous, customer_id, [name]: 'Bo' }),
        );
    },
  );

  test.each([{ payee_id: 'P1' }, { card_number: '4111111111111111' }, { card_id: 'k' }, { dda_number: '123543541' }])(
    'the customer of a payment is identified by %j as well',
    (party) => {
      const of = (more: object) => identity({ ...anonymous, ...party, ...more });
      expect(of({ customer_email: 'a', cardholder_name: 'Ana', avs_zip: '97477', client_ip: '::1' })).toBe(of({}));
      expect(identity({ ...anonymous, customer_email: 'a' })).not.toBe(identity({ ...anonymous, customer_email: 'b' }));
    },
  );

  test.each(['customer_id', 'billing_id', 'shipping_id', 'xcustomer', 'customers', 'from_contacts', 'billing_note'])(
    '%s is always compared, regardless of the customer',
    (name) => {
      expect(identity({ ...invoice, [name]: 'B1' })).not.toBe(identity(invoice));
    },
  );

  test('each object of a shared payment identifies the customer by its own ID', () => {
    const nested = (customer: object) => identity({ amt: 1, sale: { customer_id: 'C1', customer } });
    expect(nested({ name: 'Ana' })).toBe(nested({ name: 'Bo' }));
  });
});

test('ignores repeated spaces but not missing spaces', () => {
  const plain = (text: string) => identity({ ...invoice, code: text });
  expect(plain('a  b')).toBe(plain('a b'));
  expect(plain('a\t\n b')).toBe(plain('a b'));
  expect(plain('ab')).not.toBe(plain('a b'));
});

test.each([null, '', true, false])('ignores an unknown field with the value %j', (value) => {
  expect(identity({ ...invoice, amt_tip: value })).toBe(identity(invoice));
});

test('treats amounts as equal if they differ only in trailing zeros', () => {
  expect(identity({ ...invoice, amt_tip: '10.50' })).toBe(identity({ ...invoice, amt_tip: '10.5' }));
});

test('distinguishes the steps of an item with several steps, but not the parts of other requests', () => {
  const step = (part: number, count?: number) =>
    identity(invoice, { operation: { ...operation, steps: count && { each: Array(count).fill({}) } }, part });
  expect(step(0, 2)).not.toBe(step(1, 2));
  expect(step(0, 1)).toBe(step(1, 1));
  expect(step(0)).toBe(step(1));
  // A declared operation with one step is the same payment as a request of API Request.
  expect(step(0, 1)).toBe(step(0));
});

test('distinguishes a missing value from zero', () => {
  expect(identity({ ...invoice, amt_tip: 0 })).not.toBe(identity(invoice));
});

test('keeps the identity of a payment in every version, because waiting executions store it', () => {
  expect(JSON.parse(identity({ b: [' x  y '], a: { amt_tran: 5, memo: 'm' }, footer: 'f' }))).toEqual([
    'create',
    'POST',
    '/platform/invoice',
    [],
    [
      ['a', [['amt_tran', '5']]],
      ['b', ['x y']],
    ],
  ]);
});

test('finds declared fields by their path, even in operations without any', () => {
  const values = { path: {}, query: { footer: 'a', page: 1 }, body: {}, node: {} };
  const other = { ...values, query: { footer: 'b', page: 1 } };
  expect(identity({}, { values })).not.toBe(identity({}, { values: other }));
  const bare = { ...operation, fields: [], additional: [] };
  expect(identity({ memo: 'a' }, { operation: bare })).toBe(identity({ memo: 'b' }, { operation: bare }));
  expect(identity({ footer: 'a' }, { operation: bare })).not.toBe(identity({ footer: 'b' }, { operation: bare }));
});

describe('the identity of declared fields', () => {
  const declared = {
    ...operation,
    fields: [
      field('interval', { serverDefault: 1 }),
      field('amt_setup', { money: true }),
      field('email', { caseInsensitive: true }),
    ],
  };
  const of = (body: object) => identity(body, { operation: declared });

  test("the identity of declared fields ignores the service's default and an amount of 0", () => {
    expect(of({ interval: 1, amt_setup: 0 })).toBe(of({}));
    expect(of({ interval: '1', amt_setup: '0.00' })).toBe(of({}));
    for (const interval of [0, 2]) expect(of({ interval })).not.toBe(of({}));
    expect(of({ amt_setup: 0.01 })).not.toBe(of({}));
  });

  test('the identity of declared fields ignores case if the service does', () => {
    expect(of({ email: 'Ana@Example.com' })).toBe(of({ email: 'ana@example.com' }));
    expect(of({ email: ['Ana@Example.com', null] })).toBe(of({ email: ['ana@example.com', null] }));
    expect(of({ email: 'bo@example.com' })).not.toBe(of({ email: 'ana@example.com' }));
  });
});

test.each([
  ['that repeats safely', { ...operation, request: { effect: 'repeatsSafely' } }],
  ['that says so', { ...operation, setsState: true }],
])(
  'the identity of a write that sets a state differs for other text, switches and cleared values: %s',
  (_, operation) => {
    const of = (body: object) => identity(body, { operation });
    expect(of({ footer: 'a' })).not.toBe(of({ footer: 'b' }));
    expect(of({ save_customer: true })).not.toBe(of({ save_customer: false }));
    expect(of({ card_id: '' })).not.toBe(of({}));
    expect(of({ footer: 'a' })).toBe(of({ footer: 'a' }));
  },
);

describe('a payment to a path of the interface', () => {
  const charge = (body: object, changes: object = {}) => {
    const sent = { path: {}, query: {}, body: { customer_id: 'C1', amt_tran: 25, ...body }, node: {}, ...changes };
    return identity({}, { path: '/pg/sale', values: sent });
  };

  test.each([
    ['a field', { note: 'second attempt' }],
    ['a number', { attempt: 2 }],
    ['an object', { meta: { attempt: 2 } }],
  ])('is the same if the interface lacks %s that a model adds', (_, more) => {
    expect(charge(more)).toBe(charge({}));
    expect(charge({}, { query: more })).toBe(charge({}));
  });

  test.each([
    ['another amount', { amt_tip: 3 }],
    ['another customer', { customer_id: 'C2' }],
    ['a card instead of a customer', { customer_id: undefined, card_number: '4111111111111111' }],
  ])('differs in %s', (_, more) => expect(charge(more)).not.toBe(charge({})));

  test('keeps all fields of a path that the interface lacks', () => {
    const values = (more: object) => ({ path: {}, query: {}, body: { amt_tran: 25, ...more }, node: {} });
    const at = (more: object) => identity({}, { path: '/pg/gift', values: values(more) });
    expect(at({ recipient: 'A' })).not.toBe(at({ recipient: 'B' }));
  });

  test('keeps all fields of a request with another method', () => {
    const put = (body: object) => {
      const values = { path: {}, query: {}, body: { amt_tran: 25, ...body }, node: {} };
      return identity({}, { method: 'PUT', path: '/pg/sale', values });
    };
    expect(put({ recipient: 'A' })).not.toBe(put({ recipient: 'B' }));
  });
});
