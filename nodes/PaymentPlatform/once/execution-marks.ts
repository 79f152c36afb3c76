import type { IExecuteFunctions } from 'n8n-workflow';

import { Digests } from './digests';
import type { KeyRow, KeyStore } from './key-row';
import { establishedAt, type Lineage } from '../n8n/lineage';
import type { Remembered } from '../model/write-memory';
import type { Account, PlannedRequest } from '../model/types';

/** Keys the digest of an account. It does not depend on the API key, because a new API key is no new account. */
const DIGEST_KEY = 'account of an execution';
const CODE_LENGTH = 5;

/**
 * The account of an attempt: base URL, merchant and environment. An attempt sends nothing with another account than the
 * first one.
 */
export class ExecutionAccount {
  /** Identifies the account. */
  readonly mark: string;
  /** Identifies the account together with its secret, which the digests of contents depend on. */
  readonly credentialMark: string;
  /** A person enters this code to confirm that the execution may continue with this account. */
  readonly code: string;

  constructor(context: IExecuteFunctions, account: Account) {
    const digests = new Digests({ ...account, digestKey: DIGEST_KEY }, {});
    this.mark = digests.account;
    const own = new Digests(account, {});
    this.credentialMark = own.account;
    const proof = own.of(['account code', this.mark, establishedAt(context) ?? '']);
    this.code = `account-${proof.replace(/[^A-Za-z0-9]/g, '0').slice(0, CODE_LENGTH)}`;
  }

  /** Returns the obstacle to a request if the first attempt had another account. @param first mark of that account. */
  obstacle(first: string | undefined, request: PlannedRequest): Remembered | undefined {
    const isOther = first !== undefined && first !== this.mark && !this.isConfirmed(request);
    return isOther ? this.other : undefined;
  }

  /** The obstacle of an execution that began with another account. */
  get other(): Remembered {
    return { outcome: 'otherAccount', code: this.code };
  }

  /** Whether a person confirmed that the request may be sent with this account. */
  isConfirmed({ options }: PlannedRequest): boolean {
    return options.resolved?.get(this.code) === 'notApplied';
  }
}

/** After so many writes, the latest marks are recorded again, so that they outlive the keys of the execution. */
const RENEWED_AFTER = 1000;

/**
 * The marks of an execution in its node's row: a first and a latest one, and its account. If the first mark is missing and
 * the latest one is not, keys of writes may be missing too.
 */
export class ExecutionMarks {
  /** Marks that were missing before the first write of this run. */
  private missing?: Promise<Set<string>>;
  private writes = 0;

  constructor(
    private readonly row: KeyRow,
    private readonly store: KeyStore,
    private readonly lineage: Lineage,
    private readonly account: ExecutionAccount,
    /** Whether only the content of a write identifies it. Then the secret of the credential matters too. */
    private readonly byContent: boolean,
  ) {}

  /** Whether the run has recorded a key. */
  get isUsed(): boolean {
    return this.missing !== undefined;
  }

  /**
   * Records keys of a write, and the marks before the first ones. Removes a mark that is new at once, because a call of
   * the same tool would otherwise take this mark for one of an earlier attempt.
   * @param asked the marks that the write depends on.
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
    // The first mark says that no key is missing. An attempt that is not the first can't make that true.
    this.row.remove(this.store, names.filter((name) => isCut(name, missing)).map(firstOf));
    return missing;
  }

  /** Whether keys of earlier attempts may be missing. */
  async areCut(): Promise<boolean> {
    const missing = await this.missing;
    return missing !== undefined && [...this.lineage.asked].some((name) => isCut(name, missing));
  }

  /** Records that another process overwrote keys of this run. From then on, a missing key proves nothing. */
  readonly cut = (): void => this.row.remove(this.store, this.lineage.names.map(firstOf));

  /** Whether a person confirmed that the write may be sent with this account. */
  isConfirmed(request: PlannedRequest): boolean {
    return this.account.isConfirmed(request);
  }

  /** Whether an earlier attempt of the execution used another account. */
  async isOtherAccount(): Promise<boolean> {
    return await this.isNew(this.accountMark);
  }

  /** Whether an earlier attempt used another secret. Its keys depend on that secret, so the node can't recognize them. */
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

  /** Whether earlier attempts left marks, but not this one. Removes it, so that the next attempt gets the same result. */
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

  /** Marks that outlive the oldest keys. The mark of the account comes last, so that it lives as long as the other one. */
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
