import type { Resource } from '../../pipeline/types';
import { addPayment } from './add-payment';
import { cancel } from './cancel';
import { copy } from './copy';
import { create } from './create';
import { deletePayment } from './delete-payment';
import { get } from './get';
import { getAll } from './get-all';
import { getBounced } from './get-bounced';
import { getAllPayments, getPayments } from './payments';
import { resend } from './resend';
import { send } from './send';
import { update } from './update';
import { updateContacts } from './update-contacts';
import { updatePayment } from './update-payment';

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
    updatePayment,
    deletePayment,
    getBounced,
  ],
};
