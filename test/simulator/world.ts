import type { IDataObject, INodeExecutionData, INodeParameters, IRun } from 'n8n-workflow';

import type { CredentialData } from '../credential';
import { booked, objectsOf, type Booked, type ObjectName } from './books';
import { secretsIn } from './canaries';
import { SimulatedClock } from './clock';
import type { Saved } from './engine';
import { guardViolation } from './guards';
import { KEYS, MERCHANT_ID } from './keys';
import { Ledger } from './ledger';
import { simulatedNodeTypes, type Recorder } from './nodes';
import { nameFields, noEdits, parametersOf, rowsOf } from './parameters';
import { Random } from './random';
import type { Item, Schedule } from './schedule';
import { Service } from './service';
import { codesIn, toldByError, toldByOutput, toldByTool, type Told } from './told';
import { BASES, Wire, type Sent } from './wire';

/** When every simulation begins. */
const START = Date.UTC(2030, 2, 1, 12);
/** Beyond the retry time of each item, for the node's own steps. */
const SPARE_MS = 5000;
/** What a model must not read where the outcome is unknown, or where it was done. */
const INVITES =
  /(UNKNOWN|DONE BEFORE).*(\bretry|try (it )?again|run (it|this item) again|(?<!not )send it (once more|again))/i;
const NO_RECORD_KINDS = ['emptyRecord', 'textRecord'];

/** One run of the node's code. */
interface Run {
  number: number;
  runIndex: number;
  startedAt: number;
  /** Number of the call, for an agent's tool. */
  call?: { object: number; cents: number };
}

/** One simulation: the service, n8n's surroundings, what a person has changed, and what is found to be wrong. */
export class World implements Recorder {
  readonly violations: string[] = [];
  readonly trace: string[] = [];
  readonly clock: SimulatedClock;
  readonly service: Service;
  readonly wire: Wire;
  readonly edits = noEdits();
  readonly credential: CredentialData;
  environment: 'test' | 'production';
  /** Codes that the last failed execution named, by item. */
  codes = new Map<number, string>();
  runs = 0;
  isStopped = false;
  readonly current = { run: -1, execution: 0 };

  private readonly objects: ObjectName[];
  private readonly ledger = new Ledger();
  /** Executions that the present one goes on from, itself included. */
  private ancestors = new Set([0]);
  private readonly parents = new Map<number, Set<number>>([[0, new Set([0])]]);
  private executions = 0;
  /** Objects about which a person said what is not true. */
  private readonly saidNot = new Set<number>();
  private readonly saidWrongly = new Set<number>();
  /** Objects of which a person said that they are done: the service's ID is not known then. */
  private readonly saidApplied = new Set<number>();
  private agentRuns = 0;
  private uninstallWire: () => void = () => undefined;
  private readonly nodeTypes = simulatedNodeTypes(this, () => this.script());

  constructor(readonly schedule: Schedule) {
    const { seed, operation, service } = schedule;
    this.clock = new SimulatedClock(START, new Random(seed + 1).next);
    this.clock.install();
    const sales = operation === 'refund' || operation === 'api';
    this.service = new Service(this.objectsOfRun() * schedule.runs, {
      sales,
      invoices: operation === 'payment',
      settled: service.settled,
    });
    this.clock.uninstall();
    this.objects = objectsOf(this.service);
    this.wire = new Wire(schedule, this.service, this.clock, this.objects, this.current);
    this.wire.onSend = (sent) => this.leaves(sent);
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
        for (const item of schedule.items) this.ledger.want(this.writeOf(this.objectOf(item, run), item.cents));
  }

  install(): void {
    this.clock.install();
    this.uninstallWire = this.wire.install();
  }

  uninstall(): void {
    this.uninstallWire();
    this.clock.uninstall();
  }

  /** The workflow as it is saved now. */
  saved(): Saved {
    const { schedule, objects, credential, nodeTypes } = this;
    const rows = Array.from({ length: schedule.runs }, (_, run) => rowsOf(schedule, objects, run));
    const parameters: INodeParameters = parametersOf(schedule, this.edits);
    return { schedule, rows, parameters, credential: { ...credential }, nodeTypes };
  }

  note(line: string): void {
    this.trace.push(`${((this.clock.now() - START) / 1000).toFixed(3).padStart(10)} s  ${line}`);
  }

  violation(text: string): void {
    this.violations.push(text);
    this.note(`VIOLATION: ${text}`);
  }

