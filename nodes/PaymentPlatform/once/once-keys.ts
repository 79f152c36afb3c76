import type { IExecuteFunctions } from 'n8n-workflow';

import { Digests } from './digests';
import { GUARDS } from '../limits/guard-parameters';
import { setsState } from './identify-write';
import { isForeign, isSaved } from './journal';
import { hasWord } from './journal-keys';
import { DedupRow, type JournalStore } from './dedup-row';
import type { Planned, Account, PlannedRequest } from '../model/types';
import type { Failure } from '../model/failure';

/** The keys of one write in n8n's database: what is there and not open is done. */
interface Keys {
  key: string;
  /** There as long as nobody knows what became of the write; recorded last, for the oldest of a row go first. */
  open: string;
  /** Says that it was this execution that began it. */
  own: string;
}

interface Begun extends Keys {
  /** Whether a try before is still of unknown outcome. */
  isOpen: boolean;
}

/** A further look costs a millisecond; several processes that write at once are done after a few. */
const MOST_LOOKS = 5;
/** Not the credential's secret: a new API key makes no key a new one. What is hidden by it is no secret of the service. */
const DIGEST_KEY = 'once per key';

/**
 * The option Once per Key: n8n's database remembers, for all executions of a workflow, for which keys a write was begun and
 * done. A row of its own beside those of the nodes, so that neither pushes the other's keys out; digests only.
 */
export class OnceKeys {
  private readonly row: DedupRow;
  private readonly store: JournalStore;
  private readonly digests: Digests;
  private readonly begun = new Map<PlannedRequest, Begun>();
  private readonly workflow: string | undefined;
  private isMissing: boolean;
  private wasUsed = false;

  constructor(
    private readonly context: IExecuteFunctions,
    account: Account,
  ) {
    this.workflow = context.getWorkflow().id;
    this.isMissing = !isSaved(this.workflow);
    this.row = DedupRow.of(`keys of ${this.workflow}`);
    this.store = storeOfWorkflow(context);
    this.digests = new Digests({ ...account, digestKey: DIGEST_KEY }, {});
  }

  /**
   * Looks a request's key up and records that it is begun, and sees it in the database once more.
   * @param attempt tells the tries of it apart that a person had sent anew: then what was begun stands in nobody's way.
   * @param isOpen whether the try before stays of unknown outcome whatever becomes of this one.
   * @returns nothing when the request may be sent; that the key is begun and nobody knows what became of it; or the failure.
   */
  async begin(request: PlannedRequest, attempt: string, isOpen: boolean): Promise<'keyBegun' | Failure | undefined> {
    if (request.options.oncePerKey === undefined || request.effect === 'reads') return undefined;
    if (this.isMissing) return NOT_SAVED;
    const keys = this.keysOf(request);
    this.wasUsed = true;
    try {
      const added = await this.record(keys);
      const standing = this.standing(keys, added, attempt);
      if (standing) {
        this.row.forget(this.store, [...added]);
        return standing;
      }
      return await this.seen(request, { ...keys, isOpen });
    } catch (error) {
      if (!isForeign(error)) return NOT_KEPT;
      this.isMissing = true;
      return NOT_SAVED;
    }
  }

  /** The answer is there: after `refused` the key is free again, unless a try before is open. */
  settle(request: PlannedRequest, became: 'done' | 'refused' | 'unknown'): void {
    const keys = this.begun.get(request);
    if (!keys) return;
    const { key, open, own, isOpen } = keys;
    this.begun.delete(request);
    if (became === 'done') this.row.forget(this.store, [open, own]);
    if (became === 'refused') this.row.forget(this.store, isOpen ? [own] : [key, open, own]);
    this.row.release([key, open, own]);
  }

  /**
   * The item is done, though nothing had to be sent: its key is recorded like that of one that was sent, and was seen in the
   * database once more. @returns why it could not be.
   */
  async doneUnsent(request: PlannedRequest): Promise<Failure | undefined> {
    if (request.options.oncePerKey === undefined || request.effect === 'reads') return undefined;
    if (this.isMissing) return NOT_SAVED;
    const { key, open } = this.keysOf(request);
    this.wasUsed = true;
    try {
      for (let look = 0; look < MOST_LOOKS; look += 1) {
        const added = await this.row.record(this.store, [key]);
        if (added.has(key)) continue;
        this.row.forget(this.store, [open]);
        return undefined;
      }
      return NOT_KEPT;
    } catch (error) {
      if (!isForeign(error)) return NOT_KEPT;
      this.isMissing = true;
      return NOT_SAVED;
    }
  }

