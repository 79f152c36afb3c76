import { Workflow, type INode, type INodeParameters, type INodeTypeDescription } from 'n8n-workflow';

import { packageNodes } from '../../package-nodes';
import { resources } from '../../../nodes/PaymentPlatform/resources';

const [node, trigger] = packageNodes().map(({ description }) => description) as [
  INodeTypeDescription,
  INodeTypeDescription,
];

function subtitle({ name, subtitle: expression }: INodeTypeDescription, parameters: INodeParameters): unknown {
  const own: INode = { id: '1', name: 'A', type: name, typeVersion: 1, position: [0, 0], parameters };
  const nodeTypes = { getByName: jest.fn(), getByNameAndVersion: jest.fn(), getKnownTypes: jest.fn() };
  const workflow = new Workflow({ nodes: [own], connections: {}, active: false, nodeTypes });
  return workflow.expression.getSimpleParameterValue(own, expression, 'internal', {});
}

const all = resources.flatMap(({ value: resource, operations }) =>
  operations.map(({ value: operation, action }) => ({ resource, operation, action })),
);

test.each(all)('describes $resource.$operation in words', ({ resource, operation }) => {
  expect(subtitle(node, { resource, operation })).toMatch(/^[A-Z][a-z]+ [a-z A-Z()]+$/);
});

test.each([
  ['invoice', 'create', 'Create invoice'],
  ['invoice', 'addPayment', 'Add check or cash payment to invoice'],
  ['customer', 'getAll', 'Get many customers from vault'],
  ['invoice', 'unheardOf', ''],
])('describes %s.%s as "%s"', (resource, operation, words) => {
  expect(subtitle(node, { resource, operation })).toBe(words);
});

test.each([
  [{ events: ['invoice_paid', 'qp_manager_void_success'] }, 'Invoice Paid, Merchant Portal Void Succeeded'],
  [{ events: ['*'] }, 'All Events'],
  [{ events: ['invoice_paid'], customEvents: 'plan_archived' }, 'Invoice Paid, plan_archived'],
  [{ events: [], customEvents: '' }, ''],
])('describes the events %j as "%s"', (parameters, words) => {
  expect(subtitle(trigger, parameters)).toBe(words);
});
