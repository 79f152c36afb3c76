import type { Handler } from '../calls/call';
import type { OperationId } from '../contract/types';
import { addCheckout } from './add-checkout';
import { addInvoicePayment } from './add-invoice-payment';
import { addSubscription } from './add-subscription';
import { addWebhook } from './add-webhook';
import { browseCustomers } from './browse-customers';
import { browseSettlements } from './browse-settlements';
import { createDispute } from './create-dispute';
import { createInvoice } from './create-invoice';
import { deletePayee } from './delete-payee';
import { getAccountUpdaterSummary } from './get-account-updater-summary';
import { getCheckout } from './get-checkout';
import { getTransactionRequests } from './get-transaction-requests';
import { refund } from './refund';
import { sendInvoice } from './send-invoice';
import { submitAccountUpdater } from './submit-account-updater';
import { tokenize } from './tokenize';
import { updatePayeeAccount } from './update-payee-account';

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
