import { toDatabaseTimestamp } from '../core/database-timestamp';
import type { Environment } from '../state/environment';

/**
 * Returns the bytes of a delivery. The caller creates the bytes only once, so that every attempt sends equal bytes
 * (service.md#deliveries).
 */
export function deliveryBody(environment: Environment, webhookId: number, event: string, data: unknown): Buffer {
  const body = {
    webhook_id: webhookId,
    db_timestamp: toDatabaseTimestamp(environment.clock.now()),
    event,
    is_test: environment.name === 'test',
    data,
  };
  return Buffer.from(environment.written(body));
}
