import type { Problem } from '../../fields/types';
import type { ValuesOf } from '../../model/operation';
import { checkBillingCards } from './billing-card';

/** What the panel calls the fields of a new customer. */
interface Labels {
  id: string;
  name: string;
  /** Where its lists stand: "New Customer > ". */
  place?: string;
}

type NewCustomer = ValuesOf<'addCustomer'>['body'];

/** What a customer is called by, at least. */
export const hasName = (customer: NewCustomer): boolean =>
  (customer.customer_first_name !== undefined && customer.customer_last_name !== undefined) ||
  customer.customer_firm_name !== undefined;

/**
 * What a new customer needs (service.md#vault): one ID or none to be generated, a name, and usable payment
 * methods.
 */
export function checkNewCustomer(customer: NewCustomer, { id, name, place }: Labels): Problem[] {
  const problems: Problem[] = [];
  const generated = customer.auto_generate_customer_id === true;
  if (generated === (customer.customer_id !== undefined))
    problems.push({
      label: id,
      found: generated ? 'an ID although one is to be generated' : 'nothing',
      allowed: 'must be given, or "Generate Customer ID" switched on, and not both',
    });
  if (!hasName(customer))
    problems.push({
      label: name,
      found: 'no full name and no company name',
      allowed: 'and a last name are needed together, or a company name',
    });
  return [...problems, ...checkBillingCards(customer.billing_cards, place)];
}
