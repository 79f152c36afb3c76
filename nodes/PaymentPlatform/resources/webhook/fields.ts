import type { IDataObject } from 'n8n-workflow';

import { eventList } from '../../fields/events';
import { boolean, choice, openChoice } from '../../fields/kinds/choice';
import { group } from '../../fields/kinds/group';
import { locator } from '../../fields/kinds/locator';
import { emailList } from '../../fields/kinds/multiple-values';
import { text } from '../../fields/kinds/text';
import type { Field, Problem } from '../../fields/types';
import type { Given, RecordOf } from '../../model/operation';
import { only } from '../../shared/objects';
import { isOfTrigger } from '../../shared/trigger-mark';
import type { TextFact } from '../../wire/facts';
import { AddWebhookRequest } from '../../wire/schemas';

const { notification_url, label, events, email_address, auth_type, auth_settings } = AddWebhookRequest;

export const webhookId = (fact: TextFact): Field =>
  locator({
    ...fact,
    label: 'Webhook',
    notIdentifying: false,
    description:
      'Search by label, URL, status or event, or enter the ID. The list shows which webhooks belong to n8n triggers.',
    search: 'searchWebhooks',
    placeholder: 'e.g. 501',
  });

export const notificationUrl = (required: boolean): Field =>
  text({
    ...notification_url,
    required,
    label: 'Notification URL',
    description:
      'URL that the service notifies. The URL must start with https://, or with http:// if the URL is local.',
    placeholder: 'e.g. https://n8n.example.com/webhook/payments',
    pattern: {
      matches: /^(https:\/\/|http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?(\/|$))\S*$/i,
      allowed: 'must be a URL that starts with https:// (http:// only for localhost)',
    },
  });

export const webhookLabel = (required: boolean): Field =>
  text({
    ...label,
    required,
    label: 'Label',
    notIdentifying: true,
    description: 'Name of the webhook in the merchant portal',
    placeholder: 'e.g. Paid invoices to CRM',
  });

export const webhookEvents = (description: string): Field => eventList({ ...events, label: 'Events', description });

/** Expressions can return event names that aren't in the list. */
export const webhookEvent = (fact: TextFact): Field =>
  openChoice(
    {
      ...fact,
      label: 'Event',
      description: 'Name of the event. Expressions can return other names.',
      pattern: { matches: /^\w{1,64}$/, allowed: 'must be the name of one event, e.g. invoice_paid' },
    },
    { typeOptions: { loadOptionsMethod: 'getSingleEvents' }, default: 'invoice_paid' },
  );

/** Recipients of the suspension notice, and authentication of events. */
export const deliveryFields = (): Field[] => [
  emailList({
    ...email_address,
    label: 'Email Addresses',
    description: 'Comma-separated email addresses to notify if the service suspends the webhook',
  }),
  choice({
    ...auth_type,
    label: 'Authentication Type',
    description: 'Authentication that the service uses for its notifications',
    options: [
      { name: 'Basic', value: 'BASIC' },
      { name: 'None', value: 'NONE' },
    ],
  }),
  group({
    ...auth_settings,
    label: 'Authentication Settings',
    description: 'User name and password for Basic authentication',
    itemLabel: 'Authentication Settings',
    fields: [
      text({
        ...auth_settings.parts.user_name,
        label: 'User Name',
        notIdentifying: false,
        description: 'User name that the service sends with each notification',
        required: true,
      }),
      text({
        ...auth_settings.parts.user_password,
        label: 'Password',
        notIdentifying: false,
        description: 'Password that the service sends with each notification',
        required: true,
      }),
    ],
  }),
];

export const confirmTrigger = (): Field =>
  boolean({
    name: 'changeTriggerWebhook',
    label: "Change a Trigger's Webhook",
    description:
      'Whether to allow changes to a webhook that belongs to a Payment Platform Trigger. The trigger may then miss events. At its next activation, the trigger restores its own settings, or creates a new webhook if the label or URL changed.',
    place: 'node',
  });

/** Authentication settings and the type Basic require each other. */
export const settingsProblem = (settings: unknown): Problem => ({
  label: 'Authentication Settings',
  found: settings === undefined ? 'nothing' : 'a user name and password',
  allowed: 'require the Authentication Type "Basic"',
});

/** Identifies webhooks of n8n triggers. */
export const withOwner = (record: IDataObject): IDataObject => ({
  ...record,
  belongs_to_trigger: isOfTrigger(record),
});

export const mainWebhookFields = (record: Given<RecordOf<'getWebhook'>> & { belongs_to_trigger?: boolean }) =>
  only(record, [
    'webhook_id',
    'label',
    'notification_url',
    'status',
    'belongs_to_trigger',
    'auth_type',
    'db_timestamp',
  ]);
