import type { Resource } from '../model/types';
import { resourcesAt } from '../model/operation';
import { newest, NODE_VERSIONS } from '../shared/versions';
import { accountUpdater } from './account-updater';
import { api } from './api';
import { batch } from './batch';
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
 * All resources of the node in the order of the editor, including operations and fields of specific versions. Resources
 * that most users need come first, and resources for administration come last.
 */
export const declared: Resource[] = [
  transaction,
  invoice,
  checkout,
  subscription,
  plan,
  customer,
  customerCard,
  customerAddress,
  card,
  dispute,
  report,
  accountUpdater,
  payee,
  batch,
  webhook,
  api,
];

/** Resources of the newest version of the node. */
export const resources: Resource[] = resourcesAt(declared, newest(NODE_VERSIONS));
