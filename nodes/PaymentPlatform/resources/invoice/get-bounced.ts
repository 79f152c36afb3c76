import { daysField } from '../../fields/kinds/days';
import { filters, sorting } from '../../fields/kinds/filters-and-sorting';
import { operation, type KnownFields } from '../../model/operation';
import { statuses } from './get-all';
import * as wire from '../../wire/operations';

const reasons = [
  { name: 'Bounced', value: 'B' },
  { name: 'Not Sent (Address Disabled)', value: 'A' },
  { name: 'Not Sent (Address May Be Invalid)', value: 'O' },
];

const knownFields: KnownFields<'browseBouncedInvoices'> = [
  { name: 'Customer ID', value: 'customer_id' },
  { name: 'Invoice ID', value: 'invoice_id' },
  { name: 'Invoice Number', value: 'invoice_number' },
  { name: 'Reason', value: 'send_code', values: reasons },
  { name: 'Recorded At', value: 'db_timestamp' },
  { name: 'Status', value: 'status', values: statuses },
];

const days = { field: 'db_timestamp', of: 'emails that bounced' } as const;

export const getBounced = operation({
  value: 'getBounced',
  name: 'Get Bounced Emails',
  action: 'Get invoices whose email bounced',
  description: 'Retrieve invoice emails that bounced or were not sent, with their recipients',
  request: wire.browseBouncedInvoices.request,
  fields: [
    daysField(days),
    filters(wire.browseBouncedInvoices.query.filter, knownFields, days),
    sorting(wire.browseBouncedInvoices.query),
  ],
  // No field identifies a record, because an invoice can bounce several times.
  list: { fields: knownFields, day: [days.field] },
});
