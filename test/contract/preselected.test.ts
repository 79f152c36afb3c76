import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { nodeProperties } from '../../nodes/PaymentPlatform/panel/node-properties';
import type { Resource } from '../../nodes/PaymentPlatform/model/types';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { PAYMENT_NODE } from '../workflow/harness';
import { testEvery } from '../every-case';

/** n8n omits defaults when it stores parameters, and adds them for the node. */
function asN8n(properties: INodeProperties[], given: INodeParameters, withDefaults: boolean) {
  const description = { ...PAYMENT_NODE.description, properties };
  const node = {
    id: '1',
    name: 'P',
    type: 'p',
    typeVersion: 1,
    position: [0, 0] as [number, number],
    parameters: given,
  };
  return NodeHelpers.getNodeParameters(properties, given, withDefaults, false, node, description);
}

const withOneInFront = (name: string): Resource[] =>
  resources.map((resource) =>
    resource.value === name
      ? {
          ...resource,
          operations: [
            ...resource.operations.slice(0, 1).map((first) => ({ ...first, value: 'aNewOne', name: 'A New One' })),
            ...resource.operations,
          ],
        }
      : resource,
  );

const today = nodeProperties(resources);
const withAnAddedOperation = new Map(resources.map(({ value }) => [value, nodeProperties(withOneInFront(value))]));

const every = resources.flatMap(({ value, operations }) =>
  operations.map((operation) => ({
    name: `${value}.${operation.value}`,
    resource: value,
    operation: operation.value,
  })),
);

testEvery(every)(
  'a stored operation stays selected if a new version lists another operation before it',
  ({ resource, operation }) => {
    const chosen = { resource, operation };
    const stored = asN8n(today, chosen, false) ?? {};
    const resolved = asN8n(withAnAddedOperation.get(resource) ?? [], stored, true);
    expect(resolved).toMatchObject(chosen);
  },
);

testEvery(resources)('a resource preselects a read operation if possible', (resource) => {
  const chosen = resource.operations.find(({ value }) => value === resource.preselected);
  const reads = resource.operations.some(({ request }) => request.effect === 'reads');
  expect(chosen?.request.effect === 'reads').toBe(reads);
  expect(asN8n(today, { resource: resource.value }, true)).toMatchObject({
    operation: resource.preselected,
  });
});

test('no operation that deletes or refunds is preselected', () => {
  const chosen = resources.map(({ value, preselected }) => `${value}.${preselected}`);
  expect(chosen).not.toContain('payee.delete');
});
