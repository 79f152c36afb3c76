import { NodeHelpers, type INode, type INodeTypeDescription } from 'n8n-workflow';

import { PaymentPlatform } from '../../../nodes/PaymentPlatform/PaymentPlatform.node';
import type { Problem } from '../../../nodes/PaymentPlatform/fields/types';
import { readOutput, selected } from '../../../nodes/PaymentPlatform/output/tool-output';

const node = new PaymentPlatform().description;
const tool: INodeTypeDescription = { ...node, name: `${node.name}Tool` };

const shown = (description: INodeTypeDescription, more: object = {}) => {
  const chosen = { resource: 'customer', operation: 'getAll', ...more };
  const own = { typeVersion: 1, parameters: {} } as INode;
  return description.properties
    .filter((one) => NodeHelpers.displayParameter(chosen, one, own, description, chosen))
    .map(({ name }) => name)
    .filter((name) => ['simplify', 'output', 'outputFields'].includes(name));
};

test('shows Output in tools instead of Simplify, and the field list only for selected fields', () => {
  expect(shown(node)).toEqual(['simplify']);
  expect(shown(tool, { output: 'simplified' })).toEqual(['output']);
  expect(shown(tool, { output: 'selectedFields' })).toEqual(['output', 'outputFields']);
});

test.each([
  [{}, { simplify: true }],
  [{ output: 'simplified', outputFields: ['a'] }, { simplify: true }],
  [{ output: 'raw' }, { simplify: false }],
  [
    { output: 'selectedFields', outputFields: ['a', 'b'] },
    { simplify: true, fields: ['a', 'b'] },
  ],
  [{ output: 'selectedFields', outputFields: [] }, { simplify: true }],
])('reads the output settings %j as %j', (parameters, wanted) => {
  const problems: Problem[] = [];
  expect(readOutput(parameters, problems)).toEqual(wanted);
  expect(problems).toEqual([]);
});

test('refuses an unknown output by name', () => {
  const problems: Problem[] = [];
  readOutput({ output: 'everything' }, problems);
  expect(problems).toMatchObject([{ label: 'Output', found: '"everything"' }]);
});

test('returns the selected fields after the summary and the IDs', () => {
  const record = { a: 1, b: 2, invoice_id: '7', what_happened: 'w' };
  expect(Object.entries(selected(record, ['b', 'none'], ['invoice_id']))).toEqual([
    ['what_happened', 'w'],
    ['invoice_id', '7'],
    ['b', 2],
  ]);
});
