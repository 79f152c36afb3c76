import type { FootprintOf } from '../../model/operation';
import { asText, isList } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { comparableText } from '../../model/footprint';
import { filterOn } from '../filter-on';

const eventsIn = (value: unknown): string => (isList(value) ? value.map(asText).sort().join() : '');

/**
 * After a lost response, finds the new webhook in the list of webhooks. Accepts only webhooks that did not exist before
 * the request, because their timestamps have no documented time zone (service.md#values).
 */
export const webhookFootprint: FootprintOf<'addWebhook', 'getWebhooks'> = {
  list: { path: wire.getWebhooks.request.path, identity: 'webhook_id', newestBy: 'webhook_id' },
  filter: ({ body }) => filterOn('label', body.label),
  isIdentifiable: ({ body }) => comparableText(body.label) !== '' && comparableText(body.notification_url) !== '',
  key: ({ body }) => JSON.stringify([comparableText(body.label), comparableText(body.notification_url)]),
  lifetime: 'minutes',
  matches: (record, { body }) =>
    comparableText(record.label) === comparableText(body.label) &&
    comparableText(record.notification_url) === comparableText(body.notification_url) &&
    (body.events === undefined || eventsIn(record.events) === eventsIn(body.events)),
  summary: (_, { body }) => `Created webhook "${asText(body.label)}" but lost its security key, so replace the key.`,
  where: 'the list of webhooks',
  agreement: 'same label, same address, same events',
};
