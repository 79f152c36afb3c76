import type { Happening } from './schedule';

/** Outcome of a request as far as the response shows the outcome. */
export type Seen = 'pending' | 'done' | 'refused' | 'turnedAway' | 'unknown';

/** A request that the node sent. */
export interface Sent {
  number: number;
  at: number;
  environment: 'test' | 'production';
  method: string;
  path: string;
  body: unknown;
  /** Index of the node in the workflow. */
  node: number;
  /** Objects that a write affects. A shared request affects one object per item. */
  objects: number[];
  cents?: number;
  /** Index of the step that the request performs for its item. */
  step: number;
  happening: Happening;
  applied: boolean;
  /** Whether the request is in transit and will take effect. */
  isOnItsWay?: boolean;
  /** ID of the record that the request created. */
  recordId?: string;
  seen: Seen;
  /** Time at which the client received the response or an error. */
  endedAt?: number;
  /** Number of the node run that sent the request. */
  run: number;
  /** Number of the execution. Each retry is a new execution. */
  execution: number;
  /** Number of edits to the items or the account before the request. */
  edits: number;
  status?: number;
}
