import { outputSchema } from '../../interface/generate/output-schema';
import { listsRecords } from '../../nodes/PaymentPlatform/model/operation';
import { columnLabels, columnsOf } from '../../nodes/PaymentPlatform/output/file-columns';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { testEvery } from '../every-case';

const listing = resources.flatMap(({ value, operations }) =>
  operations.filter(listsRecords).map((operation) => ({ name: `${value}.${operation.value}`, operation })),
);

test('all operations that return several records can return them in a file', () => {
  const many = resources.flatMap(({ value, operations }) =>
    operations.flatMap(({ value: own, name }) =>
      /\bMany\b/.test(name) || value === 'report' ? [`${value}.${own}`] : [],
    ),
  );
  expect(listing.map(({ name }) => name)).toEqual(
    expect.arrayContaining([...many, 'accountUpdater.getDetails', 'accountUpdater.getResults', 'invoice.getPayments']),
  );
});

testEvery(listing)("a file's columns are the documented fields in documented order", ({ operation }) => {
  expect(columnsOf(operation)).toEqual(Object.keys(outputSchema(operation, true)?.properties ?? {}));
});

testEvery(listing)('the readable names of the columns are different', ({ operation }) => {
  const labels = columnLabels(columnsOf(operation));
  expect([...new Set(labels)]).toEqual(labels);
  expect(labels.filter((label) => !/^[A-Z]/.test(label) || label.includes('_'))).toEqual([]);
});
