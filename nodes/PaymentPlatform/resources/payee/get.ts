import { merchantId } from '../../fields/common';
import { operation } from '../../model/operation';
import { payeeId } from './fields';
import * as wire from '../../wire/operations';

export const get = operation({
  value: 'get',
  name: 'Get',
  action: 'Get payee',
  description: 'Retrieve the name, address and masked bank account of a payee',
  request: wire.getPayee.request,
  fields: [payeeId(wire.getPayee.path.payee_id)],
  additional: [merchantId(wire.getPayee.query.merchant_id)],
  needsSupport: 'Support must enable payees for your account.',
});
