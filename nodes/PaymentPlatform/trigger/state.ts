import type { IExecuteFunctions, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Account } from '../model/types';
import { ownMark, type WebhookKind, type NodeIdentity } from './credentials';

/** What the node knows about a webhook that it made at the service. Holds nothing by which a delivery could be forged. */
export interface Registration {
  webhook_id: number;
  /**
   * The security key, encrypted (seal.ts). The service shows it once, when the webhook is made
   * (openapi.yaml#addWebhook).
   */
  sealedKey?: string;
  notification_url: string;
  /** The mark of the node that made it: a workflow that was imported brings along what another one registered. */
  mark: string;
  /** None where it was made for all events without naming them. */
  events?: string[];
  webhook_node?: string;
  environment: Account['environment'];
  /** Base URL and merchant of the account that it was made for. */
  account: string;
  /** Recognises the user name and password of deliveries. */
  credentialDigest: string;
  /** Whether the node wants the service to deliver. */
  active: boolean;
  /** Deactivated in n8n, while the service still delivers: why. The next activation or deactivation cleans up. */
  leftActive?: string;
  /** Replaced: delivers what it still holds until then, in milliseconds since 1970. */
  drainsUntil?: number;
  /** Deliveries in a row by a known caller whose signature did not match: the key was probably changed. */
  mismatches?: number;
  /** Grows with each change, so that the latest of two is known. */
  revision: number;
}

/**
 * The node's static data. n8n keeps it with the workflow, and writes the whole of it after each call that changed it
 * (n8n.md#static-data).
 */
interface StaticState {
  registrations?: Record<string, Registration>;
  /** What a person should know, until the next activation; each item carries it. */
  notices?: string[];
  /** Set while the service offers no way to list, change or disable webhooks to this account. */
  management?: 'unavailable';
}

type Context = IHookFunctions | IWebhookFunctions | IExecuteFunctions;

/**
 * Registrations by node, for as long as the process lives. n8n loads static data anew for each call and writes it back as
 * a whole, so an execution that began before an activation ended, and keeps static data of its own, undoes what the
 * activation wrote; the next call of this process then writes it again. It also carries the webhook of a test run from one
 * run to the next: n8n drops the static data of test runs.
 */
const latest = new Map<string, Record<string, Registration>>();
/** Addresses of test runs: n8n tells the mode of a test when it begins, not when it ends. */
const testUrls = new Set<string>();

export class TriggerState {
  private constructor(
    readonly kind: WebhookKind,
    /** Tells nodes and kinds of run apart within this process. */
    readonly runKey: string,
    readonly mark: string,
    private readonly data: StaticState,
  ) {}

  /** @param url the address that n8n gives the node in this call; empty where n8n gives none. */
  static open(context: Context, url: string): TriggerState {
    const identity = identityOf(context);
    const data = context.getWorkflowStaticData('node') as StaticState;
    const isTest = context.getMode() === 'manual' || testUrls.has(url) || holdsTest(data, url);
    const kind = isTest ? 'test' : 'production';
    return new TriggerState(kind, runKeyOf(context, kind), ownMark(identity, kind), data);
  }

  /** Remembers the address of a test run, so that its end is told from the end of the real thing. */
  noteUrl(url: string): void {
    if (this.kind === 'test') testUrls.add(url);
  }

  /** The webhook at this service, for this merchant and at this address. */
  find(account: Account, url: string): Registration | undefined {
    const known = this.all()[keyOf(this.kind, account)];
    return known?.notification_url === url ? known : undefined;
  }

  /** All that deliver or may have delivered, the one whose deliveries are wanted first. */
  list(): Registration[] {
    const rank = ({ active, revision }: Registration) => (active ? Number.MAX_SAFE_INTEGER : revision);
    return Object.values(this.all())
      .filter(({ drainsUntil }) => drainsUntil !== 0)
      .sort((a, b) => rank(b) - rank(a));
  }

  /** Those of other accounts that may still deliver: a credential that was used before, which alone could disable them. */
  ofOtherAccounts(account: Account): Registration[] {
    const own = keyOf(this.kind, account);
    return Object.entries(this.all())
      .filter(([key]) => key !== own && !key.startsWith(`${own} `))
      .filter(([, { active, leftActive }]) => active || leftActive !== undefined)
      .map(([, registration]) => registration);
  }

  /** Keeps a registration; when it is active, every other one is not. */
  keep(account: Account, registration: Omit<Registration, 'revision' | 'account'>): void {
    const own = keyOf(this.kind, account);
    const others = registration.active ? this.ofOtherAccounts(account) : [];
    for (const [key, other] of Object.entries(this.all()))
      if (others.includes(other))
        this.write(key, { ...other, active: false, leftActive: 'another credential is used since' });
    this.write(own, { ...registration, account: accountKey(account) });
  }

  /** Keeps a webhook that was replaced beside its successor. */
  keepReplaced(account: Account, replaced: Registration, drainsUntil: number): void {
    this.write(`${keyOf(this.kind, account)} ${replaced.webhook_id}`, { ...replaced, active: false, drainsUntil });
  }

  /** Forgets a webhook that has nothing left to deliver. */
  forget(webhookId: number): void {
    const all = this.all();
    const gone = Object.entries(all).filter(([, one]) => one.webhook_id === webhookId && one.drainsUntil);
    // Not removed: a copy of the state in another process would bring it back.
    for (const [key, one] of gone) this.write(key, { ...one, drainsUntil: 0 });
  }

  /** Counts signatures that did not match, and forgets the count when one did. @returns how many in a row. */
  countMismatch(webhookId: number, matches: boolean): number {
    const [key, known] = Object.entries(this.all()).find(([, one]) => one.webhook_id === webhookId) ?? [];
    if (!key || !known || (matches && known.mismatches === undefined)) return 0;
    const { mismatches = 0, ...rest } = known;
    this.write(key, { ...rest, ...(!matches && { mismatches: mismatches + 1 }) });
    return matches ? 0 : mismatches + 1;
  }

  /** Writes again what this process knows better than what is stored. */
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

  /** What is stored and what this process remembers, the latest of each, without what another node registered. */
  private all(): Record<string, Registration> {
    const shared = latest.get(this.runKey) ?? {};
    latest.set(this.runKey, shared);
    for (const [key, stored] of Object.entries(this.data.registrations ?? {}))
      if (stored.mark === this.mark && stored.revision > (shared[key]?.revision ?? -1))
        // A copy: what n8n hands out reports changes to the call that it belongs to.
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

/** Which trigger node a call is about. */
export function identityOf(context: Context): NodeIdentity {
  return {
    instanceId: context.getInstanceId(),
    workflowId: String(context.getWorkflow().id),
    nodeId: context.getNode().id,
  };
}

/** Tells the nodes of this process apart. */
export function nodeKeyOf(context: Context): string {
  const { instanceId, workflowId, nodeId } = identityOf(context);
  return `${instanceId} ${workflowId} ${nodeId}`;
}

/** Tells nodes of this process apart, and the test runs of a node from its published workflow. */
export const runKeyOf = (context: Context, kind: WebhookKind) => `${nodeKeyOf(context)} ${kind}`;

const keyOf = (kind: WebhookKind, account: Account) => `${kind} ${accountKey(account)}`;

/** Tells accounts apart: webhooks, and records of the same number, are those of one account. */
export const accountKey = ({ baseUrl, merchantId }: Account) => `${baseUrl} ${merchantId}`;
