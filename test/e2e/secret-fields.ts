import type { INodeProperties } from 'n8n-workflow';

import type { Field, ReadContext, ValueField } from '../../nodes/PaymentPlatform/fields/types';
import { parameterName } from '../../nodes/PaymentPlatform/fields/value';
import type { Operation } from '../../nodes/PaymentPlatform/model/types';
import { inside } from '../workflow/panel/person/fill';
import { canaries, isShort, SECRETS } from './canaries';

const CONTEXT: ReadContext = { timezone: 'America/New_York' };

function valueFields(field: Field): ValueField[] {
  switch (field.kind) {
    case 'value':
      return [field];
    case 'composite':
      return field.parts.flatMap(valueFields);
    case 'conditional':
      return valueFields(field.field);
    case 'section':
    case 'group':
      return field.inside.flatMap(valueFields);
  }
}

function takes(field: ValueField, value: string): boolean {
  let taken = true;
  field.convert(value, () => void (taken = false), CONTEXT);
  return taken;
}

/** Prefers long secrets, because a longer number may contain a short secret by chance. */
function expressions(field: ValueField): string[] {
  const fitting = Object.entries(canaries).filter(([, value]) => takes(field, value));
  const long = fitting.filter(([, value]) => !isShort(value));
  return (long.length > 0 ? long : fitting).map(([name]) => `={{ $json.${SECRETS}.${name} }}`);
}

const fieldsOf = ({ fields, additional = [] }: Operation): ValueField[] =>
  [...fields, ...additional].flatMap(valueFields);

export const nodeSwitches = (operation: Operation): Set<string> =>
  new Set(
    fieldsOf(operation)
      .filter(({ place, property }) => place === 'node' && property.type === 'boolean')
      .map(parameterName),
  );

export const secretParameters = (operation: Operation): Map<string, string[]> =>
  new Map(
    fieldsOf(operation)
      .filter(({ secret }) => secret)
      .map((field) => [parameterName(field), expressions(field)]),
  );

/** Returns the paths of all parameters with the given names, without list indexes. */
export const pathsOf = (properties: INodeProperties[], names: ReadonlySet<string>, prefix = ''): string[] =>
  properties.flatMap((property) => {
    const path = `${prefix}${property.name}`;
    return [...(names.has(property.name) ? [path] : []), ...pathsOf(inside(property), names, `${path}.`)];
  });
