import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { toCents } from '../shared/digits';
import { amountOf } from '../model/read-amounts';
import { Digests } from './digests';
import { EQUAL_CALL_OPEN } from '../messages/earlier-tries';
import { identifyWrite, setsState } from './identify-write';
import { referencesOf } from '../messages/name-rows';
import { keepable, type Obstacle, type Remembered, type WriteMemory } from '../model/write-memory';
import { isOverTotal, overTotalFailure } from '../limits/total';
import type { Account, PlannedRequest, PartialFailure } from '../model/types';
import type { Failure } from '../model/failure';

/** One write of a tool, by short names: n8n stores it with the execution. */
interface Entry {
  /** Name of the node that made it. */
  node: string;
  /** When, in milliseconds since 1970. */
  at: number;
  account: string;
  /** What it moved, in the currency's main unit. */
  amount: number;
  /** What came out; none while the outcome is unknown. */
  records?: IDataObject[];
  partialFailure?: PartialFailure;
  withoutSecrets?: string[];
}

type Writes = Record<string, Entry[]>;

/** Where the execution's context keeps it, for all nodes that run as tools. */
const CONTEXT_KEY = 'paymentPlatformToolWrites';
/** How long a process remembers the calls that belong to no execution, in milliseconds. */
const KEPT_WITHOUT_EXECUTION_MS = 24 * 60 * 60 * 1000;
/** The calls that belong to no execution, by workflow. */
const withoutExecution = new Map<string, Writes>();

/**
 * The writes that an AI agent's tools made in an execution, by what they do (see identify-write.ts): a model that calls again,
 * or n8n that tries a call again under another run index, finds what was done. It is never dropped. The same node with
 * another credential can't tell its earlier writes apart, so it writes nothing more. Where n8n gives each
 * call data of its own (MCP Server Trigger), the process remembers, for a day.
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
    const { records, partialFailure, withoutSecrets } = latest;
    if (!records) return { outcome: 'unknown' };
    // Somebody may have changed since what it set.
    if (request.options.allowEqual || setsState(request.operation)) return undefined;
    return {
      outcome: 'done',
      records,
      ...(partialFailure && { partialFailure }),
      ...(withoutSecrets && { withoutSecrets }),
    };
  }

  /** Between looking and sending another call of the same agent may have come first: nothing happens in between here. */
  sending(request: PlannedRequest): Failure | undefined {
    if (this.recall(request)) return equalCallFailure;
    const amount = amountOf(request) ?? 0;
    const { limitPerExecution } = request.options;
    const movedCents = this.own().reduce((sum, entry) => sum + toCents(entry.amount), 0);
    if (isOverTotal(movedCents, amount, limitPerExecution))
      return overTotalFailure(limitPerExecution, movedCents, amount);
    const entry: Entry = { node: this.node, at: Date.now(), account: this.digests.account, amount };
    (this.writes[this.keyOf(request)] ??= []).push(entry);
    return undefined;
  }

  done(request: PlannedRequest, given: IDataObject[], partialFailure?: PartialFailure): void {
    const { records, left } = keepable(given);
    const entry = this.equal(request).find((one) => !one.records);
    if (entry)
      Object.assign(entry, {
        records,
        ...(partialFailure && { partialFailure }),
        ...(left.length > 0 && { withoutSecrets: left }),
      });
  }

  notApplied(request: PlannedRequest): void {
    const entries = this.equal(request);
    const index = entries.findIndex((one) => !one.records);
    if (index >= 0) entries.splice(index, 1);
  }

  attempt(request: PlannedRequest): string {
    return String(this.equal(request).length);
  }

  witnessed(request: PlannedRequest, witness: Obstacle): Remembered | undefined {
    if (witness === 'otherAccount' || witness === 'otherCredential') return { outcome: 'unrecognisable' };
    if (witness === 'underWay') return { outcome: 'unknown' };
    const { account } = this.digests;
    const records = witness === 'done' ? [{ done_by_earlier_try: true, ...referencesOf(request) }] : undefined;
    const entry: Entry = { node: this.node, at: Date.now(), account, amount: amountOf(request) ?? 0 };
    (this.writes[this.keyOf(request)] ??= []).push({ ...entry, ...(records && { records }) });
    // Whatever a person allows: it is the payment of which this call is the repetition.
    return records ? { outcome: 'done', records, byJournal: true } : { outcome: 'unknown' };
  }

  /** Where a person allows equal payments, a record may be of another one. */
  sentAt(request: PlannedRequest): number | undefined {
    if (request.options.allowEqual) return undefined;
    return this.equal(request).find(({ records }) => !records)?.at;
  }

  openTries(request: PlannedRequest): number {
    return this.equal(request).filter(({ records }) => !records).length;
  }

  meanwhile(request: PlannedRequest): Remembered | undefined {
    return this.recall(request);
  }

  moved(request: PlannedRequest): number {
    return toCents(this.equal(request).at(-1)?.amount ?? 0);
  }

  /** Nothing: a model may call again at any time. */
  end(): void {}

  /** What this node made in the execution. */
  made(): IDataObject[] {
    return this.own().flatMap(({ records = [] }) => records);
  }

  /** Everything that was made by this node, or may have been. */
  private own(): Entry[] {
    return Object.values(this.writes)
      .flat()
      .filter(({ node }) => node === this.node);
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

/**
 * An agent has a node before it. What calls a tool from outside has none, and n8n forgets a call's data with the call
 * (n8n.md#tools).
 */
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
