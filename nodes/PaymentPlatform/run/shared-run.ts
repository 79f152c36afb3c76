import type { IExecuteFunctions } from 'n8n-workflow';

import type { DayLimit } from '../limits/day-limit';
import type { ExecutionLimit } from '../limits/execution-limit';
import type { RecentPayments } from '../limits/recent-payments';
import type { RecordMatcher } from '../lookup/match-records';
import type { DuplicateSearch } from '../lookup/find-duplicate';
import type { Gate } from '../service/gate';
import type { DatabaseKeys } from '../once/database-keys';
import type { SubmittedRequests } from '../once/submitted-requests';
import type { LostAnswers } from '../lookup/lost-answers';
import type { Preview } from '../output/describe-previews';
import type { RunOptions } from '../model/option-types';
import type { Remembered, WriteMemory } from '../model/write-memory';
import type { Account, PlannedRequest } from '../model/types';

export interface SharedRun {
  context: IExecuteFunctions;
  account: Account;
  options: RunOptions;
  gate: Gate;
  memory: WriteMemory;
  /** Missing if no item has the option. */
  executionLimit?: ExecutionLimit | undefined;
  keys: DatabaseKeys;
  /** Missing if no limit per day needs to count the run's requests. */
  dayLimit?: DayLimit;
  /** Missing if the run only reads. */
  recentPayments?: RecentPayments | undefined;
  /** Missing if the trigger recognizes no events about the run's requests. */
  submitted?: SubmittedRequests | undefined;
  earlier: Map<PlannedRequest, Remembered>;
  goOn: boolean;
  lostAnswers: LostAnswers;
  /** Missing if no item has the If It Already Exists option. */
  duplicates?: DuplicateSearch;
  recordMatcher: RecordMatcher;
  /** Missing if the run sends its requests. */
  preview?: Preview | undefined;
}
