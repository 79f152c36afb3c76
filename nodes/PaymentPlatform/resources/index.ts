import type { Resource } from '../model/types';
import { resourcesAt } from '../model/operation';
import { newest, NODE_VERSIONS } from '../shared/versions';
import { accountUpdater } from './account-updater';
import { api } from './api';
import { card } from './card';
import { checkout } from './checkout';
import { customer } from './customer';
import { customerAddress } from './customer-address';
import { customerCard } from './customer-card';
import { dispute } from './dispute';
import { invoice } from './invoice';
import { payee } from './payee';
import { plan } from './plan';
import { report } from './report';
import { subscription } from './subscription';
import { transaction } from './transaction';
import { webhook } from './webhook';

/**
 * All resources of the node with the marks of its versions, in the order in which the editor shows them: what people look
 * for first, what a workflow needs seldom after it, and what is there for tests alone at the end.
 */
export const declared: Resource[] = [
  invoice,
  checkout,
  transaction,
  subscription,
  plan,
  customer,
  customerCard,
  customerAddress,
  card,
  report,
  payee,
  accountUpdater,
  webhook,
  api,
  dispute,
];

/** The resources as a node has them that is added today. */
export const resources: Resource[] = resourcesAt(declared, newest(NODE_VERSIONS));
