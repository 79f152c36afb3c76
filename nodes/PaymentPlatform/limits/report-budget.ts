import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { DateTime } from 'luxon';

import { toCents, amountOf } from '../model/read-amounts';
import { asText } from '../shared/objects';
import { candidates } from '../model/candidates';
import type { DayBudget } from '../model/day-budget';
import { isTool } from '../n8n/lineage';
import { itemOf, nextWrite, overDayFailure, type DayLimit } from './day-limit';
import { readDay, today, Unshown, type Day, type DayReport } from './day-report';
import { spendingsOf, type ReportedWrite, type Spending, type SpendingBook } from './spending';
import { accountAtService } from '../service/account';
import { NotStarted } from '../service/gate';
import { GUARDS } from './guard-parameters';
import { couldNotLook } from '../service/look-up';
import type { RunOptions } from '../model/option-types';
import { originalRequest, movedBefore } from '../model/item-steps';
import type { Planned, Account, PlannedRequest } from '../model/types';
import { findRecords } from '../service/decode-response';
import type { WriteMemory } from '../model/write-memory';
import { isOverTotal } from './total';
import type { Answer, Failure } from '../model/failure';

/** Assumed maximum difference between the clocks of n8n and the service. */
const APART = { minutes: 2 };

interface Run {
  context: IExecuteFunctions;
  account: Account;
  options: RunOptions;
}

interface Taken {
  report: DayReport;
  unshown: Unshown;
}

interface Kept {
  request: PlannedRequest;
  day: Day;
  spending: Spending;
}

/**
 * Daily limit for operations whose amounts the service's report shows. Also counts this process's writes that the
 * report doesn't contain.
 */
export class ReportBudget implements DayLimit {
  private readonly reports = new Map<string, Promise<DayReport | Failure>>();
  private readonly kept = new Map<number, Kept>();
  private readonly takenOn = new Map<string, Taken>();
  private readonly books = new Map<DayBudget, SpendingBook>();
  private readonly account: string;

  constructor(private readonly run: Run) {
    this.account = accountAtService(run.account);
  }

  /**
   * In a retry, an item that the report may already contain reserves its amount only when the node sends it. If the
   * report can't be read, a retry or a tool first recalls whether an earlier attempt or an equal call began the item.
   */
  async within(planned: Planned[], memory: WriteMemory): Promise<Planned[]> {
    const next = planned.map((plan) => countedWrite(plan, memory));
    const { budget } = next.find((one) => one?.options.limitPerDay !== undefined)?.operation ?? {};
    if (!budget) return planned;
    const day = this.today();
    const report = await this.report(budget, day).catch(stoppedMeanwhile);
    const isRetry = this.run.context.getMode() === 'retry';
    const mayRecall = isRetry || isTool(this.run.context.getNode());
    if (!report || (mayRecall && 'outcome' in report)) return planned;
    const taken = 'outcome' in report ? report : this.taken(budget, report, day);
    return planned.map((plan, index) => {
      const request = next[index];
      if (!request || !('request' in plan)) return plan;
      const mayExist = 'report' in taken && request.options.existing !== undefined;
      const isShown = isRetry && 'report' in taken && taken.report.mayHave(reportedWrite(request, () => day.begins));
      const waits = mayExist || isShown;
      const failure = waits ? undefined : this.keep(plan.request, taken, day, movedBefore(memory, request));
      return failure ? { failure, item: plan.request.items[0] ?? 0, refused: plan.request } : plan;
    });
  }

  async leaves(request: PlannedRequest): Promise<Failure | undefined> {
    const item = itemOf(request);
    const { budget } = request.operation;
    if (!budget || (request.options.limitPerDay === undefined && this.reports.size === 0)) return undefined;
    const day = this.today();
    if (this.kept.get(item)?.day.name !== day.name) {
      this.drop(request);
      const report = await this.report(budget, day);
      const failure = this.keep(
        originalRequest(request),
        'outcome' in report ? report : this.taken(budget, report, day),
        day,
      );
      if (failure) return failure;
    }
    const { spending } = this.kept.get(item) ?? {};
    if (spending) this.spendings(budget).change(spending, { at: Date.now(), hasLeft: true });
    return undefined;
  }

