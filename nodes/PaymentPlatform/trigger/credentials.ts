import { createHash, createHmac } from 'node:crypto';

import type { Account } from '../model/types';
import { markOf, userNameOf } from '../shared/trigger-mark';

/**
 * The kind `test` belongs to "Listen for test event" in the editor and is unrelated to the service's test environment.
 */
export type WebhookKind = 'production' | 'test';

/** The identity includes the n8n instance. */
export interface NodeIdentity {
  instanceId: string;
  workflowId: string;
  nodeId: string;
}

export interface DeliveryCredentials {
  user_name: string;
  user_password: string;
}

/**
 * The service sends these credentials with each delivery (service.md#deliveries). The node derives them from the
 * credential's secret, so that n8n doesn't need to store them. Each has at most 128 characters (service.md#webhooks).
 */
export function deliveryCredentials(account: Account, node: NodeIdentity, kind: WebhookKind): DeliveryCredentials {
  const derive = (purpose: string) =>
    createHmac('sha256', account.digestKey)
      .update(JSON.stringify(['webhook', purpose, node.workflowId, node.nodeId, account.environment, kind]))
      .digest();
  return {
    user_name: userNameOf(derive('user_name').toString('hex')),
    user_password: derive('user_password').toString('hex'),
  };
}

/** The label suffix of the node's own webhooks doesn't depend on the API key. */
export function ownMark(node: NodeIdentity, kind: WebhookKind): string {
  const mark = createHash('sha256').update(JSON.stringify([node.instanceId, node.workflowId, node.nodeId, kind]));
  return markOf(mark.digest('hex'));
}

/** Maximum in service.md#webhooks. */
const LABEL_LENGTH = 64;

/** Consists of a name and the node's suffix, in printable ASCII. */
export function ownLabel(name: string, node: NodeIdentity, kind: WebhookKind): string {
  const mark = ownMark(node, kind);
  const shown = (kind === 'test' ? `Test: ${name}` : name)
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return `${shown.slice(0, LABEL_LENGTH - mark.length - 1).trim()} ${mark}`.trim();
}
