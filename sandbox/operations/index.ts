import { describedOperations, type Handlers } from '../calls/described';
import type { Operation } from '../calls/operation';
import type { InterfaceDocument } from '../contract/document';
import { accountUpdaterHandlers } from './account-updater';
import { batchHandlers } from './batch';
import { cardHandlers } from './card';
import { checkoutHandlers } from './checkout';
import { customerHandlers } from './customer';
import { disputeHandlers } from './dispute';
import { invoiceHandlers } from './invoice';
import { payeeHandlers } from './payee';
import { planHandlers } from './plan';
import { reportHandlers } from './report';
import { reportingHandlers } from './reporting';
import { subscriptionHandlers } from './subscription';
import { transactionHandlers } from './transaction';
import { webhookHandlers } from './webhook';

const handlers: Handlers = {
  ...cardHandlers,
  ...batchHandlers,
  ...transactionHandlers,
  ...planHandlers,
  ...subscriptionHandlers,
  ...checkoutHandlers,
  ...invoiceHandlers,
  ...customerHandlers,
  ...reportHandlers,
  ...reportingHandlers,
  ...disputeHandlers,
  ...payeeHandlers,
  ...accountUpdaterHandlers,
  ...webhookHandlers,
};

/** Returns all operations that the sandbox serves. */
export const allOperations = (document: InterfaceDocument): Operation[] => describedOperations(document, handlers);
