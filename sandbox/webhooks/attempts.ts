/** Delivery attempt without secrets. */
export interface Attempt {
  /** Number of the delivery, which its retries and copies share. */
  delivery_id: number;
  webhook_id: number;
  event: string;
  url: string;
  time: string;
  /** HTTP status, or 0 if no response. */
  status: number;
  /** Number of the attempt within its delivery, counted from 1. */
  attempt: number;
  signed: boolean;
  on_demand: boolean;
}
