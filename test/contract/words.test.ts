import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { resources } from '../../nodes/PaymentPlatform/resources';
import { WORDS } from '../words';
import { testEvery } from '../every-case';

const codexOf = (node: string) =>
  JSON.parse(readFileSync(join(__dirname, `../../nodes/PaymentPlatform/${node}.node.json`), 'utf8')) as {
    alias: string[];
  };
const aliases = codexOf('PaymentPlatform').alias;

testEvery(WORDS)('each word that people search for is an alias or the beginning of an alias', ({ word }) => {
  expect(aliases.some((alias) => alias.toLowerCase().startsWith(word.toLowerCase()))).toBe(true);
});

test.each(['PaymentPlatform', 'PaymentPlatformTrigger'])('%s lists each alias once', (node) => {
  const { alias } = codexOf(node);
  expect(new Set(alias.map((one) => one.toLowerCase())).size).toBe(alias.length);
});

test("the node's aliases include the trigger's words, because n8n has one entry for both", () => {
  const known = aliases.join('|').toLowerCase();
  const triggers = codexOf('PaymentPlatformTrigger').alias;
  expect(triggers.filter((alias) => !known.includes(alias.toLowerCase()))).toEqual([]);
});

test('resources are in the order of use: payments and invoices first, administration last', () => {
  expect(resources.map(({ value }) => value)).toEqual([
    ...['transaction', 'invoice', 'checkout', 'subscription', 'plan', 'customer', 'customerCard'],
    ...['customerAddress', 'card', 'dispute', 'report', 'accountUpdater', 'payee'],
    ...['batch', 'webhook', 'api'],
  ]);
});

testEvery(resources)(
  'a resource names its preselected operation, regardless of the order of operations',
  (resource) => {
    expect(resource.operations.map(({ value }) => value)).toContain(resource.preselected);
  },
);

testEvery(resources)('operations for test data are last in their resource', ({ operations }) => {
  const forTests = operations.map(({ value }) => /test/i.test(value));
  expect(forTests).toEqual([...forTests].sort());
});
