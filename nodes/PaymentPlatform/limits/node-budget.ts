import type { IExecuteFunctions } from 'n8n-workflow';

import type { Answer, Failure } from '../model/failure';
import { movedBefore, originalRequest } from '../model/item-steps';
import { amountOf, toCents } from '../model/read-amounts';
import type { Account, Planned, PlannedRequest } from '../model/types';
import type { WriteMemory } from '../model/write-memory';
import { accountAtService } from '../service/account';
import { itemOf, nextWrite, overDayFailure, type DayLimit } from './day-limit';
import { today, type Day } from './day-report';
import { DayTotal } from './day-total';
import { GUARDS } from './guard-parameters';
import { isOverTotal } from './total';

/** Number of requests after which the node records the total again, so that newer keys don't displace the total. */
const RENEWED_AFTER = 1000;

/** Reserved amount of an item. */
interface Reserved {
  cents: number;
  day: Day;
  /** Whether the node sent the item's latest request and the service did not refuse the request. */
  isSent: boolean;
  /** Whether one of the item's requests was or may have been applied. */
  isSpent: boolean;
}

/**
 * Daily limit for operations whose amounts the service's report doesn't show. The node counts its own requests, and
 * stores the total in n8n's database. The total includes reserved amounts. If n8n stops during a run, the total
 * therefore includes the amounts of unsent items until the day ends.
 */
export class NodeBudget implements DayLimit {
  private readonly total: DayTotal;
  private readonly reserved = new Map<number, Reserved>();
  private sent = 0;

  constructor(
    private readonly context: IExecuteFunctions,
    private readonly account: Account,
  ) {
    this.total = DayTotal.of(`${context.getWorkflow().id} ${context.getNode().id}`);
  }

  /** In a retry, each item reserves its amount only when the node sends the item, to avoid a second reservation. */
  async within(planned: Planned[], memory: WriteMemory): Promise<Planned[]> {
    const next = planned.map((plan) => nextWrite(plan, memory));
    const isRetry = this.context.getMode() === 'retry';
    if (isRetry || !next.some((request) => request?.options.limitPerDay !== undefined)) return planned;
    const day = this.today();
    let within = planned;
    const reserveAll = (takenCents: number) => {
      this.reserved.clear();
      let cents = takenCents;
      within = planned.map((plan, index) => {
        const request = next[index];
        if (!request || !('request' in plan) || request.options.existing) return plan;
        const adds = toCents(amountOf(plan.request) ?? 0) - movedBefore(memory, request);
        const failure = overLimit(request, cents, adds, day);
        if (failure) return { failure, item: itemOf(request), refused: plan.request };
        cents += this.reserve(request, adds, day);
        return plan;
      });
      return cents;
    };
    const failure = await this.change(day, reserveAll);
    if (!failure) return within;
    return planned.map((plan, index) => {
      const request = next[index];
      if (request?.options.limitPerDay === undefined || !('request' in plan)) return plan;
      return { failure, item: itemOf(request), refused: plan.request };
    });
  }

  async leaves(request: PlannedRequest): Promise<Failure | undefined> {
    const day = this.today();
    const failure = this.isReserved(request, day) ? undefined : await this.reserveOne(request, day);
    if (failure) return failure;
    const reserved = this.reserved.get(itemOf(request));
    if (reserved) reserved.isSent = true;
    this.sent += 1;
    if (this.sent % RENEWED_AFTER === 0) await this.change(day, (cents) => cents);
    return undefined;
  }

  settle(request: PlannedRequest, answer?: Answer): void {
    const reserved = this.reserved.get(itemOf(request));
    if (!reserved) return;
    const wasRefused = !answer || (!answer.ok && answer.failure.outcome !== 'unknown');
    if (wasRefused) reserved.isSent = false;
    else reserved.isSpent = true;
  }

  async end(): Promise<void> {
    const { name } = this.today();
    const unused = [...this.reserved.values()].filter(
      ({ day, isSent, isSpent }) => day.name === name && !isSent && !isSpent,
    );
    const cents = unused.reduce((sum, one) => sum + one.cents, 0);
    // If the database fails, the total includes the unused amounts until the day ends.
    if (cents !== 0) await this.change(this.today(), (takenCents) => Math.max(0, takenCents - cents));
  }

  private today(): Day {
    return today(this.context.getTimezone());
  }

  private isReserved(request: PlannedRequest, day: Day): boolean {
    return this.reserved.get(itemOf(request))?.day.name === day.name;
  }

  /** Reserves the amount of an item that the node is about to send, or returns the reason not to send the item. */
  private async reserveOne(request: PlannedRequest, day: Day): Promise<Failure | undefined> {
    const adds = toCents(amountOf(originalRequest(request)) ?? 0);
    let over: Failure | undefined;
    const failure = await this.change(day, (cents) => {
      over = overLimit(request, cents, adds, day);
      return over ? cents : cents + this.reserve(request, adds, day);
    });
    return request.options.limitPerDay === undefined ? undefined : (failure ?? over);
  }

  /** Reserves an amount for an item, and returns the amount in cents. */
  private reserve(request: PlannedRequest, cents: number, day: Day): number {
    this.reserved.set(itemOf(request), { cents, day, isSent: false, isSpent: false });
    return cents;
  }

  /** Changes the total of the day, or returns the failure if n8n's database did not record the change. */
  private async change(day: Day, by: (cents: number) => number): Promise<Failure | undefined> {
    const name = JSON.stringify([accountAtService(this.account), day.name]);
    return await this.total.change(this.context.helpers, name, by).then(
      () => undefined,
      () => NOT_COUNTED,
    );
  }
}

/** Returns the failure of a request that would exceed its limit. A request without a limit never fails. */
const overLimit = (
  { options }: PlannedRequest,
  takenCents: number,
  addsCents: number,
  day: Day,
): Failure | undefined =>
  isOverTotal(takenCents, addsCents / 100, options.limitPerDay)
    ? overDayFailure(options.limitPerDay, takenCents, 'counted by this node', addsCents, day)
    : undefined;

const NOT_COUNTED: Failure = {
  outcome: 'notSent',
  message: `"${GUARDS.limitPerDay}": n8n's database could not record the total of the day, so the item was not sent`,
  advice: 'If the workflow is new, save it. Otherwise, run this item again when the database of n8n works.',
};
