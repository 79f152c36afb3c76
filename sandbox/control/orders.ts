import type { EnvironmentName } from '../state/environment';
import type { CopyOrder } from '../webhooks/deliveries';
import type { Forgery } from '../webhooks/posting';
import type { DeliverySettings } from '../webhooks/settings';

/** Parameters of the webhook controls. */

export interface Scoped {
  /** Default: test. */
  environment?: EnvironmentName;
}

export interface EventOrder extends Scoped, Forgery {
  /** Any event name, so that tests can use events that the service adds later. */
  event: string;
  /** Default: an empty object. */
  data?: unknown;
}

export interface DeliveryOrder extends EventOrder {
  webhookId: number;
}

export interface DuplicateOrder extends Scoped, CopyOrder {}

export interface SettingsOrder extends Scoped, Partial<DeliverySettings> {}

export interface RotationOrder extends Scoped {
  webhookId: number;
  /** Time in sandbox seconds during which deliveries are also signed with the old secret. Default: 0. */
  overlapSeconds?: number;
}
