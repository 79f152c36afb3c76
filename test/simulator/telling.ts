import { differsFrom, isLinked } from './alike';
import { KEYS } from './keys';
import { moneyFacts } from './money';
import type { Item } from './schedule';
import type { Sent } from './sent';
import { centsOf, stepsOf } from './split';
import { toldOfStep, type Told } from './told';
import type { Run, World } from './world';

/** Time in milliseconds for the node's own work on an item. */
const SPARE_MS = 5000;
/** Time in milliseconds that the node may take to look up an unknown outcome. */
const LOOKING_MS = 14_000;
const NO_RECORD_KINDS = ['emptyRecord', 'textRecord'];
const OUTCOMES = ['done', 'doneBefore', 'unknown', 'declined', 'invalid', 'notSent', 'notStarted'];

const placeOf = (node: number, item: number) => `${node}.${item}`;

/** Compares the outcomes that the node reports with the service's records. */
export class Telling {
  private readonly finished = new Map<string, { execution: number; version: string; at: number; id?: string }>();
  private readonly state = new Map<number, Map<string, Told>>();

  /** Run whose outcomes are checked now. */
  private run?: Run;

  constructor(private readonly world: World) {}

  /** Checks that the node reports each item once, correctly, and in time. */
  check(run: Run, told: Told[] | undefined): void {
    this.inTime(run);
    if (!told) return;
    if (!this.world.executions.isTwin) this.world.lastTold = told;
    this.run = run;
    if (run.call) return this.checkObject(run.node, { ...run.call }, told, 1);
    run.items.forEach((item) => {
      const times = told.filter((entry) => entry.item === item).length;
      if (times !== 1) this.world.violation(`item ${item} was told ${times} times`);
    });
    this.stillDone(run, told);
    for (const one of told) this.isOfItem(run, one);
    const state = this.stateNow();
    for (const one of told) state.set(placeOf(run.node, one.item), one);
    for (const object of new Set(run.items.flatMap((item) => this.world.rows[item]?.object ?? []))) {
      const places = this.placesOf(run.node, object);
      this.checkObject(
        run.node,
        { object, cents: 0 },
        places.flatMap((place) => state.get(place) ?? []),
        places.length,
      );
    }
  }

  /** Checks that the record of an item has the values of the item, and that an attempt at the item created it. */
  private isOfItem(run: Run, { item, outcome, id, cents: shown }: Told): void {
    const { rows, schedule, executions, environment, service } = this.world;
    const row = rows[item];
    if (outcome !== 'done' || id === undefined || !row || this.arePayeesEqual()) return;
    const operation = this.world.operationOf(run.node);
    const allowed = [row.cents, this.world.centsNow(item)];
    const isOther = isLinked(schedule.alike, row.object);
    const about = { allowed, object: this.world.nameOf(row.object), isOther, shown };
    const places = Object.values(service.environments).filter(({ transactions }) => transactions.has(id));
    // With a key, the node treats a charge of another card of the customer as the same payment.
    const isSameKey = ({ object }: Item) => schedule.options.oncePerKey === true && object === row.object;
    const hasCard = row.hasCard === true && !rows.some((one) => isSameKey(one) && !one.hasCard);
    const [wrong, ...others] = places.map((place) => differsFrom(place, operation, id, { ...row, hasCard }, about));
    if (wrong !== undefined && !others.includes(undefined))
      this.world.violation(`item ${item} was told with a record ${wrong}`);
    const sender = this.world.senderOf(String(run.node), environment, id);
    const isForeign = sender !== undefined && executions.firstOf(sender) !== executions.first;
    if (isForeign && !this.world.areOne)
      this.world.violation(`item ${item} was told with a record of execution ${sender}`);
  }

  /** A retry starts with the outcomes of the execution that n8n retries. */
  private stateNow(): Map<string, Told> {
    const { current, remembered } = this.world.executions;
    const known = this.state.get(current);
    if (known) return known;
    const before = Math.max(-1, ...[...remembered].filter((execution) => execution !== current));
    const state = new Map(this.state.get(before));
    this.state.set(current, state);
    return state;
  }

  private placesOf(node: number, object: number): string[] {
    return this.world.rows.flatMap((row, item) => (row.object === object ? [placeOf(node, item)] : []));
  }

