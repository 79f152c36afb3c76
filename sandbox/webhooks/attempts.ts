/** Delivery attempt without secrets, for tests and the state view. */
export interface Attempt {
  /** Number of the delivery. Retries and copies share the number. */
  delivery_id: number;
  webhook_id: number;
  event: string;
  url: string;
  /** Start time, by the sandbox's clock. */
  time: string;
  /** HTTP status, or 0 without a response. */
  status: number;
  /** Number of the attempt within its delivery, counted from 1. Includes copies that a control requested. */
  attempt: number;
  /** Whether the request had a signature, which may be invalid. */
  signed: boolean;
  /** Whether a control requested the attempt, which bypasses the queue. */
  on_demand: boolean;
}
