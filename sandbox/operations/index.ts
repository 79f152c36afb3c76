import type { Handler } from '../core/call';
import type { OperationId } from '../contract/types';
import { addInvoicePayment } from './addInvoicePayment';
import { browseCustomers } from './browseCustomers';
import { createInvoice } from './createInvoice';
import { refund } from './refund';
import { sendInvoice } from './sendInvoice';
import { tokenize } from './tokenize';

/** What applies each operation of interface/openapi.yaml; an operation without a handler answers "no such URL". */
export const HANDLERS: { [Id in OperationId]?: Handler<Id> } = {
  tokenize,
  refund,
  createInvoice,
  sendInvoice,
  addInvoicePayment,
  browseCustomers,
};
