import { objectSchema } from '../calls/reference';

/**
 * Limits of the requests that manage webhooks (service.md#webhooks). The interface document doesn't describe these
 * requests, so their schemas are defined here.
 */

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength });
const texts = { type: 'array', items: { type: 'string' } };

export const ONE_PATH = objectSchema({ webhook_id: { type: 'integer', minimum: 1 }, event: { type: 'string' } });

/** An update is partial. Omitted fields stay unchanged. */
export const CHANGE_BODY = objectSchema({
  notification_url: text(256),
  label: text(64),
  events: texts,
  webhook_node: { type: 'string', pattern: '^[0-9]{1,16}$' },
  email_address: texts,
  auth_type: { type: 'string', enum: ['NONE', 'BASIC'] },
  auth_settings: objectSchema({
    user_name: { type: 'string', maxLength: 128 },
    user_password: { type: 'string', maxLength: 128 },
  }),
});
