import { accountNumber, accountType, routingNumber, showAccountNumbers } from '../../fields/card';
import { integer } from '../../fields/number';
import { text } from '../../fields/text';
import type { Operation } from '../../pipeline/types';
import { payeeId } from './fields';

export const updateAccount: Operation = {
  value: 'updateAccount',
  name: 'Update Account',
  action: 'Update the bank account of a payee',
  description: 'Replace the bank account that a payee is paid to. Each payee has one.',
  request: {
    method: 'POST',
    path: '/platform/vault/payee/account/{payee_id}',
    family: 'bare',
    effect: 'repeatsSafely',
    operationId: 'updatePayeeAccount',
  },
  fields: [
    payeeId(),
    routingNumber(true),
    accountNumber(true),
    text({
      name: 'accountholder_name',
      label: 'Account Holder Name',
      wording: false,
      description: 'Name of the person or company that holds the account',
      placeholder: 'e.g. Ana Silva',
    }),
  ],
  additional: [
    accountType(),
    showAccountNumbers(),
    integer({
      name: 'merchant_id',
      label: 'On Behalf of Merchant ID',
      description: "Merchant to act for, when it is not the credential's own",
      least: 1,
      most: 999_999_999_999_999,
    }),
  ],
  lookUp: 'Updating the account once more with the same data changes nothing else.',
};
