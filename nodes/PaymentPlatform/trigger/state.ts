import type { IExecuteFunctions, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Account } from '../model/types';
import { ownMark, type WebhookKind, type NodeIdentity } from './credentials';

/** Stored data about a webhook that the node created. An attacker can't forge a delivery with this data. */
export interface Registration {
  webhook_id: number;
  /**
   * Encrypted security key. The service shows the key only once, when the node creates the webhook
   * (openapi.yaml#addWebhook).
   */
  sealedKey?: string;
  notification_url: string;
  /**
   * Label suffix of the node that created the webhook. An imported workflow can contain the registrations of another
   * node, which the trigger ignores.
   */
  mark: string;
  /** Events for which the node registered the webhook. */
  events?: string[];
  webhook_node?: string;
  environment: Account['environment'];
  /** Base URL and merchant ID of the webhook's account. */
  account: string;
  /** Digest of the user name and password that the service sends with deliveries. */
  credentialDigest: string;
  /** Whether the node wants new events from the webhook. */
  active: boolean;
  /** Reason why the service may still use a webhook that the node no longer wants. */
  leftActive?: string;
  /** End of the period in which a replaced webhook delivers its remaining events, in milliseconds since 1970. */
  drainsUntil?: number;
  /** Number of consecutive deliveries that had the right password and a wrong signature. */
  mismatches?: number;
  revision: number;
}

/** Static data of the node. After each call that changes the data, n8n writes all of it (n8n.md#static-data). */
interface StaticState {
  registrations?: Record<string, Registration>;
  notices?: string[];
  management?: 'unavailable';
}

type Context = IHookFunctions | IWebhookFunctions | IExecuteFunctions;

/**
 * Registrations by node. If an execution started before an activation ended, it overwrites the activation's static
 * data. The next call restores registrations from this map.
 */
const latest = new Map<string, Record<string, Registration>>();
/** Webhook URLs of test runs. n8n indicates the test mode at the start of a test, but not at the end. */
const testUrls = new Set<string>();

/** A trigger node's service registrations and user notices. */
export class TriggerState {
  private constructor(
    readonly kind: WebhookKind,
    /** Key for the node and the kind of run, unique within this process. */
    readonly runKey: string,
    readonly mark: string,
    private readonly data: StaticState,
  ) {}

  /**
   * Opens the node's state for a call from n8n.
   * @param url the node's webhook URL in this call, or `''`.
   */
  static open(context: Context, url: string): TriggerState {
    const identity = identityOf(context);
    const data = context.getWorkflowStaticData('node') as StaticState;
    const isTest = context.getMode() === 'manual' || testUrls.has(url) || holdsTest(data, url);
    const kind = isTest ? 'test' : 'production';
    return new TriggerState(kind, runKeyOf(context, kind), ownMark(identity, kind), data);
  }

  /**
   * Remembers the URL of a test run. Otherwise, the trigger would handle the end of the test as a deactivation of the
   * workflow.
   */
  noteUrl(url: string): void {
    if (this.kind === 'test') testUrls.add(url);
  }

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
   * Returns the webhooks whose deliveries the trigger accepts, beginning with the active webhook. These are the webhooks
   * of the account and environment for which the workflow was activated last.
   */
  accepted(): Registration[] {
    const [first] = this.list();
    return this.list().filter(
      ({ account, environment }) => account === first?.account && environment === first.environment,
    );
  }

  /** Returns the account's webhooks that may still deliver. Webhook IDs are unique only within one account. */
  listOf(account: Account): Registration[] {
    return this.list().filter((one) => one.account === accountKey(account));
  }

  ofOtherAccounts(account: Account): Registration[] {
    const own = keyOf(this.kind, account);
    return Object.entries(this.all())
      .filter(([key]) => key !== own && !key.startsWith(`${own} `))
      .filter(([, { active, leftActive }]) => active || leftActive !== undefined)
      .map(([, registration]) => registration);
  }

  /** Stores a registration. If it is active, deactivates the registrations of all other accounts. */
  keep(account: Account, registration: Omit<Registration, 'revision' | 'account'>): void {
    const own = keyOf(this.kind, account);
    const others = registration.active ? this.ofOtherAccounts(account) : [];
    for (const [key, other] of Object.entries(this.all()))
      if (others.includes(other))
        this.write(key, { ...other, active: false, leftActive: 'the credential has changed since then' });
    this.write(own, { ...registration, account: accountKey(account) });
  }

  keepReplaced(account: Account, replaced: Registration, drainsUntil: number): void {
    const key = replacedKeyOf(this.kind, account, replaced.webhook_id);
    this.write(key, { ...replaced, active: false, drainsUntil });
  }

  forget(account: Account, webhookId: number): void {
    const key = replacedKeyOf(this.kind, account, webhookId);
    const known = this.all()[key];
    // Stores zero instead of removing the entry, because another process could restore a removed entry.
    if (known?.drainsUntil) this.write(key, { ...known, drainsUntil: 0 });
  }

  /**
   * Counts consecutive wrong signatures of a webhook. Resets the count after a valid signature.
   * @returns the new count.
   */
  countMismatch({ account, webhook_id }: Registration, matches: boolean): number {
    const isSame = (one: Registration) => one.account === account && one.webhook_id === webhook_id;
    const [key, known] = Object.entries(this.all()).find(([, one]) => isSame(one)) ?? [];
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

  private all(): Record<string, Registration> {
    const shared = latest.get(this.runKey) ?? {};
    latest.set(this.runKey, shared);
    for (const [key, stored] of Object.entries(this.data.registrations ?? {}))
      if (stored.mark === this.mark && stored.revision > (shared[key]?.revision ?? -1))
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

/** Returns a key for the node and the kind of run, because test runs are separate from the published workflow. */
export const runKeyOf = (context: Context, kind: WebhookKind) => `${nodeKeyOf(context)} ${kind}`;

const keyOf = (kind: WebhookKind, account: Account) => `${kind} ${accountKey(account)}`;

const replacedKeyOf = (kind: WebhookKind, account: Account, webhookId: number) =>
  `${keyOf(kind, account)} ${webhookId}`;

/** Returns a key for an account. Webhook and record IDs are unique only within one account. */
export const accountKey = ({ baseUrl, merchantId }: Account) => `${baseUrl} ${merchantId}`;
