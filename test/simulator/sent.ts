import type { Happening } from './schedule';

/** What the client could know of a request from its answer alone. */
export type Seen = 'pending' | 'done' | 'refused' | 'turnedAway' | 'unknown';

/** One request that left the node. */
export interface Sent {
  number: number;
  at: number;
  environment: 'test' | 'production';
  method: string;
  path: string;
  body: unknown;
  /** Which node of the workflow sent it, counted from 0. */
  node: number;
  /** Numbers of the objects, for a write: one for each item that shares the request. */
  objects: number[];
  cents?: number;
  /** Which of the writes of an item it is, counted from 0. */
  step: number;
  happening: Happening;
  applied: boolean;
  /** Whether it has not arrived yet, and will take effect. */
  isOnItsWay?: boolean;
  /** ID of the record that it made. */
  recordId?: string;
  seen: Seen;
  /** When the client had its answer or its error. */
  endedAt?: number;
  /** Which run of the node's code sent it. */
  run: number;
  /** Which execution, counted with its retries. */
  execution: number;
  /** How often a person had changed by then what the items or the account are. */
  edits: number;
  status?: number;
}