  /** The next execution goes on from what was stored of an earlier one, and knows of nothing else. */
  goOnFrom(execution: number): void {
    this.executions += 1;
    this.ancestors = new Set([...(this.parents.get(execution) ?? []), this.executions]);
    this.parents.set(this.executions, this.ancestors);
    this.current.execution = this.executions;
    this.ledger.forget((sent) => this.ancestors.has(sent.execution));
  }

  /** What a person finds who looks: more about the item's object than the items that are told as done. */
  isApplied(item: number): boolean {
    const { items } = this.schedule;
    const about = items[item];
    if (!about) return false;
    const told = this.lastTold.filter((one) => one.outcome === 'done' && items[one.item]?.object === about.object);
    return this.known(this.objectOf(about, this.lastRunIndex)).length > told.length;
  }

  said(item: number, became: 'applied' | 'notApplied', applied: boolean): void {
    const about = this.schedule.items[item];
    if (!about) return;
    const object = this.objectOf(about, this.lastRunIndex);
    if (became === 'notApplied') this.ledger.allow(this.writeOf(object, about.cents));
    if (became === 'notApplied' && applied) this.saidNot.add(object);
    if (became === 'applied') this.saidApplied.add(object);
    if (became === 'applied' && !applied) this.saidWrongly.add(object);
  }

  begin(runIndex: number, input: INodeExecutionData[]) {
    const run: Run = { number: this.runs, runIndex, startedAt: this.clock.now() };
    this.runs += 1;
    this.current.run = run.number;
    this.lastRunIndex = runIndex;
    if (this.isTool()) run.call = this.callOf(input[0]?.json ?? {});
    this.note(
      `run ${run.number} begins (run index ${runIndex}${run.call ? `, call about object ${run.call.object}, ${run.call.cents} cents` : ''})`,
    );
    return {
      returned: (output: INodeExecutionData[][]) => {
        this.note(`run ${run.number} returned ${JSON.stringify(output)}`);
        const told = this.isTool() ? toldByTool : toldByOutput;
        if (this.isTool() && INVITES.test(JSON.stringify(output)))
          this.violation(`run ${run.number} invites a model to call again although it may have been done`);
        this.ended(run, told(this.schedule.operation, output));
      },
      threw: (error: unknown) => {
        const { message, description } = error as { message: string; description?: string };
        this.note(`run ${run.number} threw: ${message} | ${description ?? ''}`);
        this.codes = codesIn(error);
        if (this.isTool())
          this.violation(`run ${run.number} threw although it is a tool: a model does not see the words`);
        this.ended(run, toldByError(this.schedule.operation, error));
      },
    };
  }

  /** Somebody stops the execution: nothing may begin after this. */
  stopped(stop: () => void): void {
    this.note('the execution is stopped');
    this.isStopped = true;
    stop();
  }

  /** After each execution: what n8n keeps of it holds no secret. */
  executionEnded({ status }: IRun, stored: string): void {
    this.note(`the execution ended: ${status}`);
    for (const secret of secretsIn(stored)) this.violation(`the stored execution holds ${secret}`);
  }

  /** At the very end: nothing was applied more often than it may be. */
  booksClosed(): void {
    for (const write of this.ledger.writes()) {
      const applied = this.bookedFor(write).length;
      this.note(`books: ${write} was applied ${applied} times`);
      const most = this.ledger.most(write) + this.forgotten(write);
      if (applied > most) this.violation(`${write} was applied ${applied} times, at most ${most} wanted`);
    }
  }

  private lastRunIndex = 0;
  private lastTold: Told[] = [];
  /** Items that were told as done, by run index and item. */
  private readonly finished = new Map<string, { execution: number; version: string; id?: string }>();

  private isTool = () => this.schedule.caller !== 'items';

  private objectsOfRun = () => Math.max(...this.schedule.items.map(({ object }) => object)) + 1;

  private objectOf = ({ object }: Item, run: number) => object + (this.isTool() ? 0 : run * this.objectsOfRun());

  /** What identifies a wanted write: for a tool what it does, otherwise which object it is about. */
  private writeOf = (object: number, cents: number) =>
    this.isTool() ? `object ${object}, ${cents} cents` : `object ${object}`;

  private bookedFor(write: string): Booked[] {
    const [, object, cents] = /^object (\d+)(?:, (\d+) cents)?$/.exec(write) ?? [];
    const all = booked(this.service, this.schedule.operation, this.objects[Number(object)] as ObjectName);
    return cents === undefined ? all : all.filter((entry) => entry.cents === Number(cents));
  }

