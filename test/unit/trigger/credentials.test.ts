import type { Account } from '../../../nodes/PaymentPlatform/model/types';
import {
  deliveryCredentials,
  ownLabel,
  ownMark,
  type WebhookKind,
  type NodeIdentity,
} from '../../../nodes/PaymentPlatform/trigger/credentials';
import { isOfTrigger } from '../../../nodes/PaymentPlatform/shared/trigger-mark';

const account: Account = { environment: 'test', baseUrl: 'https://a', merchantId: '1', digestKey: 'key' };
const node: NodeIdentity = { instanceId: 'i', workflowId: 'w', nodeId: 'n' };

test('returns the same delivery credentials each time with lengths that the service accepts', () => {
  const first = deliveryCredentials(account, node, 'production');
  expect(deliveryCredentials({ ...account }, { ...node }, 'production')).toEqual(first);
  expect(first.user_name).toMatch(/^n8n[0-9a-f]{16}$/);
  expect(first.user_password).toMatch(/^[0-9a-f]{64}$/);
});

test('returns different delivery credentials for each node, workflow, environment, kind and API key', () => {
  const variants: Array<[Account, NodeIdentity, WebhookKind]> = [
    [account, node, 'production'],
    [account, node, 'test'],
    [account, { ...node, nodeId: 'm' }, 'production'],
    [account, { ...node, workflowId: 'v' }, 'production'],
    [{ ...account, environment: 'production' }, node, 'production'],
    [{ ...account, digestKey: 'other' }, node, 'production'],
  ];
  const all = variants.map(([a, n, kind]) => deliveryCredentials(a, n, kind));
  expect(new Set(all.map(({ user_name }) => user_name)).size).toBe(variants.length);
  expect(new Set(all.map(({ user_password }) => user_password)).size).toBe(variants.length);
});

test('returns a unique identifier for each instance, workflow, node and trigger kind', () => {
  const marks = [
    ownMark(node, 'production'),
    ownMark(node, 'test'),
    ownMark({ ...node, instanceId: 'j' }, 'production'),
    ownMark({ ...node, workflowId: 'v' }, 'production'),
    ownMark({ ...node, nodeId: 'm' }, 'production'),
  ];
  expect(new Set(marks).size).toBe(marks.length);
});

test.each(['Paid invoices', 'x'.repeat(300), '', '請求書 ✓', 'Größe\u0000 und\tmehr'])(
  'returns a unique label for %p with at most 64 printable ASCII characters',
  (name) => {
    for (const kind of ['production', 'test'] as const) {
      const label = ownLabel(name, node, kind);
      expect(label).toMatch(/^[\x21-\x7e][\x20-\x7e]{0,63}$/);
      expect(label.endsWith(ownMark(node, kind))).toBe(true);
    }
  },
);

test('names the workflow in the label and marks test runs', () => {
  expect(ownLabel('Paid invoices', node, 'production')).toMatch(/^Paid invoices \(n8n /);
  expect(ownLabel('Paid invoices', node, 'test')).toMatch(/^Test: Paid invoices \(n8n /);
});

test.each(['production', 'test'] as const)(
  "recognizes a trigger's webhook by its label or by its user name (%s)",
  (kind) => {
    const { user_name } = deliveryCredentials(account, node, kind);
    const label = ownLabel('Paid invoices', node, kind);
    expect(isOfTrigger({ label })).toBe(true);
    expect(isOfTrigger({ label: ` ${label} ` })).toBe(true);
    expect(isOfTrigger({ label: 'Renamed', auth_settings: { user_name } })).toBe(true);
  },
);

test.each([
  {},
  { label: 'n8n' },
  { label: '(n8n 0123456789ab) Accounting' },
  { label: 'Accounting (n8n 0123456789a)' },
  { label: 'Accounting (n8n 0123456789abc)' },
  { label: 'Accounting (n8n 0123456789AB)' },
  { label: 'Accounting', auth_settings: { user_name: 'n8n' } },
  { label: 'Accounting', auth_settings: { user_name: 'my-n8n0123456789abcdef' } },
  { label: 'Accounting', auth_settings: { user_name: 'n8n0123456789abcdef0' } },
])("doesn't recognize a user webhook as a trigger's (%j)", (webhook) => {
  expect(isOfTrigger(webhook)).toBe(false);
});
