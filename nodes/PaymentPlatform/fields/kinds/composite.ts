import type { Field, FieldBase, JoinedField, Parts } from '../types';

type Marked = 'money' | 'reference' | 'notIdentifying' | 'technical' | 'serverDefault' | 'caseInsensitive';

/** What is known of a field's value, for another field that stands for it. */
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
 * Several parameters that make one value of the interface.
 * @param like the field that gives it its name, label, place and marks; usually one of the parts.
 * @param parts in the order in which the editor shows them.
 * @param join makes the value; `undefined` sends nothing.
 * @param spread whether the value is an object whose members stand beside the other fields on the wire.
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
