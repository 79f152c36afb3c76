import { toDatabaseTimestamp } from '../core/clock';
import type { Environment } from '../state/environment';

/**
 * Returns a delivery's body. Call once per delivery: every attempt must send the same bytes (service.md#deliveries).
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
