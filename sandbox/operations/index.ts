import { describedOperations, type Handlers } from '../calls/described';
import type { Operation } from '../calls/operation';
import type { InterfaceDocument } from '../contract/document';
import { addBillingCard } from './add-billing-card';
import { addCheckout } from './add-checkout';
import { addCustomer } from './add-customer';
import { addInvoicePayment } from './add-invoice-payment';
import { addPayee } from './add-payee';
import { addPlan } from './add-plan';
import { addShippingAddress } from './add-shipping-address';
import { addSubscription } from './add-subscription';
import { addWebhook } from './add-webhook';
import { archivePlan } from './archive-plan';
import { browseAusRequests, browseAusSummary } from './browse-aus-reports';
import { browseAusRequestsDetail, getAusDetail, getAusResponse } from './browse-aus-requests-detail';
import { browseAusRequestsSummary } from './browse-aus-requests-summary';
import { browseBatches } from './browse-batches';
import { browseBouncedInvoices } from './browse-bounced-invoices';
import { browseCustomers } from './browse-customers';
import { browseDeposits } from './browse-deposits';
import { browseInvoicePayments, browseInvoicePaymentsById } from './browse-invoice-payments';
import { browseInvoices } from './browse-invoices';
import { browsePayees } from './browse-payees';
import { browsePlans } from './browse-plans';
import { browseSettledTransactions } from './browse-settled-transactions';
import { browseSettlements } from './browse-settlements';
import { browseStatementFees } from './browse-statement-fees';
import { browseStatementPlans } from './browse-statement-plans';
import { browseStatementReserve } from './browse-statement-reserve';
import { browseSubscriptions } from './browse-subscriptions';
import { cancelAusRequest } from './cancel-aus-request';
import { cancelInvoice } from './cancel-invoice';
import { cancelSubscription } from './cancel-subscription';
import { capture } from './capture';
import { closeBatch } from './close-batch';
import { copyInvoice } from './copy-invoice';
import { createAusRequest } from './create-aus-request';
import { createDispute } from './create-dispute';
import {
  acceptDispute,
  browseDisputes,
  browseStatementDisputeAdjustmentData,
  getCreditedTran,
  getDisputeResponse,
  getDisputes,
  getNonDisputedTran,
  resetDispute,
  submitDisputesResponse,
} from './disputes';
import { createInvoice } from './create-invoice';
import { deleteBillingCard } from './delete-billing-card';
import { deleteCustomer } from './delete-customer';
import { deletePayee } from './delete-payee';
import { deletePlan } from './delete-plan';
import { deleteShippingAddress } from './delete-shipping-address';
import { expireToken } from './expire-token';
import { getAccountUpdaterSummary } from './get-account-updater-summary';
import { emailReceipt } from './email-receipt';
import { getBalance } from './get-balance';
import { getBillingCards } from './get-billing-cards';
import { getCardType } from './get-card-type';
import { getCheckout } from './get-checkout';
import { getCustomer } from './get-customer';
import { getInvoiceDetail } from './get-invoice-detail';
import { getPayee } from './get-payee';
import { getPlan } from './get-plan';
import { getShippingAddresses } from './get-shipping-addresses';
import { getSubscription } from './get-subscription';
import { getTransactionByPgId } from './get-transaction-by-pg-id';
import { getTransactionRequests } from './get-transaction-requests';
import { addWebhookEvent } from './add-webhook-event';
import { deleteWebhookEvent } from './delete-webhook-event';
import { disableWebhook } from './disable-webhook';
import { enableWebhook } from './enable-webhook';
import { getWebhook } from './get-webhook';
import { getWebhookEvents } from './get-webhook-events';
import { updateWebhook } from './update-webhook';
import { getWebhooks } from './get-webhooks';
import { pauseSubscription } from './pause-subscription';
import { payPayee } from './pay-payee';
import { putOnAusHold, releaseFromAusHold } from './put-on-aus-hold';
import { recharge } from './recharge';
import { refund } from './refund';
import { removeInvoicePayment } from './remove-invoice-payment';
import { resendInvoice } from './resend-invoice';
import { resumeSubscription } from './resume-subscription';
import { authorize } from './authorize';
import { credit } from './credit';
import { force } from './force';
import { sale } from './sale';
import { sendInvoice } from './send-invoice';
import { setPrimaryBillingCard } from './set-primary-billing-card';
import { setPrimaryShippingAddress } from './set-primary-shipping-address';
import { submitAccountUpdater } from './submit-account-updater';
import {
  subscriptionLabelsAdd,
  subscriptionLabelsBrowse,
  subscriptionLabelsDelete,
  subscriptionLabelsEdit,
} from './subscription-labels';
import { getAllSubscriptionTransactions, getSubscriptionTransactions } from './subscription-transactions';
import { tokenize } from './tokenize';
import { updateBillingCard } from './update-billing-card';
import { updateCustomer } from './update-customer';
import { updateDraftInvoice } from './update-draft-invoice';
import { updateOutstandingInvoice } from './update-outstanding-invoice';
import { updateInvoicePayment } from './update-invoice-payment';
import { updatePayee } from './update-payee';
import { updatePayeeAccount } from './update-payee-account';
import { updatePlan } from './update-plan';
import { updateShippingAddress } from './update-shipping-address';
import { updateSubscription } from './update-subscription';
import { verifyCard } from './verify-card';
import { voidTransaction } from './void-transaction';

