import { NodeHelpers, type INode, type INodeProperties, type INodeTypeDescription } from 'n8n-workflow';

import { PaymentPlatform } from '../../../nodes/PaymentPlatform/PaymentPlatform.node';
import { guardProblems } from '../../../nodes/PaymentPlatform/limits/check-guards';
import { GUARDS, GUARD_NAMES } from '../../../nodes/PaymentPlatform/model/guards';
import type { Problem } from '../../../nodes/PaymentPlatform/fields/types';
import { makesPayment } from '../../../nodes/PaymentPlatform/model/identity';
import { movesMoney } from '../../../nodes/PaymentPlatform/model/read-amounts';
import type { ItemOptions } from '../../../nodes/PaymentPlatform/model/option-types';
import { TARGETS, type Account, type MoneyRequest } from '../../../nodes/PaymentPlatform/model/types';
import { declaredFields } from '../../../nodes/PaymentPlatform/model/operation';
import { readItemOptions } from '../../../nodes/PaymentPlatform/run/read-options';
import {
  PANEL_GUARDS,
  switchedOff,
  toolGuards,
  longKey,
  unfixedGuards,
} from '../../../nodes/PaymentPlatform/limits/tool-guards';
import { resources } from '../../../nodes/PaymentPlatform/resources';
import { contextOf } from '../context';

const node = new PaymentPlatform().description;
const tool: INodeTypeDescription = { ...node, name: `${node.name}Tool` };

function shown(
  properties: INodeProperties[],
  description: INodeTypeDescription,
  chosen: { resource: string; operation: string; method?: string },
) {
  const own = { typeVersion: 1, parameters: {} } as INode;
  return properties.filter((one) => NodeHelpers.displayParameter(chosen, one, own, description, chosen));
}
const isGuard = ({ name }: INodeProperties) => PANEL_GUARDS.some((one) => one === name);
const names = (properties: INodeProperties[]) => properties.filter(isGuard).map(({ name }) => name);

function guardsOf(description: INodeTypeDescription, chosen: { resource: string; operation: string }) {
  const panel = shown(description.properties, description, chosen);
  const options = (panel.find(({ name }) => name === 'options')?.options ?? []) as INodeProperties[];
  return { panel: names(panel), options: names(shown(options, description, chosen)) };
}

const all = resources.flatMap(({ value: resource, operations }) =>
  operations.map((operation) => ({ resource, operation, value: operation.value })),
);

test.each(all)('$resource.$value: shows guards in the panel of a tool and in the options of a node', (one) => {
  const chosen = { resource: one.resource, operation: one.value };
  const reads = one.operation.request.effect === 'reads';
  const expected = reads
    ? []
    : PANEL_GUARDS.filter((name) => {
        if (name === 'allowAgent') return one.operation.offInTools !== undefined;
        if (name === 'onlyFor') return one.operation.target !== undefined;
        return name === 'testEnvironmentOnly' || movesMoney(one.operation);
      });
  expect(guardsOf(tool, chosen)).toEqual({ panel: expected, options: [] });
  const { panel, options } = guardsOf(node, chosen);
  expect(panel).toEqual([]);
  expect([...options].sort()).toEqual(
    expected
      .filter((name) => !['allowAgent', 'onlyFor'].includes(name))
      .filter(
        (name) => name !== 'allowEqual' || makesPayment(one.operation) || one.operation.optionalSteps !== undefined,
      )
      .sort(),
  );
});

test('the limits per item and per execution are required in a tool, and their texts name the agent', () => {
  const limits = node.properties.filter(({ name }) => name === 'limitPerItem' || name === 'limitPerExecution');
  expect(new Set(limits.map(({ name }) => name)).size).toBe(2);
  for (const { required, description } of limits)
    expect([required, description]).toEqual([true, expect.stringContaining('the AI agent may move')]);
});

