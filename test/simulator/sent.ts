import type { Happening } from './schedule';

/** Outcome that a request's response indicates. */
export type Seen = 'pending' | 'done' | 'refused' | 'turnedAway' | 'unknown';

export interface Sent {
  number: number;
  at: number;
  environment: 'test' | 'production';
  method: string;
  path: string;
  body: unknown;
  node: number;
  /** Indexes of the sales, customers or cards that a write affects. */
  objects: number[];
  cents?: number;
  /** Fee in cents, which the limits count too. */
  fee?: number;
  step: number;
  happening: Happening;
  applied: boolean;
  /** Whether the request is in transit and will take effect. */
  isOnItsWay?: boolean;
  recordId?: string;
  seen: Seen;
  /** Time at which the client received the response or an error. */
  endedAt?: number;
  run: number;
  execution: number;
  /** Number of user changes to the items or the account before the request. */
  edits: number;
  status?: number;
}
