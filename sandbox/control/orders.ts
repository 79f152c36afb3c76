import type { EnvironmentName } from '../state/environment';
import type { CopyOrder } from '../webhooks/deliveries';
import type { Forgery } from '../webhooks/posting';
import type { DeliverySettings } from '../webhooks/settings';

export interface Scoped {
  environment?: EnvironmentName;
}

export interface EventOrder extends Scoped, Forgery {
  /** Event name. May be unknown, because the service may add events. */
  event: string;
  data?: unknown;
}

export interface DeliveryOrder extends EventOrder {
  webhookId: number;
}

export interface DuplicateOrder extends Scoped, CopyOrder {}

export interface SettingsOrder extends Scoped, Partial<DeliverySettings> {}

export interface RotationOrder extends Scoped {
  webhookId: number;
  /** Seconds during which the old secret also signs deliveries. Defaults to 0. */
  overlapSeconds?: number;
}
