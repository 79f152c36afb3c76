import { boolean, choice } from '../../fields/kinds/choice';
import { duration } from '../../fields/kinds/duration';
import { group } from '../../fields/kinds/group';
import { composite } from '../../fields/kinds/composite';
import { integer } from '../../fields/kinds/number';
import { text } from '../../fields/kinds/text';
import type { Field } from '../../fields/types';
import { objectIn } from '../../shared/objects';
import type { TextFact } from '../../wire/facts';
import { CheckoutPreferences, CheckoutRequest } from '../../wire/schemas';
import { DYNAMIC_PROFILE, PAYMENT_AND_SAVE, PAYMENT_WITH_SAVED, profileKind, purpose, VAULT } from './purpose';

export const ALLOW_SAVE_CARD: string = CheckoutPreferences.allow_save_card.name;
export const SHOW_SAVED: string = CheckoutPreferences.show_saved_payment_methods.name;

const address = (fact: TextFact, label: string, when: string, placeholder: string): Field =>
  text({
    ...fact,
    label,
    description: `URL to which the customer is redirected ${when}`,
    placeholder,
  });

/** Sorted by label. */
const pageSettings: Field[] = [
  boolean({
    ...CheckoutPreferences.allow_ach_payment,
    label: 'Allow Bank Accounts (ACH)',
    description: 'Whether the customer can pay from a bank account instead of by card',
    default: true,
  }),
  boolean({
    ...CheckoutPreferences.allow_partial_payments,
    label: 'Allow Partial Payments',
    description: 'Whether the customer can pay part of the amount now and the remaining amount later',
    default: true,
  }),
  boolean({
    ...CheckoutPreferences.allow_save_card,
    label: 'Allow Saving the Card',
    description: 'Whether the customer can save the card for future payments',
    default: true,
  }),
  choice({
    ...CheckoutPreferences.request_type,
    label: 'Charge or Authorize',
    description: 'Type of payment: an immediate charge or an authorization that you capture later',
    options: [
      { name: 'Charge', value: 'sale', description: 'Charge the amount immediately' },
      { name: 'Authorize', value: 'auth', description: 'Hold the amount on the card until you capture the payment' },
    ],
    default: 'sale',
  }),
  boolean({
    ...CheckoutPreferences.email_receipt,
    label: 'Email Receipt',
    description: 'Whether to email a receipt to the customer',
    default: true,
  }),
  address(
    CheckoutPreferences.failure_url,
    'Failure URL',
    'after a failed payment',
    'e.g. https://shop.example.com/retry',
  ),
  boolean({
    ...CheckoutPreferences.show_saved_payment_methods,
    label: 'Show Saved Payment Methods',
    description: 'Whether to show the saved payment methods of the customer. Requires a customer.',
    default: true,
  }),
  address(
    CheckoutPreferences.success_url,
    'Success URL',
    'after a successful payment',
    'e.g. https://shop.example.com/thanks',
  ),
];

const lifetime = CheckoutPreferences.expire_in_secs;

/** One entry with a number and a unit. The request contains the seconds in `preferences`. */
const lifetimeBeside = group({
  name: 'linkExpiresAfter',
  place: 'node',
  type: 'object',
  label: 'Link Expiration',
  description:
    'Time after which an unused link expires, from 15 minutes to 90 days. By default, the service sets it. The output contains the time in expiry_time.',
  itemLabel: 'Period',
  open: true,
  fields: [
    duration({
      ...lifetime,
      label: 'Link Expires After',
      unitLabel: 'Unit of Time',
      description: 'Time after which an unused link expires, e.g. 7 days',
      placeholder: 'e.g. 7',
    }),
  ],
});

const lifetimeInSeconds = integer({
  ...lifetime,
  label: 'Seconds Until the Link Expires',
  description: 'Seconds after which the link expires',
});

const page = group({
  ...CheckoutRequest.preferences,
  label: 'Preferences',
  notIdentifying: true,
  description: 'Settings of the hosted page',
  itemLabel: 'Preference',
  fields: pageSettings,
  jsonOnlyFields: [lifetimeInSeconds],
});

/** Includes settings that the purpose of the link requires (openapi.yaml#CheckoutPreferences). */
export const preferences = composite(page, [lifetimeBeside, page], ({ read, look, problem }) => {
  const [chosen, kind] = [look(purpose), look(profileKind)];
  const needed = implied(chosen, kind);
  const given = { ...objectIn(read(page)) };
  if (isVault(chosen)) for (const name of OF_PAYMENTS) delete given[name];
  const { [lifetime.name]: seconds } = objectIn(read(lifetimeBeside));
  if (seconds !== undefined && given[lifetime.name] !== undefined)
    problem({
      label: lifetimeBeside.label,
      found: 'values in both',
      allowed: 'must be empty if "Preferences" contains expire_in_secs',
    });
  if (seconds !== undefined) given[lifetime.name] ??= seconds;
  for (const { name, label } of needed) {
    if (given[name] === false)
      problem({
        label: `Preferences > ${label}`,
        found: 'the value false',
        allowed: 'must be on for links with this purpose',
      });
    given[name] = true;
  }
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return set.length > 0 ? Object.fromEntries(set) : undefined;
});

/** Links that only save a payment method don't have these settings. */
const OF_PAYMENTS: readonly string[] = [
  CheckoutPreferences.allow_partial_payments.name,
  CheckoutPreferences.request_type.name,
  ALLOW_SAVE_CARD,
];

function implied(chosen: unknown, kind: unknown): Field[] {
  const saves = chosen === PAYMENT_AND_SAVE || (kind === DYNAMIC_PROFILE && isVault(chosen));
  const names = [...(saves ? [ALLOW_SAVE_CARD] : []), ...(chosen === PAYMENT_WITH_SAVED ? [SHOW_SAVED] : [])];
  return pageSettings.filter(({ name }) => names.includes(name));
}

const isVault = (chosen: unknown) => typeof chosen === 'string' && VAULT.includes(chosen);
