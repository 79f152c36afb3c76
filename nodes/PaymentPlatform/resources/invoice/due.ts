import type { IDataObject } from 'n8n-workflow';

import { choice } from '../../fields/kinds/choice';
import { calendarDate } from '../../fields/kinds/date';
import { group } from '../../fields/kinds/group';
import { composite } from '../../fields/kinds/composite';
import { integer } from '../../fields/kinds/number';
import { text } from '../../fields/kinds/text';
import type { CompositeField } from '../../fields/types';
import { asText } from '../../shared/objects';
import { CreateInvoiceRequest, PaymentTerm } from '../../wire/schemas';

const day = calendarDate({
  name: CreateInvoiceRequest.payment_terms.parameter,
  label: 'Due Date',
  notIdentifying: true,
  place: 'node',
  description:
    'Date on which the payment is due. For a new invoice, defaults to the invoice date, which is today unless you enter one.',
});

const days = integer({
  name: 'dueAfterDays',
  label: 'Due After (Days)',
  notIdentifying: true,
  place: 'node',
  description:
    "Number of days from the invoice date until the payment is due, e.g. 30. Leave empty if you enter a 'Due Date'.",
  placeholder: 'e.g. 30',
});

/** The request contains payment terms. The editor shows a date and a number of days instead. */
const terms = group({
  ...CreateInvoiceRequest.payment_terms,
  label: 'Payment Terms',
  notIdentifying: true,
  description: 'Due date, or number of days from the invoice date until the payment is due',
  itemLabel: 'Payment Terms',
  fields: [
    choice({
      ...PaymentTerm.type,
      label: 'Type',
      description: 'Kind of value: a date or a number of days',
      options: [
        { name: 'Date', value: 'DATE' },
        { name: 'Days After the Invoice Date', value: 'DAYS' },
      ],
    }),
    text({ ...PaymentTerm.value, label: 'Value', description: 'Due date or number of days' }),
  ],
});

/** Due date, or a number of days after the invoice date (openapi.yaml#PaymentTerm). */
export const due = (): CompositeField =>
  composite(terms, [day, days], ({ read, problem }): IDataObject | undefined => {
    const [on, after] = [read(day), read(days)];
    if (on !== undefined && after !== undefined)
      return problem({
        label: day.label,
        found: 'both values',
        allowed: `can't be combined with "${days.label}"`,
      });
    if (typeof on === 'string') return { type: 'DATE', value: on.slice(0, 10) };
    return after === undefined ? undefined : { type: 'DAYS', value: asText(after) };
  });