  /** It became known in another way that the request is done. */
  applied(request: PlannedRequest): void {
    if (request.options.oncePerKey === undefined || this.isMissing) return;
    const { key, open } = this.keysOf(request);
    this.wasUsed = true;
    // What can't be written leaves the key as open as it was.
    void this.row.record(this.store, [key]).then(
      () => this.row.forget(this.store, [open]),
      () => undefined,
    );
  }

  /** All that was recorded is in the row, and was seen there once more. */
  async end(): Promise<void> {
    if (this.wasUsed) await this.row.settle(this.store);
  }

  private standing({ key, open }: Keys, added: Set<string>, attempt: string): 'keyBegun' | Failure | undefined {
    if (!added.has(open)) return hasWord(attempt) ? undefined : 'keyBegun';
    return added.has(key) ? undefined : DONE;
  }

  /** n8n writes the row as a whole: another process may have written over it, or have begun the same key. */
  private async seen(request: PlannedRequest, keys: Begun): Promise<'keyBegun' | Failure | undefined> {
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      const lost = await this.record(keys);
      if (lost.size === 0) {
        this.begun.set(request, keys);
        this.row.hold([keys.key, keys.own, keys.open], () => undefined);
        return undefined;
      }
      if (!lost.has(keys.key)) {
        this.row.forget(this.store, [keys.own]);
        return 'keyBegun';
      }
    }
    this.row.forget(this.store, [keys.key, keys.open, keys.own]);
    return NOT_KEPT;
  }

  private async record({ key, own, open }: Keys): Promise<Set<string>> {
    return await this.row.record(this.store, [key, own, open]);
  }

  private keysOf({ operation, options, method, path, part }: PlannedRequest): Keys {
    const { account } = this.digests;
    const { operationId = `${method} ${path}` } = operation.request;
    // Create or Update sends the request that Create sends, but it sets a state: both have keys of their own.
    const what = setsState(operation) ? `${operation.value} ${operationId}` : operationId;
    const key = this.digests.of([this.workflow, account, what, part, options.oncePerKey]);
    return { key: `key ${key}`, open: `open ${key}`, own: `own ${key} ${this.context.getExecutionId()}` };
  }
}

/**
 * Refuses, before anything is sent, what has the key of a row before it, and every key that n8n can't keep.
 */
export function eachKeyOnce(planned: Planned[], context: IExecuteFunctions): Planned[] {
  const rows = new Map<string, number>();
  const canKeep = isSaved(context.getWorkflow().id);
  return planned.map((plan): Planned => {
    if ('failure' in plan || plan.request.effect === 'reads') return plan;
    const { items, options } = plan.request;
    const item = items[0] ?? 0;
    if (options.oncePerKey === undefined) return plan;
    if (!canKeep) return { failure: NOT_SAVED, item };
    const first = rows.get(options.oncePerKey);
    if (first !== undefined) return { failure: sameKey(first), item };
    rows.set(options.oncePerKey, item);
    return plan;
  });
}

const storeOfWorkflow = ({ helpers }: IExecuteFunctions): JournalStore => ({
  checkProcessedAndRecord: async (keys, _, options) => await helpers.checkProcessedAndRecord(keys, 'workflow', options),
  removeProcessed: async (keys, _, options) => await helpers.removeProcessed(keys, 'workflow', options),
});

const ONCE = `"${GUARDS.oncePerKey}"`;

const DONE: Failure = {
  outcome: 'doneBefore',
  message: `${ONCE}: this workflow has already done this for the same key, in this execution or an earlier one, so it was not sent`,
  advice: 'If it is meant once more, give it another key.',
};

const NOT_SAVED: Failure = {
  outcome: 'invalid',
  message: `${ONCE} can't be kept, because this workflow is not saved`,
  advice: 'Save the workflow and run it again.',
};

const NOT_KEPT: Failure = {
  outcome: 'notSent',
  message: `n8n's database did not keep the key of ${ONCE}, so the item was not sent`,
  advice: 'Run this item again when the database of n8n works.',
};

const sameKey = (item: number): Failure => ({
  outcome: 'doneBefore',
  message: `${ONCE}: row ${item + 1} of this run has the same key, so this one was not sent`,
  advice: 'Give each row a key of its own, or leave this row out.',
});
