/** Least number of an execution that runs at the same time as another execution. */
export const TWIN = 1000;

/** Executions of the workflow, and the results that each execution received as data. */
export class Executions {
  /** Execution to which the running check belongs. Each retry is a new execution. */
  current = 0;
  private latest = 0;
  private readonly received = new Map([0, TWIN].map((execution) => [execution, new Set([execution])]));
  /** First execution of each retry. */
  private readonly firsts = new Map([0, TWIN].map((execution) => [execution, execution]));

  /** @param canFindAll whether a retry can find the writes of all earlier executions in n8n's database. */
  constructor(private readonly canFindAll: boolean) {}

  /** Whether another execution runs at the same time and continues with its own results. */
  get isTwin(): boolean {
    return this.current >= TWIN;
  }

  /** First execution of the current execution's attempts. */
  get first(): number {
    return this.firstOf(this.current);
  }

  firstOf = (execution: number): number => this.firsts.get(execution) ?? 0;

  /** Whether two retries of the current execution ran at the same time. */
  get isShared(): boolean {
    return [...this.firsts].some(([one, first]) => one > TWIN && first === this.first);
  }

  /** Executions whose results the current execution received as data, including itself. */
  get remembered(): ReadonlySet<number> {
    return this.received.get(this.current) ?? new Set();
  }

  /** Executions whose writes the current execution can find, including its own. */
  get ancestors(): ReadonlySet<number> {
    if (!this.canFindAll) return this.remembered;
    return new Set([...this.firsts].flatMap(([execution, first]) => (first === this.first ? [execution] : [])));
  }

  as<Result>(execution: number, check: () => Result): Result {
    const before = this.current;
    this.current = execution;
    try {
      return check();
    } finally {
      this.current = before;
    }
  }

  /** Makes the next execution continue from the stored data of an earlier execution. */
  goOnFrom(execution: number): void {
    this.latest += 1;
    this.current = this.latest;
    this.follow(this.current, execution);
  }

  /** Starts a new execution. */
  beginAnew(): void {
    this.latest += 1;
    this.current = this.latest;
    this.received.set(this.current, new Set([this.current]));
    this.firsts.set(this.current, this.current);
  }

  /** Returns the number of a second retry that runs at the same time as the current one. */
  besides(execution: number): number {
    const number = TWIN + this.latest;
    this.follow(number, execution);
    return number;
  }

  /** Removes the results of a killed execution, because its stored data may be incomplete. */
  lose(execution: number): void {
    this.received.get(execution)?.delete(execution);
  }

  private follow(execution: number, earlier: number): void {
    this.received.set(execution, new Set([...(this.received.get(earlier) ?? []), execution]));
    this.firsts.set(execution, this.firstOf(earlier));
  }
}
