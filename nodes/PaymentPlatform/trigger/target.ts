import { NodeOperationError, type IDataObject, type IHookFunctions, type INode } from 'n8n-workflow';

import { chosenEvents } from '../fields/events';
import { entries } from '../fields/kinds/multiple-values';
import { CREDENTIAL_NAME, readAccount } from '../service/account';
import type { Account } from '../model/types';
import { asText, isObject, objectIn } from '../shared/objects';
import { deliveryCredentials, ownLabel, ownMark, type DeliveryCredentials, type WebhookKind } from './credentials';
import { identityOf } from './state';
import { credentialDigest } from './signature';

/** Desired settings of the webhook, based on the node's parameters. */
export interface Target {
  account: Account;
  kind: WebhookKind;
  notification_url: string;
  label: string;
  /** Suffix of the label of every webhook that this node creates for this kind of run. */
  mark: string;
  events: string[];
  email_address: string[];
  webhook_node?: string;
  credentials: DeliveryCredentials;
  credentialDigest: string;
  switchOffElsewhere: boolean;
}

/** Maximum length of a webhook URL (service.md#webhooks). */
const URL_LENGTH = 256;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Reads the desired settings of the webhook from the node's parameters and credential.
 * @throws NodeOperationError that names the parameter to correct.
 */
export async function readTarget(context: IHookFunctions, url: string, kind: WebhookKind): Promise<Target> {
  const node = context.getNode();
  const account = readAccount(await context.getCredentials(CREDENTIAL_NAME), node);
  const identity = identityOf(context);
  const options = objectIn(context.getNodeParameter('options', {}));
  const events = chosenEvents(
    context.getNodeParameter('events', []),
    asText(context.getNodeParameter('customEvents', '')),
  );
  if (events.length === 0)
    throw new NodeOperationError(node, 'No event is selected', {
      description: 'Select at least one event in "Trigger On", or enter event names in "Other Event Names".',
    });
  const webhookNode = asText(options.webhook_node).trim();
  if (!/^\d{0,16}$/.test(webhookNode))
    throw new NodeOperationError(node, '"Watched Merchant ID" must be at most 16 digits');
  const credentials = deliveryCredentials(account, identity, kind);
  const name = asText(options.label).trim() || String(context.getWorkflow().name ?? '');
  return {
    account,
    kind,
    notification_url: url,
    label: ownLabel(name, identity, kind),
    mark: ownMark(identity, kind),
    events,
    email_address: entries(options.email_address).flatMap((entry) => asText(entry).split(/\s+/).filter(Boolean)),
    ...(webhookNode !== '' && { webhook_node: webhookNode }),
    credentials,
    credentialDigest: credentialDigest(credentials.user_name, credentials.user_password),
    switchOffElsewhere: options.switchOffElsewhere === true,
  };
}

/**
 * Checks that the service accepts the webhook URL, by its length and protocol.
 * @throws NodeOperationError that names the n8n setting to change.
 */
export function checkAddress({ notification_url: url, account }: Target, node: INode): void {
  const refuse = (what: string): never => {
    throw new NodeOperationError(
      node,
      `The service can't call this n8n instance, because the address ${what}: ${url.slice(0, 300)}`,
      {
        description:
          "Set n8n's environment variable WEBHOOK_URL to the public address of this n8n instance, which must start with https://. Restart n8n, and then deactivate and activate the workflow (in n8n 2: unpublish and publish it). Until then, build the workflow with the pinned events in the example sample-events.json.",
      },
    );
  };
  if (url.length > URL_LENGTH) refuse(`has ${url.length} characters and the service accepts at most ${URL_LENGTH}`);
  const { protocol, hostname } = new URL(url);
  const onThisComputer = LOOPBACK.test(hostname) && LOOPBACK.test(new URL(account.baseUrl).hostname);
  if (protocol !== 'https:' && !onThisComputer) refuse('does not start with https://');
}

/** Returns the settings of the webhook as a request body (openapi.yaml#AddWebhookRequest). */
export function webhookBody(target: Target): IDataObject {
  return {
    notification_url: target.notification_url,
    label: target.label,
    events: target.events,
    email_address: target.email_address,
    auth_type: 'BASIC',
    auth_settings: { ...target.credentials },
  };
}

/** Returns whether a webhook at the service differs from the desired webhook in settings that the node can change. */
export function webhookDiffers(record: IDataObject, target: Target): boolean {
  const events = eventsOf(record);
  const user = isObject(record.auth_settings) ? record.auth_settings.user_name : undefined;
  return (
    record.label !== target.label ||
    record.auth_type !== 'BASIC' ||
    (user !== undefined && user !== target.credentials.user_name) ||
    JSON.stringify(events) !== JSON.stringify(target.events) ||
    JSON.stringify(emailsOf(record)) !== JSON.stringify(target.email_address)
  );
}

/** Returns the events of a webhook in alphabetical order. */
export const eventsOf = ({ events }: IDataObject): string[] => (Array.isArray(events) ? events.map(String).sort() : []);

/** The service sends email addresses as JSON text (openapi.yaml#Webhook). Also reads arrays and plain text. */
function emailsOf({ email_address: given }: IDataObject): string[] {
  const list = Array.isArray(given) ? given.map(String) : asText(given).split(/[\s,;"[\]]+/);
  return list.filter((address) => address !== '');
}

const isMarked = (record: IDataObject, { mark }: Pick<Target, 'mark'>) => asText(record.label).endsWith(mark);

/** Returns the listed webhooks that this node created at this URL for this kind of run. */
export const own = (listed: IDataObject[], target: Pick<Target, 'mark' | 'notification_url'>): IDataObject[] =>
  listed.filter((record) => isMarked(record, target) && record.notification_url === target.notification_url);

/**
 * Returns the listed webhooks that have this node's label suffix but another URL. They belong to a clone of this n8n
 * instance or to an earlier URL of the node.
 */
export function elsewhere(listed: IDataObject[], target: Target): IDataObject[] {
  const here = own(listed, target);
  return listed.filter((one) => isMarked(one, target) && one.status !== 'DISABLED' && !here.includes(one));
}
