import { merchantId } from '../../fields/common';
import { withHint } from '../../fields/bounds';
import { operation } from '../../model/operation';
import { payeeId } from './fields';
import * as wire from '../../wire/operations';

export const deletePayee = operation({
  value: 'delete',
  name: 'Delete',
  action: 'Delete payee',
  description: "Delete a payee permanently. This can't be undone.",
  request: wire.deletePayee.request,
  fields: [withHint(payeeId(wire.deletePayee.path.payee_id), "This can't be undone")],
  additional: [merchantId(wire.deletePayee.query.merchant_id)],
  present: () => ({ deleted: true }),
  summary: (_, { path }) => `Deleted payee ${path.payee_id} permanently.`,
  needsSupport: 'Support must enable payees for your account.',
  lookUp: 'Look for payee {payee_id} in Payee > Get. If the payee is not found, the payee was deleted.',
});