  /** What an execution applied that the present one does not go on from. */
  private forgotten(write: string): number {
    return this.bookedFor(write).length - this.bookedKnown(write).length;
  }

  private bookedKnown(write: string): Booked[] {
    const foreign = new Set(
      this.wire.sent.flatMap(({ execution, recordId, environment }) =>
        this.ancestors.has(execution) || recordId === undefined ? [] : [`${environment} ${recordId}`],
      ),
    );
    return this.bookedFor(write).filter(({ id, environment }) => !foreign.has(`${environment} ${id}`));
  }

  private known(object: number): Booked[] {
    return this.bookedKnown(`object ${object}`);
  }

  private callOf({ sale, customer, invoice, amount }: IDataObject): { object: number; cents: number } {
    const object = this.objects.findIndex(
      (name) => name.pgId === sale && name.customer === customer && String(name.invoice) === invoice,
    );
    const call = { object, cents: Math.round(Number(amount) * 100) };
    const write = this.writeOf(call.object, call.cents);
    if (this.schedule.options.allowEqual) this.ledger.want(write);
    else this.ledger.wantExactly(write, 1);
    return call;
  }

  /** What the model asks for: all calls at first, then some of them again, in other words. */
  private script() {
    const { items, agent } = this.schedule;
    let word = 0;
    const call = (index: number): IDataObject => {
      const item = items[index] as Item;
      word += 1;
      const amount = item.cents / 100;
      return {
        ...nameFields(this.objects[item.object]),
        amount: word % 3 === 0 ? amount.toFixed(2) : amount,
        memo: `In other words ${word}`,
        place: `000${word % 10}`,
        means: word % 2 === 0 ? 'CASH' : 'CHECK',
      };
    };
    return {
      rounds: [items.map((_, index) => index), ...agent.again].map((round) => round.map(call)),
      failsNow: () => {
        this.agentRuns += 1;
        return agent.fails && this.agentRuns <= 2;
      },
    };
  }

  private leaves(sent: Sent): void {
    const { object, cents = 0, number, environment, method, path } = sent;
    this.note(
      `#${number} ${environment} ${method} ${path}${object === undefined ? '' : ` (object ${object}, ${cents} cents)`}: ${JSON.stringify(sent.happening)}`,
    );
    if (object === undefined) return;
    const write = this.writeOf(object, cents);
    const problem = this.ledger.enter(write, sent, this.schedule.options.resend || this.edits.resend);
    if (problem !== undefined) this.violation(`${write}: ${problem}`);
    if (this.isStopped) this.violation(`#${number} began after the execution was stopped`);
    this.guarded(sent);
    this.gated(sent);
  }

  private guarded(sent: Sent): void {
    const { items, options } = this.schedule;
    const each = this.objectsOfRun();
    const meant = items.filter(
      (item, index) =>
        (this.isTool() ? item.object : item.object) === (sent.object ?? 0) % each &&
        (this.edits.amounts[index] ?? item.cents) === sent.cents,
    );
    const problems = meant.map((item) => guardViolation(this.schedule, this.edits, item, sent));
    // Equal items may have other guards: one that lets it through is enough.
    const [first] = problems;
    if (first !== undefined && problems.every((problem) => problem !== undefined)) this.violation(first);
    if (options.maxTotal !== undefined && this.ledger.possibleCents() > options.maxTotal)
      this.violation(
        `${this.ledger.possibleCents()} cents may have moved although the limit of an execution is ${options.maxTotal}`,
      );
  }

  /** On Error "stop": after a failing answer no further write begins in this run. */
  private gated(sent: Sent): void {
    if (this.isTool() || this.schedule.node.onError !== 'stopWorkflow') return;
    const failed = this.wire.sent.find(
      (other) =>
        other.run === sent.run &&
        other.object !== undefined &&
        other.endedAt !== undefined &&
        (other.seen === 'refused' || other.seen === 'unknown'),
    );
    if (failed) this.violation(`#${sent.number} began after #${failed.number} had failed (${failed.seen})`);
  }

