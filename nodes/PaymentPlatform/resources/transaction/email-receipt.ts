import { gatewayFields } from '../../fields/common';
import { emailList } from '../../fields/kinds/multiple-values';
import { text } from '../../fields/kinds/text';
import { recipients } from '../../messages/what-happened';
import { operation } from '../../model/operation';
import { asText } from '../../shared/objects';
import { byReference, transactionField } from './find-transaction';
import * as wire from '../../wire/operations';

/** No record shows that the service sent a receipt. */
export const emailReceipt = operation({
  value: 'emailReceipt',
  name: 'Email Receipt',
  action: 'Email receipt of transaction',
  description: 'Email the receipt for a successful transaction',
  request: wire.emailReceipt.request,
  byReference,
  fields: [
    transactionField(wire.emailReceipt.path.pgId, 'Transaction whose receipt you want to send'),
    emailList({
      ...wire.emailReceipt.body.email_address,
      label: 'Email Addresses',
      description: 'Recipients of the email',
      placeholder: 'e.g. ana@example.com',
    }),
  ],
  additional: [
    text({
      ...wire.emailReceipt.body.logo_url,
      label: 'Logo URL',
      notIdentifying: true,
      description: 'URL of the logo in the email',
      placeholder: 'e.g. https://cdn.example.com/logo.png',
    }),
    ...gatewayFields(wire.emailReceipt.body),
  ],
  // Adds the recipients to the output, because the response doesn't contain them.
  present: (record, { body: { email_address } }) => ({ ...record, ...(email_address && { email_address }) }),
  summary: (_, { body: { email_address = [] } }) =>
    `Sent the receipt by email to ${recipients(email_address.map(asText))}.`,
  refusals: [
    {
      pattern: /\bdeclined?\b|\bfailed\b|\bnot (?:approved|successful)\b|\bvoided\b/i,
      what: 'This transaction was not successful, so it has no receipt',
      advice: 'Choose an approved transaction. Report > Get Many Transactions shows the status of each transaction.',
    },
  ],
  lookUp: "The node can't check whether the recipients received this receipt. Sending a receipt moves no money.",
});
