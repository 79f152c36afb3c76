import { email, text } from '../../fields/kinds/text';
import { phoneNumber } from '../../fields/kinds/phone';
import type { Field } from '../../fields/types';
import { CheckoutRequest } from '../../wire/schemas';

const PREFILLED = 'Prefills the form on the page.';

/** The customer's name and email address prefill the hosted page (service.md#checkout). */
export const payerNameFields = (): Field[] => [
  text({
    ...CheckoutRequest.customer_first_name,
    label: 'First Name',
    isName: true,
    notIdentifying: false,
    description: `First name of the customer. ${PREFILLED} A new customer needs a first and last name, or a company name.`,
    placeholder: 'e.g. Ana',
  }),
  text({
    ...CheckoutRequest.customer_last_name,
    label: 'Last Name',
    isName: true,
    notIdentifying: false,
    description: `Last name of the customer. ${PREFILLED}`,
    placeholder: 'e.g. Silva',
  }),
  text({
    ...CheckoutRequest.customer_firm_name,
    label: 'Company Name',
    isName: true,
    notIdentifying: false,
    description: `Company name of the customer. ${PREFILLED}`,
    placeholder: 'e.g. Silva Bakery',
  }),
  email({
    ...CheckoutRequest.customer_email,
    label: 'Email',
    notIdentifying: false,
    description: `Email address of the customer. ${PREFILLED}`,
    placeholder: 'e.g. ana@example.com',
  }),
];

/** These optional fields prefill the hosted page (service.md#checkout). */
export const billingFields = (): Field[] => [
  phoneNumber({
    ...CheckoutRequest.customer_phone,
    label: 'Phone',
    description: `Phone number of the customer, with country code. ${PREFILLED}`,
  }),
  text({
    ...CheckoutRequest.billing_addr1,
    label: 'Billing Address Line 1',
    notIdentifying: true,
    description: `Street address for billing. ${PREFILLED}`,
    placeholder: 'e.g. 12 Mill Road',
  }),
  text({
    ...CheckoutRequest.billing_city,
    label: 'Billing City',
    notIdentifying: true,
    description: `City of the billing address. ${PREFILLED}`,
  }),
  text({
    ...CheckoutRequest.billing_state,
    label: 'Billing State',
    notIdentifying: true,
    description: `Abbreviation of the state in the billing address, e.g. OR. ${PREFILLED}`,
    placeholder: 'e.g. OR',
  }),
  text({
    ...CheckoutRequest.billing_zip,
    label: 'Billing ZIP or Postal Code',
    notIdentifying: true,
    description: `Postal code of the billing address. ${PREFILLED}`,
    placeholder: 'e.g. 97477',
  }),
];
