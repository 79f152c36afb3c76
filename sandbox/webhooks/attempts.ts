/** One delivery attempt for tests and the state view. Contains no secret. */
export interface Attempt {
  /** Number of the delivery. Retries and copies share this number. */
  delivery_id: number;
  webhook_id: number;
  event: string;
  url: string;
  /** Start time by the sandbox's clock. */
  time: string;
  /** HTTP status, or 0 without a response. */
  status: number;
  /** Number of the attempt within its delivery, counted from 1. Copies that a control requested are counted, too. */
  attempt: number;
  /** Whether the request had a signature, valid or not. */
  signed: boolean;
  /** Whether a control requested this attempt, bypassing the queue. */
  on_demand: boolean;
}
