import { additionalDataFor, nodeTypes, PAYMENT_NODE } from '../harness';

import fc from 'fast-check';
import { ExecuteContext } from 'n8n-core';
import {
  Workflow,
  type IDataObject,
  type INodeParameters,
  type IRunExecutionData,
  type NodeParameterValueType,
} from 'n8n-workflow';

import { readParameter } from '../../../nodes/PaymentPlatform/n8n/read-parameter';
import { fieldsOfItem, itemAndExpression, pathOfField } from '../item-fields';
import { quantity } from '../../quantity';

const { properties } = PAYMENT_NODE.description;
const NAMES = [...new Set(properties.map(({ name }) => name)), 'notAParameter'];

const text = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '',
    ' ',
    '=',
    '={{ $json.value }}',
    '=a {{ $json.value }}',
    ' ={{ 1 }}',
    '={{ $json.gone }}',
    '=={{ 1 }}',
  ),
  pathOfField.map((path) => `={{ $json${path} }}`),
  fc.constantFrom('={{ ({ a: [1, "=x"] }) }}', '={{ $now }}', '={{ null }}', '={{ $json.value.fails.here }}'),
);
const { value } = fc.letrec<{ value: NodeParameterValueType }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.oneof(fc.integer(), fc.double({ noNaN: true }), fc.boolean(), fc.constantFrom(null, undefined)),
    fc.array(tie('value'), { maxLength: 3 }) as fc.Arbitrary<NodeParameterValueType>,
    fc.dictionary(fc.constantFrom('item', '__rl', 'value', 'mode', 'a'), tie('value'), {
      maxKeys: 3,
      noNullPrototype: true,
    }) as fc.Arbitrary<NodeParameterValueType>,
    fc.record({ __rl: fc.constant(true), mode: fc.constantFrom('id', 'list'), value: text }),
  ),
}));
const parameters = fc
  .tuple(
    fc.constantFrom(...properties.filter(({ name }) => name === 'operation')),
    fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 8, noNullPrototype: true }),
  )
  .map(([{ displayOptions, default: operation }, given]) => ({
    ...given,
    resource: displayOptions?.show?.resource?.[0] as string,
    operation,
  }));

const items = fc.tuple(fieldsOfItem, fieldsOfItem).map((all) => all.map((json) => ({ json })));

const spoken = (read: () => unknown): unknown => {
  try {
    return read();
  } catch {
    return { failed: true };
  }
};

const workflowOf = (parameters: INodeParameters) =>
  new Workflow({
    id: 'test',
    active: false,
    nodeTypes,
    settings: { timezone: 'America/New_York' },
    nodes: [{ id: '1', name: 'Refund', type: 'paymentPlatform', typeVersion: 1, position: [0, 0], parameters }],
    connections: {},
  });

/** n8n fails to open a workflow if a list contains an object instead of entries. */
function opens(parameters: INodeParameters): boolean {
  try {
    return workflowOf(parameters).getNode('Refund') !== null;
  } catch {
    return false;
  }
}

function contextIn(workflow: Workflow, items: Array<{ json: IDataObject }>): ExecuteContext {
  const node = workflow.getNode('Refund');
  if (!node) throw new Error('The workflow has the node');
  const data = { resultData: { runData: {} } } as IRunExecutionData;
  const executeData = { node, data: { main: [items] }, source: null };
  const input = { main: [items] };
  return new ExecuteContext(workflow, node, additionalDataFor({}), 'manual', data, 0, items, input, executeData, []);
}

/** Creates a node's n8n context. n8n adds defaults and removes hidden parameters. */
const contextOf = (parameters: INodeParameters, items = [{ json: {} }]) => contextIn(workflowOf(parameters), items);

function readings(given: INodeParameters, items: Array<{ json: IDataObject }>): Array<[unknown, unknown]> {
  const context = contextOf(given, items);
  const node = context.getNode();
  return [...items.keys()].flatMap((item) =>
    NAMES.map((name): [unknown, unknown] => {
      const asked = spoken(() => ({ value: context.getNodeParameter(name, item, '') }));
      const read = readParameter(context, node, name, item);
      return [asked, 'failed' in read ? { failed: true } : read];
    }),
  );
}

/** n8n evaluates the current time again at each read. */
const settled = (read: unknown) =>
  JSON.parse(JSON.stringify(read).replace(/\d{4}-\d\d-\d\dT[\d:.]+/g, 'now')) as unknown;

test('reads parameters as n8n does: fixed, as an expression, nested, missing, hidden or default', () => {
  fc.assert(
    fc.property(parameters, items, (given, rows) => {
      fc.pre(opens(given as INodeParameters));
      for (const [asked, read] of readings(given as INodeParameters, rows))
        expect(settled(read)).toEqual(settled(asked));
    }),
    { numRuns: quantity(60, 300) },
  );
});

test('reads each parameter separately for each item', () => {
  const context = contextOf({ resource: 'invoice', operation: 'create', additionalFields: { footer_note: '1' } });
  const node = context.getNode();
  const read = () => readParameter(context, node, 'additionalFields', 0) as { value: Record<string, unknown> };
  read().value.footer_note = '2';
  expect(read().value).toEqual({ footer_note: '1' });
});

test("n8n never converts a parameter's value", () => {
  expect(JSON.stringify(properties)).not.toMatch(/"validateType"|"resourceMapper"/);
});

// Covers n8n 1, and the mode of n8n 2 that works with every version of Node.js.
describe('a field of the item', () => {
  const name = 'amt_tran';
  const workflow = workflowOf({ resource: 'transaction', operation: 'refund' });

  test('returns the same value as n8n and leaves other expressions to n8n', () => {
    const octal = { json: { '01': 'a', '1': 'b' }, expression: '={{ $json[01] }}' };
    let direct = 0;
    fc.assert(
      fc.property(itemAndExpression, ({ json, expression }) => {
        const context = contextIn(workflow, [{ json: {} }, { json }]);
        const node = context.getNode();
        Object.assign(workflow.getNode('Refund')?.parameters ?? {}, { [name]: expression });
        const asked = spoken(() => ({ value: context.getNodeParameter(name, 1, '') }));
        const ask = jest.spyOn(context, 'getNodeParameter');
        const read = readParameter(context, { ...node, parameters: { [name]: expression } }, name, 1);
        if (ask.mock.calls.length === 0) direct += 1;
        expect('failed' in read ? { failed: true } : read).toEqual(asked);
      }),
      { numRuns: quantity(300, 2000), examples: [[octal]] },
    );
    expect(direct).toBeGreaterThan(quantity(7, 50));
  });
});
