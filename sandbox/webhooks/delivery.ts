import type { DateTime } from 'luxon';

import type { Posting } from './posting';

/** Delivery of an event to one webhook. */
export interface Delivery {
  delivery_id: number;
  webhook_id: number;
  event: string;
  body: Buffer;
  /** Time after which the sandbox stops retrying, by the sandbox's clock. */
  expires: DateTime;
  /** Number of attempts, including copies that a control requested. */
  attempts: number;
  /** Whether a scheduled attempt is in progress. */
  underWay: boolean;
  /** Cancels the next attempt. */
  callOffTry?: () => void;
  callOffExpiry?: () => void;
  /** Last request that the sandbox sent for the delivery. */
  posted?: Posting;
}
