import { sendsAgain } from './parameters';
import type { Sent } from './sent';
import { centsOf, stepsOf } from './split';
import { toldOfStep, type Told } from './told';
import type { Run, World } from './world';

/** Time in milliseconds for the node's own work on an item, in addition to the item's retry time. */
const SPARE_MS = 5000;
/** Time in milliseconds that the node may take to look up an unknown outcome. */
const LOOKING_MS = 14_000;
const NO_RECORD_KINDS = ['emptyRecord', 'textRecord'];
const OUTCOMES = ['done', 'doneBefore', 'unknown', 'declined', 'invalid', 'notSent', 'notStarted'];

const placeOf = (node: number, round: number, item: number) => `${node}.${round}.${item}`;

/** Checks the node's reports against the service's records. */
export class Telling {
  /** Items that the node reported as done, by run and item. */
  private readonly finished = new Map<string, { execution: number; version: string; id?: string }>();
  /** Reports on the items of each execution, by execution, run and item. */
  private readonly state = new Map<number, Map<string, Told>>();

  constructor(private readonly world: World) {}

  /** Checks that the node reports each item once, correctly, and within the time that the options allow. */
  check(run: Run, told: Told[] | undefined): void {
    this.inTime(run);
    if (!told) return;
    this.world.lastTold = told;
    if (run.call) return this.checkObject(run.node, { ...run.call }, told, 1);
    const { items } = this.world.schedule;
    run.items.forEach((item) => {
      const times = told.filter((entry) => entry.item === item).length;
      if (times !== 1) this.world.violation(`item ${item} was told ${times} times`);
    });
    this.stillDone(run, told);
    const state = this.stateNow();
    for (const one of told) state.set(placeOf(run.node, run.round, one.item), one);
    for (const object of new Set(items.map((item) => this.world.objectOf(item, run.round)))) {
      const places = this.placesOf(run.node, object);
      this.checkObject(
        run.node,
        { object, cents: 0 },
        places.flatMap((place) => state.get(place) ?? []),
        places.length,
      );
    }
  }

  /**
   * Returns the reports of the current execution. A retry starts with the reports of the execution that n8n retries.
   */
  private stateNow(): Map<string, Told> {
    const { current, remembered } = this.world;
    const known = this.state.get(current.execution);
    if (known) return known;
    const before = Math.max(-1, ...[...remembered].filter((execution) => execution !== current.execution));
    const state = new Map(this.state.get(before));
    this.state.set(current.execution, state);
    return state;
  }

  /** Returns the items of all runs that use the object. */
  private placesOf(node: number, object: number): string[] {
    const { items, runs } = this.world.schedule;
    const each = Array.from({ length: runs }, (_, round) =>
      items.flatMap((item, index) =>
        this.world.objectOf(item, round) === object ? [placeOf(node, round, index)] : [],
      ),
    );
    return each.flat();
  }

  /**
   * Checks that the node still reports a completed item as done after a user changed options. Ignores items that a user
   * edited.
   */
  private stillDone(run: Run, told: Told[]): void {
    const planFailed = told.some(({ outcome }) => outcome === 'invalid');
    for (const { item, outcome, id } of told) {
      const place = placeOf(run.node, run.round, item);
      const before = this.finished.get(place);
      const version = this.versionOf(item);
      const { ancestors, remembered, current } = this.world;
      const known = before && ancestors.has(before.execution) && before.version === version;
      // If only n8n's database contains a write, the node doesn't know the result of the write. The node may also
      // report the write as unknown.
      const isLoose = known && !remembered.has(before.execution);
      const still = isLoose
        ? (outcome === 'done' &&
            (id === undefined || [undefined, id].includes(before.id) || this.isOfEqualItems(run, item, id))) ||
          ['unknown', 'doneBefore'].includes(outcome)
        : outcome === 'done' && [undefined, id].includes(before?.id);
      if (known && !planFailed && !still)
        this.world.violation(`item ${item} was told as done (${before.id}), and now as ${outcome} (${id})`);
      if (outcome === 'done') this.finished.set(place, { execution: current.execution, version, id });
    }
  }

  /**
   * Returns whether several equal items may report the same record. After a kill, n8n's database contains the number of
   * completed equal items, but not their records (security.md#matching-a-record-to-an-item).
   */
  private isOfEqualItems(run: Run, item: number, id: string): boolean {
    const { schedule, edits } = this.world;
    const operation = this.world.operationOf(run.node);
    const amountOf = (index: number) => edits.amounts[index] ?? schedule.items[index]?.cents ?? 0;
    const [object, cents] = [schedule.items[item]?.object ?? -1, amountOf(item)];
    // Includes items that were equal to this item before a user's edit.
    const equal = schedule.items.filter(
      (one, index) => one.object === object && [one.cents, amountOf(index)].includes(cents),
    );
    const step = stepsOf(operation).length - 1;
    const about = { node: run.node, object: this.world.objectOf({ object }, run.round), cents, step };
    const record = this.world.bookedFor(this.world.writeOf(about)).find((one) => one.id === id);
    return (
      (equal.length > 1 || (schedule.equalRuns === true && schedule.runs > 1)) &&
      record?.cents === centsOf(operation, cents, step)
    );
  }

  /** Returns the properties that identify an item. An item with a changed property is a different item. */
  private versionOf(item: number): string {
    const { amounts, field, limitPerItem } = this.world.edits;
    const { changing } = this.world.schedule.options;
    // If a field changes with each evaluation, the node identifies the item by all parameters.
    return JSON.stringify([changing ? amounts : amounts[item], field, limitPerItem, this.world.credential]);
  }

