import { boolean } from '../../fields/kinds/choice';
import { currency, generateReference, IN_DOLLARS, customerId, profileId } from '../../fields/common';
import { text } from '../../fields/kinds/text';
import { firstShort, onDay } from '../../messages/what-happened';
import { operation } from '../../model/operation';
import { asText } from '../../shared/objects';
import {
  billingContact,
  checkContacts,
  fromContact,
  invoiceDate,
  printedNotes,
  checkoutSettings,
  inCurrency,
  lineItems,
  mainInvoiceFields,
  salesTax,
} from './fields';
import { due } from './due';
import { checkLines, freeLine } from './lines';
import { customerAsContact, recipientWords } from './recipient';
import { invoiceFootprint } from './footprint';
import { noteAbroad } from './send';
import { recipientsIn, sendingNow, sendNowFields } from './send-now';
import * as wire from '../../wire/operations';

export const create = operation({
  value: 'create',
  name: 'Create',
  action: 'Create invoice',
  description: "Create a draft invoice, which is due today unless you add a due date, and send it if 'Send Now' is on",
  moneyEffect: 'No money moves until the customer pays.',
  request: wire.createInvoice.request,
  fields: [
    customerId(wire.createInvoice.body.customer_id, {
      description:
        "Customer to bill. To bill a customer who is not in the vault yet, choose By ID, enter a new ID and add 'Save Customer'.",
    }),
    text({
      ...wire.createInvoice.body.invoice_number,
      label: 'Invoice Number',
      notIdentifying: true,
      description: 'Your invoice number, e.g. from your CRM. Use a different number for each invoice.',
      placeholder: 'e.g. INV-1001',
    }),
    lineItems({ default: { item: [{}] } }),
    ...sendNowFields(),
  ],
  additional: [
    generateReference,
    due(),
    boolean({
      ...wire.createInvoice.body.save_customer,
      label: 'Save Customer',
      notIdentifying: true,
      description: 'Whether to save a new customer to the vault',
      default: true,
    }),
    currency(wire.createInvoice.body.tran_currency, { fallback: IN_DOLLARS }),
    salesTax(),
    invoiceDate(),
    ...printedNotes(),
    checkoutSettings(),
    billingContact(wire.createInvoice.body.billing_contact),
    fromContact(wire.createInvoice.body.from_contact),
    profileId(wire.createInvoice.body.profile_id),
  ],
  completion: customerAsContact,
  optionalSteps: sendingNow,
  summary: (record, values) => {
    const { amt_tran, invoice_id, date_due } = record;
    const created = [
      'Created draft invoice',
      asText(values.body.invoice_number ?? invoice_id),
      amt_tran === undefined ? '' : `for ${inCurrency(amt_tran, record)}`,
    ];
    const draft = created.filter(Boolean).join(' ');
    return firstShort(recipientWords(record, values).map((whose) => `${draft} ${whose}${onDay(', due ', date_due)}.`));
  },
  check: ({ body }) => [...checkLines(body.line_items), ...checkContacts(body)],
  notice: (values) => freeLine(values.body.line_items) ?? noteAbroad(recipientsIn(values)),
  simplified: mainInvoiceFields,
  refusals: [
    {
      pattern: /\bsave_customer\b|not in the vault/,
      what: 'This customer is not in the vault',
      advice: 'Select a saved customer, or add "Save Customer" and "Billing Contact" to save a new customer.',
    },
    {
      pattern: /\bcustomer_(?:firm|first|last)_name\b/,
      what: 'A new customer needs a name',
      advice: 'Add a first and last name, or a company name, to the "Billing Contact".',
    },
  ],
  sameObject: 'customer_id',
  target: 'customer_id',
  reference: { name: 'invoice_number', isOptional: true },
  footprint: invoiceFootprint,
  lookUp: 'Look for the invoice of customer {customer_id}[ with the number {invoice_number}] in Invoice > Get Many.',
});
