import type { Problem } from '../../fields/types';
import type { ValuesOf } from '../../model/operation';
import { checkBillingCards } from './billing-card';

interface Labels {
  id: string;
  name: string;
  /** Prefix of the labels, such as "New Customer > ". */
  place?: string;
}

type NewCustomer = ValuesOf<'addCustomer'>['body'];

/** A customer needs a full personal name or a company name. */
export const hasName = (customer: NewCustomer): boolean =>
  (customer.customer_first_name !== undefined && customer.customer_last_name !== undefined) ||
  customer.customer_firm_name !== undefined;

/** Checks the ID, the name and the payment methods (service.md#vault). */
export function checkNewCustomer(customer: NewCustomer, { id, name, place }: Labels): Problem[] {
  const problems: Problem[] = [];
  const generated = customer.auto_generate_customer_id === true;
  if (generated === (customer.customer_id !== undefined))
    problems.push({
      label: id,
      found: generated ? 'an ID and "Generate Customer ID"' : 'nothing',
      allowed: 'is required if "Generate Customer ID" is off, and must be empty if it is on',
    });
  if (!hasName(customer))
    problems.push({
      label: name,
      found: 'no full name and no company name',
      allowed: 'and a last name, or a company name, are required',
    });
  return [...problems, ...checkBillingCards(customer.billing_cards, place)];
}