  private inTime(run: Run): void {
    const { items, options } = this.world.schedule;
    const busy = this.world.wire.sent
      .filter((sent) => sent.run === run.number)
      .reduce((sum, { at, endedAt = at }) => sum + endedAt - at, 0);
    const most = busy + (options.retryTime * 1000 + LOOKING_MS + SPARE_MS) * items.length;
    const took = this.world.clock.now() - run.startedAt;
    // Ignores tools, because a tool's calls may run at the same time and a request can't be assigned to a call.
    if (took > most && !this.world.isTool())
      this.world.violation(`run ${run.number} took ${took} ms, of which it may take ${most}`);
  }

  private checkObject(node: number, about: { object: number; cents: number }, told: Told[], count: number): void {
    const operation = this.world.operationOf(node);
    for (const step of stepsOf(operation)) {
      const ofStep = told.map((one) => toldOfStep(operation, one, step));
      this.checkWrite({ node, step, ...about }, ofStep, count);
    }
  }

  private checkWrite(
    about: { node: number; step: number; object: number; cents: number },
    told: Told[],
    count: number,
  ): void {
    const write = this.world.writeOf(about);
    const said = `${about.node} ${about.object}`;
    const books = this.world.bookedKnown(write);
    const of = (...outcomes: string[]) => told.filter(({ outcome }) => outcomes.includes(outcome));
    const done = of('done');
    // Includes writes of all executions, because the node can find the record of another retry at the service.
    const there = this.world.bookedFor(write);
    const ids = done.flatMap(({ id }) => id ?? []);
    const times = (all: string[], id: string) => all.filter((one) => one === id).length;
    const idsThere = there.map(({ id }) => id);
    for (const id of new Set(ids))
      if (!idsThere.includes(id)) this.world.violation(`${write}: told as done with ${id}, which is not in the books`);
      else if (times(ids, id) > times(idsThere, id)) this.world.violation(`${write}: one record told for two items`);
    const last = stepsOf(this.world.operationOf(about.node)).length - 1;
    const namesRecord = about.step === last || this.world.isTool();
    if (
      namesRecord &&
      done.length > ids.length &&
      !this.world.schedule.host &&
      !this.world.saidApplied.has(said) &&
      !this.answeredWithoutId(about)
    )
      this.world.violation(`${write}: told as done without its ID`);
    if (done.length > there.length && !this.world.saidWrongly.has(said))
      this.world.violation(`${write}: ${done.length} told as done, ${there.length} applied`);
    if (of('doneBefore').length > 0 && this.world.bookedFor(write).length === 0 && !this.world.saidWrongly.has(said))
      this.world.violation(`${write}: told as done before, and it is not`);
    // Accepts the outcome invalid from tools, and from moved rows after a kill. The node recognizes an unreadable item
    // only by its position, so the node may report a moved row as invalid although a killed execution sent it.
    const { edits, interrupted } = this.world;
    const isMoved = edits.order !== undefined && interrupted.has(about.node);
    const not = of('declined', 'notSent', 'notStarted', ...(this.world.isTool() || isMoved ? [] : ['invalid']));
    const extra = count > 1 ? this.sentMore(write, count) : 0;
    // Counts items without a report, because an earlier execution may have completed items of later rounds.
    const toCome = this.world.isTool() ? 0 : count - told.length;
    const open = of('unknown').length + of('doneBefore').length + done.length + toCome;
    if (
      not.length > 0 &&
      !this.world.saidNot.has(said) &&
      !this.world.schedule.options.allowEqual &&
      books.length > open + extra
    )
      this.world.violation(
        `${write}: told as ${not.map(({ outcome }) => outcome).join(', ')}, but applied ${books.length} times`,
      );
    if (of('unknown').length > 0 && !this.mayHaveBegun(about))
      this.world.violation(`${write}: told as unknown, and it was never sent`);
    for (const { outcome } of told)
      if (!OUTCOMES.includes(outcome)) this.world.violation(`${write}: told as "${outcome}"`);
  }

  /**
   * Returns whether an attempt may have started a write. The node may have sent the write or recorded the write before
   * a kill, or an equal tool call is in progress.
   */
  private mayHaveBegun({ node, object, cents }: { node: number; object: number; cents: number }): boolean {
    const { interrupted, wire, current, calls } = this.world;
    // An equal call that is still in progress may send the request later.
    const isEqual = (call: Run['call']) => call?.object === object && call.cents === cents;
    if ([...calls].some((run) => run.node === node && isEqual(run.call))) return true;
    // After a change of the credential, a tool recognizes none of its earlier calls and therefore refuses further
    // calls.
    const isBlind = this.world.isTool() && wire.sent.some((sent) => sent.node === node && sent.edits < current.edits);
    if (isBlind) return true;
    return interrupted.has(node) || wire.sent.some((sent) => sent.node === node && sent.objects.includes(object));
  }

  /** Returns the number of additional writes to an object that a user's instructions permit. */
  private sentMore(write: string, count: number): number {
    const { ledger, schedule, edits, isLost } = this.world;
    const resends = sendsAgain(schedule.options, edits);
    const isUnknown = (sent: Sent) => sent.seen === 'unknown' || (sent.seen === 'done' && isLost(sent));
    const unknown = ledger.sentFor(write).filter(isUnknown).length;
    return Math.max(0, ledger.most(write) - count, resends ? unknown : 0);
  }

  /** Returns whether the service applied a write and returned no ID. */
  private answeredWithoutId({ node, object }: Pick<Sent, 'node'> & { object: number }): boolean {
    return this.world.wire.sent.some(
      (sent) => sent.node === node && sent.objects.includes(object) && NO_RECORD_KINDS.includes(sent.happening.kind),
    );
  }
}
