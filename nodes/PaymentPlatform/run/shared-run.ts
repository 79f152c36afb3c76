import type { IExecuteFunctions } from 'n8n-workflow';

import type { Budget } from '../limits/budget';
import type { RecordMatcher } from '../lookup/match-records';
import type { DuplicateSearch } from '../lookup/find-duplicate';
import type { Gate } from '../service/gate';
import type { DatabaseKeys } from '../once/database-keys';
import type { LostAnswers } from '../lookup/lost-answers';
import type { RunOptions } from '../model/option-types';
import type { Remembered, WriteMemory } from '../model/write-memory';
import type { Account, PlannedRequest } from '../model/types';

/** What all requests of a run share. */
export interface SharedRun {
  context: IExecuteFunctions;
  account: Account;
  options: RunOptions;
  gate: Gate;
  memory: WriteMemory;
  keys: DatabaseKeys;
  budget: Budget;
  /** What earlier attempts left of requests, as n8n's database says. */
  earlier: Map<PlannedRequest, Remembered>;
  /** Whether other items continue after a failed item. */
  goOn: boolean;
  lostAnswers: LostAnswers;
  duplicates: DuplicateSearch;
  recordMatcher: RecordMatcher;
}