  /** Checks that the node still reports a completed item as done after a user changes an option. */
  private stillDone(run: Run, told: Told[]): void {
    const planFailed = told.some(({ outcome }) => outcome === 'invalid');
    for (const { item, outcome, id } of told) {
      const place = `${placeOf(run.node, item)}${this.world.executions.isTwin ? ' of the twin' : ''}`;
      const before = this.finished.get(place);
      const version = this.versionOf(item);
      const { ancestors, remembered, current } = this.world.executions;
      const { execution = -1, at = 0 } = before ?? {};
      // A run can't know the results of a retry that ended while the run was going on.
      const known = before && ancestors.has(execution) && before.version === version && at <= run.startedAt;
      // If a write is recorded only in n8n's database, the node is allowed to report the write as unknown.
      const isLoose = known && !remembered.has(before.execution);
      const still = isLoose
        ? (outcome === 'done' &&
            (id === undefined || [undefined, id].includes(before.id) || this.isOfEqualItems(run, item, id))) ||
          ['unknown', 'doneBefore'].includes(outcome)
        : outcome === 'done' && [undefined, id].includes(before?.id);
      if (known && !planFailed && !still)
        this.world.violation(`item ${item} was told as done (${before.id}), and now as ${outcome} (${id})`);
      if (outcome === 'done') this.finished.set(place, { execution: current, version, at: this.world.clock.now(), id });
    }
  }

  /**
   * After a kill, n8n's database contains only the number of completed identical items
   * (security.md#matching-a-record-to-an-item).
   */
  private isOfEqualItems(run: Run, item: number, id: string): boolean {
    const { rows, centsNow } = this.world;
    const operation = this.world.operationOf(run.node);
    const [object, cents] = [rows[item]?.object ?? -1, centsNow(item)];
    const equal = rows.filter((one, index) => one.object === object && [one.cents, centsNow(index)].includes(cents));
    const step = stepsOf(operation).length - 1;
    const about = { node: run.node, object, cents, step };
    const record = this.world.bookedFor(this.world.writeOf(about)).find((one) => one.id === id);
    return equal.length > 1 && record?.cents === centsOf(operation, cents, step);
  }

  /** An item with a changed property is a different item. */
  private versionOf(item: number): string {
    const { amounts, field, limitPerItem } = this.world.edits;
    const { changing } = this.world.schedule.options;
    // If a field changes with each evaluation, the node identifies the item by all parameters.
    return JSON.stringify([changing ? amounts : this.world.centsNow(item), field, limitPerItem, this.world.credential]);
  }

