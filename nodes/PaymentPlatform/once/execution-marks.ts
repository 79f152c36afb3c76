import type { IExecuteFunctions } from 'n8n-workflow';

import { Digests } from './write-keys';
import type { KeyRow, KeyStore } from '../n8n/key-row';
import { establishedAt, type Lineage } from '../n8n/lineage';
import type { Remembered } from '../model/write-memory';
import type { Account, PlannedRequest } from '../model/types';

/** Key of the digests. Doesn't depend on the API key, because a new API key belongs to the same account. */
const DIGEST_KEY = 'account of an execution';

/**
 * Account of the current attempt: base URL, merchant and environment. If the first attempt of the execution used
 * another account, the node sends nothing until a person confirms the current account.
 */
export class ExecutionAccount {
  readonly mark: string;
  /** Digest of the account that also depends on the credential's secret. */
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

  /** Returns the conflict if the first attempt's account differs and no person confirmed the current account. */
  obstacle(first: string | undefined, request: PlannedRequest): Remembered | undefined {
    const isOther = first !== undefined && first !== this.mark && !this.isConfirmed(request);
    return isOther ? this.other : undefined;
  }

  get other(): Remembered {
    return { outcome: 'otherAccount', code: this.code };
  }

  isConfirmed({ options }: PlannedRequest): boolean {
    return options.resolved?.get(this.code) === 'notApplied';
  }
}

/** Number of writes after which the node records the account again, because n8n removes the oldest keys first. */
const RENEWED_AFTER = 1000;

/**
 * Keys that describe an execution in its node's database row: `first`, `latest` and the account. n8n removes the oldest
 * keys first. If `latest` exists but `first` is missing, n8n may have removed keys of writes too.
 */
export class ExecutionMarks {
  /** Keys that were new to the row when this run first recorded keys. */
  private missing?: Promise<Set<string>>;
  private writes = 0;

  constructor(
    private readonly row: KeyRow,
    private readonly store: KeyStore,
    private readonly lineage: Lineage,
    private readonly account: ExecutionAccount,
  ) {}

  get isUsed(): boolean {
    return this.missing !== undefined;
  }

  /**
   * Records the keys of a write. The first call of a run also records the keys of the execution. The keys of another
   * account or secret than in the first attempt aren't kept, unless a person confirmed the account.
   * @returns the keys that were new to the row.
   */
  async record(keys: string[], isConfirmed: boolean): Promise<Set<string>> {
    if (this.missing) return await this.row.record(this.store, keys);
    const { names } = this.lineage;
    const marks = isConfirmed ? [this.credentialMark] : [this.accountMark, this.credentialMark];
    this.missing = this.row.record(this.store, [...names.map(firstOf), ...this.latest, ...keys], (missing) =>
      marks.flatMap((markOf) => this.newMarks(markOf, missing)),
    );
    const missing = await this.missing.catch((error: unknown) => {
      this.missing = undefined;
      throw error;
    });
    // The key `first` proves that no key is missing, so only the first attempt may record `first`.
    this.row.remove(this.store, names.filter((name) => isCut(name, missing)).map(firstOf));
    return missing;
  }

  /** Returns whether no earlier attempt recorded keys. */
  async areFirst(): Promise<boolean> {
    const missing = await this.missing;
    return missing !== undefined && [...this.lineage.asked].every((name) => missing.has(latestOf(name)));
  }

  /** Returns whether n8n may have removed keys of earlier attempts. */
  async areCut(): Promise<boolean> {
    const missing = await this.missing;
    return missing !== undefined && [...this.lineage.asked].some((name) => isCut(name, missing));
  }

  /** Removes the key `first` after another process overwrote keys, because a missing key then proves nothing. */
  readonly cut = (): void => this.row.remove(this.store, this.lineage.names.map(firstOf));

  isConfirmed(request: PlannedRequest): boolean {
    return this.account.isConfirmed(request);
  }

  async isOtherAccount(): Promise<boolean> {
    return await this.isNew(this.accountMark);
  }

  /** Returns whether an earlier attempt used another secret, in which case the node can't recognize its keys. */
  async isOtherCredential(): Promise<boolean> {
    return await this.isNew(this.credentialMark);
  }

  /** Counts a write. Records the latest keys again after every `RENEWED_AFTER` writes. */
  count(): void {
    this.writes += 1;
    if (this.writes % RENEWED_AFTER !== 0) return;
    const { latest } = this;
    this.row.remove(this.store, latest);
    void this.row.record(this.store, latest).catch(() => undefined);
  }

  /** Removes this attempt's new account key, so that the next attempt reports the same conflict. */
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

  /** The account's key comes last, because n8n removes the oldest keys first. */
  private get latest(): string[] {
    return this.lineage.accountNames.flatMap((name) => [
      latestOf(name),
      this.credentialMark(name),
      this.accountMark(name),
    ]);
  }
}

const firstOf = (name: string) => `first ${name}`;
const latestOf = (name: string) => `latest ${name}`;

const isCut = (name: string, missing: Set<string>) => missing.has(firstOf(name)) && !missing.has(latestOf(name));
