import { accountNumber, accountType, routingNumber, showAccountNumbers } from '../../fields/kinds/card';
import { merchantId } from '../../fields/common';
import { operation } from '../../model/operation';
import { accountHolder, payeeId } from './fields';
import { accountFootprint } from './footprint';
import * as wire from '../../wire/operations';

export const updateAccount = operation({
  value: 'updateAccount',
  name: 'Update Account',
  action: 'Update payout bank account of payee',
  description: 'Replace the bank account of a payee. Each payee has at most one bank account.',
  request: wire.updatePayeeAccount.request,
  fields: [
    payeeId(wire.updatePayeeAccount.path.payee_id),
    routingNumber(wire.updatePayeeAccount.body.tr_number),
    accountNumber(wire.updatePayeeAccount.body.dda_number),
    accountType(wire.updatePayeeAccount.body.type_id),
    accountHolder(wire.updatePayeeAccount.body.accountholder_name),
  ],
  additional: [showAccountNumbers(), merchantId(wire.updatePayeeAccount.body.merchant_id)],
  summary: (_, { path }) => `Replaced the bank account of payee ${path.payee_id}.`,
  footprint: accountFootprint,
  needsSupport: 'Support must enable payees for your account.',
  lookUp: 'Repeating the same update has no further effect.',
});
