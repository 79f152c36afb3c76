import { wireFields } from '../fields/section';
import type { Field } from '../fields/types';
import type { Operation } from './types';

/** All fields of an operation, as they stand on the wire. */
export const declaredFields = ({ fields, additional = [] }: Pick<Operation, 'fields' | 'additional'>): Field[] =>
  wireFields([...fields, ...additional]);
