import type { IExecuteFunctions } from 'n8n-workflow';

import { Digests } from './digests';
import { establishedAt } from '../n8n/lineage';
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
