import { currency, customerId, profileId } from '../../fields/common';
import { text } from '../../fields/kinds/text';
import { customerWords } from '../../messages/what-happened';
import { operation, type ValuesOf } from '../../model/operation';
import type { Money } from '../../model/types';
import { keeps } from '../merge-with-current';
import { completing, keepInvoice } from './completed';
import {
  billingContact,
  checkContacts,
  fromContact,
  invoiceDate,
  printedNotes,
  nameInvoice,
  checkoutSettings,
  inCurrency,
  invoiceId,
  lineItems,
  mainInvoiceFields,
  salesTax,
  WAS_CANCELED,
} from './fields';
import { due } from './due';
import { checkLines, freeLine } from './lines';
import * as wire from '../../wire/operations';

const { body, path, request } = wire.updateDraftInvoice;

/** The service requires these fields, so the node sends their current values if the user enters none. */
const NEEDED = { [body.customer_id.name]: 'Customer', [body.invoice_number.name]: 'Invoice Number' };

const missing = (given: object) =>
  Object.entries(NEEDED)
    .filter(([name]) => !(name in given))
    .map(([, label]) => ({
      label,
      found: 'nothing',
      allowed: 'is required while "Leave Empty Fields Unchanged" is off',
    }));

/**
 * Line items and tax together determine the amount of an invoice. If an item changes only one of them, the amount is
 * unknown.
 */
function moneyOfChange({ values: { body: given } }: { values: ValuesOf<'updateDraftInvoice'> }): Money<never> {
  const { line_items: lines, sales_tax: tax, tran_currency: currencyCode, customer_id: customer } = given;
  if (lines !== undefined && tax !== undefined) return 'named';
  return [lines, tax, currencyCode, customer].every((one) => one === undefined) ? 'named' : 'untold';
}

export const update = operation({
  value: 'update',
  name: 'Update Draft',
  action: 'Update draft invoice',
  description: 'Update an invoice that has not been sent. Empty fields keep their current values.',
  moneyEffect: 'No money moves until the customer pays.',
  request,
  money: moneyOfChange,
  fields: [
    invoiceId(path.invoice_id),
    keepInvoice(),
    customerId(body.customer_id, {
      required: false,
      description:
        "Customer to reassign the invoice to. Leave empty to keep the current customer. If you change the customer, also add 'Billing Contact'. Search by name, email address or reference, or enter the ID.",
    }),
    text({
      ...body.invoice_number,
      required: false,
      label: 'Invoice Number',
      notIdentifying: true,
      description: 'Your invoice number, e.g. from your CRM. Leave empty to keep the current number.',
      placeholder: 'e.g. INV-1001',
    }),
    lineItems(),
  ],
  additional: [
    due(),
    currency(body.tran_currency),
    salesTax(),
    invoiceDate(),
    ...printedNotes(),
    checkoutSettings(),
    billingContact(body.billing_contact),
    fromContact(body.from_contact),
    profileId(body.profile_id),
  ],
  check: (values) => [
    ...(Object.keys(values.body).length === 0
      ? [
          {
            label: 'Line Items',
            found: 'nothing',
            allowed: 'is required, unless you enter a value in another field',
          },
        ]
      : keeps(values)
        ? []
        : [...missing(values.body), ...checkContacts(values.body)]),
    ...(values.body.line_items === undefined ? [] : checkLines(values.body.line_items)),
  ],
  notice: (values) => freeLine(values.body.line_items),
  steps: { sends: [request], each: [completing(request, body, NEEDED)] },
  simplified: mainInvoiceFields,
  target: 'customer_id',
  summary: (record, values) => {
    const total = record.amt_tran === undefined ? '' : ` to a total of ${inCurrency(record.amt_tran, record)}`;
    return `Updated draft invoice ${nameInvoice(record, values.path.invoice_id)}${customerWords(record)}${total}.`;
  },
  refusals: [
    {
      pattern: /\bOUTSTANDING\b/,
      what: 'On a sent invoice, only the contacts can be changed',
      advice: 'Use Invoice > Update Contacts, or cancel the invoice and send a corrected copy.',
    },
    { pattern: /\bPAID\b/, what: "A paid invoice can't be changed", advice: 'Create another invoice instead.' },
    WAS_CANCELED,
  ],
  lookUp: 'Repeating the same update has no further effect.',
});
