import type { Resource } from '../pipeline/types';
import { accountUpdater } from './account-updater';
import { api } from './api';
import { card } from './card';
import { checkout } from './checkout';
import { customer } from './customer';
import { dispute } from './dispute';
import { invoice } from './invoice';
import { payee } from './payee';
import { report } from './report';
import { subscription } from './subscription';
import { transaction } from './transaction';
import { webhook } from './webhook';

/**
 * All resources of the node, in the order in which the editor shows them: what people look for first, what a workflow
 * needs seldom after it, and what is there for tests alone at the end.
 */
export const resources: Resource[] = [
  invoice,
  checkout,
  transaction,
  subscription,
  customer,
  card,
  report,
  payee,
  accountUpdater,
  webhook,
  api,
  dispute,
];
