import type { EnvironmentName } from '../state/environment';
import type { CopyOrder } from '../webhooks/deliveries';
import type { Forgery } from '../webhooks/posting';
import type { DeliverySettings } from '../webhooks/settings';

/** What the controls of webhooks take. */

export interface Scoped {
  /** Default test. */
  environment?: EnvironmentName;
}

export interface EventOrder extends Scoped, Forgery {
  /** Any name, so that events which the service adds later can be tried too. */
  event: string;
  /** Default an empty object. */
  data?: unknown;
}

export interface DeliveryOrder extends EventOrder {
  webhookId: number;
}

export interface DuplicateOrder extends Scoped, CopyOrder {}

export interface SettingsOrder extends Scoped, Partial<DeliverySettings> {}

export interface RotationOrder extends Scoped {
  webhookId: number;
  /** How long the old secret signs too, by the sandbox's clock. Default 0. */
  overlapSeconds?: number;
}
