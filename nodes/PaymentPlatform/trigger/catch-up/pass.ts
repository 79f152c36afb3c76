import { type IDataObject, type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import { momentsOf, REPORT_ZONE } from '../../fields/kinds/date';
import { isNotEnabled } from '../../messages/describe-failure';
import { maskRecord } from '../../messages/scrubber';
import type { Failure } from '../../model/failure';
import type { Account } from '../../model/types';
import { CREDENTIAL_NAME, readAccount } from '../../service/account';
import { fetchList } from '../../service/fetch-list';
import { notWhole } from '../../service/look-up';
import { DeliveryClaims, isOwn, type Standing } from '../delivery-claims';
import { type End, onChangesEnd } from '../delivery-dedup';
import { readCatchUpOptions } from '../description';
import type { Handover } from '../receive';
import { isUnknownPath, read } from '../service';
import { accountKey } from '../state';
import { digestOf, type Found, groupChanges, handoverOf, identitiesOf, nameChange } from './changes';
import { isShared } from './omit-caught';
import { caughtKey, Position, selectedEvents } from './position';
import {
  failureOf,
  MOST_CHANGES,
  namelessTexts,
  problemsOf,
  recordIn,
  type Unemitted,
  unlistedText,
  warn,
  warnFailed,
} from './problems';
import { markCut } from './schedule';
import { type ChangeSource, type SourceList, CHANGE_SOURCES } from './sources';
import { currentHour, HOUR_MS } from './times';

interface Result {
  /** One for each event. */
  handovers: Handover[];
  /** For the first item. */
  notices: string[];
}

/** Reads the service in an execution, and emits the changes that no delivery told the workflow. */
export class CatchUpPass implements ChangeSource {
  private readonly ledger: DeliveryClaims;
  private readonly id: string;
  /** Changes that need no other catch-up if this one succeeds. */
  private readonly held = new Set<string>();
  /** Changes that this execution processes. */
  private readonly claimed = new Set<string>();
  private readonly found: Found[] = [];
  private readonly taken: Found[] = [];
  private readonly unemitted: Unemitted = { unsuccessful: [], uncertain: [], gone: [], nameless: [] };
  private readonly unlisted: Array<{ path: string; failure: Failure }> = [];
  private listCount = 0;
  private readonly waiting: Array<() => Promise<void>> = [];
  private last: Promise<unknown> = Promise.resolve();
  private loadCount = 0;
  private placeCount = 0;
  private isCut = false;
  /** Whether the next catch-up must look again at changes that other executions process. */
  private hasLeft = false;
  private isHandedOver = false;
  /** Looks for the end of the execution soon, although the pass may have waited for a long time. */
  private lookAgain = (): void => undefined;
  private hasPosition = false;
  private hasEnded = false;
  private error: Error | undefined;
  private readonly startedHour = currentHour();

  private constructor(
    private readonly context: IExecuteFunctions,
    private readonly handover: Handover,
    private readonly account: Account,
    private readonly position: Position,
  ) {
    this.ledger = DeliveryClaims.of(context);
    this.id = context.getExecutionId();
  }

  /**
   * @throws NodeOperationError if the service returns a failure. The next catch-up then begins at the same place.
   */
  static async run(context: IExecuteFunctions, handover: Handover): Promise<Result> {
    const account = readAccount(await context.getCredentials(CREDENTIAL_NAME), context.getNode());
    const position = await Position.find(context, accountKey(account));
    const pass = new CatchUpPass(context, handover, account, position);
    await position.begin();
    pass.lookAgain = onChangesEnd(context, (outcome, isDone) => pass.end(outcome, isDone));
    for (const readSource of CHANGE_SOURCES) await pass.guarded(async () => await readSource(pass));
    if (pass.unlisted.length === pass.listCount)
      for (const { path, failure } of pass.unlisted) pass.stop(failureOf(context, path, failure));
    // While a change is claimed, the trigger drops its delivery, so no claim waits for the service.
    await Promise.all(pass.found.map(async (found) => await pass.guarded(async () => await pass.claim(found))));
    await Promise.all(pass.waiting.map(async (wait) => await pass.guarded(wait)));
    if (pass.error) throw pass.error;
    return await pass.handOver();
  }

  wants = (event: string): boolean => selectedEvents(this.context).includes(event);

  list = async ({ path, identity, by, days = 0 }: SourceList): Promise<IDataObject[]> => {
    this.listCount += 1;
    const query = { filter: [`${by},GREATER,${this.position.dateBefore(days)}`], order_on: by, order_by: 'asc' };
    const result = await fetchList(
      { ...(identity !== undefined && { identity, needsIds: true }) },
      undefined,
      async (page, count) => await read(this.context, this.account, path, { query: { ...query, page, count } }),
    );
    if ('ok' in result) return this.skip(path, result.failure);
    if (result.note !== undefined) throw failureOf(this.context, path, notWhole(result.note));
    return result.records.map(maskRecord);
  };

  /** Without the feature, an account has no changes of this kind. */
  private skip(path: string, failure: Failure): IDataObject[] {
    if (!isNotEnabled(failure) && !isUnknownPath(failure)) throw failureOf(this.context, path, failure);
    this.unlisted.push({ path, failure });
    return [];
  }

  record: ChangeSource['record'] = async (path, name, id) => {
    const turn = this.last.then(async () => this.error ?? (await read(this.context, this.account, path)));
    this.last = turn.catch(() => undefined);
    const answer = await turn;
    if (answer instanceof Error) throw answer;
    return recordIn(this.context, answer, path, name, id);
  };

  offer: ChangeSource['offer'] = async (event, given, load, at, payments) => {
    const place = this.placeCount++;
    if (!this.wants(event)) return;
    const digest = (...more: unknown[]) => digestOf(accountKey(this.account), 'checked', event, payments, ...more);
    const checked = payments ? [digest()] : [];
    // After a catch-up that was cut off, others of the same hour don't load the change again.
    const recent = payments ? [digest(this.startedHour)] : [];
    if ((await this.ledger.settled(this.store, [...checked, ...recent])).length > 0) return;
    const data = typeof given === 'function' ? await given() : given;
    const identities = identitiesOf(event, data, accountKey(this.account));
    if (identities.length === 0) return await this.findNameless(event, data, at);
    const isTwin = identities.some((identity) => this.held.has(identity));
    for (const identity of identities) this.held.add(identity);
    const [, last] = (payments && momentsOf(at, REPORT_ZONE)) ?? [];
    const isOld = last && last.toMillis() < Date.now() - HOUR_MS;
    // Unchanged payments of an hour ago can't cause another change.
    if (isOld) for (const identity of checked) this.held.add(identity);
    if ((await this.ledger.settled(this.store, identities)).length > 0) return this.drop(identities);
    const known = await this.position.standingOf(event, at);
    // The workflow may have received one of two changes with the same ID.
    const standing = known === 'missed' && isTwin ? 'uncertain' : known;
    if (standing === 'missed' && this.loadCount++ >= MOST_CHANGES) {
      this.isCut = true;
      return this.drop([...identities, ...checked]);
    }
    const change = await load();
    if (change) return standing === 'old' ? undefined : this.find({ place, change, identities, checked }, standing);
    // Without a payment that may cause it, the change never happens.
    if (payments) this.drop(identities);
    if (this.isCut) for (const identity of recent) this.held.add(identity);
  };

  /** A claim would make the trigger drop the delivery, so it must not claim a change that it doesn't emit. */
  private find(found: Found, standing: 'uncertain' | 'missed'): void {
    const { change } = found;
    if (!readCatchUpOptions(this.context).passes(change.data)) return;
    if (change.isGone) this.unemitted.gone.push(change);
    else if (standing === 'uncertain') this.unemitted.uncertain.push(change);
    else this.found.push(found);
  }

  private async findNameless(event: string, data: IDataObject, at: unknown): Promise<void> {
    const isOld = (await this.position.standingOf(event, at)) === 'old';
    if (!isOld && readCatchUpOptions(this.context).passes(data)) this.unemitted.nameless.push(event);
  }

  private async guarded(step: () => Promise<void>): Promise<void> {
    if (!this.error) await step().catch((error: unknown) => this.stop(error));
  }

  private stop(error: unknown): void {
    this.error ??= error instanceof Error ? error : new Error(String(error));
  }

  private async claim(found: Found): Promise<void> {
    const { identities } = found;
    const standings = await Promise.all(identities.map(async (identity) => await this.begin(identity)));
    const begun = identities.filter((_, index) => standings[index] !== 'new');
    if (standings.includes('done')) return await this.noteFailed(found, begun);
    const open = identities.filter((_, index) => standings[index] === 'open');
    if (open.length === 0) return await this.take(found, begun);
    this.waiting.push(async () => {
      const ends = await Promise.all(open.map(async (identity) => await this.awaitEnd(identity)));
      if (ends.includes('open')) return this.leave(found);
      if (!ends.some(isOwn)) return await this.noteFailed(found, begun);
      // The execution ended before it emitted the change.
      const unemitted = open.filter((_, index) => ends[index] === 'new');
      const begunBefore = begun.filter((identity) => !unemitted.includes(identity));
      // Another process can write the "open" key of an execution back that has succeeded.
      if ((await this.ledger.settled(this.store, identities)).length === 0) await this.take(found, begunBefore);
    });
  }

  /** An execution that has changes must not wait for another one, because that one may wait for these changes. */
  private stopsWaiting = (): boolean =>
    this.taken.length + this.unemitted.unsuccessful.length > 0 || this.error !== undefined || this.hasEnded;

  /** Leaves a change to the execution that processes it, and to the next catch-up. */
  private leave({ identities, checked }: Found): void {
    this.hasLeft = true;
    this.drop([...identities, ...checked]);
    const own = identities.filter((identity) => this.claimed.delete(identity));
    for (const identity of own) this.ledger.end(this.store, identity, this.id, false);
    this.ledger.marks.remove(this.store, own.map(caughtKey), false);
  }

  private async noteFailed(found: Found, begunBefore: string[]): Promise<void> {
    if (await this.ledger.hasFailed(this.store, found.identities)) this.leaveUnsuccessful(found, begunBefore);
  }

  /** A delivery with the other IDs of the change must be emitted. */
  private leaveUnsuccessful({ change, identities }: Found, begunBefore: string[]): void {
    const others = identities.filter((identity) => !begunBefore.includes(identity));
    this.ledger.marks.remove(this.store, others.map(caughtKey), false);
    this.unemitted.unsuccessful.push(change);
  }

  private async take(found: Found, begunBefore: string[]): Promise<void> {
    const { change, identities } = found;
    if (begunBefore.length > 0 && !readCatchUpOptions(this.context).emitsFailed)
      if ((await this.ledger.marks.proofs(this.store, begunBefore.map(caughtKey))).size === 0)
        return this.leaveUnsuccessful(found, begunBefore);
    const late = this.position.lateKeysOf(change.event, change.at);
    await this.ledger.marks.addProofs(this.store, [...identities.map(caughtKey), ...late]);
    this.taken.push(found);
  }

  private async begin(identity: string): Promise<Standing> {
    const { store, id, handover } = this;
    const standing = await this.ledger.beginChange(store, identity, id, isShared(handover), caughtKey(identity));
    if (isOwn(standing)) this.own(identity);
    return standing;
  }

  private async awaitEnd(identity: string): Promise<Standing> {
    const failed = [caughtKey(identity)];
    const proofs = { failed, lost: readCatchUpOptions(this.context).emitsFailed ? failed : [] };
    const standing = await this.ledger.awaitEnd(this.store, identity, this.id, this.stopsWaiting, proofs);
    if (isOwn(standing)) this.own(identity);
    return standing;
  }

  private own(identity: string): void {
    this.claimed.add(identity);
    if (!this.hasEnded) return;
    this.ledger.end(this.store, identity, this.id, false);
    this.ledger.marks.remove(this.store, [caughtKey(identity)], false);
  }

  private drop(identities: string[]): void {
    for (const identity of identities) this.held.delete(identity);
  }

  private async handOver(): Promise<Result> {
    const { context } = this;
    const changes = this.taken.sort((one, other) => one.place - other.place).map(({ change }) => change);
    const problems = problemsOf(this.unemitted, this.isCut);
    const notices = [...problems, ...namelessTexts(this.unemitted), ...this.unlisted.map(unlistedText)];
    for (const text of notices) warn(context, text);
    if (!this.isWhole) markCut(context);
    this.isHandedOver = true;
    this.lookAgain();
    if (changes.length + problems.length === 0) await this.keepPosition();
    if (changes.length === 0 && problems.length > 0)
      throw new NodeOperationError(context.getNode(), problems.join('\n'));
    const handovers = groupChanges(changes).map((events) => handoverOf(events, this.handover, this.account));
    return { handovers, notices };
  }

  /** n8n may report the end again. */
  private end(outcome: End, isDone: boolean): void {
    const names = this.taken.map(({ change }) => nameChange(change));
    const isKept = this.isHandedOver && (isDone || names.length === 0);
    // n8n doesn't stop a canceled execution.
    this.hasEnded = true;
    if (!this.isHandedOver) this.stop('The execution has ended');
    for (const identity of this.claimed) this.ledger.end(this.store, identity, this.id, isKept);
    if (!this.isHandedOver) this.ledger.marks.remove(this.store, [...this.claimed].map(caughtKey), false);
    const hasFailed = outcome === 'failed' && names.length > 0;
    if (hasFailed) {
      const checked = this.taken.flatMap((found) => found.checked);
      const failed = this.taken.flatMap(({ identities }) => identities);
      this.drop([...failed, ...checked]);
      this.ledger.fail(this.store, failed, isKept);
      this.ledger.fail(this.store, checked, false);
      this.position.forget();
      if (isKept) warnFailed(this.context, names);
    }
    if (isKept && !this.hasPosition) void this.keepPosition(!hasFailed && this.isWhole).catch(() => undefined);
  }

  /** If the execution failed, the next catch-up begins at the same place, and names the changes. */
  private async keepPosition(isWhole = this.isWhole): Promise<void> {
    await this.ledger.settle(this.store, [...this.held]);
    await this.position.keep(isWhole);
    this.hasPosition = true;
  }

  /** Whether no other catch-up must look for changes of this period. */
  private get isWhole() {
    return !this.isCut && !this.hasLeft;
  }

  private get store() {
    return this.context.helpers;
  }
}
