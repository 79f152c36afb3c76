import type { IDataObject, INodeExecutionData, INodeParameters, INodeTypes } from 'n8n-workflow';

import type { CredentialData } from '../credential';
import { booked, objectsOf, type Booked, type ObjectName } from './books';
import { secretsIn } from './canaries';
import { SimulatedClock } from './clock';
import type { Saved } from './engine';
import { KEYS, MERCHANT_ID } from './keys';
import { Ledger } from './ledger';
import { Model } from './model';
import { moneyFacts, type MoneyFacts } from './money';
import { simulatedNodeTypes, type Beginning, type Recorder } from './nodes';
import { noEdits, parametersOf, rowsOf } from './parameters';
import { Random } from './random';
import { operationsOf, type Item, type Kill, type OperationName, type Schedule } from './schedule';
import type { Sent } from './sent';
import { Service } from './service';
import { centsOf, simulated, stepsOf } from './split';
import { codesIn, toldByError, toldByOutput, toldByTool, toldOfStep, type Told } from './told';
import { updater } from './updater';
import { BASES, Wire } from './wire';

/** Simulated time at which every simulation starts. */
const START = Date.UTC(2030, 2, 1, 12);
/**
 * Phrases that must not appear in a tool's report on an unknown or completed write, because these phrases prompt a
 * model to repeat the call.
 */
const INVITES =
  /(UNKNOWN|DONE BEFORE).*(\bretry|try (it )?again|run (it|this item|the node) again|(?<!not )send (it|the request) (once more|again))/i;

/** Format of a write's identity, as `writeOf` returns it. */
const WRITE = /^object (\d+)(?:, (\d+) cents)?(?:, step (\d+))?(?:, node (\d+))?$/;

/** Returns the state of the sales that an operation requires. Returns undefined if the operation requires no sales. */
const salesFor = (operation: OperationName): MoneyFacts['sales'] =>
  operation === 'api' || operation === 'split' ? 'any' : moneyFacts(operation)?.sales;

/** A run of the node's code. */
export interface Run {
  number: number;
  /** Index of the node in the workflow. */
  node: number;
  /** Number of the run in the execution, independent of n8n's run index. */
  round: number;
  /** Index in the schedule's items for each input item. */
  items: number[];
  startedAt: number;
  /** Arguments of an agent's tool call. */
  call?: { object: number; cents: number };
}

/** Checks that the simulator performs during a simulation. */
export interface Checks {
  /** Checks an outgoing request. */
  sent(sent: Sent): void;
  /** Checks the reports of a run. `told` is undefined if the simulator can't read the reports. */
  told(run: Run, told: Told[] | undefined): void;
}

/** State of one simulation: the service, n8n's environment, the user's changes, and the violations. */
export class World implements Recorder {
  readonly violations: string[] = [];
  readonly footprint: string[] = [];
  readonly clock: SimulatedClock;
  readonly service: Service;
  readonly wire: Wire;
  readonly edits = noEdits();
  readonly credential: CredentialData;
  environment: 'test' | 'production';
  /** Item codes from the error of the last failed execution. */
  codes = new Map<number, string>();
  runs = 0;
  isStopped = false;
  readonly current = { run: -1, execution: 0, edits: 0 };

  private readonly objects: ObjectName[];
  readonly ledger = new Ledger();
  /** Executions with work that the current execution can find. Includes the current execution. */
  ancestors = new Set([0]);
  /** Executions with results that the current execution received as data. Includes the current execution. */
  remembered = new Set([0]);
  private readonly parents = new Map<number, Set<number>>([[0, new Set([0])]]);
  private executions = 0;
  /** Nodes that were running when n8n was killed. These nodes may have recorded writes without sending the writes. */
  readonly interrupted = new Set<number>();
  /** Tool calls in progress. */
  readonly calls = new Set<Run>();
  /** Whether n8n has been killed and not restarted. */
  isDown = false;
  /**
   * Writes that a user may have resolved incorrectly, by node and object. `saidNot` contains writes resolved as not
   * applied. `saidWrongly` contains writes resolved as applied.
   */
  readonly saidNot = new Set<string>();
  readonly saidWrongly = new Set<string>();
  /**
   * Writes that a user resolved as applied, by node and object. The node doesn't know the record ID of these writes.
   */
  readonly saidApplied = new Set<string>();
  private readonly checks: Checks;
  private readonly model: Model;
  private uninstallWire: () => void = () => undefined;
  private readonly nodeTypes: INodeTypes;

