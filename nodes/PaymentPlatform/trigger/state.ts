import type { Account } from '../model/types';
import { textsIn } from '../shared/objects';
import { ownMark, type WebhookKind, type NodeIdentity } from './credentials';
import { type Context, readRegistrations, type Registration, staticDataOf, type StaticState } from './stored-data';

/**
 * If an execution started before an activation ended, it overwrites the activation's static data. The next call
 * restores registrations from this map.
 */
const latest = new Map<string, Record<string, Registration>>();
/** Registrations that this process has written. Others are from n8n's static data, which can be outdated. */
const written = new WeakSet<Registration>();
/** Webhook URLs of test runs. n8n indicates the test mode at the start of a test, but not at the end. */
const testUrls = new Set<string>();

/** A trigger node's service registrations and user notices. */
export class TriggerState {
  private constructor(
    readonly kind: WebhookKind,
    /** The key is unique within this process. */
    readonly runKey: string,
    readonly mark: string,
    private readonly data: StaticState,
  ) {}

  /** @param url the node's webhook URL in this call, or `''`. */
  static open(context: Context, url: string): TriggerState {
    const identity = identityOf(context);
    const data = staticDataOf(context);
    const stored = readRegistrations(data, ownMark(identity, 'test'));
    const isOfTest = stored.some(([, known]) => known.notification_url === url);
    const kind = context.getMode() === 'manual' || testUrls.has(url) || isOfTest ? 'test' : 'production';
    return new TriggerState(kind, runKeyOf(context, kind), ownMark(identity, kind), data);
  }

  /** Otherwise, the trigger would handle the end of a test as a deactivation of the workflow. */
  noteUrl(url: string): void {
    if (this.kind === 'test') testUrls.add(url);
  }

  find(account: Account, url: string): Registration | undefined {
    const known = this.all()[keyOf(this.kind, account)];
    return known?.notification_url === url ? known : undefined;
  }

  /** Returns whether this process has activated and not deactivated the webhook. */
  isActiveHere(known: Registration): boolean {
    return known.active && written.has(known);
  }

  /** Returns webhooks that may still deliver, beginning with the active webhook. */
  list(): Registration[] {
    const rank = ({ active, revision }: Registration) => (active ? Number.MAX_SAFE_INTEGER : revision);
    return Object.values(this.all())
      .filter(({ drainsUntil }) => drainsUntil !== 0)
      .sort((a, b) => rank(b) - rank(a));
  }

  /**
   * Returns the webhooks of the account and environment for which the workflow was activated last, beginning with the
   * active webhook.
   */
  accepted(): Registration[] {
    const [first] = this.list();
    return this.list().filter(
      ({ account, environment }) => account === first?.account && environment === first.environment,
    );
  }

  /** Webhook IDs are unique only within one account. */
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

  /** If the registration is active, deactivates those of all other accounts. */
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

  forget(account: Account, webhookId: string): void {
    const key = replacedKeyOf(this.kind, account, webhookId);
    const known = this.all()[key];
    // Stores zero instead of removing the entry, because another process could restore a removed entry.
    if (known?.drainsUntil) this.write(key, { ...known, drainsUntil: 0 });
  }

  /**
   * Resets the count after a valid signature.
   * @returns the number of consecutive wrong signatures.
   */
  countMismatch({ account, webhook_id }: Registration, matches: boolean): number {
    const isSame = (one: Registration) => one.account === account && one.webhook_id === webhook_id;
    const [key, known] = Object.entries(this.all()).find(([, one]) => isSame(one)) ?? [];
    if (!key || !known || (matches && known.mismatches === undefined)) return 0;
    const { mismatches = 0, ...rest } = known;
    this.write(key, { ...rest, ...(!matches && { mismatches: mismatches + 1 }) });
    return matches ? 0 : mismatches + 1;
  }

  /** This process may have a newer revision than n8n's static data. */
  restore(): void {
    const all = this.all();
    const stored = Object.fromEntries(this.stored());
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
    return textsIn(this.data.notices);
  }

  set notices(notices: string[]) {
    if (JSON.stringify(notices) === JSON.stringify(this.notices)) return;
    if (notices.length > 0) this.data.notices = notices;
    else delete this.data.notices;
  }

  private all(): Record<string, Registration> {
    const shared = latest.get(this.runKey) ?? {};
    latest.set(this.runKey, shared);
    for (const [key, stored] of this.stored())
      if (stored.revision > (shared[key]?.revision ?? -1)) shared[key] = stored;
    return shared;
  }

  private stored(): Array<[string, Registration]> {
    return readRegistrations(this.data, this.mark);
  }

  private write(key: string, registration: Omit<Registration, 'revision'>): void {
    const all = this.all();
    const revision = Math.max(Date.now(), ...Object.values(all).map((one) => one.revision + 1));
    const one = { ...registration, revision };
    written.add(one);
    all[key] = one;
    this.data.registrations = all;
  }
}

export function identityOf(context: Context): NodeIdentity {
  return {
    instanceId: context.getInstanceId(),
    workflowId: String(context.getWorkflow().id),
    nodeId: context.getNode().id,
  };
}

/** The key is unique within this process. */
export function nodeKeyOf(context: Context): string {
  const { instanceId, workflowId, nodeId } = identityOf(context);
  return `${instanceId} ${workflowId} ${nodeId}`;
}

/** Test runs are separate from the published workflow. */
export const runKeyOf = (context: Context, kind: WebhookKind) => `${nodeKeyOf(context)} ${kind}`;

const keyOf = (kind: WebhookKind, account: Account) => `${kind} ${accountKey(account)}`;

const replacedKeyOf = (kind: WebhookKind, account: Account, webhookId: string) =>
  `${keyOf(kind, account)} ${webhookId}`;

/** Webhook and record IDs are unique only within one account. */
export const accountKey = ({ baseUrl, merchantId }: Account) => `${baseUrl} ${merchantId}`;

/** Returns the merchant ID in the result of `accountKey`. */
export const merchantOf = (key: string): string => key.split(' ').at(-1) ?? '';
