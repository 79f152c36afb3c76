import { deepCopy, NodeHelpers, type INode, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { parameters, toolDescriptions } from '../../../nodes/PaymentPlatform/description.data';
import { addToolDescriptions } from '../../../nodes/PaymentPlatform/panel/add-tool-descriptions';
import { PaymentPlatform } from '../../../nodes/PaymentPlatform/PaymentPlatform.node';
import { resources } from '../../../nodes/PaymentPlatform/resources';

const texts = toolDescriptions();
const operations = resources.flatMap(({ value, operations: all }) =>
  all.map((operation) => ({ key: `${value}.${operation.value}`, operation })),
);

/** Returns the text that n8n gives a model about a tool. */
const readByModel = (chosen: INodeParameters): string => {
  const node = { parameters: { ...chosen, descriptionType: 'auto' } } as unknown as INode;
  return NodeHelpers.getToolDescriptionForNode(node, new PaymentPlatform());
};

test('a model reads what a refund does, how to find its values, and when not to call again', () => {
  expect(readByModel({ resource: 'transaction', operation: 'refund' })).toBe(
    'Return all or part of a captured payment to the customer. This affects money immediately. ' +
      'Look up these values with another tool, and never guess them: Transaction. ' +
      "Amount: in the currency's main unit, never in cents, at least 0.01, at most 9999999999.99, a number with at most 2 decimal places, e.g. 12.50, without a currency symbol or thousands separator. " +
      'Call once. If the result begins with DONE BEFORE or OUTCOME UNKNOWN, never call again. ' +
      'Action: Refund or void transaction in Payment Platform',
  );
});

test('a model reads that a list moves no money and nothing about repetition', () => {
  expect(readByModel({ resource: 'invoice', operation: 'getAll' })).toBe(
    'Retrieve a list of invoices, such as all overdue invoices. This moves no money. Action: Get many invoices in Payment Platform',
  );
});

test('a model reads the purpose of a value, but no choices and no secrets', () => {
  const text = readByModel({ resource: 'plan', operation: 'create' });
  expect(text).toContain('Plan Name: Name of the plan. ');
  expect(text).not.toContain('Billing Frequency');
  expect(readByModel({ resource: 'customerCard', operation: 'update' })).toContain(
    'never guess them: Customer, Saved Card.',
  );
});

test('every operation has a text that states its effect on money and on repetition', () => {
  const wrong = operations.filter(({ key, operation: { action, request, readsWith, setsState } }) => {
    const text = texts[key] ?? '';
    const money = /This (affects money immediately|can move money, now or later|moves no money)\. /;
    const repeats = readsWith || request.effect === 'reads' ? 'none' : setsState ? 'same' : request.effect;
    const rule = {
      none: /^(?!.*(Call once|Calling again))/,
      same: /Calling again/,
      repeatsSafely: /Calling again/,
      writesOnce: /Call once/,
    };
    return !money.test(text) || !rule[repeats].test(text) || !text.endsWith(` Action: ${action}`) || text.length > 600;
  });
  expect(wrong.map(({ key }) => key)).toEqual([]);
  expect(Object.keys(texts)).toHaveLength(operations.length);
});

test('the texts for models add nothing to the description that n8n sends to editors', () => {
  const plain = parameters();
  const described = addToolDescriptions(parameters(), texts);
  expect(JSON.stringify(described)).toBe(JSON.stringify(plain));
  expect(deepCopy(described)).toEqual(plain);
});

test('an operation without a text keeps its action', () => {
  const [resource, operation] = parameters() as [INodeProperties, INodeProperties];
  expect(addToolDescriptions([resource, operation], {})).toEqual([resource, operation]);
});
