import { identityOf } from '../../nodes/PaymentPlatform/pipeline/identity';
import type { PlannedRequest } from '../../nodes/PaymentPlatform/pipeline/types';

const field = (name: string, more: object = {}) => ({ name, place: 'body', ...more });
const operation = {
  value: 'create',
  fields: [
    field('customer_id'),
    field('invoice_number', { wording: true }),
    field('line_items', {
      fields: [field('unit_cost'), field('quantity'), field('description', { wording: true })],
    }),
    field('billing_contact', { fields: [field('first_name'), field('note')] }),
  ],
  additional: [field('footer', { wording: true }), field('page', { place: 'query' })],
};
const identity = (body: object, changes: object = {}) =>
  JSON.stringify(
    identityOf({
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
  ['a switch', { ...invoice, save_customer: true }],
  [
    'the name of a customer whose ID is given',
    { ...invoice, billing_contact: { first_name: 'Ana' }, customer_email: 'a' },
  ],
  ['words in a field that is not declared', { ...invoice, memo: 'x', payment_note: 'y', date_due: '2026-01-01' }],
])('%s does not make another payment', (_, body) => {
  expect(identity(body)).toBe(identity(invoice));
});

test.each([
  ['the customer', { ...invoice, customer_id: 'C2' }],
  ['an amount in a list', { ...invoice, line_items: [{ ...line, unit_cost: 6 }] }],
  ['one line more', { ...invoice, line_items: [line, line] }],
  ['a field that is not declared and holds no words', { ...invoice, amt_tip: 3 }],
])('%s makes another payment', (_, body) => {
  expect(identity(body)).not.toBe(identity(invoice));
});

test.each([
  ['method', { method: 'PUT' }],
  ['path', { path: '/platform/invoice/2' }],
  ['query', { values: { path: {}, query: { page: 1 }, body: invoice, node: {} } }],
  ['operation', { operation: { ...operation, value: 'copy' } }],
])('another %s makes another payment', (_, changes) => {
  expect(identity(invoice, changes)).not.toBe(identity(invoice));
});

test('without the ID of a customer, the name tells whom it concerns', () => {
  const to = (first_name: string) => identity({ ...invoice, customer_id: undefined, billing_contact: { first_name } });
  expect(to('Ana')).not.toBe(to('Bo'));
  expect(to('Ana')).toBe(to('Ana '));
});

test('a declared name that looks like words counts when it is not marked', () => {
  const noted = (note: string) => identity({ ...invoice, customer_id: '', billing_contact: { note } });
  expect(noted('a')).not.toBe(noted('b'));
});
