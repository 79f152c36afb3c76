import type { IExecuteFunctions, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Account } from '../model/types';
import { ownMark, type WebhookKind, type NodeIdentity } from './credentials';

/** Stored data about a webhook that the node created. An attacker can't forge a delivery with this data. */
export interface Registration {
  webhook_id: number;
  /**
   * Encrypted security key (seal.ts). The service shows the key only once, when the node creates the webhook
   * (openapi.yaml#addWebhook).
   */
  sealedKey?: string;
  notification_url: string;
  /**
   * Label suffix of the node that created the webhook. The node ignores registrations with another suffix, because an
   * imported workflow contains the registrations of another node.
   */
  mark: string;
  /** Events of the webhook. Missing if the node created the webhook for all events. */
  events?: string[];
  webhook_node?: string;
  environment: Account['environment'];
  /** Key of the webhook's account, which consists of the base URL and the merchant ID. */
  account: string;
  /** Digest of the user name and password that the service sends with deliveries. */
  credentialDigest: string;
  /** Whether the trigger accepts deliveries of the webhook. */
  active: boolean;
  /**
   * Reason why the service may still use the webhook after a user deactivated the workflow. The next activation or
   * deactivation disables the webhook.
   */
  leftActive?: string;
  /** End of the period in which a replaced webhook delivers its remaining events, in milliseconds since 1970. */
  drainsUntil?: number;
  /**
   * Number of consecutive deliveries that had the right password and a wrong signature. Several wrong signatures
   * indicate a changed key.
   */
  mismatches?: number;
  /** Revision number, which increases with each change. The node keeps the newer of two states. */
  revision: number;
}

/**
 * Static data of the node. n8n stores the data with the workflow. After each call that changes the data, n8n writes all
 * of the data (n8n.md#static-data).
 */
interface StaticState {
  registrations?: Record<string, Registration>;
  /** Notices for the user. Until the next activation, each item that the trigger outputs contains the notices. */
  notices?: string[];
  /** `unavailable` if the account can't list, change or disable webhooks. */
  management?: 'unavailable';
}

type Context = IHookFunctions | IWebhookFunctions | IExecuteFunctions;

/**
 * Registrations by node, for the lifetime of the process. n8n loads static data for each call and writes all of the
 * data back. An execution that started before an activation ended therefore overwrites the activation's changes. The
 * next call of this process restores the changes. The map also keeps the webhook of a test run, because n8n discards
 * the static data of test runs.
 */
const latest = new Map<string, Record<string, Registration>>();
/** Webhook URLs of test runs. n8n indicates the test mode at the start of a test, but not at the end. */
const testUrls = new Set<string>();

/** State of a trigger node, which consists of its registrations at the service and notices for the user. */
export class TriggerState {
  private constructor(
    readonly kind: WebhookKind,
    /** Key for the node and the kind of run, unique within this process. */
    readonly runKey: string,
    readonly mark: string,
    private readonly data: StaticState,
  ) {}

  /**
   * Opens the state of the node for a call of n8n.
   * @param url webhook URL of the node in this call, or empty text.
   */
  static open(context: Context, url: string): TriggerState {
    const identity = identityOf(context);
    const data = context.getWorkflowStaticData('node') as StaticState;
    const isTest = context.getMode() === 'manual' || testUrls.has(url) || holdsTest(data, url);
    const kind = isTest ? 'test' : 'production';
    return new TriggerState(kind, runKeyOf(context, kind), ownMark(identity, kind), data);
  }

  /**
   * Remembers the URL of a test run, because n8n doesn't indicate the test mode when the test ends. Without the URL,
   * the trigger would handle the end of the test as a deactivation of the workflow.
   */
  noteUrl(url: string): void {
    if (this.kind === 'test') testUrls.add(url);
  }

  /** Returns the registration for an account and a URL. */
  find(account: Account, url: string): Registration | undefined {
    const known = this.all()[keyOf(this.kind, account)];
    return known?.notification_url === url ? known : undefined;
  }

  /** Returns all webhooks that may still deliver, beginning with the active webhook. */
  list(): Registration[] {
    const rank = ({ active, revision }: Registration) => (active ? Number.MAX_SAFE_INTEGER : revision);
    return Object.values(this.all())
      .filter(({ drainsUntil }) => drainsUntil !== 0)
      .sort((a, b) => rank(b) - rank(a));
  }

  /**
   * Returns webhooks of other accounts that may still deliver. Only the earlier credential can disable these webhooks.
   */
  ofOtherAccounts(account: Account): Registration[] {
    const own = keyOf(this.kind, account);
    return Object.entries(this.all())
      .filter(([key]) => key !== own && !key.startsWith(`${own} `))
      .filter(([, { active, leftActive }]) => active || leftActive !== undefined)
      .map(([, registration]) => registration);
  }