  private inTime(run: Run): void {
    const { items, options } = this.world.schedule;
    const busy = this.world.wire.sent
      .filter((sent) => sent.run === run.number)
      .reduce((sum, { at, endedAt = at }) => sum + endedAt - at, 0);
    const most = busy + (options.retryTime * 1000 + LOOKING_MS + SPARE_MS) * items.length;
    const took = this.world.clock.now() - run.startedAt;
    if (took > most && !this.world.isTool())
      this.world.violation(`run ${run.number} took ${took} ms, but it may take ${most} ms`);
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
    if (this.arePayeesEqual()) return;
    const write = this.world.writeOf(about);
    const said = this.world.saidKey(about);
    const books = this.world.bookedKnown(write);
    const of = (...outcomes: string[]) => told.filter(({ outcome }) => outcomes.includes(outcome));
    const done = of('done');
    // Includes writes of all executions, because the node can find their records at the service.
    const there = this.world.bookedFor(write);
    const ids = done.flatMap(({ id }) => id ?? []);
    const times = (all: string[], id: string) => all.filter((one) => one === id).length;
    const idsThere = there.map(({ id }) => id);
    for (const id of new Set(ids))
      if (!idsThere.includes(id)) this.world.violation(`${write}: told as done with ${id}, which is not in the books`);
      else if (times(ids, id) > times(idsThere, id) && !this.world.schedule.options.oncePerKey)
        this.world.violation(`${write}: one record told for two items`);
    const last = stepsOf(this.world.operationOf(about.node)).length - 1;
    const namesRecord = about.step === last || this.world.isTool();
    if (
      namesRecord &&
      done.length > ids.length &&
      !this.world.schedule.host &&
      !this.world.executions.isShared &&
      !this.world.saidApplied.has(said) &&
      !(this.world.operationOf(about.node) === 'split' && this.answeredWithoutId(about))
    )
      this.world.violation(`${write}: told as done without its ID`);
    // All items with a key return the record of one of them.
    const { oncePerKey } = this.world.schedule.options;
    if ((oncePerKey ? Math.min(1, done.length) : done.length) > there.length && !this.world.saidWrongly.has(said))
      this.world.violation(`${write}: ${done.length} told as done, ${there.length} applied`);
    // The node refuses an item whose number is in use, or that the record of another client may belong to.
    const hasStrangers = this.world.schedule.alike?.strangers !== undefined;
    const isRefused = hasStrangers || this.arePayeesAlike() || this.world.isOccupied(about.node, about.object);
    const isElsewhere = this.world.wire.sent.some(
      ({ node, objects, execution, applied }) =>
        applied && node === about.node && objects.includes(about.object) && execution !== this.world.executions.current,
    );
    const isSure = ({ isDoubtful, isRepeated }: Told) =>
      isRepeated ? !isElsewhere : isDoubtful !== true || !this.lacksFields();
    if (of('doneBefore').some(isSure) && there.length === 0 && !isRefused && !this.world.saidWrongly.has(said))
      this.world.violation(`${write}: told as done before, and it is not`);
    for (const { item } of told.filter(({ isByKey }) => isByKey))
      // A person may have stated that the changed payment was applied.
      if (!there.some(({ cents }) => cents === this.world.centsNow(item)) && !this.world.saidApplied.has(said))
        this.world.violation(`${write}: another payment was told as done with the key`);
    // The node recognizes an unreadable item only by its position.
    const { edits, interrupted } = this.world;
    // The node refuses another payment with the key of an item that is done.
    const isOfKey = oncePerKey === true && (edits.field || Object.keys(edits.amounts).length > 0);
    const isMoved = isOfKey || (edits.order !== undefined && interrupted.has(about.node));
    const not = of('declined', 'notSent', 'notStarted', ...(this.world.isTool() || isMoved ? [] : ['invalid']));
    const extra = count > 1 ? this.sentMore(write, count) : 0;
    // An earlier execution may have completed items of later loop iterations.
    const toCome = this.world.isTool() ? 0 : count - told.length;
    const earlier = (this.world.schedule.earlier ?? []).filter(
      (item) => this.world.rows[item]?.object === about.object,
    );
    const open = of('unknown').length + of('doneBefore').length + done.length + toCome + earlier.length;
    if (
      not.length > 0 &&
      !this.world.saidNot.has(said) &&
      !this.world.schedule.options.allowEqual &&
      !this.world.executions.isShared &&
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
   * Returns whether the record of a payout may belong to another item. The report shows no ID of the payee, who may have
   * changed the name or the account since.
   */
  private arePayeesAlike(): boolean {
    const { alike, operation } = this.world.schedule;
    return moneyFacts(operation)?.on === 'payee' && alike?.reference === true && (alike.names || alike.numbers);
  }

  /**
   * Returns whether the payees have the same name and account. If an equal payout to one of them exists, "Return
   * Existing" returns its record for the others too.
   */
  private arePayeesEqual(): boolean {
    const { alike, options } = this.world.schedule;
    return options.returnExisting === true && this.arePayeesAlike() && alike?.names === true && alike.numbers;
  }

  /** Returns whether an earlier attempt or an identical tool call may have started the write. */
  private mayHaveBegun({ node, object, cents }: { node: number; object: number; cents: number }): boolean {
    const { interrupted, wire, callers, calls, rows, schedule, credential, environment } = this.world;
    // An identical call at the same time may have been about to send the request.
    const isEqual = (call: Run['call']) => call?.object === object && call.cents === cents;
    const began = this.run?.startedAt ?? 0;
    const isBeside = (run: Run) => run !== this.run && (run.endedAt ?? began) >= began;
    if ([...calls].some((run) => run.node === node && isEqual(run.call) && isBeside(run))) return true;
    // A tool records its credential before its writes. Their keys don't contain the position of a call, so after a change
    // of the credential, no key shows that an earlier call was refused before the request.
    const isBlind = (callers.get(node)?.size ?? 0) > 1;
    // After a new API key, the node can't compare its writes (security.md#the-journal).
    const isKept =
      schedule.host === undefined && !(schedule.earlier ?? []).some((item) => rows[item]?.object === object);
    const isNewKey = !isKept && credential.apiKey !== KEYS[environment][0];
    // The other execution records a key before it sends the request.
    if (isBlind || isNewKey || schedule.twinMs !== undefined || this.world.executions.isShared) return true;
    return interrupted.has(node) || wire.sent.some((sent) => sent.node === node && sent.objects.includes(object));
  }

  /** Returns whether a record that the run read lacked a field that tells it apart. */
  private lacksFields(): boolean {
    return this.world.wire.sent.some(({ run, happening }) => run === this.run?.number && happening.kind === 'lacking');
  }

  private sentMore(write: string, count: number): number {
    const { ledger, canResend } = this.world;
    return Math.max(0, ledger.most(write) - count, ledger.sentFor(write).filter(canResend).length);
  }

  private answeredWithoutId({ node, object }: Pick<Sent, 'node'> & { object: number }): boolean {
    return this.world.wire.sent.some(
      (sent) => sent.node === node && sent.objects.includes(object) && NO_RECORD_KINDS.includes(sent.happening.kind),
    );
  }
}
