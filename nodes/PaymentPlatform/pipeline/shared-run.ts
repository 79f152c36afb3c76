import type { IExecuteFunctions } from 'n8n-workflow';

import type { Budget } from './budget';
import type { Claims } from './claims';
import type { Existing } from './existing';
import type { Gate } from './gate';
import type { Journal } from './journal';
import type { LookUps } from './look-ups';
import type { OnceKeys } from './once-keys';
import type { RunOptions } from './option-types';
import type { Remembered, WriteMemory } from './remembered';
import type { Account, PlannedRequest } from './types';

/** What all requests of a run share. */
export interface SharedRun {
  context: IExecuteFunctions;
  account: Account;
  options: RunOptions;
  gate: Gate;
  memory: WriteMemory;
  journal: Journal;
  keys: OnceKeys;
  budget: Budget;
  /** What the journal knew of a request whose turn came. */
  earlier: Map<PlannedRequest, Remembered>;
  /** Whether a failed item leaves the others to go on. */
  goOn: boolean;
  /** Identities of the records that this run made or found. */
  ownIds: Set<string>;
  lookUps: LookUps;
  existing: Existing;
  claims: Claims;
}
