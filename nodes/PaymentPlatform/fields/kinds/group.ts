import type { IDataObject } from 'n8n-workflow';
import type { Facts } from '../../wire/facts';
import { parameterNames, technicalLast } from '../editor';
import type {
  Field,
  FieldOptions,
  FieldPlace,
  GroupField,
  Problem,
  ReadContext,
  SectionField,
  ValueField,
} from '../types';
import { commonParts, commonProperty, isSpread, parameterName } from '../value';
import { choice } from './choice';

export interface GroupOptions extends FieldOptions {
  fields: Field[];
  type: 'list' | 'object';
  parts?: Facts;
  additional?: Field[];
  /** JSON can also contain these fields, which the editor shows outside the group. */
  jsonOnlyFields?: Field[];
  /** Shows all fields of a new object. Otherwise, the user adds them one by one. */
  open?: boolean;
  /** Name of one object, e.g. "Line Item". */
  itemLabel: string;
  /** At the top level, users can choose between fields and JSON. */
  topLevel?: boolean;
  perRequest?: number;
  example?: IDataObject;
  rule?: (object: IDataObject, context: ReadContext) => Problem[];
  encode?: (value: IDataObject | IDataObject[]) => unknown;
}

/**
 * Object or list of objects, entered as fields or as JSON. JSON undergoes the same checks, and the node rejects unknown
 * names.
 */
export function group(options: GroupOptions): GroupField {
  const {
    fields: main,
    additional = [],
    jsonOnlyFields = [],
    type,
    itemLabel,
    perRequest,
    rule,
    example,
    encode,
  } = options;
  const list = type === 'list';
  const own = [...main, ...additional, ...jsonOnlyFields];
  const inside = options.notIdentifying ? own.map(asWording) : own;
  return {
    // A group is secret if one of its fields is secret, such as a card number.
    ...commonParts({ ...options, secret: options.secret ?? inside.some(({ secret }) => secret) }),
    kind: 'group',
    list,
    itemLabel,
    ...ofFields({ list, open: options.open === true, encode }, { main, additional: technicalLast(additional), inside }),
    property: {
      ...commonProperty({ ...options, required: false }),
      ...(options.default !== undefined && { default: options.default }),
    },
    ...((options.topLevel || list) && { mode: modeField(options) }),
    wrapped: list && !options.topLevel,
    ...(perRequest !== undefined && { perRequest }),
    ...(rule && { rule }),
    ...(example && { example }),
  };
}

type OwnFields = Pick<GroupField, 'main' | 'additional' | 'inside'>;

export const withFields = (field: GroupField, fields: OwnFields): GroupField => ({
  ...field,
  ...ofFields(field, fields),
});

const ofFields = ({ list, open, encode }: Pick<GroupField, 'list' | 'open' | 'encode'>, fields: OwnFields) => ({
  ...fields,
  open,
  ...(encode ? { encode } : { fields: fields.inside.filter(({ place }) => place !== 'node') }),
  oneByOne: !list && !open && fields.main.every(({ required }) => !required),
  known: new Set(fields.inside.flatMap(parameterNames)),
});

const asWording = (field: Field): Field => ({
  ...field,
  notIdentifying: true,
  ...(field.fields && { fields: field.fields.map(asWording) }),
});

/** The parameter allows no expression, because the editor needs its value to decide which parameters to show. */
function modeField(options: GroupOptions): ValueField {
  const { label } = options;
  const mode = choice({
    name: `${parameterName(options)}Mode`,
    label: `Specify ${label}`,
    description: 'Input method: individual fields or JSON',
    options: [
      { name: 'Using Fields Below', value: 'fields' },
      { name: 'Using JSON', value: 'json' },
    ],
    default: 'fields',
    place: 'node',
  });
  return { ...mode, property: { ...mode.property, noDataExpression: true } };
}

/** Groups fields in the editor. The request doesn't contain the collection. */
export const section = (options: {
  name: string;
  label: string;
  fields: Field[];
  place?: FieldPlace;
  /** Button label. Defaults to "Add Card Field" for "Card". */
  add?: string;
}): SectionField => ({
  name: options.name,
  label: options.label,
  place: options.place ?? 'node',
  required: false,
  secret: options.fields.some(({ secret }) => secret),
  kind: 'section',
  inside: options.fields,
  add: options.add ?? `Add ${options.label} Field`,
});

/** Omits the editor's collections. */
export const wireFields = (fields: readonly Field[]): Field[] =>
  fields.flatMap((field) => (field.kind === 'section' ? wireFields(field.inside) : isSpread(field) ? [] : [field]));