  constructor(
    readonly schedule: Schedule,
    checksOf: (world: World) => Checks,
  ) {
    const { seed, operation, service } = schedule;
    const resource = operation === 'split' ? simulated : operation === 'updater' ? updater : undefined;
    this.nodeTypes = simulatedNodeTypes(this, () => this.model.script(), resource);
    this.clock = new SimulatedClock(START, new Random(seed + 1).next);
    this.clock.install();
    const operations = operationsOf(schedule);
    this.service = new Service(this.objectsOfRun() * (schedule.equalRuns ? 1 : schedule.runs), {
      sales: operations.map(salesFor).find((sales) => sales !== undefined),
      invoices: operations.includes('payment'),
      payees: operations.some((one) => moneyFacts(one)?.on === 'payee'),
      settled: service.settled,
    });
    this.clock.uninstall();
    this.objects = objectsOf(this.service);
    this.model = new Model(schedule, this.objects);
    this.wire = new Wire(schedule, this.service, this.clock, this.objects, this.current);
    this.checks = checksOf(this);
    this.wire.onSend = (sent) => {
      this.checks.sent(sent);
      if (sent.objects.length > 0) this.onWrite();
    };
    this.environment = service.environment;
    this.credential = {
      environment: service.spelling ?? service.environment,
      baseUrl: BASES[0]?.(service.environment) ?? '',
      merchantId: MERCHANT_ID,
      authMethod: 'apiKey',
      apiKey: KEYS[service.environment][0],
    };
    if (!this.isTool())
      for (let run = 0; run < schedule.runs; run += 1)
        for (const item of schedule.items)
          for (const [node, one] of operations.entries())
            for (const step of stepsOf(one))
              this.ledger.want(this.writeOf({ node, object: this.objectOf(item, run), cents: item.cents, step }));
  }

  install(): void {
    this.clock.install();
    this.uninstallWire = this.wire.install();
  }

  uninstall(): void {
    this.uninstallWire();
    this.clock.uninstall();
  }

  /** Returns the workflow as the user last saved it. */
  saved(): Saved {
    const { schedule, objects, credential, nodeTypes } = this;
    const order = this.edits.order ?? schedule.order ?? schedule.items.map((_, item) => item);
    const rows = Array.from({ length: schedule.runs }, (_, run) => {
      const all = rowsOf(schedule, run, (item) => objects[this.objectOf(item, run)]);
      return order.map((item) => ({ json: all[item] ?? {}, number: run * schedule.items.length + item }));
    });
    const customersOf = (item: Item) =>
      Array.from({ length: schedule.runs }, (_, run) => objects[this.objectOf(item, run)]?.customer ?? '');
    const parameters: INodeParameters[] = operationsOf(schedule).map((operation) =>
      parametersOf({ ...schedule, operation }, this.edits, customersOf),
    );
    return { schedule, rows, parameters, credential: { ...credential }, nodeTypes };
  }

  note(line: string): void {
    this.footprint.push(`${((this.clock.now() - START) / 1000).toFixed(3).padStart(10)} s  ${line}`);
  }

  violation(text: string): void {
    this.violations.push(text);
    this.note(`VIOLATION: ${text}`);
  }

  /**
   * Makes the next execution continue from the stored data of an earlier execution. In a schedule with kills, the
   * execution can also read n8n's database.
   */
  goOnFrom(execution: number): void {
    this.executions += 1;
    this.remembered = new Set([...(this.parents.get(execution) ?? []), this.executions]);
    this.parents.set(this.executions, this.remembered);
    this.ancestors = this.schedule.host
      ? new Set(Array.from({ length: this.executions + 1 }, (_, index) => index))
      : this.remembered;
    this.current.execution = this.executions;
    this.ledger.forget((sent) => this.ancestors.has(sent.execution));
  }

  /**
   * Kills n8n during the execution that starts now.
   * @returns a promise that resolves after the kill.
   */
  async killed({ write, afterMs }: Kill): Promise<'killed'> {
    const { execution } = this.current;
    return await new Promise((resolve) => {
      let left = write;
      this.onWrite = () => {
        left -= 1;
        if (left !== 0) return;
        this.clock.after(afterMs, () => {
          if (this.current.execution !== execution || this.hasEnded) return;
          this.note('n8n is killed');
          for (const node of operationsOf(this.schedule).keys())
            if (this.isTool() || node === this.lastNode) this.interrupted.add(node);
          this.isDown = true;
          this.wire.goDown();
          this.clock.endProcess();
          resolve('killed');
        });
      };
    });
  }

  /**
   * Restarts n8n after a kill.
   * @param execution number of the interrupted execution.
   */
  restarted(execution: number): void {
    this.isDown = false;
    this.calls.clear();
    this.wire.isDown = false;
    this.clock.beginProcess();
    this.codes.clear();
    // A retry starts with the data of the interrupted execution, which may be incomplete.
    this.parents.get(execution)?.delete(execution);
  }

