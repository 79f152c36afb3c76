import type { DateTime } from 'luxon';

import type { DeliverySettings } from './settings';

/** Failures of each webhook since its last success. Repeated failures suspend a webhook (service.md#deliveries). */
export class Failures {
  private readonly failing = new Map<number, { deliveries: Set<number>; since: DateTime }>();

  /** Records a failed attempt. Returns whether the webhook must be suspended. */
  note(webhookId: number, deliveryId: number, now: DateTime, settings: DeliverySettings): boolean {
    const { deliveries, since } = this.failing.get(webhookId) ?? { deliveries: new Set<number>(), since: now };
    deliveries.add(deliveryId);
    this.failing.set(webhookId, { deliveries, since });
    return (
      deliveries.size >= settings.mostFailedEvents || since.plus({ seconds: settings.longestFailureSeconds }) <= now
    );
  }

  forget(webhookId: number): void {
    this.failing.delete(webhookId);
  }

  clear(): void {
    this.failing.clear();
  }
}
