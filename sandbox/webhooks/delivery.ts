import type { DateTime } from 'luxon';

import type { Posting } from './posting';

/** An event on its way to one webhook. */
export interface Delivery {
  delivery_id: number;
  webhook_id: number;
  event: string;
  body: Buffer;
  /** When it is given up, by the sandbox's clock. */
  expires: DateTime;
  /** How many tries were made, copies on demand included. */
  attempts: number;
  /** Whether a try that was planned has begun and has not ended. */
  underWay: boolean;
  /** Calls the next try off, and the expiry. */
  callOffTry?: () => void;
  callOffExpiry?: () => void;
  /** The last request that the service sent for it. */
  posted?: Posting;
}
