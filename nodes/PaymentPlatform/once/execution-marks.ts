import type { IExecuteFunctions } from 'n8n-workflow';

import { Digests } from './write-keys';
import type { KeyRow, KeyStore } from '../n8n/key-row';
import { establishedAt, type Lineage } from '../n8n/lineage';
import type { Remembered } from '../model/write-memory';
import type { Account, PlannedRequest } from '../model/types';

/**
 * Key for the digest of an account. It doesn't depend on the API key, because a new API key belongs to the same
 * account.
 */
const DIGEST_KEY = 'account of an execution';

/**
 * Account of an attempt: base URL, merchant and environment. An attempt sends nothing with an account that differs from
 * the first attempt's.
 */
export class ExecutionAccount {
  /** Identifies the account. */
  readonly mark: string;
  /** Identifies the account and its secret, on which the digests of contents depend. */
  readonly credentialMark: string;
  /** Code that a person enters to continue the execution with this account. */
  readonly code: string;

  constructor(context: IExecuteFunctions, account: Account) {
    const digests = new Digests({ ...account, digestKey: DIGEST_KEY }, {});
    this.mark = digests.account;
    const own = new Digests(account, {});
    this.credentialMark = own.account;
    this.code = `account-${own.code(['account code', this.mark, establishedAt(context) ?? ''])}`;
  }

  /**
   * Returns the conflict of a request if the first attempt had another account.
   * @param first mark of that account.
   */
  obstacle(first: string | undefined, request: PlannedRequest): Remembered | undefined {
    const isOther = first !== undefined && first !== this.mark && !this.isConfirmed(request);
    return isOther ? this.other : undefined;
  }

  /** Conflict of an execution that began with another account. */
  get other(): Remembered {
    return { outcome: 'otherAccount', code: this.code };
  }

  /** Returns whether a person confirmed that the request may be sent with this account. */
  isConfirmed({ options }: PlannedRequest): boolean {
    return options.resolved?.get(this.code) === 'notApplied';
  }
}

/** Number of writes after which the latest marks are recorded again, so that they outlive the keys of the execution. */
const RENEWED_AFTER = 1000;

/**
 * Marks of an execution in its node's row: a first and a latest one, and its account. If only the first mark is
 * missing, keys of writes may be missing too.
 */
export class ExecutionMarks {
  /** Marks that were not in the row before the first write of this run. */
  private missing?: Promise<Set<string>>;
  private writes = 0;

  constructor(
    private readonly row: KeyRow,
    private readonly store: KeyStore,
    private readonly lineage: Lineage,
    private readonly account: ExecutionAccount,
    /** Whether only the content identifies a write. The digest then also depends on the credential's secret. */
    private readonly byContent: boolean,
  ) {}

  /** Whether the run has recorded a key. */
  get isUsed(): boolean {
    return this.missing !== undefined;
  }

  /**
   * Records keys of a write, and the marks before the first keys. Removes a new mark immediately, because another call
   * of the same tool would otherwise treat it as the mark of an earlier attempt.
   * @param asked the marks on which the write depends.
   * @returns the keys that were missing.
   */
  async record(keys: string[], asked: { account: boolean; secret: boolean }): Promise<Set<string>> {
    if (this.missing) return await this.row.record(this.store, keys);
    const { names } = this.lineage;
    const marks = [asked.account ? this.accountMark : [], asked.secret ? this.credentialMark : []].flat();
    this.missing = this.row.record(this.store, [...names.map(firstOf), ...this.latest, ...keys], (missing) =>
      marks.flatMap((markOf) => this.newMarks(markOf, missing)),
    );
    const missing = await this.missing.catch((error: unknown) => {
      this.missing = undefined;
      throw error;
    });
    // The first mark proves that no key is missing. Only the first attempt may set it.
    this.row.remove(this.store, names.filter((name) => isCut(name, missing)).map(firstOf));
    return missing;
  }

  /** Returns whether keys of earlier attempts may be missing. */
  async areCut(): Promise<boolean> {
    const missing = await this.missing;
    return missing !== undefined && [...this.lineage.asked].some((name) => isCut(name, missing));
  }

  /**
   * Records that another process overwrote keys of this run. From then on, a missing key does not prove that a write
   * was never begun.
   */
  readonly cut = (): void => this.row.remove(this.store, this.lineage.names.map(firstOf));

  /** Returns whether a person confirmed that the write may be sent with this account. */
  isConfirmed(request: PlannedRequest): boolean {
    return this.account.isConfirmed(request);
  }

  /** Returns whether an earlier attempt of the execution used another account. */
  async isOtherAccount(): Promise<boolean> {
    return await this.isNew(this.accountMark);
  }

  /**
   * Returns whether an earlier attempt used another secret. Its keys depend on that secret, so the node can't recognize
   * them.
   */
  async isOtherCredential(): Promise<boolean> {
    return await this.isNew(this.credentialMark);
  }

  /** Counts a write. */
  count(): void {
    this.writes += 1;
    if (this.writes % RENEWED_AFTER !== 0) return;
    const { latest } = this;
    this.row.remove(this.store, latest);
    void this.row.record(this.store, latest).catch(() => undefined);
  }

  /**
   * Returns whether an earlier attempt recorded the mark. Removes the new mark, so that the next attempt gets the same
   * result.
   */
  private async isNew(markOf: (name: string) => string): Promise<boolean> {
    const others = this.newMarks(markOf, (await this.missing) ?? new Set());
    this.row.remove(this.store, others);
    return others.length > 0;
  }

  private newMarks(markOf: (name: string) => string, missing: ReadonlySet<string>): string[] {
    const others = this.lineage.accountsAsked.filter(
      (name) => missing.has(markOf(name)) && !missing.has(latestOf(name)),
    );
    return others.map(markOf);
  }

  private readonly credentialMark = (name: string) => `credential ${name} ${this.account.credentialMark}`;
  private readonly accountMark = (name: string) => `account ${name} ${this.account.mark}`;

  /** Marks that stay in the row longer than the oldest keys. The account's mark is recorded last. */
  private get latest(): string[] {
    return this.lineage.accountNames.flatMap((name) => [
      latestOf(name),
      ...(this.byContent ? [this.credentialMark(name)] : []),
      this.accountMark(name),
    ]);
  }
}

const firstOf = (name: string) => `first ${name}`;
const latestOf = (name: string) => `latest ${name}`;

const isCut = (name: string, missing: Set<string>) => missing.has(firstOf(name)) && !missing.has(latestOf(name));