  /**
   * Returns whether the node can no longer recognize a completed write, because n8n was killed and the item or the
   * account has changed.
   */
  isLost = ({ execution, edits }: Sent): boolean => !this.remembered.has(execution) && edits < this.current.edits;

  /**
   * Returns whether a user would find that the service applied the item. In that case, the service has more equal
   * writes than the node reported as done.
   */
  isApplied(item: number, step: number): boolean {
    const { items } = this.schedule;
    const operation = this.operationOf(this.lastNode);
    const about = items[item];
    if (!about) return false;
    const amounts = (index: number) =>
      [items[index]?.cents ?? 0, this.edits.amounts[index] ?? -1].map((cents) => centsOf(operation, cents, step));
    const told = this.lastTold
      .map((one) => toldOfStep(operation, one, step))
      .filter(
        (one) =>
          one.outcome === 'done' &&
          items[one.item]?.object === about.object &&
          amounts(one.item).some((cents) => amounts(item).includes(cents)),
      );
    const found = this.bookedKnown(
      this.writeOf({ node: this.lastNode, object: this.objectOf(about, this.lastRound), cents: 0, step }),
    );
    return found.filter(({ cents }) => amounts(item).includes(cents)).length > told.length;
  }

  /** Returns the items that an edit affects. An edit of a card affects every row that contains the card. */
  editedWith(item: number): number[] {
    const { items, operation } = this.schedule;
    const same = (other: Item) => other.object === items[item]?.object;
    return operation === 'updater' ? items.flatMap((other, index) => (same(other) ? [index] : [])) : [item];
  }

  /**
   * Returns the other items of requests that contain one of the items and have an unknown outcome. Returns one item for
   * each object.
   */
  sharedWith(items: number[]): number[] {
    const all = this.schedule.items.map((item) => this.objectOf(item, this.lastRound));
    const own = new Set(items.map((item) => all[item] ?? -1));
    const objects = this.wire.sent
      .filter(
        ({ node, seen, execution }) => node === this.lastNode && seen === 'unknown' && this.ancestors.has(execution),
      )
      .filter((sent) => sent.objects.some((object) => own.has(object)))
      .flatMap((sent) => sent.objects)
      .filter((object) => !own.has(object) && all.includes(object));
    return [...new Set(objects)].map((object) => all.indexOf(object));
  }

  said(item: number, step: number, finding: 'applied' | 'notApplied', applied: boolean): void {
    const about = this.schedule.items[item];
    if (!about) return;
    const object = this.objectOf(about, this.lastRound);
    const write = { node: this.lastNode, object, cents: about.cents, step };
    if (finding === 'notApplied') this.ledger.allow(this.writeOf(write));
    // If several items use one object, a user can't always identify the applied item.
    const { items, equalRuns, runs } = this.schedule;
    const shared = (equalRuns && runs > 1) || items.filter((other) => other.object === about.object).length > 1;
    // A user can't find the result of a request in transit, although the request takes effect later.
    const isOnItsWay = this.wire.sent.some(
      (sent) => sent.node === write.node && sent.objects.includes(object) && sent.isOnItsWay,
    );
    const said = `${write.node} ${object}`;
    if (finding === 'notApplied' && (applied || shared || isOnItsWay)) this.saidNot.add(said);
    if (finding === 'applied') this.saidApplied.add(said);
    if (finding === 'applied' && (!applied || shared)) this.saidWrongly.add(said);
  }

  begin({ node, runIndex, input, numbers }: Beginning) {
    const operation = this.operationOf(node);
    const count = this.schedule.items.length;
    const round = this.isTool() ? 0 : Math.floor((numbers[0] ?? 0) / count);
    const items = this.isTool() ? [0] : numbers.map((number) => number % count);
    const run: Run = { number: this.runs, node, round, items, startedAt: this.clock.now() };
    const meant = (told: Told[] | undefined) => told?.map((one) => ({ ...one, item: items[one.item] ?? -1 }));
    this.runs += 1;
    this.current.run = run.number;
    this.lastRound = run.round;
    this.lastNode = node;
    if (this.isTool()) {
      run.call = this.callOf(node, input[0]?.json ?? {});
      this.calls.add(run);
    }
    this.note(
      `run ${run.number} begins (node ${node}, run index ${runIndex}, round ${run.round}${run.call ? `, call about object ${run.call.object}, ${run.call.cents} cents` : ''})`,
    );
    return {
      returned: (output: INodeExecutionData[][]) => {
        this.calls.delete(run);
        this.note(`run ${run.number} returned ${JSON.stringify(output)}`);
        const told = this.isTool() ? toldByTool : toldByOutput;
        if (this.isTool() && INVITES.test(JSON.stringify(output)))
          this.violation(`run ${run.number} invites a model to call again although it may have been done`);
        this.checks.told(run, meant(told(operation, output)));
      },
      threw: (error: unknown) => {
        this.calls.delete(run);
        const { message, description } = error as { message: string; description?: string };
        this.note(`run ${run.number} threw: ${message} | ${description ?? ''}`);
        this.codes = new Map([...codesIn(error)].map(([item, code]) => [items[item] ?? -1, code]));
        if (this.isTool())
          this.violation(`run ${run.number} threw although it is a tool: a model does not see the words`);
        this.checks.told(run, meant(toldByError(operation, error)));
      },
    };
  }

