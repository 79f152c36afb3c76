import type { IExecuteFunctions } from 'n8n-workflow';

import type { Answer, Failure } from '../model/failure';
import { itemOf, movedBefore, originalRequest } from '../model/operation';
import { amountOf } from '../model/read-amounts';
import { toCents } from '../shared/objects';
import type { Account, Planned, PlannedRequest } from '../model/types';
import type { WriteMemory } from '../model/write-memory';
import { KeyRow } from '../n8n/key-row';
import { timeZoneOf } from '../n8n/read-parameter';
import { accountAtService } from '../service/account';
import { nextWrite, overDayFailure, type DayLimit } from './day-limit';
import { today, type Day } from './day-report';
import { DayTotal } from './day-total';
import { GUARDS } from '../model/guards';
import type { DayWriteRecorder } from './day-writes';
import { isOverTotal } from './execution-limit';

interface Reserved {
  cents: number;
  day: Day;
  isSent: boolean;
  isSpent: boolean;
}

/** In cents, by item. */
type Amounts = Map<number, number>;

/**
 * Limit per Day for operations whose amounts the service's report doesn't show. Stores the total of the node's own
 * requests in n8n's database.
 */
export class NodeDayLimit implements DayLimit {
  private readonly total: DayTotal;
  private readonly reserved = new Map<number, Reserved>();

  constructor(
    private readonly context: IExecuteFunctions,
    private readonly account: Account,
    /** Records requests that also count toward the limits per day of other operations. */
    private readonly recorder?: DayWriteRecorder,
  ) {
    this.total = DayTotal.of(KeyRow.ofNode(context));
  }

  /** In a retry, each item reserves its amount only when the node sends it, to avoid a second reservation. */
  async within(planned: Planned[], memory: WriteMemory): Promise<Planned[]> {
    const next = planned.map((plan) => nextWrite(plan, memory));
    const isRetry = this.context.getMode() === 'retry';
    if (isRetry || !next.some((request) => request?.options.limitPerDay !== undefined)) return planned;
    const day = this.today();
    let within = planned;
    const reserveAll = (takenCents: number, reserved: Amounts) => {
      let cents = takenCents;
      within = planned.map((plan, index) => {
        const request = next[index];
        if (!request || !('request' in plan) || request.options.existing) return plan;
        const adds = toCents(amountOf(plan.request) ?? 0) - movedBefore(memory, request);
        const failure = overLimit(request, cents, adds, day);
        if (failure) return { failure, item: itemOf(request), refused: plan.request };
        reserved.set(itemOf(request), adds);
        cents += adds;
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
    await this.recorder?.leaves(request);
    if (this.total.isOld) await this.change(day, (cents) => cents);
    return undefined;
  }

  settle(request: PlannedRequest, answer?: Answer): void {
    this.recorder?.settle(request, answer);
    const reserved = this.reserved.get(itemOf(request));
    if (!reserved) return;
    const wasRefused = !answer || (!answer.ok && answer.failure.outcome !== 'unknown');
    if (wasRefused) reserved.isSent = false;
    else reserved.isSpent = true;
  }

  async end(): Promise<void> {
    const day = this.today();
    const unused = [...this.reserved.values()].filter(
      ({ day: { name }, isSent, isSpent }) => name === day.name && !isSent && !isSpent,
    );
    const cents = unused.reduce((sum, one) => sum + one.cents, 0);
    if (cents !== 0) await this.change(day, (takenCents) => Math.max(0, takenCents - cents));
  }

  private today(): Day {
    return today(timeZoneOf(this.context));
  }

  private isReserved(request: PlannedRequest, day: Day): boolean {
    return this.reserved.get(itemOf(request))?.day.name === day.name;
  }

  private async reserveOne(request: PlannedRequest, day: Day): Promise<Failure | undefined> {
    const adds = toCents(amountOf(originalRequest(request)) ?? 0);
    let over: Failure | undefined;
    const failure = await this.change(day, (cents, reserved) => {
      over = overLimit(request, cents, adds, day);
      if (over) return cents;
      reserved.set(itemOf(request), adds);
      return cents + adds;
    });
    return request.options.limitPerDay === undefined ? undefined : (failure ?? over);
  }

  /** @param by may run several times, so only the amounts that its last run reserved are in the total. */
  private async change(day: Day, by: (cents: number, reserved: Amounts) => number): Promise<Failure | undefined> {
    const name = JSON.stringify([accountAtService(this.account), day.name]);
    let reserved: Amounts = new Map();
    try {
      await this.total.change(this.context.helpers, name, (cents) => {
        reserved = new Map();
        return by(cents, reserved);
      });
    } catch {
      return NOT_COUNTED;
    }
    for (const [item, cents] of reserved) this.reserved.set(item, { cents, day, isSent: false, isSpent: false });
    return undefined;
  }
}

const overLimit = (
  { options }: PlannedRequest,
  takenCents: number,
  addsCents: number,
  day: Day,
): Failure | undefined =>
  isOverTotal(takenCents, addsCents / 100, options.limitPerDay)
    ? overDayFailure(options.limitPerDay, takenCents, 'counted by this node', addsCents, day.zone)
    : undefined;

const NOT_COUNTED: Failure = {
  outcome: 'notSent',
  message: `"${GUARDS.limitPerDay}": n8n's database could not record today's total, so the item was not sent`,
  advice: "If the workflow is new, save it. Run this item again when n8n's database works.",
};
