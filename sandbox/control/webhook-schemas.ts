import { environment, object } from './schemas';

const yes = { type: 'boolean' } as const;
const webhookId = { type: 'integer', minimum: 1 } as const;
const amount = { type: 'integer', minimum: 1 } as const;
const event = { type: 'string', pattern: '^[a-z0-9_.]{1,64}$' } as const;

const forgery = {
  withoutSignature: yes,
  wrongSignature: yes,
  secret: { type: 'string' },
  withoutAuthorization: yes,
  wrongPassword: yes,
  alterBody: yes,
  rawBody: { type: 'string' },
  headerName: { type: 'string', pattern: '^[A-Za-z0-9-]{1,128}$' },
} as const;

export const EVENT_BODY = object({ environment, event, data: {}, ...forgery }, ['event']);

export const DELIVERY_BODY = object({ environment, webhookId, event, data: {}, ...forgery }, ['webhookId', 'event']);

export const DUPLICATE_BODY = object({
  environment,
  webhookId,
  copies: { type: 'integer', minimum: 1, maximum: 1000 },
  concurrent: yes,
  sameHeaders: yes,
  ...forgery,
});

export const SETTINGS_BODY = object({
  environment,
  expirySeconds: amount,
  retrySeconds: amount,
  mostFailedEvents: amount,
  longestFailureSeconds: amount,
  timeoutMilliseconds: amount,
});

export const PROBE_BODY = object({ environment, webhookId }, ['webhookId']);

export const ROTATION_BODY = object({ environment, webhookId, overlapSeconds: { type: 'integer', minimum: 0 } }, [
  'webhookId',
]);

export const MANAGEMENT_BODY = object({ available: yes }, ['available']);