  /** Stops the execution. The node must not start a write afterward. */
  stopped(stop: () => void): void {
    this.note('the execution is stopped');
    this.isStopped = true;
    stop();
  }

  /** Checks that the execution data that n8n stored contains no secret. */
  executionEnded(status: string, stored: string): void {
    this.note(`the execution ended: ${status}`);
    for (const secret of secretsIn(stored)) this.violation(`the stored execution holds ${secret}`);
  }

  /** Checks at the end that the service applied every write at most as often as permitted. */
  booksClosed(): void {
    for (const write of this.ledger.writes()) {
      const applied = this.bookedFor(write).length;
      this.note(`books: ${write} was applied ${applied} times`);
      const most = this.ledger.most(write) + this.forgotten(write);
      if (applied > most) this.violation(`${write} was applied ${applied} times, at most ${most} wanted`);
    }
  }

  private lastRound = 0;
  /** Index of the node that ran last. `codes` come from the error of this node. */
  private lastNode = 0;
  /** Called for each outgoing write. */
  private onWrite = (): void => undefined;
  /** Whether the current execution has ended. */
  hasEnded = false;
  lastTold: Told[] = [];

  isTool = () => this.schedule.caller !== 'items';

  objectsOfRun = () => Math.max(...this.schedule.items.map(({ object }) => object)) + 1;

  objectOf = ({ object }: Pick<Item, 'object'>, run: number) =>
    object + (this.isTool() || this.schedule.equalRuns ? 0 : run * this.objectsOfRun());

  operationOf = (node: number): OperationName => operationsOf(this.schedule)[node] ?? this.schedule.operation;

  /**
   * Returns the identity of an intended write. The identity contains the node and the object, and in a tool also the
   * amount.
   */
  writeOf = ({ node, object, cents, step }: Pick<Sent, 'node' | 'step'> & { object: number; cents: number }) =>
    `object ${object}${this.isTool() ? `, ${cents} cents` : ''}${step > 0 ? `, step ${step}` : ''}${node > 0 ? `, node ${node}` : ''}`;

  bookedFor(write: string): Booked[] {
    const [, object, cents, step, node] = WRITE.exec(write) ?? [];
    const about = this.objects[Number(object)] as ObjectName;
    const all = booked(this.service, this.operationOf(Number(node ?? 0)), about, Number(step ?? 0));
    return cents === undefined ? all : all.filter((entry) => entry.cents === Number(cents));
  }

  /** Returns the number of applied writes from executions that the current execution doesn't continue. */
  private forgotten(write: string): number {
    return this.bookedFor(write).length - this.bookedKnown(write).length;
  }

  bookedKnown(write: string): Booked[] {
    return this.bookedBy(write, this.ancestors);
  }

  private bookedBy(write: string, executions: ReadonlySet<number>): Booked[] {
    const foreign = new Set(
      this.wire.sent.flatMap(({ execution, node, recordId, environment }) =>
        executions.has(execution) || recordId === undefined ? [] : [`${node} ${environment} ${recordId}`],
      ),
    );
    const [, , , , node = '0'] = WRITE.exec(write) ?? [];
    return this.bookedFor(write).filter(({ id, environment }) => !foreign.has(`${node} ${environment} ${id}`));
  }

  private callOf(node: number, { sale, customer, invoice, amount }: IDataObject): { object: number; cents: number } {
    const object = this.objects.findIndex(
      (name) => name.pgId === sale && name.customer === customer && String(name.invoice) === invoice,
    );
    const call = { object, cents: Math.round(Number(amount) * 100) };
    const write = this.writeOf({ node, ...call, step: 0 });
    if (this.schedule.options.allowEqual) this.ledger.want(write);
    else this.ledger.wantExactly(write, 1);
    return call;
  }
}