  /** Each item was told once, and truly, in the time that the options allow. */
  private ended(run: Run, told: Told[] | undefined): void {
    this.inTime(run);
    if (!told) return;
    this.lastTold = told;
    if (run.call) return this.checkObject(run.call.object, run.call.cents, told, 1);
    const { items } = this.schedule;
    items.forEach((_, item) => {
      const times = told.filter((entry) => entry.item === item).length;
      if (times !== 1) this.violation(`item ${item} was told ${times} times`);
    });
    this.stillDone(run, told);
    for (const object of new Set(items.map((item) => item.object))) {
      const same = items.flatMap((item, index) => (item.object === object ? [index] : []));
      this.checkObject(
        this.objectOf({ object, cents: 0 }, run.runIndex),
        0,
        told.filter(({ item }) => same.includes(item)),
        same.length,
      );
    }
  }

  /** What was told as done is told so again, whatever option was changed since; an edited item is another matter. */
  private stillDone(run: Run, told: Told[]): void {
    const planFailed = told.some(({ outcome }) => outcome === 'invalid');
    for (const { item, outcome, id } of told) {
      const place = `${run.runIndex}.${item}`;
      const before = this.finished.get(place);
      const version = this.versionOf(item);
      const known = before && this.ancestors.has(before.execution) && before.version === version;
      if (known && !planFailed && (outcome !== 'done' || id !== before.id))
        this.violation(`item ${item} was told as done (${before.id}), and now as ${outcome} (${id})`);
      if (outcome === 'done') this.finished.set(place, { execution: this.current.execution, version, id });
    }
  }

  /** What a person can change about an item so that it is not the same any more. */
  private versionOf(item: number): string {
    const { amounts, field, maxAmount } = this.edits;
    const { changing } = this.schedule.options;
    // With a field that changes by itself, the item is recognised by what it is made from: all parameters.
    return JSON.stringify([changing ? amounts : amounts[item], field, maxAmount, this.credential]);
  }

  private inTime(run: Run): void {
    const { items, options } = this.schedule;
    const busy = this.wire.sent
      .filter((sent) => sent.run === run.number)
      .reduce((sum, { at, endedAt = at }) => sum + endedAt - at, 0);
    const most = busy + (options.retryTime * 1000 + SPARE_MS) * items.length;
    const took = this.clock.now() - run.startedAt;
    // A tool's calls may run side by side: whose request is whose can't be told.
    if (took > most && !this.isTool())
      this.violation(`run ${run.number} took ${took} ms, of which it may take ${most}`);
  }

  private checkObject(object: number, cents: number, told: Told[], count: number): void {
    const write = this.writeOf(object, cents);
    const books = this.bookedKnown(write);
    const of = (...outcomes: string[]) => told.filter(({ outcome }) => outcomes.includes(outcome));
    const done = of('done');
    const ids = done.flatMap(({ id }) => id ?? []);
    for (const id of ids)
      if (!books.some((entry) => entry.id === id))
        this.violation(`${write}: told as done with ${id}, which is not in the books`);
    if (new Set(ids).size < ids.length) this.violation(`${write}: one record told for two items`);
    if (done.length > ids.length && !this.saidApplied.has(object) && !this.answeredWithoutId(object))
      this.violation(`${write}: told as done without its ID`);
    if (done.length > books.length && !this.saidWrongly.has(object))
      this.violation(`${write}: ${done.length} told as done, ${books.length} applied`);
    if (of('doneBefore').length > 0 && books.length === 0 && !this.saidWrongly.has(object))
      this.violation(`${write}: told as done before, and it is not`);
    // What a tool refuses before it sends is told about the call, and in such words.
    const not = of('declined', 'notSent', 'notStarted', ...(this.isTool() ? [] : ['invalid']));
    const extra = count > 1 ? this.ledger.most(write) - count : 0;
    const open = of('unknown').length + of('doneBefore').length + done.length;
    if (
      not.length > 0 &&
      !this.saidNot.has(object) &&
      !this.schedule.options.allowEqual &&
      books.length > open + Math.max(0, extra)
    )
      this.violation(
        `${write}: told as ${not.map(({ outcome }) => outcome).join(', ')}, but applied ${books.length} times`,
      );
    for (const { outcome } of told)
      if (!['done', 'doneBefore', 'unknown', 'declined', 'invalid', 'notSent', 'notStarted'].includes(outcome))
        this.violation(`${write}: told as "${outcome}"`);
  }

  /** Whether the service itself gave no ID for a write that it applied. */
  private answeredWithoutId(object: number): boolean {
    return this.wire.sent.some((sent) => sent.object === object && NO_RECORD_KINDS.includes(sent.happening.kind));
  }
}
