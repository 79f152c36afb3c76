import { keepOthers, keeps, lookAt, takenOf } from '../../../nodes/PaymentPlatform/resources/merge-with-current';
import * as wire from '../../../nodes/PaymentPlatform/wire/operations';

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

describe('the current record that a request changes', () => {
  const { request } = wire.getCustomer;

  test("the current record is read at the encoded path of the item's ID", () => {
    expect(lookAt(request, { path: { customer_id: 'a/b 7' }, body: {} })).toEqual({
      path: '/platform/vault/customer/a%2Fb%207',
      ids: { customer_id: 'a/b 7' },
      family: request.family,
    });
  });

  test("the current record is read for the item's merchant", () => {
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