test('a tool that only reads through the API needs no limit', () => {
  const limitsOf = (method: string) =>
    names(shown(tool.properties, tool, { resource: 'api', operation: 'request', method })).filter((name) =>
      name.startsWith('limitPer'),
    );
  expect(limitsOf('GET')).toEqual([]);
  expect(limitsOf('POST')).toEqual(['limitPerItem', 'limitPerExecution', 'limitPerDay']);
});

test('describes each guard in the panel and allows only fixed values', () => {
  const guards = node.properties.filter(isGuard);
  expect(guards.length).toBeGreaterThan(4);
  for (const { noDataExpression, description } of guards)
    expect([noDataExpression, description?.length ?? 0]).toEqual([true, expect.any(Number)]);
});

const guardsNamed = (wanted: (one: (typeof all)[number]) => boolean) => {
  const found = all.find(wanted);
  if (!found) throw new Error('There is no such operation');
  return toolGuards(found.operation);
};
const moving = guardsNamed(({ operation }) => movesMoney(operation) && operation.dayRecords !== undefined);
const namesOf = (properties: INodeProperties[]) => properties.map(({ name }) => name);

test('lists the guards of an operation in the order of the panel', () => {
  expect(guardsNamed(({ operation }) => operation.request.effect === 'reads')).toEqual([]);
  expect(
    namesOf(guardsNamed(({ operation }) => !movesMoney(operation) && operation.request.effect !== 'reads')),
  ).toEqual(['toolGuardsNotice', 'testEnvironmentOnly']);
  const withoutTarget = guardsNamed(({ operation }) => movesMoney(operation) && operation.target === undefined);
  const limits = ['limitPerItem', 'limitPerExecution', 'limitPerDay'];
  const others = ['testEnvironmentOnly', 'allowEqual'];
  expect(namesOf(withoutTarget)).toEqual(['toolGuardsNotice', ...limits, ...others]);
  expect(namesOf(moving)).toEqual(['toolGuardsNotice', ...limits, 'onlyFor', ...others]);
});

test('a guard restricts every payment for a customer, a payee or an earlier transaction to listed records', () => {
  const named = all.flatMap(({ operation, resource }) => {
    const of = Object.keys(TARGETS).find((name) => declaredFields(operation).some((field) => field.name === name));
    const moves = movesMoney(operation) && operation.request.effect !== 'reads';
    return moves && of !== undefined ? [[`${resource}.${operation.value}`, of, operation.target]] : [];
  });
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(([, of, target]) => of !== target)).toEqual([]);
});

test('lists the switch before the limits and the payees after them', () => {
  const payout = guardsNamed(({ operation }) => operation.target === 'payee_id');
  expect(namesOf(payout)).toEqual([
    ...['toolGuardsNotice', 'allowAgent', 'limitPerItem', 'limitPerExecution', 'limitPerDay', 'onlyFor'],
    ...['testEnvironmentOnly', 'allowEqual'],
  ]);
  expect(payout.find(({ name }) => name === 'allowAgent')).toMatchObject({ type: 'boolean', default: false });
  expect(payout.find(({ name }) => name === 'onlyFor')).toMatchObject({ type: 'string', default: '' });
});

test('hides the switch for custom requests that only read', () => {
  const custom = guardsNamed(({ resource }) => resource === 'api');
  expect(custom.find(({ name }) => name === 'allowAgent')?.displayOptions).toEqual({
    show: { '@tool': [true] },
    hide: { method: ['GET'] },
  });
});

