import { asText, textsIn } from '../../shared/objects';
import { isOfTrigger } from '../../shared/trigger-mark';
import * as wire from '../../wire/operations';
import { words } from '../engine/line-parts';
import type { Picker } from '../engine/picker';
import { days, ids, texts } from './parts';

/** Webhooks with these statuses send no events. */
const SILENT: Readonly<Record<string, string>> = { DISABLED: 'disabled', SUSPENDED: 'suspended' };

/** The list marks the webhooks of triggers, because users should change these in the trigger. */
export const webhooks: Picker = {
  of: 'webhooks',
  operation: wire.getWebhooks,
  identity: 'webhook_id',
  searched: { words: ['webhook_id', 'label', 'notification_url'] },
  ownWords: ['n8n', 'trigger', 'disabled', 'suspended', 'active'],
  shown: (webhook) => {
    const status = asText(webhook.status);
    return [
      // The text "n8n trigger" comes first, because n8n truncates long lines.
      ...texts(isOfTrigger(webhook) ? 'n8n trigger' : '', webhook.label),
      words(SILENT[status] ?? '', status),
      ...ids(webhook.webhook_id),
    ];
  },
  known: (webhook) => texts(webhook.notification_url, ...textsIn(webhook.events)),
  add: 'label, address or ID',
};

/** States in openapi.yaml#AccountUpdaterSummary. */
const STATES: Record<string, string> = {
  INPROGRESS: 'in progress',
  QUEUED: 'queued',
  COMPLETED: 'completed',
  CANCELED: 'canceled',
};

export const updaterRequests: Picker = {
  of: 'account updater requests',
  operation: wire.browseAusRequestsSummary,
  identity: 'request_id',
  searched: { words: ['request_id'] },
  ownWords: ['in', 'progress', 'queued', 'completed', 'canceled', 'card', 'cards', 'updated'],
  shown: (request, { now }) => {
    const [status = '', sent, updated] = [request.status, request.cnt_request, request.cnt_update].map(asText);
    return [
      ...days(request.request_date, now),
      ...texts(sent && `${sent} ${sent === '1' ? 'card' : 'cards'}`, STATES[status] ?? status.toLowerCase()),
      ...texts(status === 'COMPLETED' && updated ? `${updated} updated` : ''),
      ...ids(request.request_id),
    ];
  },
  add: 'day, status or ID',
};
