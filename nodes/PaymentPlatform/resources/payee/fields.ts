import { accountNumber, accountType, routingNumber } from '../../fields/kinds/card';
import { country, ofAddress } from '../../fields/common';
import { composite } from '../../fields/kinds/composite';
import { group } from '../../fields/kinds/group';
import { locator } from '../../fields/kinds/locator';
import { emailList } from '../../fields/kinds/multiple-values';
import { phoneText } from '../../fields/kinds/phone';
import { text } from '../../fields/kinds/text';
import type { Field, Problem } from '../../fields/types';
import { asText } from '../../shared/objects';
import type { TextFact } from '../../wire/facts';
import { PayeeAccountRequest, PayeeAddressRequest, AddPayeeRequest, UpdatePayeeRequest } from '../../wire/schemas';

export const payeeId = (fact: TextFact): Field =>
  locator({
    ...fact,
    label: 'Payee',
    notIdentifying: false,
    description: 'Search by name, or enter the payee ID',
    search: 'searchPayees',
    placeholder: 'e.g. 9001',
  });

/** Returns text such as "Northside Cleaning (9001)". */
export const namePayee = ({ payee_name: name, payee_id: id }: { payee_name?: unknown; payee_id?: unknown }): string =>
  [asText(name), asText(id) && `(${asText(id)})`].filter(Boolean).join(' ');

export const accountHolder = (fact: TextFact): Field =>
  text({
    ...fact,
    label: 'Account Holder Name',
    isName: true,
    notIdentifying: false,
    description: 'Name of the person or company that owns the account',
    placeholder: 'e.g. Ana Silva',
  });

export const payeeContact = (facts: typeof AddPayeeRequest | typeof UpdatePayeeRequest): Field[] => [
  text({
    ...facts.payee_name,
    label: 'Payee Name',
    isName: true,
    notIdentifying: false,
    description: 'Name of the person or company to pay',
    placeholder: 'e.g. Silva Bakery',
  }),
  emailList({
    ...facts.payee_email,
    label: 'Payee Emails',
    description: 'Email addresses of the payee, separated by commas',
  }),
  phoneText({
    ...facts.payee_phone,
    label: 'Payee Phone',
    notIdentifying: false,
    description: 'Phone number of the payee, with country code',
  }),
];

const line = (name: Exclude<keyof typeof PayeeAddressRequest, 'country_code'>, label: string, placeholder = '') =>
  text({
    ...PayeeAddressRequest[name],
    label,
    notIdentifying: true,
    description: ofAddress(label, 'payee'),
    ...(placeholder && { placeholder }),
  });

/** Payee's address (openapi.yaml#PayeeAddressRequest). */
export const payeeAddress = (): Field =>
  group({
    ...UpdatePayeeRequest.payee_address,
    type: 'object',
    label: 'Payee Address',
    notIdentifying: true,
    description: 'Address of the payee',
    itemLabel: 'Address',
    open: true,
    fields: [
      line('address1', 'Address Line 1', 'e.g. 12 Mill Road'),
      line('address2', 'Address Line 2'),
      line('city', 'City', 'e.g. Springfield'),
      line('state', 'State', 'e.g. OR'),
      line('zip', 'ZIP or Postal Code', 'e.g. 97477'),
      country(PayeeAddressRequest.country_code, 'payee'),
      line('country', 'Country Name'),
    ],
  });

/** For a new payee, the interface requires an array with one object (openapi.yaml#addPayee). */
const asList = (field: Field): Field =>
  composite(field, [field], ({ read }) => {
    const given = read(field);
    return given === undefined ? undefined : [given];
  });

export const newPayeeAddress = (): Field => asList(payeeAddress());

const required = ({ label }: Field): Problem => ({
  label,
  found: 'nothing',
  allowed: 'is required for a bank account',
});

export function newPayeeAccount(): Field {
  const routing = routingNumber(PayeeAccountRequest.tr_number);
  const number = accountNumber(PayeeAccountRequest.dda_number);
  return asList(
    group({
      ...AddPayeeRequest.payee_account,
      type: 'object',
      label: 'Bank Account',
      description: 'Bank account that receives the payouts. Each payee has at most one bank account.',
      itemLabel: 'Bank Account',
      open: true,
      fields: [
        routing,
        number,
        accountType(PayeeAccountRequest.type_id),
        accountHolder(PayeeAccountRequest.accountholder_name),
      ],
      rule: (account) => [routing, number].filter(({ name }) => account[name] === undefined).map(required),
    }),
  );
}
