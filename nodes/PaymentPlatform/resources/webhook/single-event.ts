import { operation, type FootprintOf } from '../../model/operation';
import { isList, comparableText } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { likeIf, likeText } from '../../model/likeness';
import { changing, type Webhook } from './change';
import { confirmTrigger, webhookEvent, webhookId } from './fields';

const { addWebhookEvent, deleteWebhookEvent } = wire;

const receives = ({ events }: Webhook, event: unknown): boolean | undefined =>
  isList(events) ? events.some((one) => comparableText(one) === comparableText(event)) : undefined;

/** A new state proves the change, because the node read a different state before its request. */
const footprintOf = (wanted: boolean): FootprintOf<'addWebhookEvent' | 'deleteWebhookEvent', 'getWebhook'> => ({
  list: { path: wire.getWebhook.request.path, identity: 'webhook_id' },
  filter: () => [],
  isIdentifiable: ({ path }) => comparableText(path.webhook_id) !== '' && comparableText(path.event) !== '',
  key: ({ path }) => `${comparableText(path.webhook_id)} ${comparableText(path.event)}`,
  lifetime: () => 'always',
  compare: (record, { path }) => [
    likeText(record.webhook_id, path.webhook_id),
    likeIf(receives(record, path.event) === wanted),
  ],
  where: "the webhook's own record",
  agreement: wanted ? 'the webhook receives the event' : 'the webhook does not receive the event',
  when: 'changed since the request',
});

const LOOK_UP = 'Check the events of webhook {webhook_id} in Webhook > Get Events.';

export const addEvent = operation({
  value: 'addEvent',
  name: 'Add Event',
  action: 'Add event to webhook',
  description: 'Add an event to a webhook and keep the other events',
  request: addWebhookEvent.request,
  fields: [webhookId(addWebhookEvent.path.webhook_id), webhookEvent(addWebhookEvent.path.event), confirmTrigger()],
  steps: {
    sends: [addWebhookEvent.request],
    each: [
      changing<'addWebhookEvent'>((webhook, { path }) =>
        receives(webhook, path.event) === true ? { done: webhook } : { request: { to: addWebhookEvent.request } },
      ),
    ],
  },
  setsState: true,
  present: (_, { path }) => ({ webhook_id: path.webhook_id, event: path.event, subscribed: true }),
  summary: (_, values, came) =>
    came === 'unchanged'
      ? `Nothing was sent, because webhook ${values.path.webhook_id} already receives ${values.path.event}.`
      : `Added ${values.path.event} to webhook ${values.path.webhook_id}.`,
  footprint: footprintOf(true),
  lookUp: LOOK_UP,
});

export const removeEvent = operation({
  value: 'removeEvent',
  name: 'Remove Event',
  action: 'Remove event from webhook',
  description: 'Remove an event from a webhook and keep the other events',
  request: deleteWebhookEvent.request,
  fields: [
    webhookId(deleteWebhookEvent.path.webhook_id),
    webhookEvent(deleteWebhookEvent.path.event),
    confirmTrigger(),
  ],
  steps: {
    sends: [deleteWebhookEvent.request],
    each: [
      changing<'deleteWebhookEvent'>((webhook, { path }) =>
        receives(webhook, path.event) === false ? { done: webhook } : { request: { to: deleteWebhookEvent.request } },
      ),
    ],
  },
  setsState: true,
  present: (_, { path }) => ({ webhook_id: path.webhook_id, event: path.event, subscribed: false }),
  summary: (_, values, came) =>
    came === 'unchanged'
      ? `Nothing was sent, because webhook ${values.path.webhook_id} does not receive ${values.path.event}.`
      : `Removed ${values.path.event} from webhook ${values.path.webhook_id}.`,
  footprint: footprintOf(false),
  lookUp: LOOK_UP,
});