const handlers: Handlers = {
  tokenize,
  closeBatch,
  verifyCard,
  expireToken,
  getCardType,
  getBalance,
  refund,
  sale,
  capture,
  voidTransaction,
  payPayee,
  authorize,
  credit,
  force,
  recharge,
  emailReceipt,
  browsePlans,
  addPlan,
  getPlan,
  updatePlan,
  archivePlan,
  deletePlan,
  addSubscription,
  addCheckout,
  getCheckout,
  createInvoice,
  browseInvoices,
  sendInvoice,
  resendInvoice,
  cancelInvoice,
  updateDraftInvoice,
  updateOutstandingInvoice,
  copyInvoice,
  addInvoicePayment,
  getInvoiceDetail,
  browseInvoicePayments,
  updateInvoicePayment,
  removeInvoicePayment,
  browseBouncedInvoices,
  browseInvoicePaymentsById,
  getSubscription,
  browseSubscriptions,
  cancelSubscription,
  pauseSubscription,
  resumeSubscription,
  updateSubscription,
  getSubscriptionTransactions,
  getAllSubscriptionTransactions,
  subscriptionLabelsBrowse,
  subscriptionLabelsAdd,
  subscriptionLabelsEdit,
  subscriptionLabelsDelete,
  getTransactionByPgId,
  browseCustomers,
  addCustomer,
  getCustomer,
  updateCustomer,
  deleteCustomer,
  getBillingCards,
  addBillingCard,
  updateBillingCard,
  deleteBillingCard,
  setPrimaryBillingCard,
  getShippingAddresses,
  addShippingAddress,
  updateShippingAddress,
  setPrimaryShippingAddress,
  deleteShippingAddress,
  getTransactionRequests,
  browseSettledTransactions,
  browseBatches,
  browseDeposits,
  browseStatementFees,
  browseStatementPlans,
  browseStatementReserve,
  browseSettlements,
  createDispute,
  getDisputes,
  acceptDispute,
  browseDisputes,
  browseStatementDisputeAdjustmentData,
  submitDisputesResponse,
  getDisputeResponse,
  getCreditedTran,
  getNonDisputedTran,
  resetDispute,
  browsePayees,
  addPayee,
  updatePayee,
  deletePayee,
  getPayee,
  updatePayeeAccount,
  submitAccountUpdater,
  createAusRequest,
  cancelAusRequest,
  putOnAusHold,
  releaseFromAusHold,
  browseAusRequestsDetail,
  browseAusRequests,
  browseAusSummary,
  getAusDetail,
  getAusResponse,
  browseAusRequestsSummary,
  getAccountUpdaterSummary,
  addWebhook,
  getWebhooks,
  getWebhook,
  updateWebhook,
  enableWebhook,
  disableWebhook,
  getWebhookEvents,
  addWebhookEvent,
  deleteWebhookEvent,
};

/** Returns all operations that the sandbox serves. */
export const allOperations = (document: InterfaceDocument): Operation[] => describedOperations(document, handlers);
