import {
  bodyOf,
  describedOperation,
  describedOperations,
  propertiesOf,
  resolve,
  type Schema,
} from '../../interface/generate/interface-document';
import { namesAmount } from '../../nodes/PaymentPlatform/fields/kinds/number';
import type { Field } from '../../nodes/PaymentPlatform/fields/types';
import { movesMoney } from '../../nodes/PaymentPlatform/model/read-amounts';
import { declaredFields } from '../../nodes/PaymentPlatform/model/operation';
import type { Operation } from '../../nodes/PaymentPlatform/model/types';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { AMOUNTS } from '../../nodes/PaymentPlatform/wire/marks';
import { texts } from './repository';
import { testEvery } from '../every-case';

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

const marked = (operationId = '') => amountsIn(bodies.get(operationId) ?? {});

testEvery(operations)('the limits count every amount of an operation and no other field', ({ operation }) =>
  expect(moneyIn(declaredFields(operation)).sort()).toEqual(marked(operation.request.operationId).sort()),
);

test('the interface description marks every amount field', () => {
  const all = operations.flatMap(({ operation }) => marked(operation.request.operationId));
  expect(all.length).toBeGreaterThan(10);
  expect([...new Set(all.map((path) => path.split('.').at(-1)))].sort()).toEqual([...AMOUNTS].sort());
});

const moves = ({ request, steps, shape }: Operation): boolean =>
  shape !== undefined ||
  [request, ...(steps?.sends ?? [])].some(({ operationId = '', effect }) => {
    const { 'x-moves': moved = 'named' } = describedOperation(operationId);
    return effect !== 'reads' && (moved !== 'named' || marked(operationId).length > 0);
  });

/** Returns the names of operations that offer limits without moving money, or move money without limits. */
const misjudged = (all: typeof operations) =>
  all.filter(({ operation }) => movesMoney(operation) !== moves(operation)).map(({ name }) => name);

test('limits are offered exactly for the operations that move money according to the interface', () => {
  expect(misjudged(operations)).toEqual([]);
  expect(operations.filter(({ operation }) => moves(operation)).length).toBeGreaterThan(10);
});

testEvery(operations.filter(({ operation }) => moves(operation) && operation.shape === undefined))(
  'the check finds an operation that moves money without a limit',
  ({ name, operation: { request, ...rest } }) => {
    const blind = { ...rest, request: { ...request, moves: undefined }, money: undefined, fields: [], additional: [] };
    expect(misjudged([{ name, operation: blind }])).toEqual([name]);
  },
);

test('the interface states which amount each write with an amount moves', () => {
  const silent = describedOperations().filter(
    ({ operation }) =>
      operation['x-money'] !== 'reads' &&
      operation['x-moves'] === undefined &&
      marked(operation.operationId).length > 0,
  );
  expect(silent.map(({ operation }) => operation.operationId)).toEqual([]);
});

test('the amount moved by a request comes from a field of its body', () => {
  const unknown = describedOperations().flatMap(({ operation: { operationId, 'x-moves': moved } }) => {
    const names = Object.keys(propertiesOf(bodies.get(operationId) ?? {}));
    return typeof moved !== 'object' || names.includes(moved.by) ? [] : [operationId];
  });
  expect(unknown).toEqual([]);
});

test.each(AMOUNTS)('%s is an amount even if it is undeclared, in any letter case', (name) =>
  expect([namesAmount(name), namesAmount(name.toUpperCase())]).toEqual([true, true]),
);

test.each(['amt_tip', 'AMT_TIP', 'amt_', 'amt_x_ignore', 'amount', 'xamt_tip', 'unit_costs', 'recur_amt'])(
  "the undeclared field %s is an amount, because its name begins like the service's amount fields",
  (name) => expect(namesAmount(name)).toBe(/^amt_tip$/i.test(name)),
);

test('only the module for undeclared amounts identifies amounts and IDs by their names', () => {
  const byName = /['"`/^]amt_['"`(?]|endsWith\(\s*['"`]_id|plan_\(/;
  const found = texts
    .filter(({ path, text }) => /^(nodes|credentials|docs\/generate|sandbox)\/.*\.ts$/.test(path) && byName.test(text))
    .map(({ path }) => path);
  expect(found).toEqual(['nodes/PaymentPlatform/fields/kinds/number.ts']);
});
