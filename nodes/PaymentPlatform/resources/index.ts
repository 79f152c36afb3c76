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

/** All resources of the node, in the order in which the editor shows them. */
export const resources: Resource[] = [
  accountUpdater,
  api,
  card,
  checkout,
  customer,
  dispute,
  invoice,
  payee,
  report,
  subscription,
  transaction,
  webhook,
];
