import type { INodeProperties } from 'n8n-workflow';

import type { Field, ReadContext, ValueField } from '../../nodes/PaymentPlatform/fields/types';
import { parameterOf } from '../../nodes/PaymentPlatform/fields/value';
import type { Operation } from '../../nodes/PaymentPlatform/model/types';
import { inside } from '../workflow/panel/person/fill';
import { canaries, isShort, SECRETS } from './canaries';

const CONTEXT: ReadContext = { timezone: 'America/New_York' };

/** The fields of one value that a field is made of, at any depth. */
function valueFields(field: Field): ValueField[] {
  switch (field.kind) {
    case 'value':
      return [field];
    case 'joined':
      return field.parts.flatMap(valueFields);
    case 'conditional':
      return valueFields(field.field);
    case 'section':
    case 'group':
      return field.inside.flatMap(valueFields);
  }
}

/** Whether the field itself takes a value. */
function takes(field: ValueField, value: string): boolean {
  let taken = true;
  field.convert(value, () => void (taken = false), CONTEXT);
  return taken;
}

/** The canaries that a field takes, as expressions. A short one only where no other fits: it ends longer numbers. */
function expressions(field: ValueField): string[] {
  const fitting = Object.entries(canaries).filter(([, value]) => takes(field, value));
  const long = fitting.filter(([, value]) => !isShort(value));
  return (long.length > 0 ? long : fitting).map(([name]) => `={{ $json.${SECRETS}.${name} }}`);
}

const fieldsOf = ({ fields, additional = [] }: Operation): ValueField[] =>
  [...fields, ...additional].flatMap(valueFields);

/** Names of switches for the node itself: a person who asks it to give out a secret gets the secret. */
export const nodeSwitches = (operation: Operation): Set<string> =>
  new Set(
    fieldsOf(operation)
      .filter(({ place, property }) => place === 'node' && property.type === 'boolean')
      .map(parameterOf),
  );

/** What may be typed into the parameters of an operation that are marked secret, by their names. */
export const secretParameters = (operation: Operation): Map<string, string[]> =>
  new Map(
    fieldsOf(operation)
      .filter(({ secret }) => secret)
      .map((field) => [parameterOf(field), expressions(field)]),
  );

/** Where parameters with one of the names stand in a panel: their paths without places in lists. */
export const pathsOf = (properties: INodeProperties[], names: ReadonlySet<string>, prefix = ''): string[] =>
  properties.flatMap((property) => {
    const path = `${prefix}${property.name}`;
    return [...(names.has(property.name) ? [path] : []), ...pathsOf(inside(property), names, `${path}.`)];
  });
