import type { Resource } from '../../model/types';
import { addPayment } from './payments/add-payment';
import { cancel } from './cancel';
import { copy } from './copy';
import { create } from './create';
import { deletePayment } from './payments/delete-payment';
import { get } from './get';
import { getAll } from './get-all';
import { getBounced } from './get-bounced';
import { getAllPayments, getPayments } from './payments/payments';
import { resend } from './resend';
import { send } from './send';
import { update } from './update';
import { updateContacts } from './update-contacts';
import { updatePayment } from './payments/update-payment';

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
