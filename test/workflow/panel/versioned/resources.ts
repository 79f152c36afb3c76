import type { Field } from '../../../../nodes/PaymentPlatform/fields/types';
import type { Operation, Output, Resource } from '../../../../nodes/PaymentPlatform/model/types';
import { invoice } from '../../../../nodes/PaymentPlatform/resources/invoice';
import { addPayment } from '../../../../nodes/PaymentPlatform/resources/invoice/payments/add-payment';
import { payee } from '../../../../nodes/PaymentPlatform/resources/payee';
import { since, until } from '../../../../nodes/PaymentPlatform/shared/versions';

/** Invented version 1.1 of Invoice > Add Payment. */

const own = (name: string): Field => {
  const found = addPayment.fields.find((field) => field.name === name);
  if (!found) throw new Error(`Add Payment has no field ${name}`);
  return found;
};

const withDefault = (field: Field, value: string): Field =>
  field.kind === 'value' ? { ...field, property: { ...field.property, default: value } } : field;

const outputOf = (operation: Operation): Output =>
  Object.fromEntries(['present', 'summary', 'simplified'].map((name) => [name, Reflect.get(operation, name)]));

const changed: Operation = {
  ...addPayment,
  fields: addPayment.fields.flatMap((field) => {
    if (field.name === 'type') return [until(1, field), since(1.1, withDefault(field, 'CASH'))];
    return field.name === 'description' ? [until(1, field)] : [field];
  }),
  additional: [...(addPayment.additional ?? []), since(1.1, own('description'))],
  present: ({ status, ...record }) => ({ ...record, payment: { status } }),
  summary: () => 'Recorded.',
  simplified: undefined,
  outputs: [until(1, outputOf(addPayment))],
};

/** Resources of a package that contains only version 1 of the node. */
export const released: Resource[] = [{ ...invoice, preselected: addPayment.value, operations: [addPayment] }, payee];

/** Resources of a release with version 1.1, which adds an operation and removes a resource. */
export const declared: Resource[] = [
  {
    ...invoice,
    preselected: addPayment.value,
    operations: [since(1.1, { ...changed, value: 'addCash', name: 'Add Cash', action: 'Add cash' }), changed],
  },
  until(1, payee),
];
