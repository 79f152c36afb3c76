/**
 * Retry and expiry settings of deliveries. The service stores these settings for each account (service.md#deliveries).
 */
export interface DeliverySettings {
  /** Seconds after an event during which the sandbox retries its delivery, by the sandbox's clock. */
  expirySeconds: number;
  /** Seconds between a failed attempt and the next attempt, by the sandbox's clock. */
  retrySeconds: number;
  /** Number of failed events since the last success after which the sandbox suspends a webhook. */
  mostFailedEvents: number;
  /** Seconds of continuous failure after which the sandbox suspends a webhook, by the sandbox's clock. */
  longestFailureSeconds: number;
  /** Milliseconds of real time in which the receiver must respond. */
  timeoutMilliseconds: number;
}

/**
 * Default settings of the service. The service documents neither the retry interval nor the timeout, so these two
 * values are arbitrary.
 */
export const DEFAULT_SETTINGS: Readonly<DeliverySettings> = {
  expirySeconds: 3600,
  retrySeconds: 60,
  mostFailedEvents: 10,
  longestFailureSeconds: 24 * 3600,
  timeoutMilliseconds: 10_000,
};
