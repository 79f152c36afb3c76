import {
  bodyOf,
  describedOperations,
  propertiesOf,
  resolve,
  type Schema,
} from '../../docs/generate/interface-document';
import type { Field } from '../../nodes/PaymentPlatform/fields/types';
import { namesAmount } from '../../nodes/PaymentPlatform/pipeline/amount-names';
import { declaredFields } from '../../nodes/PaymentPlatform/pipeline/declared-fields';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { AMOUNTS } from '../../nodes/PaymentPlatform/wire/marks';
import { texts } from './repository';

/** The places of all amounts of a body, such as `line_items.unit_cost`. */
const amountsIn = (schema: Schema, prefix = ''): string[] =>
  Object.entries(propertiesOf(schema)).flatMap(([name, given]) => {
    const own = resolve(given);
    return own['x-amount'] ? [`${prefix}${name}`] : amountsIn(own.items ?? own, `${prefix}${name}.`);
  });

const moneyIn = (fields: Field[], prefix = ''): string[] =>
  fields.flatMap(({ name, money, fields: inner = [] }) =>
    money ? [`${prefix}${name}`] : moneyIn(inner, `${prefix}${name}.`),
  );

const operations = resources.flatMap(({ operations: all, ...resource }) =>
  all.map((operation) => ({ name: `${resource.value}.${operation.value}`, operation })),
);

const bodies = new Map(
  describedOperations().map(({ operation: { operationId, requestBody } }) => [operationId, bodyOf(requestBody).schema]),
);

/** What the interface marks as an amount in the body that the operation declares. */
const marked = (operationId = '') => amountsIn(bodies.get(operationId) ?? {});

test.each(operations)('the guards see every amount of $name, and take nothing else for one', ({ operation }) =>
  expect(moneyIn(declaredFields(operation)).sort()).toEqual(marked(operation.request.operationId).sort()),
);

test('there are such amounts', () => {
  const all = operations.flatMap(({ operation }) => marked(operation.request.operationId));
  expect(all.length).toBeGreaterThan(10);
  expect([...new Set(all.map((path) => path.split('.').at(-1)))].sort()).toEqual([...AMOUNTS].sort());
});

test.each(AMOUNTS)('%s is an amount also where nobody declared it, in any case', (name) =>
  expect([namesAmount(name), namesAmount(name.toUpperCase())]).toEqual([true, true]),
);

test.each(['amt_tip', 'AMT_TIP', 'amt_', 'amt_x_ignore', 'amount', 'xamt_tip', 'unit_costs', 'recur_amt'])(
  'among fields that nobody declared, %s is an amount where its name begins as those of the service do',
  (name) => expect(namesAmount(name)).toBe(/^amt_tip$/i.test(name)),
);

test('amounts and IDs are told by their marks, never by the form of a name, but for amounts that nobody declared', () => {
  const byName = /['"`/^]amt_['"`(?]|endsWith\(\s*['"`]_id|plan_\(/;
  const found = texts
    .filter(({ path, text }) => /^(nodes|credentials|docs\/generate|sandbox)\/.*\.ts$/.test(path) && byName.test(text))
    .map(({ path }) => path);
  expect(found).toEqual(['nodes/PaymentPlatform/pipeline/amount-names.ts']);
});
