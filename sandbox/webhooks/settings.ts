/**
 * How deliveries are repeated and given up. In the service these are settings of the account
 * (service.md#deliveries).
 */
export interface DeliverySettings {
  /** How long after its event a delivery is repeated, in seconds of the sandbox's clock. */
  expirySeconds: number;
  /** How long after a failed try the next one is due, in seconds of the sandbox's clock. */
  retrySeconds: number;
  /** A webhook is suspended once so many events have failed without a success between them. */
  mostFailedEvents: number;
  /** A webhook is suspended once it has only failed for so long, in seconds of the sandbox's clock. */
  longestFailureSeconds: number;
  /** How long an answer is waited for, in milliseconds of real time. */
  timeoutMilliseconds: number;
}

/** The service's defaults; its retry interval and its timeout are not known, these are the sandbox's choice. */
export const DEFAULT_SETTINGS: Readonly<DeliverySettings> = {
  expirySeconds: 3600,
  retrySeconds: 60,
  mostFailedEvents: 10,
  longestFailureSeconds: 24 * 3600,
  timeoutMilliseconds: 10_000,
};
