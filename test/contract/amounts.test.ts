import type { Field } from '../../nodes/PaymentPlatform/fields/types';
import { declaredFields } from '../../nodes/PaymentPlatform/pipeline/declared-fields';
import { resources } from '../../nodes/PaymentPlatform/resources';

/** The service's names of amounts, all but a switch; a limit that does not see one of them would let it through. */
const AMOUNT = /^amt_(?!setup_ignore$)/;

const everyField = (fields: Field[]): Field[] => fields.flatMap((field) => [field, ...everyField(field.fields ?? [])]);

const operations = resources.flatMap(({ operations: all, ...resource }) =>
  all.map((operation) => ({ name: `${resource.value}.${operation.value}`, operation })),
);

test.each(operations)('the guards see every amount of $name', ({ operation }) => {
  const named = everyField(declaredFields(operation)).filter(({ name }) => AMOUNT.test(name));
  expect(named.filter(({ money }) => money !== true).map(({ name }) => name)).toEqual([]);
});

test('there are such amounts', () => {
  const all = operations.flatMap(({ operation }) => everyField(declaredFields(operation)));
  expect(all.filter(({ name, money }) => AMOUNT.test(name) && money).length).toBeGreaterThan(3);
});
