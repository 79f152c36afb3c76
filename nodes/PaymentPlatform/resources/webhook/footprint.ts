import type { FootprintOf } from '../../model/operation';
import { asText, isList, comparableText } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { likeIf, likeText } from '../../model/likeness';
import { filterOn } from '../filter-on';

const eventsIn = (value: unknown): string => (isList(value) ? value.map(asText).sort().join() : '');

/**
 * Accepts only webhooks that did not exist before the request, because their timestamps have no documented time zone
 * (service.md#values).
 */
export const webhookFootprint: FootprintOf<'addWebhook', 'getWebhooks'> = {
  list: { path: wire.getWebhooks.request.path, identity: 'webhook_id', newestBy: 'webhook_id' },
  filter: ({ body }) => filterOn('label', body.label),
  isIdentifiable: ({ body }) => comparableText(body.label) !== '' && comparableText(body.notification_url) !== '',
  key: ({ body }) => JSON.stringify([comparableText(body.label), comparableText(body.notification_url)]),
  lifetime: 'minutes',
  compare: (record, { body }) => [
    likeText(record.label, body.label),
    likeText(record.notification_url, body.notification_url),
    likeIf(body.events === undefined || eventsIn(record.events) === eventsIn(body.events)),
  ],
  summary: (_, { body }) => `Created webhook "${asText(body.label)}" but lost its security key, so replace the key.`,
  where: 'the list of webhooks',
  agreement: 'same label, same address, same events',
};
