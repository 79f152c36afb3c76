import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { itemsOf } from '../../host/rest';
import { readDirectly } from '../../nodes/PaymentPlatform/n8n/read-parameter';
import { itemAndExpression } from '../workflow/item-fields';
import type { Host } from './host';
import { node, rowsInto } from './workflows';

/**
 * Item fields that this node reads without n8n. Each row contains them under the item's name, and Edit Fields reads the
 * same row.
 */
const direct = fc.sample(itemAndExpression, 4000).flatMap(({ json: sample, expression }, index) => {
  // Items of n8n are JSON, which doesn't distinguish -0 from 0.
  const json = JSON.parse(JSON.stringify(sample)) as IDataObject;
  const name = `item${index}`;
  const value = readDirectly(expression, () => json);
  // Excludes text without an expression and expressions that this node leaves to n8n.
  if (typeof value === 'object' || value === undefined || value === expression) return [];
  return [{ name, json, value, expression: expression.replace('$json', `$json.${name}`) }];
});

/** Declares the test of item fields that this node reads without n8n. */
export function describeItemFields(shared: () => Host): void {
  describe('item fields', () => {
    test('reads a field of an item directly with the same value as n8n', async () => {
      const host = shared();
      const row = Object.fromEntries(direct.map(({ name, json }) => [name, json]));
      const assignments = direct.map(({ name, value, expression }) => ({
        ...{ id: name, name, type: typeof value, value: expression },
      }));
      const fields = node(
        'Fields',
        'n8n-nodes-base.set',
        { mode: 'manual', assignments: { assignments }, includeOtherFields: false, options: {} },
        { typeVersion: 3.4 },
      );
      const workflowId = await host.rest.saveWorkflow(rowsInto('fields', [row as IDataObject], fields));
      const execution = await host.rest.execute(workflowId);
      const [evaluated] = itemsOf(execution, 'Fields');
      expect(direct.length).toBeGreaterThan(200);
      expect(evaluated).toEqual(Object.fromEntries(direct.map(({ name, value }) => [name, value])));
    });
  });
}
