import type { Field, FieldBase, CompositeField, Parts } from '../types';

type Marked = 'money' | 'reference' | 'notIdentifying' | 'technical' | 'serverDefault' | 'caseInsensitive';

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
 * Combines several parameters into one value.
 * @param like field that provides the name, label and classification.
 * @param join returns `undefined` to send nothing.
 * @param spread whether the request contains the value's members as separate fields.
 */
export const composite = (
  like: FieldBase,
  parts: Field[],
  join: (parts: Parts) => unknown,
  { spread = false } = {},
): CompositeField => ({
  name: like.name,
  ...(like.parameter !== undefined && { parameter: like.parameter }),
  ...(like.record !== undefined && { record: like.record }),
  label: like.label,
  place: like.place,
  required: like.required,
  secret: like.secret,
  ...marksOf(like),
  ...(like.fields && { fields: like.fields }),
  kind: 'composite',
  parts,
  join,
  ...(spread && { spread }),
});
