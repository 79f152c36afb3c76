/** Retry and expiry settings of deliveries. In the service, these are account settings (service.md#deliveries). */
export interface DeliverySettings {
  /** Seconds after an event during which its delivery is retried, by the sandbox's clock. */
  expirySeconds: number;
  /** Seconds between a failed attempt and the next one, by the sandbox's clock. */
  retrySeconds: number;
  /** Number of failed events without a success after which a webhook is suspended. */
  mostFailedEvents: number;
  /** Seconds of uninterrupted failure after which a webhook is suspended, by the sandbox's clock. */
  longestFailureSeconds: number;
  /** Time to wait for a response, in milliseconds of real time. */
  timeoutMilliseconds: number;
}

/** The service's defaults. The service doesn't document its retry interval and timeout, so the sandbox chooses them. */
export const DEFAULT_SETTINGS: Readonly<DeliverySettings> = {
  expirySeconds: 3600,
  retrySeconds: 60,
  mostFailedEvents: 10,
  longestFailureSeconds: 24 * 3600,
  timeoutMilliseconds: 10_000,
};
