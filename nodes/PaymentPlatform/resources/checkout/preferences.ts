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
import {
  DYNAMIC_PROFILE,
  PAYING,
  PAYMENT,
  PAYMENT_AND_SAVE,
  PAYMENT_WITH_SAVED,
  profileKind,
  purpose,
  VAULT,
} from './purpose';

export const ALLOW_SAVE_CARD: string = CheckoutPreferences.allow_save_card.name;
export const SHOW_SAVED: string = CheckoutPreferences.show_saved_payment_methods.name;

const shownFor = (...purposes: string[]) => ({ displayOptions: { show: { '/purpose': purposes } } });

const address = (fact: TextFact, label: string, when: string, placeholder: string): Field =>
  text({
    ...fact,
    label,
    description: `Web address of your own that the customer is sent to ${when}`,
    placeholder,
  });

/** In the order of their labels. */
const pageSettings: Field[] = [
  boolean({
    ...CheckoutPreferences.allow_ach_payment,
    label: 'Allow Bank Accounts (ACH)',
    description: 'Whether the customer may use a bank account instead of a card',
    default: true,
  }),
  boolean({
    ...CheckoutPreferences.allow_partial_payments,
    label: 'Allow Partial Payments',
    description: 'Whether the customer may pay less than the amount and the rest later',
    default: true,
    ...shownFor(...PAYING),
  }),
  boolean({
    ...CheckoutPreferences.allow_save_card,
    label: 'Allow Saving the Card',
    description: 'Whether the customer may save the card for the next time',
    default: true,
    ...shownFor(PAYMENT, PAYMENT_WITH_SAVED),
  }),
  choice({
    ...CheckoutPreferences.request_type,
    label: 'Charge or Reserve',
    description: 'Whether the payment is charged at once or only reserved',
    options: [
      { name: 'Charge', value: 'sale', description: 'The amount is charged' },
      { name: 'Reserve', value: 'auth', description: 'The amount is held on the card until you capture it' },
    ],
    default: 'sale',
    ...shownFor(...PAYING),
  }),
  boolean({
    ...CheckoutPreferences.email_receipt,
    label: 'Email Receipt',
    description: 'Whether the customer gets a receipt by email',
    default: true,
  }),
  address(
    CheckoutPreferences.failure_url,
    'Return Link on Failure',
    'when it did not work',
    'e.g. https://shop.example.com/retry',
  ),
  address(
    CheckoutPreferences.success_url,
    'Return Link on Success',
    'when it worked',
    'e.g. https://shop.example.com/thanks',
  ),
  boolean({
    ...CheckoutPreferences.show_saved_payment_methods,
    label: 'Show Saved Payment Methods',
    description: 'Whether the page offers what the customer has saved before. Needs a Customer.',
    default: true,
    displayOptions: { hide: { '/purpose': [PAYMENT_WITH_SAVED] } },
  }),
];

const lifetime = CheckoutPreferences.expire_in_secs;

/** It stands beside the other parameters of a link, for most people set it; the wire has it in preferences. */
const lifetimeBeside = duration({
  ...lifetime,
  label: 'Link Expires After',
  unitLabel: 'Unit of Time',
  description: 'How long the link works, unless it is used before. The output says until when, in expiry_time.',
  placeholder: 'The service decides',
  hint: 'Left empty, the service decides, and the link may end within two hours. Enter a time to be sure, e.g. 7 and Days.',
});

/** The same where the preferences come as JSON: in seconds, as the interface has it. */
const lifetimeInSeconds = integer({
  ...lifetime,
  label: 'Seconds Until the Link Expires',
  description: 'How long the link works, in seconds',
});

const page = group({
  ...CheckoutRequest.preferences,
  label: 'Preferences',
  wording: true,
  description: 'How the page behaves',
  itemLabel: 'Preference',
  topLevel: true,
  fields: pageSettings,
  jsonOnlyFields: [lifetimeInSeconds],
});

/**
 * How the page behaves (openapi.yaml#CheckoutPreferences). What the purpose of the link implies is switched on by
 * itself.
 */
export const preferences = composite(page, [lifetimeBeside, page], ({ read, look, problem }) => {
  const given = objectIn(read(page));
  const seconds = read(lifetimeBeside);
  if (seconds !== undefined && given[lifetime.name] !== undefined)
    problem({
      label: lifetimeBeside.label,
      found: 'expire_in_secs in Preferences (JSON) as well',
      allowed: 'can be given in one place only',
    });
  if (seconds !== undefined) given[lifetime.name] ??= seconds;
  for (const { name, label } of implied(look(purpose), look(profileKind))) {
    if (given[name] === false)
      problem({ label: `Preferences > ${label}`, found: 'it switched off', allowed: 'must be on here' });
    given[name] = true;
  }
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return set.length > 0 ? Object.fromEntries(set) : undefined;
});

/** Rules 2 and 3 of the checkout request: what must be allowed for a link to do what it is for. */
function implied(chosen: unknown, kind: unknown): Field[] {
  const saves = chosen === PAYMENT_AND_SAVE || (kind === DYNAMIC_PROFILE && isVault(chosen));
  const names = [...(saves ? [ALLOW_SAVE_CARD] : []), ...(chosen === PAYMENT_WITH_SAVED ? [SHOW_SAVED] : [])];
  return pageSettings.filter(({ name }) => names.includes(name));
}

const isVault = (chosen: unknown) => typeof chosen === 'string' && VAULT.includes(chosen);
