import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Account } from '../pipeline/types';
import type { Kind, NodeIdentity } from './credentials';

/** What the node knows about a webhook that it made at the service. */
export interface Registration {
  webhook_id: number;
  /** The service shows it once, when the webhook is made (interface.md section 2.13). */
  security_key?: string;
  notification_url: string;
  /** None: every event. */
  events?: string[];
  webhook_node?: string;
  environment: Account['environment'];
  /** Recognises the user name and password of deliveries. */
  credentialDigest: string;
  /** Whether the node wants the service to deliver. */
  active: boolean;
  /** Deactivated in n8n, while the service still delivers: why. The next activation or deactivation cleans up. */
  leftActive?: string;
  /** Deliveries in a row by a known caller whose signature did not match: the key was probably changed. */
  mismatches?: number;
  /** Grows with each change, so that the latest of two is known. */
  revision: number;
}

/** The node's static data. n8n keeps it with the workflow, and writes the whole of it after each call that changed it. */
interface StaticState {
  registrations?: Record<string, Registration>;
  /** Identities of the latest deliveries (see once.ts). */
  delivered?: string[];
  /** Set while the service offers no way to list, change or disable webhooks to this account. */
  management?: 'unavailable';
}

/**
 * Registrations by node, for as long as the process lives. n8n loads static data anew for each call and writes it back
 * as a whole, so a delivery that began before an activation ended would undo what the activation wrote. Therefore all
 * calls of the process hand n8n the same object, which holds the latest revision of each registration at the moment it
 * is written. It also carries the webhook of a test run from one run to the next: n8n drops the static data of test runs.
 * Another process that writes at the same moment can still undo it; the next activation repairs that.
 */
const latest = new Map<string, Record<string, Registration>>();
/** Addresses of test runs: n8n tells the mode of a test when it begins, not when it ends. */
const testUrls = new Set<string>();

export class TriggerState {
  private constructor(
    readonly kind: Kind,
    readonly nodeKey: string,
    private readonly data: StaticState,
  ) {}

  /** @param url the address that n8n gives the node in this call. */
  static open(context: IHookFunctions | IWebhookFunctions, url: string): TriggerState {
    const { instanceId, workflowId, nodeId } = identityOf(context);
    const data = context.getWorkflowStaticData('node') as StaticState;
    const isTest = context.getMode() === 'manual' || testUrls.has(url) || holdsTest(data, url);
    const kind = isTest ? 'test' : 'production';
    return new TriggerState(kind, `${instanceId} ${workflowId} ${nodeId} ${kind}`, data);
  }

  /** Remembers the address of a test run, so that its end is told from the end of the real thing. */
  noteUrl(url: string): void {
    if (this.kind === 'test') testUrls.add(url);
  }

  /**
   * The webhook at this service, for this merchant. What only this process remembers counts for the same address alone:
   * the end of a test run that another process began must not be taken for the end of the real thing.
   */
  find(account: Account, url: string): Registration | undefined {
    const key = keyOf(this.kind, account);
    const isStored = this.data.registrations?.[key] !== undefined;
    const known = this.all()[key];
    return isStored || known?.notification_url === url ? known : undefined;
  }

  /** The webhook whose deliveries are wanted. */
  active(): Registration | undefined {
    return Object.values(this.all())
      .filter(({ active }) => active)
      .sort((a, b) => b.revision - a.revision)[0];
  }

  /**
   * Keeps a registration; when it is active, every other one is not.
   * @returns those that were active until now: they belong to another credential, which alone could disable them.
   */
  keep(account: Account, registration: Omit<Registration, 'revision'>): Registration[] {
    const own = keyOf(this.kind, account);
    const others = Object.entries(this.all()).filter(([key, { active }]) => key !== own && active);
    const given = registration.active ? others : [];
    for (const [key, other] of given)
      this.write(key, { ...other, active: false, leftActive: 'another credential is used since' });
    this.write(own, registration);
    return given.map(([, other]) => other);
  }

  /** Counts signatures that did not match, and forgets the count when one did. */
  countMismatch(matches: boolean): void {
    const all = this.all();
    const current = this.active();
    const key = Object.keys(all).find((one) => all[one] === current);
    if (!key || !current || (matches && current.mismatches === undefined)) return;
    const { mismatches = 0, ...rest } = current;
    this.write(key, { ...rest, ...(!matches && { mismatches: mismatches + 1 }) });
  }

  get managementUnavailable(): boolean {
    return this.data.management === 'unavailable';
  }

  set managementUnavailable(value: boolean) {
    if (value === this.managementUnavailable) return;
    if (value) this.data.management = 'unavailable';
    else delete this.data.management;
  }

  get delivered(): string[] {
    return this.data.delivered ?? [];
  }

  /** Puts the identities where n8n saves them, and with them the registrations as this process knows them. */
  saveDelivered(identities: string[]): void {
    this.data.delivered = identities;
    this.data.registrations = this.all();
  }

  /** What is stored and what this process remembers, the latest of each. */
  private all(): Record<string, Registration> {
    const shared = latest.get(this.nodeKey) ?? {};
    latest.set(this.nodeKey, shared);
    for (const [key, stored] of Object.entries(this.data.registrations ?? {}))
      if (stored.revision > (shared[key]?.revision ?? -1))
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
export function identityOf(context: IHookFunctions | IWebhookFunctions): NodeIdentity {
  return {
    instanceId: context.getInstanceId(),
    workflowId: String(context.getWorkflow().id),
    nodeId: context.getNode().id,
  };
}

const keyOf = (kind: Kind, { baseUrl, merchantId }: Account) => `${kind} ${baseUrl} ${merchantId}`;
