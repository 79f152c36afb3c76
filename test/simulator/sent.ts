import type { Happening } from './schedule';

/** Outcome of a request according to its response alone. */
export type Seen = 'pending' | 'done' | 'refused' | 'turnedAway' | 'unknown';

/** One request sent by the node. */
export interface Sent {
  number: number;
  at: number;
  environment: 'test' | 'production';
  method: string;
  path: string;
  body: unknown;
  /** Index of the node in the workflow. */
  node: number;
  /** Objects of a write: one for each item in a shared request. */
  objects: number[];
  cents?: number;
  /** Index of the write within its item. */
  step: number;
  happening: Happening;
  applied: boolean;
  /** Whether the request is in transit and will take effect. */
  isOnItsWay?: boolean;
  /** ID of the created record. */
  recordId?: string;
  seen: Seen;
  /** Time at which the client received the response or an error. */
  endedAt?: number;
  /** Run of the node's code that sent the request. */
  run: number;
  /** Number of the execution, including retries. */
  execution: number;
  /** Number of earlier edits to the items or the account. */
  edits: number;
  status?: number;
}
