import { operation, type ValuesOf } from '../../model/operation';
import type { Step } from '../../model/types';
import { asText, objectsIn } from '../../shared/objects';
import { keepOthers, keeps, lookAt, takenOf } from '../merge-with-current';
import { addressFields, addressOwner, shippingId } from './fields';
import { mainAddressFields } from './saved';
import * as wire from '../../wire/operations';

const { body, path, request } = wire.updateShippingAddress;
const unneeded = { required: undefined };
// The recipient is optional, because the node can copy it from the current record.
const { fields, more } = addressFields({
  ...body,
  shipping_first_name: { ...body.shipping_first_name, ...unneeded },
  shipping_last_name: { ...body.shipping_last_name, ...unneeded },
});

/** Fields that only identify the address or the merchant. */
const WHICH: ReadonlySet<string> = new Set([body.shipping_id.name, body.merchant_id.name]);

/** Reads the address and sends it with the changes, because the service may clear missing fields. */
const complete: Step<ValuesOf<'updateShippingAddress'>> = {
  look: (values) => (keeps(values) ? lookAt(wire.getShippingAddresses.request, values) : undefined),
  unchanged: true,
  decide: ([found], values) => {
    if (!keeps(values)) return { request: { to: request, body: values.body } };
    const address = objectsIn(found?.shipping_addresses).find(
      (one) => asText(one.shipping_id) === asText(values.body.shipping_id),
    );
    if (!address) return { refuse: 'The customer has no shipping address with this ID' };
    return { request: { to: request, body: { ...takenOf(address, body), ...values.body } } };
  },
};

export const update = operation({
  value: 'update',
  name: 'Update',
  action: 'Update customer address',
  description: 'Update a saved shipping address of a customer',
  request,
  fields: [addressOwner(path.customer_id), shippingId(body.shipping_id, 'update'), keepOthers(), ...fields],
  additional: more,
  check: (values) => {
    if (Object.keys(values.body).every((name) => WHICH.has(name)))
      return [
        {
          label: 'Shipping Address Line 1',
          found: 'nothing',
          allowed: 'is required, unless you enter a value in another field',
        },
      ];
    const isNamed = values.body.shipping_first_name !== undefined && values.body.shipping_last_name !== undefined;
    return values.node.keepOthers === false && !isNamed
      ? [
          {
            label: 'Shipping First Name',
            found: 'no full name',
            allowed: 'and a last name are required while "Leave Empty Fields Unchanged" is off',
          },
        ]
      : [];
  },
  steps: { sends: [request], each: [complete] },
  simplified: mainAddressFields,
  summary: (_, values) => `Updated a shipping address of customer ${values.path.customer_id}.`,
  lookUp: 'Repeating the same update has no further effect.',
});
