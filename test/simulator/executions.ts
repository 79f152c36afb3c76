/** Number of the execution that runs at the same time as the other executions. */
export const TWIN = 1000;

/** Executions of the workflow, and the results that each execution received as data. */
export class Executions {
  /** Execution to which the running check belongs. Each retry is a new execution. */
  current = 0;
  private latest = 0;
  private readonly received = new Map([0, TWIN].map((execution) => [execution, new Set([execution])]));

  /** @param canFindAll whether a retry can find the writes of all earlier executions in n8n's database. */
  constructor(private readonly canFindAll: boolean) {}

  get isTwin(): boolean {
    return this.current === TWIN;
  }

  /** Executions whose results the current execution received as data, including itself. */
  get remembered(): ReadonlySet<number> {
    return this.received.get(this.current) ?? new Set();
  }

  /** Executions whose writes the current execution can find, including its own. */
  get ancestors(): ReadonlySet<number> {
    if (!this.canFindAll || this.isTwin) return this.remembered;
    return new Set(Array.from({ length: this.latest + 1 }, (_, index) => index));
  }

  /** Runs a check that belongs to an execution. */
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
    this.received.set(this.current, new Set([...(this.received.get(execution) ?? []), this.current]));
  }

  /** Removes the results of a killed execution, because its stored data may be incomplete. */
  lose(execution: number): void {
    this.received.get(execution)?.delete(execution);
  }
}
