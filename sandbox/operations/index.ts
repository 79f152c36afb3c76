import { describedOperations, type Handlers } from '../calls/described';
import type { Operation } from '../calls/operation';
import type { InterfaceDocument } from '../contract/document';
import { MANAGEMENT } from '../webhooks/management';
import { addCheckout } from './add-checkout';
import { addInvoicePayment } from './add-invoice-payment';
import { addSubscription } from './add-subscription';
import { addWebhook } from './add-webhook';
import { browseCustomers } from './browse-customers';
import { browseInvoices } from './browse-invoices';
import { browsePayees } from './browse-payees';
import { browseSettlements } from './browse-settlements';
import { createDispute } from './create-dispute';
import { createInvoice } from './create-invoice';
import { deletePayee } from './delete-payee';
import { getAccountUpdaterSummary } from './get-account-updater-summary';
import { getCheckout } from './get-checkout';
import { getInvoiceDetail } from './get-invoice-detail';
import { getSubscription } from './get-subscription';
import { getTransactionByPgId } from './get-transaction-by-pg-id';
import { getTransactionRequests } from './get-transaction-requests';
import { getUpdaterResults } from './get-updater-results';
import { refund } from './refund';
import { sendInvoice } from './send-invoice';
import { submitAccountUpdater } from './submit-account-updater';
import { tokenize } from './tokenize';
import { updatePayeeAccount } from './update-payee-account';

/** What applies each operation of interface/openapi.yaml. */
const handlers: Handlers = {
  tokenize,
  refund,
  addSubscription,
  addCheckout,
  getCheckout,
  createInvoice,
  sendInvoice,
  addInvoicePayment,
  getInvoiceDetail,
  getSubscription,
  getTransactionByPgId,
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

/** Operations that the interface document refers to without showing them. */
const references: readonly Operation[] = [...MANAGEMENT, browseInvoices, browsePayees, getUpdaterResults];

/** All operations that the sandbox serves: those of the interface description, and those beside it. */
export function allOperations(document: InterfaceDocument): Operation[] {
  return [...describedOperations(document, handlers), ...references];
}
