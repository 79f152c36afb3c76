import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { asText, textsIn } from '../../shared/objects';
import { isOfTrigger } from '../../shared/trigger-mark';
import { id, words } from '../engine/line-parts';
import { searchList } from '../engine/list-search';
import type { ListEntry, Picker } from '../engine/picker';

/** Webhooks with these statuses send no events. */
const STATUSES: Readonly<Record<string, string>> = { DISABLED: 'disabled', SUSPENDED: 'suspended' };
const OF_TRIGGER = 'n8n trigger';

/** The list marks the webhooks of triggers, because users should change these in the trigger. */
const webhooks: Picker = {
  of: 'webhooks',
  path: '/platform/webhook',
  identity: 'webhook_id',
  searched: { words: ['webhook_id', 'label', 'notification_url'] },
  ownWords: new Set(['n8n', 'trigger', 'disabled', 'suspended', 'active']),
  entries: webhookEntry,
  add: 'label, address or ID',
};

function webhookEntry(webhook: IDataObject): ListEntry[] {
  const status = asText(webhook.status);
  const shown = [
    // The text "n8n trigger" comes first, because n8n truncates long lines.
    words(isOfTrigger(webhook) ? OF_TRIGGER : ''),
    words(asText(webhook.label)),
    words(STATUSES[status] ?? '', status),
    id(asText(webhook.webhook_id)),
  ];
  const known = [asText(webhook.notification_url), ...textsIn(webhook.events)].map((text) => words(text));
  return [{ id: asText(webhook.webhook_id), shown, known }];
}

export async function searchWebhooks(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  return await searchList(this, webhooks, search, paginationToken);
}