describe('an operation that is off in tools', () => {
  const requestOf = (name: string, more: object = {}) =>
    ({
      operation: all.find(({ resource, value }) => `${resource}.${value}` === name)?.operation,
      ...more,
    }) as MoneyRequest;
  const options: ItemOptions = { unknownOutcome: 'lookUp', testEnvironmentOnly: true };

  test('an operation that is off in tools is refused until a person turns it on', () => {
    expect(switchedOff(requestOf('transaction.payout'), options)).toEqual([
      {
        label: 'Allow AI Agent',
        found: 'off',
        allowed:
          'must be turned on by a person in the settings of this tool before an AI agent can use "Pay Out to a Payee"',
      },
    ]);
    expect(switchedOff(requestOf('transaction.payout'), { ...options, allowAgent: false })).toHaveLength(1);
    expect(switchedOff(requestOf('transaction.payout'), { ...options, allowAgent: true })).toEqual([]);
  });

  test('works in a node, and other operations work in a tool', () => {
    const payout = requestOf('transaction.payout', { values: { body: {} } });
    const account = { environment: 'test' } as Account;
    const node = { type: 'paymentPlatform', parameters: {} } as unknown as INode;
    expect(guardProblems(payout, account, options, node)).toEqual([]);
    expect(switchedOff(requestOf('transaction.refund'), options)).toEqual([]);
  });

  test.each([
    ['POST', '/pg/payment', 1],
    ['POST', '/pg/credit', 1],
    ['POST', '/pg/CREDIT', 1],
    ['POST', '/pg/force', 1],
    ['POST', '/pg/sale', 0],
    ['POST', '/pg/payments', 0],
    ['GET', '/pg/payment', 0],
  ])('an operation that is off in tools is also refused as the custom request %s %s: %d', (method, path, count) => {
    const request = requestOf('api.request', { method, path });
    expect(switchedOff(request, options)).toHaveLength(count);
  });
});

test.each([
  ['limitPerItem', 'string', '', 'e.g. 500'],
  ['limitPerExecution', 'string', '', 'e.g. 2000'],
  ['limitPerDay', 'string', '', 'e.g. 5000'],
  ['testEnvironmentOnly', 'boolean', true, undefined],
  ['allowEqual', 'boolean', false, undefined],
])('%s of a tool begins with its safest value', (name, type, value, placeholder) => {
  const found = moving.find((one) => one.name === name);
  expect(found).toMatchObject({ type, default: value, displayOptions: { show: { '@tool': [true] } } });
  expect(found?.placeholder).toBe(placeholder);
});

test.each([
  ['limitPerDay', 'including transactions outside n8n'],
  ['testEnvironmentOnly', 'refuse a credential for Production'],
  ['allowEqual', 'sends only the first such call'],
])('describes what %s of a tool does', (name, words) => {
  expect(moving.find((one) => one.name === name)?.description).toContain(words);
});

test("says in a notice that the agent can't change the guards", () => {
  for (const guards of [moving, guardsNamed(({ operation }) => operation.request.effect !== 'reads')])
    expect(guards[0]).toMatchObject({
      type: 'notice',
      default: '',
      displayName: expect.stringContaining("The AI agent can't change") as string,
    });
  const plain = guardsNamed(({ operation }) => !movesMoney(operation) && operation.request.effect !== 'reads');
  expect(plain[0]?.displayName).toContain("The AI agent can't change this setting");
  expect(moving[0]?.displayName).toContain("until you set 'Limit per Item' and 'Limit per Execution'");
});