  settle(request: PlannedRequest, answer?: Answer): void {
    const { spending } = this.kept.get(itemOf(request)) ?? {};
    if (!answer || (!answer.ok && answer.failure.outcome !== 'unknown')) return this.drop(request);
    const { budget } = request.operation;
    if (!spending || !budget || !answer.ok) return;
    const id = asText(findRecords(answer)[0]?.[budget.id]);
    if (id !== '') this.spendings(budget).change(spending, { id });
  }

  end(): void {
    for (const { request, spending } of [...this.kept.values()]) if (!spending.hasLeft) this.drop(request);
    for (const { unshown } of this.takenOn.values()) unshown.end();
  }

  private today(): Day {
    return today(this.run.context.getTimezone());
  }

  private async report(budget: DayBudget, day: Day): Promise<DayReport | Failure> {
    const known = this.reports.get(day.name) ?? readDay(this.run, budget, day);
    this.reports.set(day.name, known);
    const report = await known;
    // The next attempt reads the report again.
    if ('outcome' in report) this.reports.delete(day.name);
    return report;
  }

  private taken(budget: DayBudget, report: DayReport, day: Day): Taken {
    const known = this.takenOn.get(day.name) ?? { report, unshown: new Unshown(report, this.spendings(budget), day) };
    this.takenOn.set(day.name, known);
    return known;
  }

  private keep(request: PlannedRequest, taken: Taken | Failure, day: Day, beforeCents = 0): Failure | undefined {
    const { operation, options } = request;
    const { budget } = operation;
    const limit = options.limitPerDay;
    if (!budget) return undefined;
    if ('outcome' in taken) return limit === undefined ? undefined : notRead(budget, taken);
    const cents = toCents(amountOf(request) ?? 0) - beforeCents;
    if (isOverTotal(centsOf(taken), cents / 100, limit))
      return overDayFailure(limit, centsOf(taken), originOf(budget, taken), cents, day);
    const at = Date.now();
    const spending: Spending = {
      at,
      cents,
      hasLeft: false,
      ...reportedWrite(request, () => spending.at),
    };
    this.spendings(budget).add(spending);
    this.kept.set(itemOf(request), { request, day, spending });
    return undefined;
  }

  private spendings(budget: DayBudget): SpendingBook {
    const book = this.books.get(budget) ?? spendingsOf(budget, this.account);
    this.books.set(budget, book);
    return book;
  }

  private drop(request: PlannedRequest): void {
    const { spending } = this.kept.get(itemOf(request)) ?? {};
    const { budget } = request.operation;
    if (spending && budget) this.spendings(budget).delete(spending);
    this.kept.delete(itemOf(request));
  }
}

const countedWrite = (plan: Planned, memory: WriteMemory): PlannedRequest | undefined =>
  'request' in plan && plan.request.operation.budget ? nextWrite(plan, memory) : undefined;

/** @param since returns the earliest creation time of matching records, in milliseconds since 1970. */
function reportedWrite({ operation: { footprint }, values }: PlannedRequest, since: () => number): ReportedWrite {
  return {
    among: (records) => (footprint ? candidates(records, footprint, values) : []),
    matches: (record: IDataObject) => {
      const at = footprint?.matches(record, values) ? footprint.time?.(record) : undefined;
      return at !== undefined && at >= DateTime.fromMillis(since()).minus(APART);
    },
  };
}

const centsOf = ({ report, unshown }: Taken): number => report.cents + unshown.cents;

function stoppedMeanwhile(error: unknown): undefined {
  if (error instanceof NotStarted) return undefined;
  throw error;
}

const notRead = ({ where }: DayBudget, failure: Failure): Failure =>
  couldNotLook(
    `"${GUARDS.limitPerDay}": the node could not calculate the day's total from ${where}, so nothing was sent`,
    failure,
  );

function originOf({ of, where }: DayBudget, { report, unshown }: Taken): string {
  const shown = `${report.cents / 100} from ${report.count} ${of} in ${where}`;
  return unshown.size === 0 ? shown : `${shown}, ${unshown.cents / 100} from ${unshown.size} not shown there yet`;
}
