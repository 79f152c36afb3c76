import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { asText, objectIn } from '../shared/objects';
import { type Payload, recordsOf, withRecords } from './delivery';

interface FilterField {
  displayName: string;
  /** Name of the option. */
  name: string;
  placeholder: string;
  description: string;
  /** Fields of events, best first. */
  fields: readonly string[];
}

const FIELDS: FilterField[] = [
  {
    displayName: 'Only Amounts From',
    name: 'onlyAmountsFrom',
    placeholder: 'e.g. 100',
    description: 'Minimum amount of an event, in the main unit of its currency, e.g. dollars',
    fields: ['amt_dispute', 'amt_paid', 'amt_tran', 'recur_amt'],
  },
  {
    displayName: 'Only Customers',
    name: 'onlyCustomers',
    placeholder: 'e.g. C-1001, C-1002',
    description: 'Customer IDs, separated by commas. The trigger ignores events of other customers.',
    fields: ['customer_id'],
  },
  {
    displayName: 'Only Merchants',
    name: 'onlyMerchants',
    placeholder: 'e.g. 123456789012',
    description: 'Merchant IDs, separated by commas. The trigger ignores events of other merchants.',
    fields: ['merchant_id'],
  },
  {
    displayName: 'Only Statuses',
    name: 'onlyStatuses',
    placeholder: 'e.g. S, P',
    description: 'Statuses, separated by commas. The trigger ignores events with another status. Case matters.',
    fields: ['tran_status', 'status'],
  },
];

export const filterOptions: INodeProperties[] = [
  ...FIELDS.map(({ displayName, name, placeholder, description }): INodeProperties => ({
    displayName,
    name,
    type: 'string',
    default: '',
    placeholder,
    description,
  })),
  {
    displayName: "Only This Workflow's Requests",
    name: 'onlyOwnRequests',
    type: 'boolean',
    default: false,
    description:
      "Whether to ignore events about account updater requests that no Payment Platform node of this workflow submitted. If n8n's database does not show who submitted a request, the trigger emits the event with a notice.",
  },
  {
    displayName: 'Ignore If Field Is Missing',
    name: 'ignoreWithout',
    type: 'boolean',
    default: false,
    description:
      'Whether to ignore events that do not contain a field that an option filters. If this is off, the trigger emits these events.',
  },
];

/** Returns whether an event may start the workflow. */
export type EventFilter = (record: IDataObject) => boolean;

export function readFilter(options: IDataObject): EventFilter {
  const wanted = FIELDS.map(({ name, fields }) => ({ name, fields, given: asText(options[name]).trim() })).filter(
    ({ given }) => given !== '',
  );
  return (record) =>
    wanted.every(({ name, fields, given }) => {
      const all = { ...objectIn(record.customer), ...record };
      const value = fields.map((field) => asText(all[field]).trim()).find((text) => text !== '');
      if (value === undefined) return options.ignoreWithout !== true;
      return name === 'onlyAmountsFrom' ? isFrom(Number(value), Number(given)) : given.split(/[\s,;]+/).includes(value);
    });
}

/** Returns whether the text is empty or a minimum amount. The activation refuses other texts. */
export const isAmount = (text: string): boolean => text === '' || (Number(text) >= 0 && Number(text) < Infinity);

/** Refunds can have a negative amount. If an expression changes to an unreadable text later, no event is lost. */
const isFrom = (amount: number, least: number) => !(Math.abs(amount) < least);

/** Returns the delivery with the records that pass, or `undefined` if none does. */
export function filterPayload(payload: Payload, passes: EventFilter): Payload | undefined {
  const records = recordsOf(payload);
  if (!records) return passes(objectIn(payload.data)) ? payload : undefined;
  const left = records.filter(passes);
  if (left.length === records.length) return payload;
  return left.length === 0 ? undefined : withRecords(payload, records, left);
}
