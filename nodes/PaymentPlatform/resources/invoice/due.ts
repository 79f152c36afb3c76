import type { IDataObject } from 'n8n-workflow';

import { choice } from '../../fields/kinds/choice';
import { calendarDate } from '../../fields/kinds/date';
import { group } from '../../fields/kinds/group';
import { composite } from '../../fields/kinds/composite';
import { integer } from '../../fields/kinds/number';
import { text } from '../../fields/kinds/text';
import type { JoinedField } from '../../fields/types';
import { asText } from '../../shared/objects';
import { CreateInvoiceRequest, PaymentTerm } from '../../wire/schemas';

const day = calendarDate({
  name: CreateInvoiceRequest.payment_terms.parameter,
  label: 'Due Date',
  wording: true,
  place: 'node',
  description:
    'Day by which the customer must pay. Without a due date, the invoice is due on its invoice date, which is today by default.',
});

const days = integer({
  name: 'dueAfterDays',
  label: 'Due After (Days)',
  wording: true,
  place: 'node',
  description: 'Instead of a due date: how many days after the invoice date the invoice is to be paid',
  placeholder: 'e.g. 30',
});

/** As it stands on the wire; the editor asks for a day or a number of days instead. */
const terms = group({
  ...CreateInvoiceRequest.payment_terms,
  label: 'Payment Terms',
  wording: true,
  description: 'When the invoice must be paid',
  itemLabel: 'Payment Terms',
  fields: [
    choice({
      ...PaymentTerm.type,
      label: 'Type',
      description: 'Whether the value is a number of days or a date',
      options: [
        { name: 'Date', value: 'DATE' },
        { name: 'Days After the Invoice Date', value: 'DAYS' },
      ],
    }),
    text({ ...PaymentTerm.value, label: 'Value', description: 'The number of days or the date' }),
  ],
});

/** When an invoice must be paid (openapi.yaml#PaymentTerm): by a day, or a number of days after the invoice date. */
export const due = (): JoinedField =>
  composite(terms, [day, days], ({ read, problem }): IDataObject | undefined => {
    const [on, after] = [read(day), read(days)];
    if (on !== undefined && after !== undefined)
      return problem({
        label: day.label,
        found: `"${days.label}" as well`,
        allowed: 'can be given in one of the two ways only',
      });
    if (typeof on === 'string') return { type: 'DATE', value: on.slice(0, 10) };
    return after === undefined ? undefined : { type: 'DAYS', value: asText(after) };
  });
