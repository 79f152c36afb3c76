import { randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { now } from '../fields/kinds/date';
import { isSameExecution, OtherRuns, type Run } from '../lookup/record-owners';
import { PARTLY_APPROVED, type Failure } from '../model/failure';
import { GUARDS } from '../model/guards';
import { partyOf } from '../model/identity';
import { stillRefundable } from '../messages/what-happened';
import { LEFT, type Account, type PartialFailure, type PlannedRequest } from '../model/types';
import { objectIn, readableNumber } from '../shared/objects';
import type { WriteOutcome } from '../model/write-memory';
import type { EarlierPayment } from '../once/execution-marks';
import { LOOK_BACK_MS, MINUTE_MS, RECENT_MINUTES, recentDigests } from '../once/write-keys';

const RECENT_MS = RECENT_MINUTES * MINUTE_MS;
/** The memory explains what n8n's database shows, so it lasts longer than the longest look-up. */
const KEPT_MS = LOOK_BACK_MS + MINUTE_MS;
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
  made?: 'whole' | 'part' | undefined;
  /** Amount that could be refunded after the latest refund. Missing if the result didn't show it. */
  left?: number | undefined;
  /** Payment of another execution that n8n's database showed before the first of these payments. */
  repeats?: EarlierPayment | undefined;
}

/** Payments by execution and key. The latest is last. */
type Executions = Map<string, Payments>;

/**
 * Recognizes a payment that this node made in an earlier execution, for example because a person started the node twice
 * in the editor. The memory of this process shows more than n8n's database (`RecentKeys`). Equal items and attempts of
 * one execution are no repetitions.
 */
export class RecentPayments {
  /** Payments of this process, by node, account and identity. The latest is last. */
  static readonly byIdentity = new Map<string, Executions>();

  private readonly run: Run;
  private readonly execution: string;
  /** Returns a payment's identity, or `undefined` if the request doesn't count. */
  private readonly keyOf: (request: PlannedRequest) => string | undefined;
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
    this.keyOf = recentDigests(context, account);
  }

  /**
   * Refuses a repeated payment if a person starts the node in production. Otherwise, records the payment.
   * @param isResumed whether the node sends another attempt at the item's key of Once per Key.
   * @param found payment in n8n's database that this execution may have recorded itself.
   */
  begin(request: PlannedRequest, isResumed = false, found?: EarlierPayment): Failure | undefined {
    const key = this.keyOf(request);
    if (key === undefined) return undefined;
    const executions = recent(key);
    const { oncePerKey } = request.options;
    const isOwn = ({ run }: Payments) => isSameExecution(this.run, run);
    const isAttempt = (one: Payments) => isResumed && one.oncePerKey === oncePerKey;
    const all = [...executions.values()].reverse();
    const others = all.filter((one) => !isOwn(one));
    const own = all.find(isOwn);
    const repeats = own ? own.repeats : found;
    const isForgotten = repeats?.at === -Infinity;
    // The memory contains the exact time.
    const isOver = others.length > 0 && !isForgotten && repeats && ageOf(repeats) >= LOOK_BACK_MS;
    const known = others.find((one) => ageOf(one) <= RECENT_MS && !isAttempt(one));
    const earlier = known ?? (isResumed || isOver ? undefined : repeats);
    const shown = earlier === repeats && isForgotten ? undefined : earlier;
    if (earlier && this.isRefused(request)) return shown ? repeated(request, shown) : FORGOTTEN;
    if (shown) this.notices.set(request, `${sentence(request, shown)}.`);
    if (!this.isPreview) this.sent.set(request, { key, payments: this.add(key, executions, oncePerKey, repeats) });
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
    const { key = this.keyOf(request), payments: sent } = this.sent.get(request) ?? {};
    if (key === undefined) return;
    const isPart = partialFailure?.failure.rcode === PARTLY_APPROVED;
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

  private isRefused({ options }: PlannedRequest): boolean {
    const isByPerson = this.context.getMode() === 'manual';
    return isByPerson && this.account.environment === 'production' && options.allowEqual !== true;
  }

  private add(key: string, executions: Executions, oncePerKey?: string, repeats?: EarlierPayment): Payments {
    const id = this.idOf(oncePerKey);
    const payments = executions.get(id) ?? { run: this.run, oncePerKey, at: 0, count: 0, repeats };
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
}

const ageOf = ({ at }: Earlier) => performance.now() - at;

/** Returns the executions with recent payments, and forgets older payments. */
function recent(key: string): Executions {
  const isOver = (payments?: Payments) => !payments || ageOf(payments) > KEPT_MS;
  const { byIdentity } = RecentPayments;
  for (const [identity, executions] of byIdentity) {
    const latest = [...executions.values()].at(-1);
    if (!isOver(latest) && byIdentity.size <= MOST_IDENTITIES) break;
    byIdentity.delete(identity);
  }
  const executions: Executions = byIdentity.get(key) ?? new Map<string, Payments>();
  for (const [id, payments] of executions) if (isOver(payments)) executions.delete(id);
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

/** The memory contains more than n8n's database. */
type Earlier = EarlierPayment & Partial<Payments>;

function sentence(request: PlannedRequest, { run, at, made }: Earlier): string {
  const time = now();
  const ago = time.minus(Math.max(1000, performance.now() - at)).toRelative({ base: time, locale: 'en' });
  const when = run?.execution === undefined ? `at most ${ago}` : `${ago} in execution ${run.execution}`;
  return `The same ${nounOf(request)} was ${made ? MADE[made] : 'sent'} ${when}`;
}

/**
 * Returns a sentence, or `''` if the amount is unknown. Between both refunds, others can have been made, so only a
 * record that the node read for this refund shows an amount.
 */
function left({ operation, values }: PlannedRequest, earlier: Earlier): string {
  const { amt_refundable: read, tran_currency: currency } = objectIn(values.node[LEFT]);
  const now = readableNumber(read) ?? (earlier.left === 0 ? 0 : undefined);
  const isRefund = operation.request.operationId === 'refund';
  return isRefund && now !== undefined ? `${stillRefundable(Math.min(now, earlier.left ?? now), currency)} ` : '';
}

const repeated = (request: PlannedRequest, earlier: Earlier): Failure => ({
  outcome: earlier.made ? 'doneBefore' : 'invalid',
  message: `${sentence(request, earlier)}, so the item was not sent`,
  advice: `${earlier.made ? left(request, earlier) : 'Check the outcome of that execution first. '}To send it again, turn on the option "${GUARDS.allowEqual}".`,
});

const FORGOTTEN: Failure = {
  outcome: 'invalid',
  message: `n8n's database no longer contains all payments of the last ${RECENT_MINUTES} minutes, so the item was not sent`,
  advice: `Check the transaction report first. To send it again, turn on the option "${GUARDS.allowEqual}".`,
};
