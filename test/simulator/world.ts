import type { IDataObject, INodeExecutionData, INodeParameters, INodeTypes } from 'n8n-workflow';

import type { Resource } from '../../nodes/PaymentPlatform/model/types';
import { api } from '../../nodes/PaymentPlatform/resources/api';
import { invoice } from '../../nodes/PaymentPlatform/resources/invoice';
import { subscription } from '../../nodes/PaymentPlatform/resources/subscription';
import { transaction } from '../../nodes/PaymentPlatform/resources/transaction';
import { baseUrlOf } from '../../nodes/PaymentPlatform/service/account';
import type { CredentialData } from '../credential';
import { isLinked } from './alike';
import { booked, objectsOf, type Booked } from './books';
import { secretsIn } from './canaries';
import { SimulatedClock } from './clock';
import type { Saved } from './engine';
import { Executions, TWIN } from './executions';
import { KEYS, MERCHANT_ID } from './keys';
import { Ledger } from './ledger';
import { Model } from './model';
import { moneyFacts, type MoneyFacts } from './money';
import { simulatedNodeTypes, type Beginning, type Recorder } from './nodes';
import { Others } from './others';
import { noEdits, parametersOf, returnsExisting, rowsOf, sendsAgain } from './parameters';
import { Random } from './random';
import { operationsOf, type Item, type Kill, type ObjectName, type OperationName, type Schedule } from './schedule';
import type { Sent } from './sent';
import { Service } from './service';
import { centsOf, simulated, stepsOf } from './split';
import { codesIn, toldByError, toldByOutput, toldByTool, type Told } from './told';
import { updater } from './updater';
import { BASES, Wire } from './wire';

const START = Date.UTC(2030, 2, 1, 12);
/** Phrases that prompt a model to repeat the call. */
const INVITES =
  /(UNKNOWN|DONE BEFORE).*(\bretry|try (it )?again|run (it|this item|the node) again|(?<!not )send (it|the request) (once more|again))/i;

const WRITE = /^object (\d+)(?:, (\d+) cents)?(?:, step (\d+))?(?:, node (\d+))?(?:, execution (\d+))?$/;

const countObjects = (items: Item[]): number => Math.max(...items.map(({ object }) => object)) + 1;

const salesFor = (operation: OperationName): MoneyFacts['sales'] =>
  operation === 'api' || operation === 'split' ? 'any' : moneyFacts(operation)?.sales;

export interface Run {
  number: number;
  node: number;
  /** Indexes of the run's rows in `World.rows`. */
  items: number[];
  startedAt: number;
  endedAt?: number;
  call?: { object: number; cents: number };
}

export interface Checks {
  sent(sent: Sent): void;
  /** @param told outcomes that the node reported. Undefined if they are unreadable. */
  told(run: Run, told: Told[] | undefined): void;
}

