import { staleArtefacts } from '../../docs/generate/files';
import { operationsPage } from '../../docs/generate/operations';
import { parameterRows } from '../../docs/generate/parameters';
import { resources } from '../../nodes/PaymentPlatform/resources';
import type { Field } from '../../nodes/PaymentPlatform/fields/types';

const operations = resources.flatMap((resource) =>
  resource.operations.map((operation) => ({ name: `${resource.value}.${operation.value}`, operation })),
);

/** Fails with the command that brings stale artefacts up to date. */
function expectFresh(stale: string[], command: string): void {
  if (stale.length > 0) throw new Error(`Stale: ${stale.join(', ')}. Run "npm run ${command}" and commit the result.`);
}

test('docs/operations.md says what the declarations and the interface say today', () => {
  expectFresh(staleArtefacts(operationsPage()), 'docs:operations');
});

const fieldNames = (fields: Field[], prefix = ''): string[] =>
  fields.flatMap(({ name, fields: inner = [] }) => [`${prefix}${name}`, ...fieldNames(inner, `${prefix}${name}.`)]);

test.each(operations)('the table of $name has a line for every field, nested ones too', ({ operation }) => {
  const names = parameterRows(operation).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(fieldNames([...operation.fields, ...(operation.additional ?? [])])));
});

test.each(operations)('the table of $name says of every sent field where it is known from', ({ operation }) => {
  const sent = [...operation.fields, ...(operation.additional ?? [])].filter(({ place }) => place !== 'node');
  const sources = new Map(parameterRows(operation).map(({ name, source }) => [name, source]));
  for (const { name } of sent) expect({ name, source: sources.get(name) }).not.toEqual({ name, source: 'node' });
});
