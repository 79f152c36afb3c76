import type { Resource } from '../../pipeline/types';
import { addPayment } from './add-payment';
import { create } from './create';
import { get } from './get';
import { getAllPayments, getPayments } from './payments';
import { send } from './send';

export const invoice: Resource = {
  value: 'invoice',
  name: 'Invoice',
  description: 'Invoices with a hosted payment page',
  preselected: get.value,
  operations: [create, send, addPayment, get, getPayments, getAllPayments],
};
