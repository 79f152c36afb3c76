import { deepCopy, NodeHelpers, type INode, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { parameters, toolDescriptions } from '../../../nodes/PaymentPlatform/description.data';
import { addToolDescriptions } from '../../../nodes/PaymentPlatform/panel/add-tool-descriptions';
import { PaymentPlatform } from '../../../nodes/PaymentPlatform/PaymentPlatform.node';
import { resources } from '../../../nodes/PaymentPlatform/resources';

const texts = toolDescriptions();
const payments = new PaymentPlatform();
const operations = resources.flatMap(({ value, operations: all }) =>
  all.map((operation) => ({ key: `${value}.${operation.value}`, operation })),
);

const readByModel = (chosen: INodeParameters): string => {
  const node = { parameters: { ...chosen, descriptionType: 'auto' } } as unknown as INode;
  return NodeHelpers.getToolDescriptionForNode(node, payments);
};

test('a tool description explains the effect, the inputs and the repetition of a refund', () => {
  expect(readByModel({ resource: 'transaction', operation: 'refund' })).toBe(
    'Return all or part of a captured payment to the customer. The refund takes effect immediately. ' +
      'Look up these values with another tool, and never guess them: Transaction (pg_id). ' +
      "Amount: 0.01 to 9999999999.99. Amounts are in the currency's main unit, never in cents, with at most 2 decimals, e.g. 12.50. " +
      'Call once. If the result begins with DONE BEFORE or OUTCOME UNKNOWN, never call again. ' +
      'Action: Refund or void transaction in Payment Platform',
  );
});

test("a tool description of a list states that it moves no money and doesn't mention repetition", () => {
  expect(readByModel({ resource: 'invoice', operation: 'getAll' })).toBe(
    'Retrieve a list of invoices, such as all overdue invoices. No money moves. ' +
      'Limit: a whole number of at least 1. From Date, To Date: YYYY-MM-DD, without a time. ' +
      'Action: Get many invoices in Payment Platform',
  );
});

test.each([
  ['plan', 'create', 'Plan Name: Name of the plan. At most 64 characters. '],
  ['plan', 'create', 'Billing Frequency: Daily, Weekly, Bi-Weekly, Monthly, '],
  ['plan', 'create', 'Enter -1 to charge until the subscription is canceled. A whole number from -1 to 9999. '],
  ['customerCard', 'update', 'never guess them: Customer (customer_id), Saved Card (card_id). '],
  ['customer', 'update', 'First Name, Last Name: at most 32 characters. Company Name, City: at most 64 characters. '],
  [
    'checkout',
    'create',
    'Link Expires After: Time after which an unused link expires. From 15 minutes to 90 days. Unit of Time: Days, Hours, ',
  ],
  [
    'invoice',
    'create',
    'Quantity: Number of units. 0.01 to 999, at most 2 decimals. Unit Cost: -999999.99 to 999999.99. ',
  ],
  [
    'report',
    'getFees',
    'Month: YYYY-MM. Limit: a whole number of at least 1. From Date, To Date: YYYY-MM-DD, without a time. ',
  ],
  ['dispute', 'respond', 'Evidence File: Input field with the PDF of at most 10 MB '],
])('the tool description of %s.%s explains its inputs: %s', (resource, operation, words) => {
  expect(readByModel({ resource, operation })).toContain(words);
});

test("a tool description doesn't mention card data, filters or panel settings", () => {
  const written = ['sale', 'authorize', 'getAll'].map((operation) =>
    readByModel({ resource: 'transaction', operation }),
  );
  for (const text of [...written, readByModel({ resource: 'checkout', operation: 'create' })])
    expect(text).not.toMatch(/Card Number|Security Code|Expiration Date|Filters|Sort|Specify|Payment Method/);
});

test('every operation has text that states its effect on money and repetition', () => {
  const wrong = operations.filter(({ key, operation: { action, request, readsWith, setsState } }) => {
    const text = texts[key] ?? '';
    const money =
      /(takes effect immediately|customer (is|can be) charged .*|Charges .*|Nothing is charged|You lose the disputed amount|captured transactions settle|No money .*|can move money)\. /;
    const repeats = readsWith || request.effect === 'reads' ? 'none' : setsState ? 'same' : request.effect;
    const rule = {
      none: /^(?!.*(Call once|Calling again))/,
      same: /Calling again/,
      repeatsSafely: /Calling again/,
      writesOnce: /Call once/,
    };
    return !money.test(text) || !rule[repeats].test(text) || !text.endsWith(` Action: ${action}`);
  });
  expect(wrong.map(({ key }) => key)).toEqual([]);
  expect(Object.keys(texts)).toHaveLength(operations.length);
});

test('no text exceeds the 1,024 characters that some models accept, and all text is under 50 kB', () => {
  const read = operations.map(({ key }) => {
    const [resource = '', operation = ''] = key.split('.');
    return readByModel({ resource, operation });
  });
  expect(read.filter((text) => text.length > 1_024)).toEqual([]);
  expect(Buffer.byteLength(JSON.stringify(texts))).toBeLessThan(50_000);
});

test('the text for models adds nothing to the description that n8n sends to editors', () => {
  const plain = parameters();
  const described = addToolDescriptions(parameters(), texts);
  expect(JSON.stringify(described)).toBe(JSON.stringify(plain));
  expect(deepCopy(described)).toEqual(plain);
});

test('an operation without text keeps its action', () => {
  const [resource, operation] = parameters() as [INodeProperties, INodeProperties];
  expect(addToolDescriptions([resource, operation], {})).toEqual([resource, operation]);
});
