import type { EnvironmentName } from '../state/environment';
import type { CopyOrder } from '../webhooks/deliveries';
import type { Forgery } from '../webhooks/posting';
import type { DeliverySettings } from '../webhooks/settings';

/** Parameters that all webhook controls share. */

export interface Scoped {
  /** Environment of the webhooks. Defaults to `test`. */
  environment?: EnvironmentName;
}

export interface EventOrder extends Scoped, Forgery {
  /** Name of the event. Tests can use unknown names, because the service may add events. */
  event: string;
  /** Data of the event. Defaults to an empty object. */
  data?: unknown;
}

export interface DeliveryOrder extends EventOrder {
  webhookId: number;
}

export interface DuplicateOrder extends Scoped, CopyOrder {}

export interface SettingsOrder extends Scoped, Partial<DeliverySettings> {}

export interface RotationOrder extends Scoped {
  webhookId: number;
  /**
   * Seconds during which deliveries also contain a signature with the old secret, by the sandbox's clock. Defaults to
   * 0.
   */
  overlapSeconds?: number;
}