describe('the guards of a tool', () => {
  const asTool = (parameters: INode['parameters']) => {
    const problems: Problem[] = [];
    const context = contextOf(parameters, { type: 'paymentPlatformTool' });
    return { given: readItemOptions(context, 0, problems), problems };
  };

  test('the guards of a tool are read from its panel', () => {
    const { given, problems } = asTool({
      limitPerItem: '12.50',
      limitPerExecution: 100,
      testEnvironmentOnly: false,
      options: {},
    });
    expect(problems).toEqual([]);
    expect(given).toMatchObject({ limitPerItem: 12.5, limitPerExecution: 100, testEnvironmentOnly: false });
  });

  test('the guards of a tool are read from the panel before the options, and an empty limit counts as missing', () => {
    const { given } = asTool({
      limitPerItem: '',
      testEnvironmentOnly: true,
      options: { limitPerExecution: 5, testEnvironmentOnly: false },
    });
    expect(given).toMatchObject({ limitPerItem: undefined, limitPerExecution: 5, testEnvironmentOnly: true });
  });

  test.each<[unknown, readonly string[] | undefined]>([
    ['9001', ['9001']],
    [' 9001, 9002 ;9003', ['9001', '9002', '9003']],
    ['9001,\n 9002 \n\n9003\n', ['9001', '9002', '9003']],
    [9001, ['9001']],
    [
      ['9001', 9002],
      ['9001', '9002'],
    ],
    ['', undefined],
  ])('reads Allowed IDs from %j', (onlyFor, expected) => {
    const { given, problems } = asTool({ onlyFor } as INode['parameters']);
    expect([given.onlyFor, problems]).toEqual([expected, []]);
  });

  const refused = [
    ...[{ id: 1 }, true, [1e20], null, 'A\ud83c', ['9001', '\udf5e']],
    ...[',', ' ', '\n', '\u00a0', '9001,', ',9001', '9001, ,9002', '9001,,9002', '9001,\n,9002'],
    ...[[], [''], ['9001', ' '], ['9001', null], [['9001'], [' ']]],
  ];

  test.each(refused.map((onlyFor) => [onlyFor]))('refuses the Allowed IDs %j', (onlyFor) => {
    expect(asTool({ onlyFor } as unknown as INode['parameters']).problems).toMatchObject([{ label: 'Allowed IDs' }]);
  });

  test('the guards of a tool are refused by name if they are invalid', () => {
    expect(asTool({ limitPerItem: '1,000.00' }).problems).toMatchObject([{ label: 'Limit per Item' }]);
  });

  test.each([...PANEL_GUARDS])('a blank guard of a tool is not an empty guard: %s', (name) => {
    for (const blank of [' ', '\t\n', '\u00a0'])
      expect(asTool({ [name]: blank }).problems).toMatchObject([{ label: GUARDS[name] }]);
  });

  test('each invalid guard is reported once, in the panel or in the options', () => {
    const expressions = Object.fromEntries(GUARD_NAMES.map((name) => [name, '={{ $json.max }}']));
    const labelsOf = (parameters: INode['parameters']) =>
      unfixedGuards('writesOnce', { type: 'paymentPlatformTool', parameters } as INode).map(({ label }) => label);
    const fixed = GUARD_NAMES.filter((name) => name !== 'oncePerKey');
    expect(labelsOf({ ...expressions, options: expressions })).toEqual(fixed.map((name) => GUARDS[name]));
    expect(labelsOf(expressions)).toEqual(
      GUARD_NAMES.filter((name) => PANEL_GUARDS.some((one) => one === name)).map((name) => GUARDS[name]),
    );
    expect(labelsOf({ limitPerItem: 5, options: { limitPerExecution: '10' } })).toEqual([]);
  });

  test('the guards of a tool are refused if a model could fill in a guard', () => {
    const own = {
      type: 'paymentPlatformTool',
      parameters: { limitPerItem: '={{ $fromAI("max") }}' },
    } as unknown as INode;
    expect(unfixedGuards('writesOnce', own)).toMatchObject([{ label: 'Limit per Item' }]);
  });

  test('the key of a tool may have 255 characters', () => {
    const problems = (length: number | undefined) =>
      longKey({ oncePerKey: length === undefined ? undefined : 'k'.repeat(length) } as ItemOptions);
    expect([problems(undefined), problems(255)]).toEqual([[], []]);
    expect(problems(256)).toEqual([
      { label: 'Once per Key', found: '256 characters', allowed: 'must have at most 255 characters' },
    ]);
  });
});

test("doesn't read the panel of a tool in other nodes", () => {
  const given = readItemOptions(contextOf({ limitPerItem: 5, options: {} }), 0, []);
  expect(given.limitPerItem).toBeUndefined();
});