function resourceOf(operation: OperationName): Resource {
  switch (operation) {
    default:
      return transaction;
    case 'invoice':
    case 'payment':
      return invoice;
    case 'subscription':
      return subscription;
    case 'api':
      return api;
    case 'split':
      return simulated;
    case 'updater':
      return updater;
  }
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
  readonly executions: Executions;
  changes = 0;
  private readonly latestRuns = new Map<number, number>();

  /** Items of all runs. Each run has its own sales or customers unless the runs are equal. */
  readonly rows: Item[];
  private readonly objects: ObjectName[];
  readonly ledger = new Ledger();
  readonly others: Others;
  readonly interrupted = new Set<number>();
  /** Rows that n8n passed to nodes, each with its execution and node. */
  readonly given = new Set<string>();
  readonly calls = new Set<Run>();
  /** Credentials with which n8n called each tool. */
  readonly callers = new Map<number, Set<string>>();
  /** Tool calls that n8n has started, each with its execution, node and run index. */
  private readonly begun = new Set<string>();
  isDown = false;
  /** Writes that a user may have wrongly resolved as not applied. */
  readonly saidNot = new Set<string>();
  readonly saidWrongly = new Set<string>();
  readonly saidApplied = new Set<string>();
  /** Limit per Item of each execution, in cents, if a person changed it. */
  readonly limits = new Map<number, number | undefined>();
  private readonly checks: Checks;
  private readonly model: Model;
  private uninstallWire: () => void = () => undefined;
  private readonly nodeTypes: INodeTypes;

  constructor(
    readonly schedule: Schedule,
    checksOf: (world: World) => Checks,
  ) {
    const { seed, service, host } = schedule;
    this.executions = new Executions(
      host !== undefined || schedule.retries.some(({ alongMs }) => alongMs !== undefined),
    );
    const resources = new Set(operationsOf(schedule).map(resourceOf));
    this.nodeTypes = simulatedNodeTypes(this, () => this.model.script(), [...resources]);
    this.clock = new SimulatedClock(START, new Random(seed + 1).next);
    this.clock.install();
    const operations = operationsOf(schedule);
    const each = countObjects(schedule.items);
    this.rows = Array.from({ length: schedule.runs }, (_, run) =>
      schedule.items.map((item) => ({ ...item, object: item.object + (schedule.equalRuns ? 0 : run * each) })),
    ).flat();
    this.service = new Service(countObjects(this.rows) + (schedule.alike?.strangers ? 1 : 0), {
      sales: operations.map(salesFor).find((sales) => sales !== undefined),
      invoices: operations.includes('payment'),
      payees: operations.some((one) => moneyFacts(one)?.on === 'payee'),
      settled: service.settled,
      alike: schedule.alike,
    });
    this.clock.uninstall();
    this.objects = objectsOf(this.service);
    this.others = new Others(schedule, this.service, this.objects);
    this.model = new Model(schedule, this.objects);
    this.wire = new Wire(schedule, this.service, this.clock, this.objects, (execution) => ({
      execution,
      run: this.latestRuns.get(execution) ?? -1,
      edits: this.changes,
    }));
    this.checks = checksOf(this);
    this.wire.onSend = (sent) => {
      this.executions.as(sent.execution, () => this.checks.sent(sent));
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
    this.wantRows(0);
    if (schedule.twinMs !== undefined && !this.areOne) this.wantRows(TWIN);
  }

  /** Whether all executions of the workflow together may apply each write only once. */
  get areOne(): boolean {
    return this.schedule.options.oncePerKey === true || returnsExisting(this.schedule);
  }

  private wantRows(execution: number): void {
    if (this.isTool()) return;
    for (const row of this.rows)
      for (const [node, one] of operationsOf(this.schedule).entries())
        for (const step of stepsOf(one))
          this.executions.as(execution, () => {
            const write = this.writeOf({ node, ...row, step });
            if (this.schedule.options.oncePerKey) this.ledger.wantExactly(write, 1);
            else this.ledger.want(write);
          });
  }

  install(): void {
    this.clock.install();
    this.uninstallWire = this.wire.install();
  }

  uninstall(): void {
    this.uninstallWire();
    this.clock.uninstall();
  }

  saved(execution = this.executions.current): Saved {
    const { schedule, objects, credential, nodeTypes } = this;
    this.limits.set(execution, this.edits.limitPerItem);
    const count = schedule.items.length;
    const all = rowsOf(this.rows, schedule, (item) => objects[item.object]);
    const order = this.edits.order ?? schedule.order ?? all.map((_, number) => number);
    const numbered = order.map((number) => ({ json: all[number] ?? {}, number }));
    const rows = Array.from({ length: Math.ceil(order.length / count) }, (_, run) =>
      numbered.slice(run * count, (run + 1) * count),
    );
    const parameters: INodeParameters[] = operationsOf(schedule).map((operation) =>
      parametersOf({ ...schedule, operation }, this.edits, objects),
    );
    const { batch } = this.edits;
    return { schedule, execution, rows, parameters, credential: { ...credential }, nodeTypes, batch };
  }

  isOccupied = (node: number, object: number): boolean => this.others.isOccupied(this.operationOf(node), object);

  nameOf = (object: number): ObjectName => this.objects[object] as ObjectName;

  note(line: string): void {
    this.footprint.push(`${((this.clock.now() - START) / 1000).toFixed(3).padStart(10)} s  ${line}`);
  }

  violation(text: string): void {
    this.violations.push(text);
    this.note(`VIOLATION: ${text}`);
  }

  /** Makes the next execution continue from the stored data of an earlier execution. */
  goOnFrom(execution: number): void {
    this.executions.goOnFrom(execution);
    const { ancestors, first, firstOf } = this.executions;
    if (!this.schedule.options.oncePerKey)
      this.ledger.forget(({ execution }) => ancestors.has(execution) || firstOf(execution) !== first);
  }

  /** Starts a new execution. It wants each write again, unless a key or an existing record prevents it. */
  beginAnew(): void {
    this.executions.beginAnew();
    this.note('a new execution');
    if (!this.areOne) this.wantRows(this.executions.current);
    // The new execution has only the service's records.
    else if (!this.schedule.options.oncePerKey) this.ledger.forget(this.wantedNow());
  }

  /** Returns whether a row still describes an applied payment. A row with another amount is another payment. */
  private wantedNow(): (sent: Sent) => boolean {
    const taken = new Map<string, number>();
    return (sent) =>
      sent.applied &&
      sent.objects.some((object) => {
        const { node, cents, step } = sent;
        const isWanted = (number: number) => centsOf(this.operationOf(node), this.centsNow(number), step) === cents;
        const numbers = [...this.rows.keys()].filter((number) => this.rows[number]?.object === object);
        const key = JSON.stringify([node, object, cents, step]);
        const count = (taken.get(key) ?? 0) + 1;
        taken.set(key, count);
        return count <= numbers.filter(isWanted).length;
      });
  }

  /** Returns the key of what a person said about an object in the current execution and its retries. */
  /** A person's word about a key of Once per Key is valid for all executions. */
  saidKey = ({ node, object }: { node: number; object: number }) =>
    `${node} ${object} ${this.schedule.options.oncePerKey ? 'key' : this.executions.first}`;

  /**
   * Kills n8n during the execution that starts now.
   * @returns a promise that resolves after the kill.
   */
  async killed({ write, afterMs }: Kill): Promise<'killed'> {
    const { current } = this.executions;
    return await new Promise((resolve) => {
      let left = write;
      this.onWrite = () => {
        left -= 1;
        if (left !== 0) return;
        this.clock.after(afterMs, () => {
          if (this.executions.current !== current || this.hasEnded) return;
          this.note('n8n is killed');
          for (const node of operationsOf(this.schedule).keys())
            if (this.isTool() || node === this.lastNode || this.wire.sent.some((sent) => sent.node === node))
              this.interrupted.add(node);
          this.isDown = true;
          this.wire.goDown();
          this.clock.endProcess();
          resolve('killed');
        });
      };
    });
  }

  restarted(execution: number): void {
    this.isDown = false;
    this.calls.clear();
    this.wire.isDown = false;
    this.clock.beginProcess();
    this.codes.clear();
    this.executions.lose(execution);
  }

  /** Returns whether the node can't recognize a completed write after n8n is killed. */
  private isLost = ({ execution, edits }: Sent): boolean =>
    !this.executions.remembered.has(execution) && edits < this.changes;

  /** Returns whether the node can look up a payment, without which "Send Again" doesn't permit another attempt. */
  private canBeRead({ node, objects }: Sent): boolean {
    const money = moneyFacts(this.operationOf(node));
    if (this.schedule.options.oncePerKey) return money !== undefined;
    return money === undefined || !objects.some((object) => isLinked(this.schedule.alike, object));
  }

  canResend = (earlier: Sent): boolean =>
    sendsAgain(this.schedule.options, this.edits) &&
    (this.schedule.options.oncePerKey === true || this.executions.ancestors.has(earlier.execution)) &&
    this.canBeRead(earlier) &&
    (earlier.seen === 'unknown' || (earlier.seen === 'done' && this.isLost(earlier)));

  /** Returns the current amount of a row in cents. */
  centsNow = (number: number): number =>
    this.edits.amounts[number % this.schedule.items.length] ?? this.rows[number]?.cents ?? 0;

  begin({ execution, node, runIndex, input, numbers }: Beginning) {
    const operation = this.operationOf(node);
    const items = this.isTool() ? [0] : numbers;
    const run: Run = { number: this.runs, node, items, startedAt: this.clock.now() };
    const meant = (told: Told[] | undefined) => told?.map((one) => ({ ...one, item: items[one.item] ?? -1 }));
    this.runs += 1;
    this.latestRuns.set(execution, run.number);
    for (const item of items) this.given.add(`${execution} ${node} ${item}`);
    this.lastNode = node;
    if (this.isTool()) {
      run.call = this.callOf(node, runIndex, input[0]?.json ?? {});
      this.calls.add(run);
      const caller = JSON.stringify([this.environment, this.credential.apiKey, baseUrlOf(this.credential)]);
      this.callers.set(node, (this.callers.get(node) ?? new Set()).add(caller));
    }
    this.note(
      `run ${run.number} begins (execution ${execution}, node ${node}, run index ${runIndex}${run.call ? `, call about object ${run.call.object}, ${run.call.cents} cents` : ''})`,
    );
    return {
      returned: (output: INodeExecutionData[][]) => {
        run.endedAt = this.clock.now();
        this.note(`run ${run.number} returned ${JSON.stringify(output)}`);
        const told = this.isTool() ? toldByTool : toldByOutput;
        if (this.isTool() && INVITES.test(JSON.stringify(output)))
          this.violation(`run ${run.number} invites a model to call again although it may have been done`);
        this.executions.as(execution, () => this.checks.told(run, meant(told(operation, output))));
      },
      threw: (error: unknown) => {
        run.endedAt = this.clock.now();
        const { message, description } = error as { message: string; description?: string };
        this.note(`run ${run.number} threw: ${message} | ${description ?? ''}`);
        if (execution < TWIN)
          this.codes = new Map([...codesIn(error)].map(([item, code]) => [items[item] ?? -1, code]));
        if (this.isTool())
          this.violation(`run ${run.number} threw although it is a tool: a model does not see the words`);
        this.executions.as(execution, () => this.checks.told(run, meant(toldByError(operation, error))));
      },
    };
  }

  /** Stops the execution. The node must not start a write afterward. */
  stopped(stop: () => void): void {
    this.note('the execution is stopped');
    this.isStopped = true;
    stop();
  }

  executionEnded(status: string, stored: string): void {
    this.note(`the execution ended: ${status}`);
    for (const secret of secretsIn(stored)) this.violation(`the stored execution holds ${secret}`);
  }

  /** Checks that the service applied no write more often than permitted. */
  booksClosed(): void {
    for (const write of this.ledger.writes()) {
      const applied = this.bookedFor(write).length;
      this.note(`books: ${write} was applied ${applied} times`);
      const most = this.ledger.most(write) + this.forgotten(write);
      if (applied > most) this.violation(`${write} was applied ${applied} times, at most ${most} wanted`);
    }
  }

  lastNode = 0;
  private onWrite = (): void => undefined;
  hasEnded = false;
  lastTold: Told[] = [];

  get retriesAnyError(): boolean {
    return this.schedule.node.retriesAnyError === true;
  }

  isTool = () => this.schedule.caller !== 'items';

  operationOf = (node: number): OperationName => operationsOf(this.schedule)[node] ?? this.schedule.operation;

  /** Returns a write's identity: its node, its sale or customer and, for a tool, its amount. */
  writeOf = ({ node, object, cents, step }: Pick<Sent, 'node' | 'step'> & { object: number; cents: number }) =>
    `object ${object}${this.isTool() ? `, ${cents} cents` : ''}${step > 0 ? `, step ${step}` : ''}${node > 0 ? `, node ${node}` : ''}${this.executions.first > 0 && !this.areOne ? `, execution ${this.executions.first}` : ''}`;

  bookedFor(write: string): Booked[] {
    const [, object, cents, step, node = '0', first = '0'] = WRITE.exec(write) ?? [];
    const about = this.objects[Number(object)] as ObjectName;
    const all = booked(this.service, this.operationOf(Number(node)), about, Number(step ?? 0)).filter(
      ({ id, environment }) =>
        !this.others.owns(environment, id) &&
        (this.areOne || this.executions.firstOf(this.senderOf(node, environment, id) ?? 0) === Number(first)),
    );
    return cents === undefined ? all : all.filter((entry) => entry.cents === Number(cents));
  }

  /** Returns the execution that created a record. */
  senderOf = (node: string, environment: string, id: string): number | undefined =>
    this.wire.senders.get(`${node} ${environment} ${id}`);

  private forgotten(write: string): number {
    // Keys are valid for all executions.
    if (this.schedule.options.oncePerKey) return 0;
    return this.bookedFor(write).length - this.bookedKnown(write).length;
  }

  bookedKnown(write: string): Booked[] {
    return this.bookedBy(write, this.executions.ancestors);
  }

  private bookedBy(write: string, executions: ReadonlySet<number>): Booked[] {
    const [, , , , node = '0'] = WRITE.exec(write) ?? [];
    return this.bookedFor(write).filter(({ id, environment }) => {
      const sender = this.senderOf(node, environment, id);
      return sender === undefined || executions.has(sender);
    });
  }

  private callOf(
    node: number,
    runIndex: number,
    { sale, customer, invoice, amount }: IDataObject,
  ): { object: number; cents: number } {
    const object = this.objects.findIndex(
      (name) => name.pgId === sale && name.customer === customer && String(name.invoice) === invoice,
    );
    const call = { object, cents: Math.round(Number(amount) * 100) };
    const write = this.writeOf({ node, ...call, step: 0 });
    if (!this.schedule.options.allowEqual) this.ledger.wantExactly(write, 1);
    // With Retry On Fail, n8n's engine runs a tool again with the same run index.
    else if (this.schedule.caller !== 'engine' || !this.begun.has(`${this.executions.current} ${node} ${runIndex}`))
      this.ledger.want(write);
    this.begun.add(`${this.executions.current} ${node} ${runIndex}`);
    return call;
  }
}
