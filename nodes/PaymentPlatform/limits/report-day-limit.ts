import type { IExecuteFunctions } from 'n8n-workflow';

import type { DayRecords } from '../model/day-records';
import { isTool } from '../n8n/lineage';
import { timeZoneOf } from '../n8n/read-parameter';
import { nextWrite, overDayFailure } from './day-limit';
import { readDay, today, Unshown, type Day, type DayReport } from './day-report';
import { centsOfRequest, reportedWrite, DayWriteRecorder } from './day-writes';
import { NotStarted } from '../service/gate';
import { GUARDS } from '../model/guards';
import { couldNotLook } from '../service/look-up';
import type { RunOptions } from '../model/option-types';
import { itemOf, movedBefore, originalRequest } from '../model/operation';
import type { Planned, Account, PlannedRequest } from '../model/types';
import type { WriteMemory } from '../model/write-memory';
import { isOverTotal } from './execution-limit';
import type { Failure } from '../model/failure';

interface Run {
  context: IExecuteFunctions;
  account: Account;
  options: RunOptions;
  isPreview?: boolean;
}

interface Taken {
  report: DayReport;
  unshown: Unshown;
}

/**
 * Limit per Day for operations whose amounts the service's report shows. Also counts this process's writes that the
 * report lacks, including those of a DayWriteRecorder.
 */
export class ReportDayLimit extends DayWriteRecorder {
  private readonly reports = new Map<string, Promise<DayReport | Failure>>();
  private readonly takenOn = new Map<string, Taken>();

  constructor(private readonly run: Run) {
    super(run.account, run.isPreview);
  }

  /**
   * In a retry, an item that the report may already contain reserves its amount only when the node sends it. If the
   * report can't be read, a retry or a tool first recalls whether an earlier attempt or an equal call began the item.
   */
  override async within(planned: Planned[], memory: WriteMemory): Promise<Planned[]> {
    const next = planned.map((plan) => nextWrite(plan, memory));
    const { dayRecords } = next.find((one) => one?.options.limitPerDay !== undefined)?.operation ?? {};
    if (!dayRecords) return planned;
    const day = this.today();
    const report = await this.report(dayRecords, day).catch(stoppedMeanwhile);
    const isRetry = this.run.context.getMode() === 'retry';
    const mayRecall = isRetry || isTool(this.run.context.getNode());
    if (!report || (mayRecall && 'outcome' in report)) return planned;
    const taken = 'outcome' in report ? report : this.taken(dayRecords, report, day);
    return planned.map((plan, index) => {
      const request = next[index];
      if (!request || !('request' in plan) || !this.isOwn(request)) return plan;
      const mayExist = 'report' in taken && request.options.existing !== undefined;
      const write = isRetry ? reportedWrite(request, () => day.begins) : undefined;
      const isShown = write !== undefined && 'report' in taken && taken.report.mayHave(write);
      const waits = mayExist || isShown;
      const failure = waits ? undefined : this.keep(plan.request, dayRecords, taken, day, movedBefore(memory, request));
      return failure ? { failure, item: plan.request.items[0] ?? 0, refused: plan.request } : plan;
    });
  }

  override async leaves(request: PlannedRequest): Promise<Failure | undefined> {
    const { operation, options } = request;
    const { dayRecords } = operation;
    if (dayRecords && options.limitPerDay !== undefined) {
      const day = this.today();
      if (this.kept.get(itemOf(request))?.day !== day.name) {
        this.drop(request);
        const failure = this.keep(originalRequest(request), dayRecords, await this.totalOf(dayRecords, day), day);
        if (failure) return failure;
      }
    }
    return await super.leaves(request);
  }

  override end(): void {
    super.end();
    for (const { unshown } of this.takenOn.values()) unshown.end();
  }

  private today(): Day {
    return today(timeZoneOf(this.run.context));
  }

  private async report(dayRecords: DayRecords, day: Day): Promise<DayReport | Failure> {
    const known = this.reports.get(day.name) ?? readDay(this.run, dayRecords, day);
    this.reports.set(day.name, known);
    const report = await known;
    // The next attempt reads the report again.
    if ('outcome' in report) this.reports.delete(day.name);
    return report;
  }

  private taken(dayRecords: DayRecords, report: DayReport, day: Day): Taken {
    const known = this.takenOn.get(day.name) ?? {
      report,
      unshown: new Unshown(report, this.dayWrites(dayRecords), day),
    };
    this.takenOn.set(day.name, known);
    return known;
  }

  private async totalOf(dayRecords: DayRecords, day: Day): Promise<Taken | Failure> {
    const report = await this.report(dayRecords, day);
    return 'outcome' in report ? report : this.taken(dayRecords, report, day);
  }

  private keep(
    request: PlannedRequest,
    dayRecords: DayRecords,
    taken: Taken | Failure,
    day: Day,
    beforeCents = 0,
  ): Failure | undefined {
    const limit = request.options.limitPerDay;
    if ('outcome' in taken) return limit === undefined ? undefined : notRead(dayRecords, taken);
    const cents = centsOfRequest(request) - beforeCents;
    if (isOverTotal(centsOf(taken), cents / 100, limit))
      return overDayFailure(limit, centsOf(taken), originOf(dayRecords, taken), cents, day.zone);
    this.reserve({ request, dayRecords, cents, day: day.name });
    return undefined;
  }
}

const centsOf = ({ report, unshown }: Taken): number => report.cents + unshown.cents;

function stoppedMeanwhile(error: unknown): undefined {
  if (error instanceof NotStarted) return undefined;
  throw error;
}

const notRead = ({ where }: DayRecords, failure: Failure): Failure =>
  couldNotLook(
    `"${GUARDS.limitPerDay}": the node could not calculate the day's total from ${where}, so nothing was sent`,
    failure,
  );

function originOf({ of, where }: DayRecords, { report, unshown }: Taken): string {
  const shown = `${report.cents / 100} from ${report.count} ${of} in ${where}`;
  return unshown.size === 0 ? shown : `${shown}, ${unshown.cents / 100} from ${unshown.size} not shown there yet`;
}
