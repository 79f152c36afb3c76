import { emailList, phoneList } from '../../fields/kinds/multiple-values';
import type { FieldPlace, ValueField } from '../../fields/types';
import { recipients } from '../../messages/what-happened';
import { operation, type Given, type RecordOf, type ValuesOf } from '../../model/operation';
import type { Refusal } from '../../model/failure';
import { asText, isList } from '../../shared/objects';
import { invoiceId, NO_ADDRESS, OWN_CONTACT, WAS_CANCELED } from './fields';
import { sendFootprint } from './footprint';
import * as wire from '../../wire/operations';

const NO_TEXT_ABROAD =
  'A phone number outside the United States received no text message. Send the invoice by email too.';

/**
 * The service sends text messages only to U.S. numbers (openapi.yaml#SendInvoiceRequest). Other countries, such as
 * Canada, use the country code 1 too.
 */
const isAbroad = (phone: unknown) => !/^1\d{10}$/.test(String(phone));

const { body } = wire.sendInvoice;

/** Email addresses and phone numbers of the recipients. */
export const recipientFields = (place: FieldPlace = 'body'): ValueField[] => [
  {
    ...emailList({
      ...body.email_address,
      label: 'Email Addresses',
      description:
        "Recipients of the email, separated by commas or line breaks. If both this field and 'Phone Numbers' are empty, the invoice goes to the billing contact.",
      placeholder: 'e.g. ana@example.com',
    }),
    place,
  },
  {
    ...phoneList({
      ...body.phone_number,
      label: 'Phone Numbers',
      description:
        'Phone numbers that receive a text message, with country code, e.g. +1 202 555 0143. Only U.S. numbers are supported, and text messages must be enabled for your account.',
      placeholder: 'e.g. +1 202 555 0143',
    }),
    place,
  },
];

type Recipients = ValuesOf<'sendInvoice'>['body'];

export const noteAbroad = ({ phone_number: phones }: Recipients): string | undefined =>
  isList(phones) && phones.some(isAbroad) ? NO_TEXT_ABROAD : undefined;

/** Adds the recipients to the output, because the response doesn't contain them. */
const withRecipients = (
  record: Given<RecordOf<'sendInvoice'>>,
  { body: { email_address, phone_number } }: Pick<ValuesOf<'sendInvoice'>, 'body'>,
) => ({
  ...record,
  ...(email_address && { email_address }),
  ...(phone_number && { phone_number }),
});

export const sentTo = (invoice: string, { email_address = [], phone_number = [] }: Recipients): string => {
  const phones = recipients(phone_number.map((phone) => `+${asText(phone)}`));
  const emails = recipients(email_address.map(asText)) || (phones === '' ? OWN_CONTACT : '');
  // No response shows whether a phone number received a text message.
  const ways = [emails && ` by email to ${emails}`, phones && `, text message requested for ${phones}`];
  return `${invoice}${ways.join('')}.`;
};

export const SEND_REFUSALS: Refusal[] = [
  {
    pattern: /\b(?:OUTSTANDING|PAID)\b/,
    what: 'This invoice was already sent',
    advice: 'To send the invoice again, use Invoice > Resend.',
  },
  WAS_CANCELED,
  NO_ADDRESS,
];

export const send = operation({
  value: 'send',
  name: 'Send',
  action: 'Send invoice',
  description: 'Send an invoice by email or, in the United States, by text message',
  request: wire.sendInvoice.request,
  fields: [invoiceId(wire.sendInvoice.path.invoice_id), ...recipientFields()],
  notice: (values) => noteAbroad(values.body),
  present: withRecipients,
  summary: (_, { path, body: to }) => sentTo(`Sent invoice ${path.invoice_id}`, to),
  refusals: SEND_REFUSALS,
  footprint: sendFootprint,
  lookUp: 'The recipients may have received the invoice. Sending an invoice moves no money.',
});
