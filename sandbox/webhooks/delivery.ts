import type { DateTime } from 'luxon';

import type { Posting } from './posting';

/** Delivery of an event to one webhook. */
export interface Delivery {
  delivery_id: number;
  webhook_id: number;
  event: string;
  body: Buffer;
  /** Time on the sandbox's clock at which retries stop. */
  expires: DateTime;
  /** Number of attempts, including copies that a test control requested. */
  attempts: number;
  underWay: boolean;
  callOffTry?: () => void;
  callOffExpiry?: () => void;
  posted?: Posting;
}
