/** One try to deliver, as a test or a person sees it. Holds no secret. */
export interface Attempt {
  /** Numbers the delivery; its repetitions and copies have the same. */
  delivery_id: number;
  webhook_id: number;
  event: string;
  url: string;
  /** When it began, by the sandbox's clock. */
  time: string;
  /** HTTP status; 0 when there was no answer. */
  status: number;
  /** Which try of this delivery it is, counted from 1; copies on demand count too. */
  attempt: number;
  /** Whether a signature was sent, right or wrong. */
  signed: boolean;
  /** Whether the try was one that a control asked for, outside of the queue. */
  on_demand: boolean;
}
