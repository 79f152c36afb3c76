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

/** Resources in the editor's order, most frequently used first. */
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

export const resources: Resource[] = resourcesAt(declared, newest(NODE_VERSIONS));
