import { merchantId } from '../../fields/common';
import { integer } from '../../fields/kinds/number';
import { operation } from '../../model/operation';
import { namePayee, newPayeeAccount, newPayeeAddress, payeeContact } from './fields';
import { payeeFootprint } from './footprint';
import * as wire from '../../wire/operations';

const { body, request } = wire.addPayee;

export const create = operation({
  value: 'create',
  name: 'Create',
  action: 'Create payee for payouts',
  description: 'Save a payee with a bank account, so that you can pay by ACH',
  request,
  fields: [...payeeContact(body), newPayeeAccount(), newPayeeAddress()],
  additional: [
    merchantId(body.merchant_id),
    integer({
      ...body.vendor_id,
      technical: true,
      label: 'Vendor ID',
      description: 'ID of the integrator. Required only for integrators.',
    }),
  ],
  summary: (record, values) => `Created payee ${namePayee({ ...values.body, ...record })}.`,
  footprint: payeeFootprint,
  needsSupport: 'Support must enable payees for your account.',
  lookUp:
    'No money was moved. Look for the payee by name in Payee > Get Many. If you create the payee again, the service may save a duplicate.',
});
