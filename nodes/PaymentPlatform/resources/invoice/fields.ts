import type { IDataObject } from 'n8n-workflow';

import { boolean, choice } from '../../fields/choice';
import { calendarDay } from '../../fields/date';
import { group } from '../../fields/group';
import { locator } from '../../fields/locator';
import { amount } from '../../fields/number';
import { text } from '../../fields/text';
import type { Field, Problem, ReadContext } from '../../fields/types';
import { describe } from '../../fields/value';
import { asText } from '../../shared/objects';
import type { TextFact } from '../../wire/facts';
import { CheckoutSettings, CreateInvoiceRequest, LineItem, PaymentTerm, SalesTax } from '../../wire/schemas';

/** The invoice that a path names. */
export const invoiceId = (fact: TextFact): Field =>
  locator({
    ...fact,
    label: 'Invoice',
    description:
      'Search the list by invoice number, name, amount or due date, or give the invoice_id that the service gave when the invoice was created',
    search: 'searchInvoices',
    placeholder: 'e.g. 100234',
  });

/** What is charged (openapi.yaml#LineItem). */
export const lineItems = (): Field =>
  group({
    ...CreateInvoiceRequest.line_items,
    label: 'Line Items',
    description: 'What is charged: at least one line, and more than 0 together',
    itemLabel: 'Line Item',
    topLevel: true,
    fields: [
      amount({
        ...LineItem.quantity,
        label: 'Quantity',
        description: 'How many units are charged',
        placeholder: 'e.g. 2',
        required: true,
        default: 1,
      }),
      text({
        ...LineItem.description,
        label: 'Description',
        wording: true,
        description: 'What the customer reads on the invoice',
        placeholder: 'e.g. Consulting, March',
        required: true,
      }),
      amount({
        ...LineItem.unit_cost,
        label: 'Unit Cost',
        description: 'Price of one unit, e.g. 12.50. A negative price is a discount.',
        required: true,
      }),
    ],
  });

/** Tax on the whole invoice: a rate in percent or an amount. */
export const salesTax = (): Field =>
  group({
    ...CreateInvoiceRequest.sales_tax,
    label: 'Sales Tax',
    description: 'Tax on the whole invoice',
    itemLabel: 'Sales Tax',
    fields: [
      choice({
        ...SalesTax.type,
        label: 'Type',
        description: 'Whether the tax is a percentage of the invoice or an amount',
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
        description: 'The rate in percent, e.g. 8.25, or the amount',
        placeholder: 'e.g. 8.25',
        required: true,
        zero: true,
      }),
    ],
  });

/** When the invoice must be paid: after a number of days, or on a date; the value must be what its type says. */
export const paymentTerms = (): Field =>
  group({
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
        required: true,
        options: [
          { name: 'Date', value: 'DATE' },
          { name: 'Days After the Invoice Date', value: 'DAYS' },
        ],
        default: 'DAYS',
      }),
      text({
        ...PaymentTerm.value,
        label: 'Value',
        description: 'Number of days, e.g. 30, or the due date as yyyy-MM-dd',
        placeholder: 'e.g. 30',
        required: true,
        pattern: {
          matches: /^(\d{1,3}|\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]))$/,
          allowed: 'must be a number of days such as 30, or a date such as 2026-03-31',
        },
      }),
    ],
    rule: termsAsTyped,
  });

function termsAsTyped({ type, value }: IDataObject, { timezone }: ReadContext): Problem[] {
  if (type === undefined || value === undefined) return [];
  const fits = type === 'DATE' ? calendarDay(value, timezone) !== undefined : /^\d+$/.test(asText(value));
  const allowed =
    type === 'DATE'
      ? 'must be a date such as 2026-03-31 for the type Date'
      : 'must be a number of days such as 30 for the type Days After the Invoice Date';
  return fits ? [] : [{ label: 'Value', found: describe(value), allowed }];
}

/** How the customer may pay on the hosted page. */
export const checkoutSettings = (): Field =>
  group({
    ...CreateInvoiceRequest.checkout_settings,
    label: 'Checkout Settings',
    wording: true,
    description: 'How the customer may pay on the hosted page',
    itemLabel: 'Checkout Settings',
    fields: [
      boolean({
        ...CheckoutSettings.allow_ach_payment,
        label: 'Allow ACH Payment',
        description: 'Whether the customer may pay from a bank account',
      }),
      boolean({
        ...CheckoutSettings.allow_partial_payments,
        label: 'Allow Partial Payments',
        description: 'Whether the customer may pay less than the balance',
      }),
      boolean({
        ...CheckoutSettings.email_receipt,
        label: 'Email Receipt',
        description: 'Whether the customer gets a receipt by email',
      }),
    ],
  });
