import type { IDataObject, IExecuteFunctions, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Account } from '../model/types';
import { asText, isList, isObject, objectIn } from '../shared/objects';

/** An attacker can't forge a delivery with this data. */
export interface Registration {
  webhook_id: string;
  /** The service shows the security key only once, when the node creates the webhook (openapi.yaml#addWebhook). */
  sealedKey?: string;
  notification_url: string;
  /** Label suffix. An imported workflow can contain the registrations of another node, which the trigger ignores. */
  mark: string;
  events?: string[];
  webhook_node?: string;
  environment: Account['environment'];
  /** Base URL and merchant ID. */
  account: string;
  /** Digest of the user name and password of deliveries. */
  credentialDigest: string;
  /** Whether the node wants new events from the webhook. */
  active: boolean;
  /** Reason why the service may still use a webhook that the node no longer wants. */
  leftActive?: string;
  /** Time until which a replaced webhook delivers its remaining events, in milliseconds since 1970. */
  drainsUntil?: number;
  /** Consecutive deliveries with the right password and a wrong signature. */
  mismatches?: number;
  revision: number;
}

/** Returns `undefined` if the value isn't a whole number. The ID is text, because JavaScript rounds long numbers. */
export function readWebhookId(value: unknown): string | undefined {
  const isExact = typeof value === 'number' ? Number.isSafeInteger(value) : typeof value === 'string';
  return isExact && /^(?:0|[1-9]\d{0,19})$/.test(asText(value)) ? asText(value) : undefined;
}

type Check = (value: unknown) => boolean;

/** Latest time that JavaScript can represent. A larger revision could not be exceeded. */
const LATEST_MS = 8.64e15;

const isText: Check = (value) => typeof value === 'string';
const isCount: Check = (value) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LATEST_MS;
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const CHECKS: Record<keyof Registration, Check> = {
  webhook_id: (value) => readWebhookId(value) !== undefined,
  sealedKey: optional(isText),
  notification_url: isText,
  mark: isText,
  events: optional((value) => isList(value) && value.every(isText)),
  webhook_node: optional(isText),
  environment: (value) => value === 'test' || value === 'production',
  account: isText,
  credentialDigest: isText,
  active: (value) => typeof value === 'boolean',
  leftActive: optional(isText),
  drainsUntil: optional(isCount),
  mismatches: optional(isCount),
  revision: isCount,
};

const isRegistration = (value: unknown): value is Registration =>
  isObject(value) && Object.entries(CHECKS).every(([name, check]) => check(value[name]));

/**
 * After each call that changes the static data, n8n writes all of it (n8n.md#static-data). Other programs can damage
 * the data, so the types are unknown.
 */
export interface StaticState {
  registrations?: unknown;
  notices?: unknown;
  management?: unknown;
}

/** Omits damaged registrations and those of other nodes. */
export function readRegistrations({ registrations }: StaticState, mark: string): Array<[string, Registration]> {
  return Object.entries(objectIn(registrations)).flatMap(([key, one]): Array<[string, Registration]> => {
    if (!isRegistration(one) || one.mark !== mark || !isKeyOf(key, one)) return [];
    return [[key, { ...one, webhook_id: asText(one.webhook_id), ...(one.events && { events: [...one.events] }) }]];
  });
}

/** A key ends with the account, or with the ID of a replaced webhook. */
const isKeyOf = (key: string, { account, webhook_id }: Registration) =>
  key.endsWith(` ${account}`) || key.endsWith(` ${account} ${webhook_id}`);

/** n8n's types omit the workflow. */
export type Context = (IHookFunctions | IWebhookFunctions | IExecuteFunctions) & {
  workflow?: { staticData: IDataObject };
};

/** Replaces damaged data that can't have properties. */
export function staticDataOf(context: Context): StaticState {
  const read = (): unknown => context.getWorkflowStaticData('node');
  const data = read();
  if (isObject(data)) return data;
  if (context.workflow) Reflect.deleteProperty(context.workflow.staticData, `node:${context.getNode().name}`);
  return objectIn(read());
}
