import { NodeOperationError, type IDataObject, type IHookFunctions, type INode } from 'n8n-workflow';

import { chosenEvents } from '../fields/events';
import { addressesIn } from '../fields/kinds/multiple-values';
import { describe } from '../fields/value';
import { CREDENTIAL_NAME, readAccount } from '../service/account';
import type { Account } from '../model/types';
import { asText, isObject, objectIn } from '../shared/objects';
import { isAmount } from './filters';
import { deliveryCredentials, ownLabel, ownMark, type DeliveryCredentials, type WebhookKind } from './credentials';
import { credentialDigest } from './signature';
import { identityOf } from './state';
import { readWebhookId } from './stored-data';

/** Account and URL of the webhook, and the suffix that identifies it. */
export interface WebhookPlace {
  account: Account;
  notification_url: string;
  /** Label suffix of every webhook of the node for this kind of run. */
  mark: string;
}

export interface Target extends WebhookPlace {
  label: string;
  events: string[];
  email_address: string[];
  webhook_node?: string;
  credentials: DeliveryCredentials;
  credentialDigest: string;
  switchOffElsewhere: boolean;
}

/** Maximum in service.md#webhooks. */
const URL_LENGTH = 256;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Reads no parameters, so that invalid parameters don't prevent a deactivation.
 * @throws NodeOperationError that names the invalid part of the credential.
 */
export async function readPlace(context: IHookFunctions, url: string, kind: WebhookKind): Promise<WebhookPlace> {
  const account = readAccount(await context.getCredentials(CREDENTIAL_NAME), context.getNode());
  return { account, notification_url: url, mark: ownMark(identityOf(context), kind) };
}

/** @throws NodeOperationError that names the parameter to correct. */
export async function readTarget(context: IHookFunctions, url: string, kind: WebhookKind): Promise<Target> {
  const node = context.getNode();
  const place = await readPlace(context, url, kind);
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
  const least = asText(options.onlyAmountsFrom).trim();
  if (!isAmount(least))
    throw new NodeOperationError(
      node,
      `"Only Amounts From" must be a number of 0 or more, e.g. 100 (found ${describe(least)})`,
    );
  const credentials = deliveryCredentials(place.account, identity, kind);
  const name = asText(options.label).trim() || String(context.getWorkflow().name ?? '');
  return {
    ...place,
    label: ownLabel(name, identity, kind),
    events,
    email_address: addressesIn(options.email_address),
    ...(webhookNode !== '' && { webhook_node: webhookNode }),
    credentials,
    credentialDigest: credentialDigest(credentials.user_name, credentials.user_password),
    switchOffElsewhere: options.switchOffElsewhere === true,
  };
}

/**
 * The service limits a URL's length and protocol.
 * @throws NodeOperationError that names the n8n setting to change.
 */
export function checkAddress({ notification_url: url, account }: WebhookPlace, node: INode): void {
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

/** Returns a request body (openapi.yaml#AddWebhookRequest). */
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

/** Compares only settings that the node can change. */
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

/** Returns the events in alphabetical order. */
export const eventsOf = ({ events }: IDataObject): string[] => (Array.isArray(events) ? events.map(String).sort() : []);

/** The service sends email addresses as JSON text (openapi.yaml#Webhook). Also reads arrays and plain text. */
function emailsOf({ email_address: given }: IDataObject): string[] {
  const list = Array.isArray(given) ? given.map(String) : asText(given).split(/[\s,;"[\]]+/);
  return list.filter((address) => address !== '');
}

const isMarked = (record: IDataObject, { mark }: Mark) => asText(record.label).endsWith(mark);

type Mark = Pick<WebhookPlace, 'mark'>;
type MarkAndUrl = Omit<WebhookPlace, 'account'>;

/** Returns the webhooks that this node created at this URL for this kind of run. */
export const own = (listed: IDataObject[], place: MarkAndUrl): IDataObject[] =>
  listed.filter((record) => isMarked(record, place) && record.notification_url === place.notification_url);

/** Returns whether a record shows another label suffix or URL. A record without these fields shows nothing. */
export const isOthers = (record: IDataObject, place: MarkAndUrl): boolean =>
  (typeof record.label === 'string' && !isMarked(record, place)) ||
  (typeof record.notification_url === 'string' && record.notification_url !== place.notification_url);

export const listedAs = (listed: IDataObject[], webhookId: string): IDataObject[] =>
  listed.filter(({ webhook_id }) => readWebhookId(webhook_id) === webhookId);

/**
 * These webhooks have this node's label suffix but another URL. They belong to a clone of this n8n instance or to an
 * earlier URL of the node.
 */
export function elsewhere(listed: IDataObject[], place: MarkAndUrl): IDataObject[] {
  const isElsewhere = (record: IDataObject) => isMarked(record, place) && isOthers(record, place);
  return listed.filter((record) => isElsewhere(record) && record.status !== 'DISABLED');
}
