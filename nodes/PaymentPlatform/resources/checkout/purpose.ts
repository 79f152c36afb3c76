import { choice } from '../../fields/kinds/choice';
import { when } from '../../fields/kinds/when';
import type { ConditionalField, Field, ValueField } from '../../fields/types';

/** Purposes of a checkout link (service.md#checkout). Saved workflows contain these values, so they can't change. */
export const PAYMENT = 'payment';
export const PAYMENT_AND_SAVE = 'paymentAndSave';
export const PAYMENT_WITH_SAVED = 'paymentWithSaved';
export const SAVE = 'saveMethod';
const ADD = 'addMethod';
export const UPDATE = 'updateMethod';

/** Links with a purpose in `PAYING` take a payment. Links in `VAULT` only save a payment method. */
export const PAYING = [PAYMENT, PAYMENT_AND_SAVE, PAYMENT_WITH_SAVED];
export const VAULT = [SAVE, ADD, UPDATE];

const options = [
  { name: 'Take a Payment', value: PAYMENT, description: 'The customer pays an amount' },
  {
    name: 'Take a Payment and Save the Payment Method',
    value: PAYMENT_AND_SAVE,
    description: 'The customer pays an amount and saves the payment method',
  },
  {
    name: 'Take a Payment With Saved Payment Methods',
    value: PAYMENT_WITH_SAVED,
    description: 'The customer pays with a saved or a new payment method',
  },
  {
    name: 'Save a Payment Method',
    value: SAVE,
    description: 'A new customer saves a card or bank account. Nothing is charged.',
  },
  {
    name: 'Add a Payment Method to a Customer',
    value: ADD,
    description: 'An existing customer saves another card or bank account. Nothing is charged.',
  },
  {
    name: 'Update a Saved Payment Method',
    value: UPDATE,
    description: 'A customer updates a saved card. Nothing is charged.',
  },
];

/**
 * Describes the purpose as part of a sentence.
 * @param amount formatted amount, or `''` if the link takes no payment.
 */
export function purposeWords(value: unknown, amount: string): string {
  switch (value) {
    case PAYMENT_AND_SAVE:
      return `to pay ${amount} and save the payment method`;
    case PAYMENT_WITH_SAVED:
      return `to pay ${amount} with a saved payment method`;
    case ADD:
      return 'to add a payment method';
    case UPDATE:
      return 'to update a payment method';
    default:
      return amount === '' ? 'to save a payment method' : `to pay ${amount}`;
  }
}

/** An expression without a result is not the default, because another link would be created. */
const unlessAdded = (field: ValueField, value: string): ValueField => ({
  ...field,
  fallback: (_, isAdded) => (isAdded ? undefined : value),
});

/** The purpose determines the visible parameters. The service has no field for it. */
export const purpose = unlessAdded(
  choice({
    name: 'purpose',
    label: 'Link Purpose',
    description:
      'Action that the customer takes on the hosted page. By default, the customer pays an amount. Your choice determines the other fields.',
    options,
    required: true,
    unmarked: true,
    place: 'node',
  }),
  PAYMENT,
);

/** For a field beside the purpose in Additional Fields. */
export const whilePaying = (field: Field): ConditionalField => when(purpose, VAULT, field, { except: true });

export const purposeName = (value: unknown): string =>
  options.find((option) => option.value === value)?.name ?? String(value);

export const VAULT_PROFILE = 'vault';
export const DYNAMIC_PROFILE = 'dynamic';

/** The interface doesn't return the type of a checkout profile, so users must select it. */
export const profileKind = unlessAdded(
  choice({
    name: 'profileKind',
    label: 'Checkout Profile Type',
    description: 'Type of the checkout profile in the merchant portal. Defaults to Dynamic Profile.',
    options: [
      {
        name: 'Dynamic Profile',
        value: DYNAMIC_PROFILE,
        description: "Profile for payments. The node switches on 'Allow Saving the Card'.",
      },
      { name: 'Vault Profile', value: VAULT_PROFILE, description: 'Profile for saving payment methods' },
    ],
    required: true,
    unmarked: true,
    place: 'node',
  }),
  DYNAMIC_PROFILE,
);
