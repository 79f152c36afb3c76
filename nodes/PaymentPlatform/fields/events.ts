import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { asText, isList, textsIn } from '../shared/objects';
import { composite } from './kinds/composite';
import { entries, nameList } from './kinds/multiple-values';
import type { FieldOptions, CompositeField, ValueField } from './types';

/** Requests never contain this value, because the interface doesn't define a webhook for all events. */
export const ALL_EVENTS = '*';

/** The service checks a webhook's address with this event, which doesn't start the workflow. */
export const PROBE_EVENT = 'validate_url';

interface EventGroup {
  label: string;
  events: Array<{ value: string; label: string; description: string }>;
}

/** Known events (service.md#events). The service may define more. */
export const EVENT_GROUPS: EventGroup[] = [
  {
    label: 'Account Updater',
    events: [
      {
        value: 'account_updater_request_completed',
        label: 'Request Completed',
        description: 'The response to an account updater request was received',
      },
      {
        value: 'account_updater_request_created',
        label: 'Request Created',
        description: 'The service created an account updater request',
      },
    ],
  },
  {
    label: 'Checkout',
    events: [
      {
        value: 'checkout_payment_failure',
        label: 'Payment Failed',
        description: 'A payment on a hosted checkout page was declined',
      },
      {
        value: 'checkout_payment_success',
        label: 'Payment Succeeded',
        description: 'A customer paid on a hosted checkout page',
      },
    ],
  },
  {
    label: 'Dispute',
    events: [
      {
        value: 'dispute_update',
        label: 'Updated',
        description: 'A customer disputed a payment, or the status of a dispute changed',
      },
    ],
  },
  {
    label: 'Invoice',
    events: [
      {
        value: 'invoice_email_undeliverable',
        label: 'Email Undeliverable',
        description: 'An invoice email bounced',
      },
      { value: 'invoice_paid', label: 'Paid', description: 'An invoice was paid in full' },
      {
        value: 'invoice_payment_failure',
        label: 'Payment Failed',
        description: 'A payment on an invoice failed',
      },
      {
        value: 'invoice_payment_success',
        label: 'Payment Succeeded',
        description: 'A payment on an invoice was approved. The invoice can still have a balance.',
      },
    ],
  },
  {
    label: 'Merchant Portal',
    events: [
      {
        value: 'qp_manager_capture_success',
        label: 'Capture Succeeded',
        description: 'A user captured a payment in the merchant portal',
      },
      {
        value: 'qp_manager_refund_success',
        label: 'Refund Succeeded',
        description: 'A user refunded a payment in the merchant portal',
      },
      {
        value: 'qp_manager_void_success',
        label: 'Void Succeeded',
        description: 'A user voided a payment in the merchant portal',
      },
    ],
  },
  {
    label: 'Subscription',
    events: [
      {
        value: 'subscription_complete',
        label: 'Completed',
        description: 'The last billing cycle of a subscription is complete',
      },
      {
        value: 'subscription_payment_failure',
        label: 'Payment Failed',
        description: 'A recurring payment failed',
      },
      {
        value: 'subscription_payment_success',
        label: 'Payment Succeeded',
        description: 'A recurring payment was approved',
      },
      {
        value: 'subscription_suspended',
        label: 'Suspended',
        description: 'The service suspended a subscription, e.g. after declined payments',
      },
    ],
  },
  {
    label: 'Transaction',
    events: [
      {
        value: 'transaction_status_updated',
        label: 'Status Updated',
        description: 'The status of one or more transactions changed, e.g. to settled',
      },
    ],
  },
];

export const singleEvents: INodePropertyOptions[] = EVENT_GROUPS.flatMap(({ label: group, events }) =>
  events.map(({ value, label, description }) => ({ name: `${group} ${label}`, value, description })),
);

export const eventOptions: INodePropertyOptions[] = [
  {
    name: 'All Events',
    value: ALL_EVENTS,
    description: "All events in this list. To add other events, use 'Other Event Names'.",
  },
  ...singleEvents,
];

export const wantsAll = (selected: unknown): boolean => listed(selected).includes(ALL_EVENTS);

/**
 * Returns unique names in alphabetical order.
 * @param selected events from the list, or text from an expression.
 * @param typed further names, separated by commas or spaces.
 */
export function chosenEvents(selected: unknown, typed: string): string[] {
  const names = [...listed(selected), ...(wantsAll(selected) ? KNOWN_EVENTS : []), ...namesIn(typed)];
  return [...new Set(names)].filter((name) => !['', ALL_EVENTS, PROBE_EVENT].includes(name)).sort();
}

const KNOWN_EVENTS = EVENT_GROUPS.flatMap(({ events }) => events.map(({ value }) => value));
const listed = (selected: unknown) => (isList(selected) ? selected.map(String) : namesIn(asText(selected)));
const namesIn = (text: string) => text.split(/[\s,;]+/);

export const FURTHER = 'API names of additional events, separated by commas';

/** Returns a list of known events and a text field for other names. */
export const eventParameters = (
  listed: Pick<INodeProperties, 'displayName' | 'description'>,
  typed: string,
): [INodeProperties, INodeProperties] => [
  {
    ...listed,
    name: 'events',
    type: 'multiOptions',
    options: eventOptions,
    default: [],
  },
  {
    displayName: 'Other Event Names',
    name: 'customEvents',
    type: 'string',
    default: '',
    placeholder: 'e.g. first_event_name, second_event_name',
    description: typed,
  },
];

export function eventList(options: FieldOptions & { type?: 'texts' }): CompositeField {
  const [listed, typed] = eventParameters({ displayName: options.label, description: options.description }, FURTHER);
  const names = nameList(options);
  const all: ValueField = {
    ...names,
    // The editor loads the options on demand, so that the node's description doesn't repeat them.
    property: { ...listed, options: undefined, typeOptions: { loadOptionsMethod: 'getEvents' } },
    convert: (value, ...rest) => {
      const chosen = entries(value).filter((name) => name !== ALL_EVENTS);
      const known = wantsAll(entries(value)) ? KNOWN_EVENTS : [];
      return names.convert([...known, ...chosen], ...rest);
    },
  };
  const others: ValueField = {
    ...nameList({ ...options, name: typed.name, label: typed.displayName }),
    property: typed,
  };
  return composite(all, [all, others], ({ read }) => {
    const list = [...new Set([...textsIn(read(all)), ...textsIn(read(others))])];
    return list.length === 0 ? undefined : list;
  });
}
