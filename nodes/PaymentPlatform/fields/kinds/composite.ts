import type { Field, FieldBase, JoinedField, Parts } from '../types';

type Marked = 'money' | 'reference' | 'notIdentifying' | 'technical' | 'serverDefault' | 'caseInsensitive';

/** Copies the marks of a field to another field that represents the same value. */
export const marksOf = ({
  money,
  reference,
  notIdentifying,
  technical,
  serverDefault,
  caseInsensitive,
}: Pick<FieldBase, Marked>) => ({
  ...(money && { money }),
  ...(reference && { reference }),
  ...(notIdentifying !== undefined && { notIdentifying }),
  ...(technical && { technical }),
  ...(serverDefault !== undefined && { serverDefault }),
  ...(caseInsensitive && { caseInsensitive }),
});

/**
 * Creates a field whose value consists of several parameters.
 * @param like field that provides the name, label, place and marks, usually one of the parts.
 * @param parts in the order of the editor.
 * @param join returns the value, or `undefined` to send nothing.
 * @param spread whether the value is an object whose members are sent at the same level as the other fields.
 */
export const composite = (
  like: FieldBase,
  parts: Field[],
  join: (parts: Parts) => unknown,
  { spread = false } = {},
): JoinedField => ({
  name: like.name,
  ...(like.parameter !== undefined && { parameter: like.parameter }),
  ...(like.record !== undefined && { record: like.record }),
  label: like.label,
  place: like.place,
  required: like.required,
  secret: like.secret,
  ...marksOf(like),
  ...(like.fields && { fields: like.fields }),
  kind: 'joined',
  parts,
  join,
  ...(spread && { spread }),
});
