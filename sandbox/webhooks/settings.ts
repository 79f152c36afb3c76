/** Retry and expiry settings of deliveries (service.md#deliveries). Seconds are measured on the sandbox's clock. */
export interface DeliverySettings {
  /** Seconds from an event until its delivery expires. */
  expirySeconds: number;
  retrySeconds: number;
  mostFailedEvents: number;
  /** Seconds of continuous failure after which the sandbox suspends a webhook. */
  longestFailureSeconds: number;
  /** Milliseconds of real time in which the receiver must respond. */
  timeoutMilliseconds: number;
}

/** Default settings of the service. The retry interval and the timeout are arbitrary. */
export const DEFAULT_SETTINGS: Readonly<DeliverySettings> = {
  expirySeconds: 3600,
  retrySeconds: 60,
  mostFailedEvents: 10,
  longestFailureSeconds: 24 * 3600,
  timeoutMilliseconds: 10_000,
};
