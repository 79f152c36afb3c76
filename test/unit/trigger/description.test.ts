import { NodeHelpers, type INodeProperties } from 'n8n-workflow';

import { PaymentPlatformTrigger } from '../../../nodes/PaymentPlatform/PaymentPlatformTrigger.node';
import { readReceiveOptions } from '../../../nodes/PaymentPlatform/trigger/description';

const { description } = new PaymentPlatformTrigger();

const property = (name: string): INodeProperties => {
  const found = description.properties.find((one) => one.name === name);
  if (!found) throw new Error(`There is no parameter ${name}`);
  return found;
};
const isShown = (name: string, parameters: object) =>
  NodeHelpers.displayParameter({ ...parameters }, property(name), null, description);

test('keeps the parameter names of released workflows', () => {
  const names = description.properties.filter(({ type }) => type !== 'notice').map(({ name }) => name);
  expect(names).toEqual(['events', 'customEvents', 'catchUp', 'enrich', 'options']);
  expect(property('options').options?.map(({ name }) => name)).toEqual([
    'switchOffElsewhere',
    'email_address',
    'emitFailed',
    'ignoreWithout',
    'label',
    'maxAge',
    'maxDeliverySize',
    'onlyAmountsFrom',
    'onlyCustomers',
    'onlyMerchants',
    'onlyStatuses',
    'onlyOwnRequests',
    'signature',
    'signatureHeader',
    'split',
    'verifyCredentials',
    'webhook_node',
  ]);
});

test('offers the trigger neither as a tool nor with an input', () => {
  expect(description).not.toHaveProperty('usableAsTool');
  expect(description.inputs).toEqual([]);
});

test.each([
  [{ options: {} }, false],
  [{ options: { verifyCredentials: true } }, false],
  [{ options: { verifyCredentials: false } }, false],
  [{ options: { verifyCredentials: false, signature: 'required' } }, false],
  [{ options: { verifyCredentials: false, signature: 'whenPresent' } }, true],
  [{ options: { verifyCredentials: false, signature: 'off' } }, true],
  [{ options: { verifyCredentials: true, signature: 'off' } }, false],
  [{ options: { verifyCredentials: false, signature: '={{ $vars.signature }}' } }, true],
])('shows the warning about unprotected calls with %p: %p', (parameters, shown) => {
  expect(isShown('unverifiedNotice', parameters)).toBe(shown);
});

test('always allows other event names, because the list may be incomplete', () => {
  expect(isShown('customEvents', { events: ['invoice_paid'] })).toBe(true);
  expect(isShown('customEvents', { events: ['invoice_paid', '*'] })).toBe(true);
});

test.each<[object, object]>([
  [{}, { signature: 'required', verifyCredentials: true, mostBytes: 5 * 1024 * 1024, mostMinutes: 600 }],
  [
    { signature: 'nonsense', verifyCredentials: 'no', maxDeliverySize: 'x', maxAge: 'x' },
    { signature: 'required', verifyCredentials: true, mostBytes: 5 * 1024 * 1024, mostMinutes: 600 },
  ],
  [
    { signature: 'off', verifyCredentials: false, maxDeliverySize: 1, maxAge: 0 },
    { signature: 'off', verifyCredentials: false, mostBytes: 1024 * 1024, mostMinutes: 0 },
  ],
  [
    { maxAge: '90', maxDeliverySize: '2' },
    { mostBytes: 2 * 1024 * 1024, mostMinutes: 90 },
  ],
])('reads the options %p as %p', (options, expected) => {
  const parameters: Record<string, unknown> = { events: ['*'], options };
  const context = { getNodeParameter: (name: string, otherwise: unknown) => parameters[name] ?? otherwise };
  expect(readReceiveOptions(context as Parameters<typeof readReceiveOptions>[0])).toMatchObject(expected);
});

test.each(['', ' ', [], false, null, 'abc', -1, Number.POSITIVE_INFINITY, {}])(
  'replaces limit %p with the default',
  (value) => {
    const options = { maxAge: value, maxDeliverySize: value };
    const context = {
      getNodeParameter: (name: string, otherwise: unknown) => (name === 'options' ? options : otherwise),
    };
    const read = readReceiveOptions(context as Parameters<typeof readReceiveOptions>[0]);
    expect(read).toMatchObject({ mostBytes: 5 * 1024 * 1024, mostMinutes: 600 });
  },
);

test('the panel and the canvas say how to cause an event in the sandbox', () => {
  for (const text of [property('setUpNotice').displayName, description.eventTriggerDescription])
    expect(text).toContain('"Pay this invoice"');
});
