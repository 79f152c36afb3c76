import type { Resource } from '../../pipeline/types';
import { addPayment } from './add-payment';
import { cancel } from './cancel';
import { create } from './create';
import { get } from './get';
import { getAll } from './get-all';
import { getAllPayments, getPayments } from './payments';
import { resend } from './resend';
import { send } from './send';

export const invoice: Resource = {
  value: 'invoice',
  name: 'Invoice',
  description: 'Invoices with a hosted payment page',
  preselected: get.value,
  operations: [create, send, resend, addPayment, get, getAll, cancel, getPayments, getAllPayments],
};
