import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { amountOf } from '../model/read-amounts';
import { toCents } from '../shared/objects';
import { Digests } from './write-keys';
import { EQUAL_CALL_OPEN } from '../messages/earlier-attempts';
import { identifyWrite, setsState } from '../model/identity';
import { finished, keepable, type MemoryEntry } from './memory-entry';
import { referencesOf } from '../model/operation';
import type { Obstacle, Remembered, WriteMemory } from '../model/write-memory';
import type { Account, PlannedRequest, PartialFailure } from '../model/types';
import type { Failure } from '../model/failure';

/** Write that a tool sent or may have sent. */
interface Entry extends Pick<MemoryEntry, 'records' | 'partialFailure' | 'withoutSecrets'> {
  /** Name of the node. */
  node: string;
  /** Time of sending in Unix milliseconds. */
  at: number;
  account: string;
  /** Amount in the currency's main unit. */
  amount: number;
}

type Writes = Record<string, Entry[]>;

/** Name in the execution's context, which all its tools share. */
const CONTEXT_KEY = 'paymentPlatformToolWrites';
/** Milliseconds for which this process remembers a call without an execution. */
const KEPT_WITHOUT_EXECUTION_MS = 24 * 60 * 60 * 1000;
/** Writes of calls without an execution, by workflow. */
const withoutExecution = new Map<string, Writes>();

/**
 * Stores the writes of an AI agent's tools, because both a model and n8n may repeat a call. Calls with the same effect
 * are equal (model/identity.ts). After a change of the credential, the node can't recognize its earlier writes and
 * sends nothing more. A call from the MCP Server Trigger has no execution, so the n8n process remembers its write for a
 * day.
 */
export class ToolMemory implements WriteMemory {
  private constructor(
    private readonly writes: Writes,
    private readonly node: string,
    private readonly digests: Digests,
  ) {}

  static open(context: IExecuteFunctions, account: Account): ToolMemory {
    return new ToolMemory(writesOf(context), context.getNode().name, new Digests(account, {}));
  }

  recall(request: PlannedRequest): Remembered | undefined {
    if (this.own().some(({ account }) => account !== this.digests.account)) return { outcome: 'unrecognisable' };
    const latest = this.equal(request).at(-1);
    if (!latest) return undefined;
    const known = finished(latest) ?? { outcome: 'unknown' };
    // A tool may set a state again, because another person may have changed it.
    const isRepeatable = request.options.allowEqual || setsState(request.operation);
    return known.outcome === 'done' && isRepeatable ? undefined : known;
  }

  /** Checks again, because a concurrent call may have recorded the same write. */
  sending(request: PlannedRequest): Failure | undefined {
    if (this.recall(request)) return equalCallFailure;
    this.enter(request);
    return undefined;
  }

  done(request: PlannedRequest, given: IDataObject[], partialFailure?: PartialFailure, omitted: string[] = []): void {
    const { records, left } = keepable(given);
    const withoutSecrets = [...left, ...omitted];
    const [entry] = this.open(request);
    if (entry)
      Object.assign(entry, {
        records,
        amount: entry.amount - (partialFailure?.unmovedCents ?? 0) / 100,
        partialFailure,
        withoutSecrets: withoutSecrets.length > 0 ? withoutSecrets : undefined,
      });
  }

  notApplied(request: PlannedRequest): void {
    const [entry] = this.open(request);
    if (entry) this.equal(request).splice(this.equal(request).indexOf(entry), 1);
  }

  attempt(request: PlannedRequest): string {
    return String(this.equal(request).length);
  }

  addEvidence(request: PlannedRequest, evidence: Obstacle): Remembered | undefined {
    if (evidence === 'otherAccount' || evidence === 'otherCredential') return { outcome: 'unrecognisable' };
    if (evidence === 'underWay') return { outcome: 'unknown' };
    const records = evidence === 'done' ? [{ done_by_earlier_try: true, ...referencesOf(request) }] : undefined;
    this.enter(request, records);
    // Counts as a repeat even if the tool allows identical payments.
    return records ? { outcome: 'done', records, byDatabase: true } : { outcome: 'unknown' };
  }

  /** Returns `undefined` if the tool allows identical payments, because a record may belong to any. */
  sentAt(request: PlannedRequest): number | undefined {
    return request.options.allowEqual ? undefined : this.open(request)[0]?.at;
  }

  openAttempts(request: PlannedRequest): number {
    return this.open(request).length;
  }

  recallConcurrentCall(request: PlannedRequest): Remembered | undefined {
    return this.recall(request);
  }

  get movedCents(): number {
    return this.all().reduce((sum, entry) => sum + toCents(entry.amount), 0);
  }

  moved(request: PlannedRequest): number {
    return toCents(this.equal(request).at(-1)?.amount ?? 0);
  }

  /** Keeps all writes, because a model may call the tool again at any time. */
  end(): void {}

  /** Returns the records that this node created in the execution. */
  made(): IDataObject[] {
    return this.own().flatMap(({ records = [] }) => records);
  }

  private own(): Entry[] {
    return this.all().filter(({ node }) => node === this.node);
  }

  /** Returns the writes of all tools, which share the total of Limit per Execution. */
  private all(): Entry[] {
    return Object.values(this.writes).flat();
  }

  private enter(request: PlannedRequest, records?: IDataObject[]): void {
    const { account } = this.digests;
    const entry: Entry = { node: this.node, at: Date.now(), account, amount: amountOf(request) ?? 0, records };
    (this.writes[this.keyOf(request)] ??= []).push(entry);
  }

  private open(request: PlannedRequest): Entry[] {
    return this.equal(request).filter(({ records }) => !records);
  }

  private equal(request: PlannedRequest): Entry[] {
    return this.writes[this.keyOf(request)] ?? [];
  }

  private keyOf(request: PlannedRequest): string {
    return this.digests.of([this.digests.account, identifyWrite(request)]);
  }
}

function writesOf(context: IExecuteFunctions): Writes {
  if (belongsToNoExecution(context)) return latestWrites(String(context.getWorkflow().id));
  const kept: { [CONTEXT_KEY]?: Writes } = context.getContext('flow');
  return (kept[CONTEXT_KEY] ??= {});
}

/** Returns whether a call has no execution and therefore no previous node (n8n.md#tools). */
const belongsToNoExecution = (context: IExecuteFunctions) => context.getExecuteData().source === null;

function latestWrites(workflowId: string): Writes {
  const writes = withoutExecution.get(workflowId) ?? {};
  withoutExecution.set(workflowId, writes);
  const since = Date.now() - KEPT_WITHOUT_EXECUTION_MS;
  for (const [key, entries] of Object.entries(writes)) {
    const latest = entries.filter(({ at }) => at > since);
    if (latest.length > 0) writes[key] = latest;
    else delete writes[key];
  }
  return writes;
}

const equalCallFailure: Failure = {
  outcome: 'unknown',
  message: EQUAL_CALL_OPEN,
  advice: '',
};
