import type { INodeProperties } from 'n8n-workflow';

import { allowedValues } from '../../nodes/PaymentPlatform/fields/allowed-values';
import type { Field } from '../../nodes/PaymentPlatform/fields/types';
import type { Operation } from '../../nodes/PaymentPlatform/model/types';
import { choicesOf } from './choices';

const MOST_CHOICES = 40;

/** Describes the allowed values of a parameter. */
export function limitsOf(operation: Operation, field: Field, property: INodeProperties): string[] {
  const choices = choicesOf(property, operation).map(({ name, value }) =>
    value === '' ? name : `${name} (\`${String(value)}\`)`,
  );
  if (choices.length > MOST_CHOICES) return [`${choices.slice(0, 3).join(', ')} and ${choices.length - 3} more`];
  if (choices.length > 0) return [choices.join(', ')];
  return property.type === 'boolean' ? ['True or false'] : allowedValues(field, property);
}
