import type { IDataObject } from 'n8n-workflow';
import { boolean, choice } from '../../fields/kinds/choice';
import { contact } from '../../fields/kinds/contact';
import { calendarDate } from '../../fields/kinds/date';
import { group } from '../../fields/kinds/group';
import { locator } from '../../fields/kinds/locator';
import { amount } from '../../fields/kinds/number';
import { text } from '../../fields/kinds/text';
import type { Field, FieldOptions, Problem } from '../../fields/types';
import { isEmpty } from '../../fields/value';
import { inMoney } from '../../messages/what-happened';
import type { Refusal } from '../../model/failure';
import type { Given, RecordOf } from '../../model/operation';
import { asText, objectIn, only } from '../../shared/objects';
import type { ObjectFact, TextFact } from '../../wire/facts';
import { CheckoutSettings, type Contact, CreateInvoiceRequest, LineItem, SalesTax } from '../../wire/schemas';

export const invoiceId = (fact: TextFact): Field =>
  locator({
    ...fact,
    label: 'Invoice',
    description: 'Search by invoice number, name, amount or due date, or enter the invoice_id',
    search: 'searchInvoices',
    placeholder: 'e.g. 100234',
  });

/** Returns the invoice number, or the ID of an invoice without a number. */
export const nameInvoice = (record: { invoice_number?: unknown }, id: unknown): string =>
  asText(record.invoice_number) || asText(id);

/** Defaults to U.S. dollars (service.md#values). */
export const inCurrency = (amount: unknown, { tran_currency: currency }: { tran_currency?: unknown }): string =>
  inMoney(amount, currency ?? CreateInvoiceRequest.tran_currency.serverDefault);

export const OWN_CONTACT = 'its billing contact';

export const NO_ADDRESS: Refusal = {
  pattern: /\bemail_address\b.*\brequired\b/,
  what: 'This invoice has no recipient',
  advice: 'Enter "Email Addresses".',
};

export const WAS_CANCELED: Refusal = {
  pattern: /\bCANCELED\b/,
  what: 'This invoice was canceled',
  advice: "Create a new invoice, because a canceled invoice can't be sent.",
};

/** Line items (openapi.yaml#LineItem). */
export const lineItems = (more: Pick<FieldOptions, 'default'> = {}): Field =>
  group({
    ...CreateInvoiceRequest.line_items,
    ...more,
    label: 'Line Items',
    description: 'Goods and services to charge for. An invoice needs at least one line and a total of more than 0.',
    itemLabel: 'Line Item',
    topLevel: true,
    fields: [
      text({
        ...LineItem.description,
        label: 'Description',
        notIdentifying: true,
        description: 'Text shown to the customer on the invoice',
        placeholder: 'e.g. Consulting, March',
        required: true,
      }),
      amount({
        ...LineItem.quantity,
        label: 'Quantity',
        description: 'Number of units',
        placeholder: 'e.g. 2',
        required: true,
        default: 1,
      }),
      amount({
        ...LineItem.unit_cost,
        label: 'Unit Cost',
        description: 'Price of one unit, e.g. 12.50. Enter a negative price for a discount.',
        required: true,
      }),
    ],
  });

export const salesTax = (): Field =>
  group({
    ...CreateInvoiceRequest.sales_tax,
    label: 'Sales Tax',
    description: 'Tax on the subtotal, as a rate or an amount',
    itemLabel: 'Sales Tax',
    fields: [
      choice({
        ...SalesTax.type,
        label: 'Type',
        description: 'Type of tax: a percentage or a fixed amount',
        required: true,
        options: [
          { name: 'Amount', value: 'AMOUNT' },
          { name: 'Percentage', value: 'RATE' },
        ],
        default: 'RATE',
      }),
      amount({
        ...SalesTax.value,
        label: 'Percent or Amount',
        description: 'Tax rate in percent or tax amount, e.g. 8.25',
        placeholder: 'e.g. 8.25',
        required: true,
        zero: true,
      }),
    ],
  });

export const checkoutSettings = (): Field =>
  group({
    ...CreateInvoiceRequest.checkout_settings,
    label: 'Checkout Settings',
    notIdentifying: true,
    description: 'Payment settings for the hosted page',
    itemLabel: 'Checkout Setting',
    fields: [
      boolean({
        ...CheckoutSettings.allow_ach_payment,
        label: 'Allow Bank Accounts (ACH)',
        description: 'Whether the customer can pay from a bank account',
        default: true,
      }),
      boolean({
        ...CheckoutSettings.allow_partial_payments,
        label: 'Allow Partial Payments',
        description: 'Whether the customer can pay less than the balance',
        default: true,
      }),
      boolean({
        ...CheckoutSettings.email_receipt,
        label: 'Email Receipt',
        description: 'Whether to email a receipt to the customer',
        default: true,
      }),
    ],
  });

export const mainInvoiceFields = (record: Given<RecordOf<'createInvoice'>>): IDataObject =>
  only(record, [
    'invoice_id',
    'invoice_number',
    'customer_id',
    'status',
    'amt_tran',
    'amt_balance',
    'tran_currency',
    'date_due',
    'invoice_link',
  ]);

type ContactFact = ObjectFact<typeof Contact> & { type: 'object' };

export const billingContact = (fact: ContactFact): Field =>
  contact({
    ...fact,
    label: 'Billing Contact',
    description: 'Recipient of the invoice',
    needed: ['first_name', 'last_name', 'email_address'],
  });

export const fromContact = (fact: ContactFact): Field =>
  contact({
    ...fact,
    label: 'Sender Contact',
    notIdentifying: true,
    description: 'Person or company that sends the invoice',
    needed: ['firm_name', 'phone', 'email_address'],
  });

const CONTACTS = { billing_contact: 'Billing Contact', from_contact: 'Sender Contact' };

/** Each contact needs an email address (openapi.yaml#Contact). */
export const checkContacts = (body: IDataObject): Problem[] =>
  Object.entries(CONTACTS).flatMap(([name, label]) => {
    const contact = body[name];
    const isReachable = contact === undefined || !isEmpty(objectIn(contact).email_address);
    return isReachable ? [] : [{ label: `${label} > Email (Required)`, found: 'nothing', allowed: 'is required' }];
  });

export const invoiceDate = (): Field =>
  calendarDate({
    ...CreateInvoiceRequest.date_invoice,
    label: 'Invoice Date',
    notIdentifying: true,
    description: 'Date shown on the invoice.',
  });

export const printedNotes = (): Field[] => [
  text({
    ...CreateInvoiceRequest.payment_terms_note,
    label: 'Payment Terms Note',
    notIdentifying: true,
    description: 'Text shown with the payment terms',
  }),
  text({
    ...CreateInvoiceRequest.footer_note,
    label: 'Footer Note',
    notIdentifying: true,
    description: 'Text shown at the bottom of the invoice',
  }),
];
