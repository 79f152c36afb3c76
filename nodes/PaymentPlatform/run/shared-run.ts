import type { IExecuteFunctions } from 'n8n-workflow';

import type { DayLimit } from '../limits/day-limit';
import type { RecordMatcher } from '../lookup/match-records';
import type { DuplicateSearch } from '../lookup/find-duplicate';
import type { Gate } from '../service/gate';
import type { DatabaseKeys } from '../once/database-keys';
import type { LostAnswers } from '../lookup/lost-answers';
import type { RunOptions } from '../model/option-types';
import type { Remembered, WriteMemory } from '../model/write-memory';
import type { Account, PlannedRequest } from '../model/types';

/** Parts of a run that all requests of the run share. */
export interface SharedRun {
  context: IExecuteFunctions;
  account: Account;
  options: RunOptions;
  gate: Gate;
  memory: WriteMemory;
  keys: DatabaseKeys;
  /** Missing if no item has a limit per day. */
  dayLimit?: DayLimit;
  /** States of requests that an earlier attempt recorded in n8n's database. */
  earlier: Map<PlannedRequest, Remembered>;
  /** Whether other items continue after a failed item. */
  goOn: boolean;
  lostAnswers: LostAnswers;
  /** Missing if no item has the option If It Already Exists. */
  duplicates?: DuplicateSearch;
  recordMatcher: RecordMatcher;
}
