import type { Resource } from '../pipeline/types';
import { card } from './card';
import { customer } from './customer';
import { invoice } from './invoice';
import { transaction } from './transaction';

/** All resources of the node, in the order in which the editor shows them. */
export const resources: Resource[] = [card, customer, invoice, transaction];
