import { readRegistrations, readWebhookId, staticDataOf } from '../../../nodes/PaymentPlatform/trigger/stored-data';

const MARK = '(n8n 0123456789ab)';
const ACCOUNT = 'https://pay.example.com 1';
const KEY = `production ${ACCOUNT}`;
const registration = {
  webhook_id: '7',
  sealedKey: 'sealed',
  notification_url: 'https://n8n.example.com/webhook/a',
  mark: MARK,
  events: ['invoice_paid'],
  webhook_node: '1',
  environment: 'test',
  account: ACCOUNT,
  credentialDigest: 'digest',
  active: true,
  leftActive: 'reason',
  drainsUntil: 0,
  mismatches: 2,
  revision: 1,
};
const read = (registrations: unknown) => readRegistrations({ registrations }, MARK);

test.each([
  [7, '7'],
  [0, '0'],
  ['7', '7'],
  ['912345678901234567', '912345678901234567'],
  [Number.MAX_SAFE_INTEGER, '9007199254740991'],
])('reads the webhook ID %p as %s', (value, id) => {
  expect(readWebhookId(value)).toBe(id);
});

test.each([
  undefined,
  null,
  true,
  '',
  ' 7',
  '07',
  '7.0',
  '-7',
  '1e3',
  'x7',
  '7x',
  -1,
  1.5,
  2 ** 53,
  NaN,
  Infinity,
  {},
  [7],
  '1'.repeat(21),
])('reads no webhook ID from %p', (value) => {
  expect(readWebhookId(value)).toBeUndefined();
});

test('reads a registration of the node with all its fields', () => {
  expect(read({ [KEY]: registration })).toEqual([[KEY, registration]]);
  const replaced = `${KEY} 7`;
  expect(read({ [replaced]: registration })).toEqual([[replaced, registration]]);
});

test('reads a registration with only the required fields', () => {
  const { sealedKey, events, webhook_node, leftActive, drainsUntil, mismatches, ...required } = registration;
  expect([sealedKey, events, webhook_node, leftActive, drainsUntil, mismatches]).not.toContain(undefined);
  expect(read({ [KEY]: required })).toEqual([[KEY, required]]);
});

test('reads a registration of the production environment', () => {
  const production = { ...registration, environment: 'production' };
  expect(read({ [KEY]: production })).toEqual([[KEY, production]]);
});

test('reads an ID that an earlier version stored as a number', () => {
  expect(read({ [KEY]: { ...registration, webhook_id: 7 } })).toEqual([[KEY, registration]]);
});

test('copies registrations, so that later changes of the static data have no effect', () => {
  const stored = structuredClone({ [KEY]: registration });
  const [[, copy] = []] = read(stored);
  Object.assign(stored[KEY] as object, { active: false });
  stored[KEY]?.events.push('dispute_update');
  expect(copy).toEqual(registration);
});

test('ignores registrations of another node', () => {
  const other = { ...registration, mark: '(n8n ba9876543210)' };
  expect(read({ [KEY]: other, [`${KEY} 7`]: registration })).toEqual([[`${KEY} 7`, registration]]);
});

test.each([undefined, null, 'x', 7, true, [], [registration], { [KEY]: null }, { [KEY]: 'x' }, { [KEY]: [] }])(
  'reads no registration from %j',
  (registrations) => {
    expect(read(registrations)).toEqual([]);
  },
);

test.each(['x', ACCOUNT.slice(1), `${KEY} 8`, `${KEY}7`, '__proto__'])(
  'ignores a registration with the key %s',
  (key) => {
    expect(read(JSON.parse(JSON.stringify({ key: registration }).replace('key', key)))).toEqual([]);
  },
);

test.each(
  Object.entries({
    webhook_id: [undefined, null, true, 1.5, 'x', '', -1],
    sealedKey: [null, 7],
    notification_url: [undefined, null, 7],
    mark: [undefined, null, 7],
    events: [null, 'x', [7], [null], ['invoice_paid', 7]],
    webhook_node: [null, 7],
    environment: [undefined, null, 'live'],
    account: [undefined, null, 7, ''],
    credentialDigest: [undefined, null, 7],
    active: [undefined, null, 'true', 1],
    leftActive: [null, 7],
    drainsUntil: [null, 'x', -1, 0.5],
    mismatches: [null, 'x', -1, 0.5],
    revision: [undefined, null, '1', -1, 0.5, 1e300, 8.64e15 + 1],
  }).flatMap(([field, values]) => values.map((value) => [field, value])),
)('ignores a registration whose %s is %p', (field, value) => {
  expect(read({ [KEY]: { ...registration, [String(field)]: value } })).toEqual([]);
});

describe('static data of the node', () => {
  /** Simulates n8n, which creates missing static data and returns damaged data unchanged. */
  function contextOf(data: unknown, hasWorkflow = true) {
    const staticData: Record<string, unknown> = { 'node:Trigger': data, global: 1 };
    const context = {
      getWorkflowStaticData: () =>
        (staticData['node:Trigger'] ??= data === null && 'node:Trigger' in staticData ? null : {}),
      getNode: () => ({ name: 'Trigger' }),
      ...(hasWorkflow && { workflow: { staticData } }),
    };
    return { context: context as never, staticData };
  }

  test('keeps usable data', () => {
    const data = { registrations: 1 };
    const { context, staticData } = contextOf(data);
    expect(staticDataOf(context)).toBe(data);
    expect(staticData['node:Trigger']).toBe(data);
  });

  test.each([null, 'x', 0, true, []])('replaces %j, so that n8n stores later changes', (data) => {
    const { context, staticData } = contextOf(data);
    const replaced = staticDataOf(context);
    replaced.management = 'unavailable';
    expect(staticData).toEqual({ 'node:Trigger': { management: 'unavailable' }, global: 1 });
  });

  test.each([null, 'x', []])("uses empty data in memory if the node can't replace %j", (data) => {
    expect(staticDataOf(contextOf(data, false).context)).toEqual({});
  });
});
