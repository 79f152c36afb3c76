import type { Problem } from '../../fields/types';
import type { ValuesOf } from '../../model/operation';
import { isObject } from '../../shared/objects';
import { ALLOW_SAVE_CARD, SHOW_SAVED } from './preferences';
import { PAYMENT, PAYMENT_WITH_SAVED, purposeName, SAVE, UPDATE, VAULT_PROFILE } from './purpose';

/** The requirements depend on the purpose (service.md#checkout). */
export function checkPurpose({ body, node }: ValuesOf<'addCheckout'>): Problem[] {
  const problems: Problem[] = [];
  const isPayment = node.purpose === PAYMENT;
  const wanted = `for "${purposeName(node.purpose)}"`;
  if (!isPayment && body.customer_id === undefined)
    problems.push({ label: 'Customer', found: 'nothing', allowed: `is required ${wanted}` });
  if (node.purpose === UPDATE && body.card_id === undefined)
    problems.push({ label: 'Saved Card', found: 'nothing', allowed: `is required ${wanted}` });
  const person = body.customer_first_name !== undefined && body.customer_last_name !== undefined;
  if (node.purpose === SAVE && !person && body.customer_firm_name === undefined)
    problems.push({
      label: 'First Name',
      found: 'no full name and no company name',
      allowed: `and "Last Name", or "Company Name", are required ${wanted}`,
    });
  const isSaved = node.purpose === PAYMENT_WITH_SAVED || (isPayment && !isOn(body.preferences, ALLOW_SAVE_CARD));
  if (isSaved && body.customer_id !== undefined)
    for (const [label, value] of [
      ['First Name', body.customer_first_name],
      ['Last Name', body.customer_last_name],
      ['Company Name', body.customer_firm_name],
    ] as const)
      if (value !== undefined)
        problems.push({ label, found: 'a name and a Customer', allowed: 'must be empty if "Customer" is filled' });
  if (node.profileKind === VAULT_PROFILE && body.checkout_profile_id === undefined)
    problems.push({
      label: 'Checkout Profile ID',
      found: 'nothing',
      allowed: 'is required with a vault profile, because the service may otherwise use another profile',
    });
  if (isPayment && body.customer_id === undefined) {
    if (isOn(body.preferences, SHOW_SAVED))
      problems.push({
        label: 'Preferences > Show Saved Payment Methods',
        found: 'the value true without a Customer',
        allowed: 'requires a Customer, so that the page can show their payment methods',
      });
    if (isOn(body.preferences, ALLOW_SAVE_CARD))
      problems.push({
        label: 'Preferences > Allow Saving the Card',
        found: 'the value true without a Customer',
        allowed: 'requires a Customer who will own the saved card',
      });
  }
  return problems;
}

const isOn = (preferences: unknown, name: string) => isObject(preferences) && preferences[name] === true;
