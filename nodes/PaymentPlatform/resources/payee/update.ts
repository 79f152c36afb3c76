import { merchantId } from '../../fields/common';
import { isEmpty } from '../../fields/value';
import { operation, type Given, type RecordOf, type ValuesOf } from '../../model/operation';
import type { Step } from '../../model/types';
import { objectIn } from '../../shared/objects';
import { keepOthers, keeps, lookFor, takenOf } from '../merge-with-current';
import { namePayee, payeeAddress, payeeContact, payeeId } from './fields';
import * as wire from '../../wire/operations';
import { PayeeAddressRequest } from '../../wire/schemas';

const { body, path, request } = wire.updatePayee;

/** Reads the payee and sends it with the changes, because the service may clear missing fields. */
const complete: Step<ValuesOf<'updatePayee'>, Given<RecordOf<'getPayee'>>> = {
  look: (values) => (keeps(values) ? lookFor(wire.getPayee.request, values) : undefined),
  unchanged: true,
  decide: ([found], values) => {
    if (!keeps(values)) return { request: { to: request, body: values.body } };
    if (!found) return { refuse: 'No payee has this ID, so nothing was sent' };
    const address = { ...takenOf(objectIn(found.payee_address), PayeeAddressRequest), ...values.body.payee_address };
    const current = takenOf(found, body);
    return {
      request: {
        to: request,
        body: { ...current, ...values.body, ...(!isEmpty(address) && { payee_address: address }) },
      },
    };
  },
};

export const update = operation({
  value: 'update',
  name: 'Update',
  action: 'Update payee',
  description: "Update the name, contact or address of a payee. To replace the bank account, use 'Update Account'.",
  request,
  fields: [payeeId(path.payee_id), keepOthers(), ...payeeContact(body), payeeAddress()],
  additional: [merchantId(body.merchant_id)],
  check: (values) =>
    Object.keys(values.body).every((name) => name === body.merchant_id.name)
      ? [
          {
            label: 'Payee Name',
            found: 'nothing',
            allowed: 'is required, unless you enter a value in another field',
          },
        ]
      : [],
  steps: { sends: [request], each: [complete] },
  summary: (record, { path: { payee_id } }) => `Updated payee ${namePayee({ payee_id, ...record })}.`,
  needsSupport: 'Support must enable payees for your account.',
  lookUp: 'Repeating the same update has no further effect.',
});
