import { createHash, createHmac } from 'node:crypto';

import type { Account } from '../model/types';

/** `test` is the webhook of "Listen for test event" in the editor; it has nothing to do with the environment. */
export type WebhookKind = 'production' | 'test';

/** Which trigger node this is, in which n8n. */
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
 * User name and password with which the service identifies itself (service.md#deliveries). Derived from the
 * credential's secret by HMAC-SHA256, so nobody types them and they are stored nowhere; the same after each activation,
 * different for every node, environment and kind. At most 128 characters each (service.md#webhooks).
 */
export function deliveryCredentials(account: Account, node: NodeIdentity, kind: WebhookKind): DeliveryCredentials {
  const derive = (purpose: string) =>
    createHmac('sha256', account.digestKey)
      .update(JSON.stringify(['webhook', purpose, node.workflowId, node.nodeId, account.environment, kind]))
      .digest();
  return {
    user_name: `n8n${derive('user_name').toString('hex').slice(0, 16)}`,
    user_password: derive('user_password').toString('hex'),
  };
}

/** The mark at the end of a label by which the node recognises its own webhooks; stays when the API key changes. */
export function ownMark(node: NodeIdentity, kind: WebhookKind): string {
  const mark = createHash('sha256').update(JSON.stringify([node.instanceId, node.workflowId, node.nodeId, kind]));
  return `(n8n ${mark.digest('hex').slice(0, 12)})`;
}

/** Longest label that the service takes (service.md#webhooks). */
const LABEL_LENGTH = 64;

/** A label that names the workflow and ends with the node's own mark; printable ASCII, as the service takes it. */
export function ownLabel(name: string, node: NodeIdentity, kind: WebhookKind): string {
  const mark = ownMark(node, kind);
  const shown = (kind === 'test' ? `Test: ${name}` : name)
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return `${shown.slice(0, LABEL_LENGTH - mark.length - 1).trim()} ${mark}`.trim();
}
