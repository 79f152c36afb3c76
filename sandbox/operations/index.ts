import type { Handler } from '../core/call';
import type { OperationId } from '../contract/types';
import { addCheckout } from './addCheckout';
import { addInvoicePayment } from './addInvoicePayment';
import { addSubscription } from './addSubscription';
import { addWebhook } from './addWebhook';
import { browseCustomers } from './browseCustomers';
import { browseSettlements } from './browseSettlements';
import { createDispute } from './createDispute';
import { createInvoice } from './createInvoice';
import { deletePayee } from './deletePayee';
import { getAccountUpdaterSummary } from './getAccountUpdaterSummary';
import { getCheckout } from './getCheckout';
import { getTransactionRequests } from './getTransactionRequests';
import { refund } from './refund';
import { sendInvoice } from './sendInvoice';
import { submitAccountUpdater } from './submitAccountUpdater';
import { tokenize } from './tokenize';
import { updatePayeeAccount } from './updatePayeeAccount';

/** What applies each operation of interface/openapi.yaml. */
export const HANDLERS: { [Id in OperationId]: Handler<Id> } = {
  tokenize,
  refund,
  addSubscription,
  addCheckout,
  getCheckout,
  createInvoice,
  sendInvoice,
  addInvoicePayment,
  browseCustomers,
  getTransactionRequests,
  browseSettlements,
  createDispute,
  deletePayee,
  updatePayeeAccount,
  submitAccountUpdater,
  getAccountUpdaterSummary,
  addWebhook,
};
