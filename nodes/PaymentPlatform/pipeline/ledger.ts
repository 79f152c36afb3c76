import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { Digests } from './digests';
import { amountOf } from './amounts';
import { identityOf } from './identity';
import { keepable, type Remembered, type WriteMemory } from './remembered';
import type { Account, Failure, PlannedRequest, Remark } from './types';

/** One write of a tool, by short names: n8n stores it with the execution. */
interface Entry {
  /** Name of the node that made it. */
  node: string;
  account: string;
  /** What it moved, in the currency's main unit. */
  amount: number;
  /** What came out; none while the outcome is unknown. */
  records?: IDataObject[];
  remark?: Remark;
  withoutSecrets?: string[];
}

/** Where the execution's context keeps it, for all nodes that run as tools. */
const CONTEXT_KEY = 'paymentPlatformToolWrites';

/**
 * The writes that an AI agent's tools made in an execution, by what they do (see identity.ts): a model that calls again,
 * or n8n that tries a call again under another run index, finds what was done. It is never dropped. The same node with
 * another credential can't tell its earlier writes apart, so it writes nothing more.
 */
export class Ledger implements WriteMemory {
  private constructor(
    private readonly writes: Record<string, Entry[]>,
    private readonly node: string,
    private readonly digests: Digests,
  ) {}

  static open(context: IExecuteFunctions, account: Account): Ledger {
    const kept = context.getContext('flow') as { [CONTEXT_KEY]?: Record<string, Entry[]> };
    const { name } = context.getNode();
    return new Ledger((kept[CONTEXT_KEY] ??= {}), name, new Digests(account, {}));
  }

  recall(request: PlannedRequest): Remembered | undefined {
    if (this.own().some(({ account }) => account !== this.digests.account)) return { outcome: 'unrecognisable' };
    const latest = this.equal(request).at(-1);
    if (!latest) return undefined;
    const { records, remark, withoutSecrets } = latest;
    if (!records) return { outcome: 'unknown' };
    if (request.options.allowEqual) return undefined;
    return { outcome: 'done', records, ...(remark && { remark }), ...(withoutSecrets && { withoutSecrets }) };
  }

  /** Between looking and sending another call of the same agent may have come first: nothing happens in between here. */
  sending(request: PlannedRequest): Failure | undefined {
    if (this.recall(request)) return equalCallFailure;
    const amount = amountOf(request) ?? 0;
    const { maxTotal } = request.options;
    const moved = this.own().reduce((sum, entry) => sum + entry.amount, 0);
    if (maxTotal !== undefined && amount > 0 && cents(moved + amount) > cents(maxTotal))
      return overTotalFailure(maxTotal, moved, amount);
    const entry: Entry = { node: this.node, account: this.digests.account, amount };
    (this.writes[this.keyOf(request)] ??= []).push(entry);
    return undefined;
  }

  done(request: PlannedRequest, given: IDataObject[], remark?: Remark): void {
    const { records, left } = keepable(given);
    const entry = this.equal(request).find((one) => !one.records);
    if (entry)
      Object.assign(entry, { records, ...(remark && { remark }), ...(left.length > 0 && { withoutSecrets: left }) });
  }

  notApplied(request: PlannedRequest): void {
    const entries = this.equal(request);
    const index = entries.findIndex((one) => !one.records);
    if (index >= 0) entries.splice(index, 1);
  }

  openTries(request: PlannedRequest): number {
    return this.equal(request).filter(({ records }) => !records).length;
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
    return this.digests.of([this.digests.account, identityOf(request)]);
  }
}

const cents = (amount: number) => Math.round(amount * 100);

const equalCallFailure: Failure = {
  outcome: 'unknown',
  message: 'An equal call came first in this execution and is still under way',
  advice: '',
};

const overTotalFailure = (maxTotal: number, moved: number, amount: number): Failure => ({
  outcome: 'invalid',
  message: `"Refuse More Than in One Execution" allows ${maxTotal} in all; ${cents(moved) / 100} was moved or may have been, and this would add ${amount}`,
  advice: 'A person can raise the limit in the options of the tool.',
});
