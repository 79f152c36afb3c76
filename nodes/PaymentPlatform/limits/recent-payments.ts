import { randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { now } from '../fields/kinds/date';
import { isSameExecution, OtherRuns, type Run } from '../lookup/record-owners';
import { PARTLY_APPROVED, type Failure } from '../model/failure';
import { GUARDS } from '../model/guards';
import { identifyPayment, identifyWrite, makesPayment, partyOf } from '../model/identity';
import { amountOf } from '../model/read-amounts';
import { stillRefundable } from '../messages/what-happened';
import { LEFT, type Account, type PartialFailure, type PlannedRequest } from '../model/types';
import { objectIn, readableNumber } from '../shared/objects';
import type { WriteOutcome } from '../model/write-memory';
import { isTool } from '../n8n/lineage';
import { Digests } from '../once/write-keys';

/** Time in which a person may start the node twice by mistake. */
const RECENT_MS = 10 * 60 * 1000;
/** About 40 MB. */
const MOST_IDENTITIES = 100_000;

/** Equal payments of one execution with the same key of Once per Key. */
interface Payments {
  run: Run;
  oncePerKey?: string | undefined;
  /** Time of the latest payment in `performance` milliseconds, which don't change with the clock. */
  at: number;
  /** Number of payments that were made or whose outcome is unknown. */
  count: number;
  /** Part of the payment that was made. Missing if the outcome is unknown. */
  made?: 'whole' | 'part';
  /** Amount that could be refunded after the latest refund. Missing if the result didn't show it. */
  left?: number | undefined;
}

/** Payments by execution and key. The latest is last. */
type Executions = Map<string, Payments>;

/** Independent of the API key and the base URL, because others can lead to the same account. */
const ANY_CREDENTIAL = { baseUrl: '', digestKey: randomUUID() };

/**
 * Recognizes a payment that this node made in an earlier execution of this n8n process, for example because a person
 * started the node twice in the editor. Equal items and attempts of one execution are no repetitions.
 */
export class RecentPayments {
  /** Payments of this process, by node, account and identity. The latest is last. */
  static readonly byIdentity = new Map<string, Executions>();

  private readonly run: Run;
  private readonly execution: string;
  private readonly digests: Digests;
  private readonly sent = new Map<PlannedRequest, { key: string; payments: Payments }>();
  private readonly notices = new Map<PlannedRequest, string>();

  /** @param isPreview whether the payments are only shown. */
  constructor(
    private readonly context: IExecuteFunctions,
    private readonly account: Account,
    private readonly isPreview: boolean,
  ) {
    this.run = OtherRuns.runOf(context);
    this.execution = this.run.execution ?? randomUUID();
    this.digests = new Digests({ ...account, ...ANY_CREDENTIAL }, {});
  }

  /**
   * Refuses a repeated payment if a person starts the node in production. Otherwise, records the payment.
   * @param isResumed whether the node sends another attempt at the item's key of Once per Key.
   */
  begin(request: PlannedRequest, isResumed = false): Failure | undefined {
    if (!this.counts(request)) return undefined;
    const key = this.keyOf(request);
    const executions = recent(key);
    const { oncePerKey } = request.options;
    const isAttempt = (one: Payments) => isResumed && one.oncePerKey === oncePerKey;
    const isEarlier = (one: Payments) => !isSameExecution(this.run, one.run) && !isAttempt(one);
    const earlier = [...executions.values()].reverse().find(isEarlier);
    if (earlier && this.isRefused(request)) return repeated(request, earlier);
    if (earlier) this.notices.set(request, `${sentence(request, earlier)}.`);
    if (!this.isPreview) this.sent.set(request, { key, payments: this.add(key, executions, oncePerKey) });
    return undefined;
  }

  settle(request: PlannedRequest, outcome: WriteOutcome): void {
    const { key, payments } = this.sent.get(request) ?? {};
    if (key === undefined || !payments || outcome !== 'refused') return;
    payments.count -= 1;
    const executions = RecentPayments.byIdentity.get(key);
    const id = this.idOf(payments.oncePerKey);
    if (payments.count === 0 && executions?.get(id) === payments) executions.delete(id);
    if (executions?.size === 0) RecentPayments.byIdentity.delete(key);
  }

  /** Records that the service applied a payment of this execution. */
  recordMade(request: PlannedRequest, partialFailure?: PartialFailure, [made = {}]: IDataObject[] = []): void {
    if (!this.counts(request)) return;
    const isPart = partialFailure?.failure.rcode === PARTLY_APPROVED;
    const { key = this.keyOf(request), payments: sent } = this.sent.get(request) ?? {};
    const all = [...(RecentPayments.byIdentity.get(key)?.values() ?? [])];
    for (const payments of sent ? [sent] : all.filter(({ run }) => isSameExecution(this.run, run))) {
      payments.made = payments.made === 'whole' || !isPart ? 'whole' : 'part';
      payments.left = readableNumber(made.amt_refundable);
    }
  }

  /** Returns a sentence about the earlier payment that a sent payment repeats. */
  notice(request: PlannedRequest): string | undefined {
    return this.notices.get(request);
  }

  /** A request to pay counts if the node also sends it to the customer. */
  private counts(request: PlannedRequest): boolean {
    const { operation } = request;
    const isSent = operation.steps?.createsFirst === true && !isTool(this.context.getNode());
    return (makesPayment(operation) || isSent) && amountOf(request) !== 0;
  }

  private isRefused({ options }: PlannedRequest): boolean {
    const isByPerson = this.context.getMode() === 'manual';
    return isByPerson && this.account.environment === 'production' && options.allowEqual !== true;
  }

  private add(key: string, executions: Executions, oncePerKey?: string): Payments {
    const id = this.idOf(oncePerKey);
    const payments = executions.get(id) ?? { run: this.run, oncePerKey, at: 0, count: 0 };
    payments.at = performance.now();
    payments.count += 1;
    executions.delete(id);
    executions.set(id, payments);
    RecentPayments.byIdentity.delete(key);
    RecentPayments.byIdentity.set(key, executions);
    return payments;
  }

  private idOf(oncePerKey?: string): string {
    return JSON.stringify([this.execution, oncePerKey]);
  }

  /** A model may choose other references for the same payment. */
  private keyOf(request: PlannedRequest): string {
    const node = this.context.getNode();
    const identity = isTool(node) ? identifyWrite(request) : identifyPayment(request);
    return this.digests.of([this.context.getWorkflow().id, node.id, this.digests.account, identity]);
  }
}

/** Returns the executions with recent payments, and forgets older payments. */
function recent(key: string): Executions {
  const since = performance.now() - RECENT_MS;
  const { byIdentity } = RecentPayments;
  for (const [identity, executions] of byIdentity) {
    const latest = [...executions.values()].at(-1);
    if (latest && latest.at >= since && byIdentity.size <= MOST_IDENTITIES) break;
    byIdentity.delete(identity);
  }
  const executions: Executions = byIdentity.get(key) ?? new Map<string, Payments>();
  for (const [id, { at }] of executions) if (at < since) executions.delete(id);
  return executions;
}

/** Nouns for messages with the kind of the path's record, by operation. */
const NOUNS: Readonly<Record<string, string>> = {
  ...{ refund: 'refund of this sale', void: 'void of this transaction', recharge: 'recharge of this transaction' },
  ...{ capture: 'capture of this authorization', payout: 'payout to this payee' },
  ...{ addPayment: 'payment on this invoice', accept: 'acceptance of this dispute', request: 'request' },
};
/** Nouns for payments of a customer or payment method, by operation. */
const PAID: Readonly<Record<string, string>> = {
  ...{ sale: 'charge', authorize: 'authorization', credit: 'credit', create: 'subscription' },
};

/** Returns the payment's noun with the kind of record or party, such as "refund of this sale". */
function nounOf({ operation, values }: PlannedRequest): string {
  const { customer, accounts } = partyOf(values);
  const isInvoice = operation.request.operationId === 'createInvoice';
  const paid = isInvoice ? 'invoice' : (PAID[operation.value] ?? 'payment');
  const whom = customer !== undefined ? 'customer' : Object.keys(accounts).length > 0 ? 'payment method' : undefined;
  const payment = [paid, ...(whom === undefined ? [] : ['for this', whom])];
  return NOUNS[operation.value] ?? payment.join(' ');
}

const MADE = { whole: 'made', part: 'made in part' };

function sentence(request: PlannedRequest, { run: { execution }, at, made }: Payments): string {
  const time = now();
  const ago = time.minus(Math.max(1000, performance.now() - at)).toRelative({ base: time, locale: 'en' });
  const where = execution === undefined ? '' : ` in execution ${execution}`;
  return `The same ${nounOf(request)} was ${made ? MADE[made] : 'sent'} ${ago}${where}`;
}

/**
 * Returns a sentence, or `''` if the amount is unknown. Between both refunds, others can have been made, so only a
 * record that the node read for this refund shows an amount.
 */
function left({ operation, values }: PlannedRequest, earlier: Payments): string {
  const { amt_refundable: read, tran_currency: currency } = objectIn(values.node[LEFT]);
  const now = readableNumber(read) ?? (earlier.left === 0 ? 0 : undefined);
  const isRefund = operation.request.operationId === 'refund';
  return isRefund && now !== undefined ? `${stillRefundable(Math.min(now, earlier.left ?? now), currency)} ` : '';
}

const repeated = (request: PlannedRequest, earlier: Payments): Failure => ({
  outcome: earlier.made ? 'doneBefore' : 'invalid',
  message: `${sentence(request, earlier)}, so the item was not sent`,
  advice: `${earlier.made ? left(request, earlier) : 'Check the outcome of that execution first. '}To send it again, turn on the option "${GUARDS.allowEqual}".`,
});
