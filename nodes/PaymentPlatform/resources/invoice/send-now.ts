import type { IDataObject } from 'n8n-workflow';

import { boolean } from '../../fields/kinds/choice';
import { when } from '../../fields/kinds/when';
import type { Field } from '../../fields/types';
import { customerWords, WHAT_HAPPENED } from '../../messages/what-happened';
import { likeAmount, likeText } from '../../model/likeness';
import type { ValuesOf } from '../../model/operation';
import type { Step, Steps } from '../../model/types';
import { asText, comparableText, isList, objectIn } from '../../shared/objects';
import * as wire from '../../wire/operations';
import { lookAt } from '../merge-with-current';
import { inCurrency, nameInvoice } from './fields';
import { SENT } from './footprint';
import { recipientFields, SEND_REFUSALS, sentTo } from './send';

type Values = ValuesOf<'createInvoice'>;

const sendNow = boolean({
  name: 'sendNow',
  place: 'node',
  label: 'Send Now',
  description:
    'Whether to send the invoice after the node creates it. If sending fails, the error contains the ID of the draft.',
});

export const sendNowFields = (): Field[] => [
  sendNow,
  ...recipientFields('node').map((field) => when(sendNow, ['true'], field)),
];

export const recipientsIn = ({
  node: { email_address: emails, phone_number: phones },
}: Values): ValuesOf<'sendInvoice'>['body'] => ({
  ...(isList(emails) && { email_address: emails.map(asText) }),
  ...(isList(phones) && { phone_number: phones.map(Number) }),
});

const idOf = (invoice: IDataObject | undefined): string => comparableText(invoice?.invoice_id);

const OBSOLETE: ReadonlySet<string> = new Set([WHAT_HAPPENED, 'status', 'status_text']);

const createDraft: Step<Values> = {
  decide: (_, { body }) => ({ request: { to: wire.createInvoice.request, body } }),
};

/** A person may turn the draft into the invoice of another customer before a retry. */
const isOther = (invoice: IDataObject, draft: IDataObject = {}): boolean =>
  likeAmount(invoice.amt_tran, draft.amt_tran) === 'different' ||
  ['customer_id', 'invoice_number', 'tran_currency'].some(
    (name) => likeText(invoice[name], draft[name]) === 'different',
  );

const sendDraft: Step<Values> = {
  look: (_, [draft]) =>
    idOf(draft) === ''
      ? undefined
      : lookAt(wire.getInvoiceDetail.request, { path: { invoice_id: idOf(draft) }, body: {} }),
  decide: ([invoice], values, [draft]) => {
    const id = idOf(draft);
    if (id === '') return { refuse: 'The node has no ID of the draft invoice, so the invoice stays a draft' };
    if (invoice && SENT.has(comparableText(invoice.status))) return { done: invoice };
    if (invoice && isOther(invoice, draft))
      return { refuse: 'The draft has another customer, number, total or currency now' };
    const node = { draft: invoice ?? draft };
    return { request: { to: wire.sendInvoice.request, path: { invoice_id: id }, body: recipientsIn(values), node } };
  },
  as: {
    action: 'Send invoice',
    money: 'none',
    // The response contains no record, and the status of the draft is obsolete.
    present: (record, { node }) => {
      const kept = Object.entries(objectIn(node.draft)).filter(([name]) => !OBSOLETE.has(name));
      return { ...Object.fromEntries(kept), ...record };
    },
    summary: (record, { node, body }, came) => {
      const draft = { ...objectIn(node.draft), ...record };
      const invoice = `invoice ${nameInvoice(draft, draft.invoice_id)}${customerWords(draft)}`;
      // A person may record a payment on a draft, so a paid invoice may not have been sent.
      const state = draft.status === 'PAID' ? 'paid' : 'sent';
      if (came !== 'sent') return `Created ${invoice}. The status shows that the invoice was ${state}.`;
      const total = draft.amt_tran === undefined ? '' : ` for ${inCurrency(draft.amt_tran, draft)}`;
      return sentTo(`Created ${invoice}${total} and sent it`, body);
    },
    refusals: SEND_REFUSALS,
    lookUp: 'Check the invoice in Invoice > Get. If the status is SAVED, the invoice was not sent.',
  },
  unfinished: ([draft], isUnknown) => {
    const named = idOf(draft) && ` (invoice_id ${asText(draft?.invoice_id)})`;
    const created = `The node created a draft invoice${named}`;
    return isUnknown
      ? { message: `${created}, but can't tell whether the service sent it`, advice: '' }
      : { message: `${created}, but did not send it`, advice: 'If it is still a draft, send it with Invoice > Send.' };
  },
};

/** Creates the draft and sends it. */
export const sendingNow: { isWanted(values: Values): boolean; steps: Steps<Values, never> } = {
  isWanted: ({ node }) => node.sendNow === true,
  steps: {
    sends: [wire.createInvoice.request, wire.sendInvoice.request],
    each: [createDraft, sendDraft],
    createsFirst: true,
  },
};
