import {
  centsOf,
  comparableText,
  dayOf,
  isSameAmount,
  isSameWhereSent,
  keepOthers,
  keeps,
  lookAt,
  takenOf,
} from '../../../nodes/PaymentPlatform/resources/merge-with-current';
import * as wire from '../../../nodes/PaymentPlatform/wire/operations';

describe('the option to leave empty fields unchanged', () => {
  test('the option to leave empty fields unchanged is a setting of the node that is on by default', () => {
    expect(keepOthers('About this record')).toMatchObject({
      name: 'keepOthers',
      label: 'Leave Empty Fields Unchanged',
      place: 'node',
      property: { type: 'boolean', default: true, description: 'About this record' },
    });
  });

  test.each([
    [true, true],
    [undefined, true],
    [false, false],
  ])('the option to leave empty fields unchanged completes the record with the value %s: %s', (keepOthers, completes) =>
    expect(keeps({ node: { keepOthers } })).toBe(completes),
  );
});

describe('the record that a request is about', () => {
  const { request } = wire.getCustomer;

  test("the record that a request is about is read at the encoded path of the item's ID", () => {
    expect(lookAt(request, { path: { customer_id: 'a/b 7' }, body: {} })).toEqual({
      path: '/platform/vault/customer/a%2Fb%207',
      family: request.family,
    });
  });

  test("the record that a request is about is read for the item's merchant", () => {
    expect(lookAt(request, { path: { customer_id: '7' }, body: { merchant_id: '4' } })).toMatchObject({
      query: { merchant_id: '4' },
    });
  });
});

test('takes only known fields with a value from a record', () => {
  const facts = { name: {}, phone: {}, count: {}, notes: {}, tags: {} } as unknown as Parameters<typeof takenOf>[1];
  const record = { name: 'Ana', phone: '', count: 0, notes: null, customer_id: '7' };
  expect(takenOf(record, facts)).toEqual({ name: 'Ana', count: 0 });
});

describe('a value of a record and a sent value', () => {
  test("a sent value and a record's value are compared as trimmed text", () => {
    expect([' A-1 ', 12, undefined, null].map(comparableText)).toEqual(['A-1', '12', '', '']);
  });

  test("a sent amount and a record's amount are compared in cents without a sign", () => {
    expect([5, '-5.00', 0.1, 'five', undefined].map(centsOf)).toEqual([500, 500, 10, undefined, undefined]);
  });

  test.each([
    ['5.00', 5, true],
    [-5, 5, true],
    [5.01, 5, false],
    ['five', 5, false],
    [5, 'five', false],
    ['five', 'five', false],
    [undefined, undefined, false],
  ])('%j and %j are the same amount: %s', (shown, sent, same) => expect(isSameAmount(shown, sent)).toBe(same));

  test("a sent date and a record's date are compared by the day at their beginning", () => {
    expect([' 2030-03-01T09:00:00Z', '2030-03-01', undefined].map(dayOf)).toEqual(['2030-03-01', '2030-03-01', '']);
  });

  test.each([
    ['text', ' text ', true],
    [7, '7', true],
    ['text', 'other', false],
    [undefined, 'text', false],
    ['filled in', undefined, true],
    [undefined, '', true],
  ])('%j and %j match: %s', (shown, sent, match) => expect(isSameWhereSent(shown, sent)).toBe(match));
});