  /** Stores a registration. If the registration is active, deactivates the registrations of all other accounts. */
  keep(account: Account, registration: Omit<Registration, 'revision' | 'account'>): void {
    const own = keyOf(this.kind, account);
    const others = registration.active ? this.ofOtherAccounts(account) : [];
    for (const [key, other] of Object.entries(this.all()))
      if (others.includes(other))
        this.write(key, { ...other, active: false, leftActive: 'the credential has changed since then' });
    this.write(own, { ...registration, account: accountKey(account) });
  }

  /** Stores a replaced webhook in addition to the new webhook. */
  keepReplaced(account: Account, replaced: Registration, drainsUntil: number): void {
    this.write(`${keyOf(this.kind, account)} ${replaced.webhook_id}`, { ...replaced, active: false, drainsUntil });
  }

  /** Removes a webhook that has no deliveries left. */
  forget(webhookId: number): void {
    const all = this.all();
    const gone = Object.entries(all).filter(([, one]) => one.webhook_id === webhookId && one.drainsUntil);
    // Stores zero instead of removing the entry, because another process could restore a removed entry.
    for (const [key, one] of gone) this.write(key, { ...one, drainsUntil: 0 });
  }

  /**
   * Counts consecutive wrong signatures of a webhook. Resets the count after a valid signature.
   * @returns the new count.
   */
  countMismatch(webhookId: number, matches: boolean): number {
    const [key, known] = Object.entries(this.all()).find(([, one]) => one.webhook_id === webhookId) ?? [];
    if (!key || !known || (matches && known.mismatches === undefined)) return 0;
    const { mismatches = 0, ...rest } = known;
    this.write(key, { ...rest, ...(!matches && { mismatches: mismatches + 1 }) });
    return matches ? 0 : mismatches + 1;
  }

  /** Restores registrations in n8n's static data if this process has a newer revision. */
  restore(): void {
    const all = this.all();
    const stored = this.data.registrations ?? {};
    if (Object.keys(all).some((key) => (all[key]?.revision ?? 0) > (stored[key]?.revision ?? 0)))
      this.data.registrations = all;
  }

  get managementUnavailable(): boolean {
    return this.data.management === 'unavailable';
  }

  set managementUnavailable(value: boolean) {
    if (value === this.managementUnavailable) return;
    if (value) this.data.management = 'unavailable';
    else delete this.data.management;
  }

  get notices(): string[] {
    return this.data.notices ?? [];
  }

  set notices(notices: string[]) {
    if (JSON.stringify(notices) === JSON.stringify(this.notices)) return;
    if (notices.length > 0) this.data.notices = notices;
    else delete this.data.notices;
  }

  /**
   * Merges stored and remembered registrations of this node. If two entries have the same key, keeps the newer entry.
   */
  private all(): Record<string, Registration> {
    const shared = latest.get(this.runKey) ?? {};
    latest.set(this.runKey, shared);
    for (const [key, stored] of Object.entries(this.data.registrations ?? {}))
      if (stored.mark === this.mark && stored.revision > (shared[key]?.revision ?? -1))
        // Copies the entry, because n8n's object belongs to one call and tracks every change.
        shared[key] = JSON.parse(JSON.stringify(stored)) as Registration;
    return shared;
  }

  private write(key: string, registration: Omit<Registration, 'revision'>): void {
    const all = this.all();
    const revision = Math.max(Date.now(), ...Object.values(all).map((one) => one.revision + 1));
    all[key] = { ...registration, revision };
    this.data.registrations = all;
  }
}

const holdsTest = ({ registrations = {} }: StaticState, url: string) =>
  Object.entries(registrations).some(([key, known]) => key.startsWith('test ') && known.notification_url === url);

/** Returns the identity of the trigger node that handles a call. */
export function identityOf(context: Context): NodeIdentity {
  return {
    instanceId: context.getInstanceId(),
    workflowId: String(context.getWorkflow().id),
    nodeId: context.getNode().id,
  };
}

/** Returns a key for the node, unique within this process. */
export function nodeKeyOf(context: Context): string {
  const { instanceId, workflowId, nodeId } = identityOf(context);
  return `${instanceId} ${workflowId} ${nodeId}`;
}

/**
 * Returns a key for the node and the kind of run. Test runs have their own key, because test runs are separate from the
 * published workflow.
 */
export const runKeyOf = (context: Context, kind: WebhookKind) => `${nodeKeyOf(context)} ${kind}`;

const keyOf = (kind: WebhookKind, account: Account) => `${kind} ${accountKey(account)}`;

/** Returns a key for an account. Webhooks and record IDs are unique only within one account. */
export const accountKey = ({ baseUrl, merchantId }: Account) => `${baseUrl} ${merchantId}`;
