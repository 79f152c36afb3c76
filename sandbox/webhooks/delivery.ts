import type { DateTime } from 'luxon';

import type { Posting } from './posting';

/** Delivery of an event to one webhook. */
export interface Delivery {
  delivery_id: number;
  webhook_id: number;
  event: string;
  body: Buffer;
  /** Expiry by the sandbox's clock. */
  expires: DateTime;
  /** Number of attempts, including requested copies. */
  attempts: number;
  /** Whether a scheduled attempt is in progress. */
  underWay: boolean;
  /** Cancels the next attempt and the expiry. */
  callOffTry?: () => void;
  callOffExpiry?: () => void;
  /** Last request sent for this delivery. */
  posted?: Posting;
}
