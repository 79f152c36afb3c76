import type { Resource } from '../../pipeline/types';
import { addPayment } from './add-payment';
import { cancel } from './cancel';
import { copy } from './copy';
import { create } from './create';
import { get } from './get';
import { getAll } from './get-all';
import { getAllPayments, getPayments } from './payments';
import { resend } from './resend';
import { send } from './send';
import { update } from './update';
import { updateContacts } from './update-contacts';

export const invoice: Resource = {
  value: 'invoice',
  name: 'Invoice',
  description: 'Invoices with a hosted payment page',
  preselected: get.value,
  operations: [
    create,
    send,
    resend,
    addPayment,
    get,
    getAll,
    update,
    updateContacts,
    copy,
    cancel,
    getPayments,
    getAllPayments,
  ],
};
