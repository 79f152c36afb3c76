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
import { commonParts, commonProperty, parameterName } from '../value';
import { choice } from './choice';

export interface GroupOptions extends FieldOptions {
  /** The fields of one object of the group. */
  fields: Field[];
  /** A list of objects, or one object. */
  type: 'list' | 'object';
  /** What the interface says of the fields of one object. */
  parts?: Facts;
  /** Rarely needed fields of one object: given by fields, they stand in a collection of their own. */
  additional?: Field[];
  /** Fields of the object that the editor offers beside the group, not in it. JSON may hold them. */
  jsonOnlyFields?: Field[];
  /**
   * Whether the fields of a single object stand open, once it is added, instead of being added one by one. n8n fails
   * to load a workflow that leaves out a single object whose default is not empty: give it none.
   */
  open?: boolean;
  /** The singular, for the button and for messages, e.g. "Line Item". */
  itemLabel: string;
  /**
   * Whether the parameter stands at the top level, or among the fields of an object that does: there a switch chooses
   * between fields and JSON. A list has the switch everywhere; in a collection such as "Additional Fields", where it would
   * be one more entry to add, both stand in the entry of the list.
   */
  topLevel?: boolean;
  /** See `Field.perRequest`. */
  perRequest?: number;
  /** See `GroupField.example`. */
  example?: IDataObject;
  /** What is wrong between the fields of an object, each of which is right; labels as in the object. */
  rule?: (object: IDataObject, context: ReadContext) => Problem[];
  /** Turns the objects into what is sent; the objects themselves unless given. */
  encode?: (value: IDataObject | IDataObject[]) => unknown;
}

/**
 * An object, or a list of objects, given by fields or as JSON (text, or an array or object from an expression). JSON
 * passes the same checks as the fields, and a name that the interface does not have is refused, not ignored.
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
    // A list of cards is as secret as the numbers in it.
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

/** The fields of a group: those in the open, the others that the editor offers, and all that an object may have. */
type OwnFields = Pick<GroupField, 'main' | 'additional' | 'inside'>;

/** The group with other fields. */
export const withFields = (field: GroupField, fields: OwnFields): GroupField => ({
  ...field,
  ...ofFields(field, fields),
});

/** All of a group that depends on its fields. */
const ofFields = ({ list, open, encode }: Pick<GroupField, 'list' | 'open' | 'encode'>, fields: OwnFields) => ({
  ...fields,
  open,
  ...(encode ? { encode } : { fields: fields.inside.filter(({ place }) => place !== 'node') }),
  oneByOne: !list && !open && fields.main.every(({ required }) => !required),
  known: new Set(fields.inside.flatMap(parameterNames)),
});

/** All that stands in an object of words is words. */
const asWording = (field: Field): Field => ({
  ...field,
  notIdentifying: true,
  ...(field.fields && { fields: field.fields.map(asWording) }),
});

/** Whether the objects are given by fields or as JSON. By no expression: the editor has to know what it shows. */
function modeField(options: GroupOptions): ValueField {
  const { label } = options;
  const mode = choice({
    name: `${parameterName(options)}Mode`,
    label: `Specify ${label}`,
    description: `Input method for ${label.toLowerCase()}: individual fields, or JSON from an earlier node`,
    options: [
      { name: 'Using Fields Below', value: 'fields' },
      { name: 'Using JSON', value: 'json' },
    ],
    default: 'fields',
    place: 'node',
  });
  return { ...mode, property: { ...mode.property, noDataExpression: true } };
}

/**
 * Fields that belong together, such as those of an address, in a collection of their own in the editor. On the wire they
 * stand beside the others: a request of 53 fields is no list of 53 parameters.
 */
export const section = (options: {
  name: string;
  label: string;
  fields: Field[];
  /** Where its fields go; it says where the editor shows it. */
  place?: FieldPlace;
  /** What the button says that adds one of the fields; "Add Card Field" in a section "Card" unless given. */
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

/** Whether the value of a field is an object whose members stand beside the other fields on the wire. */
export const isSpread = (field: Field): boolean =>
  field.kind === 'section' || (field.kind === 'joined' && field.spread === true);

/** The fields as they stand on the wire: those of a section in its place, and what only writes into others left out. */
export const wireFields = (fields: readonly Field[]): Field[] =>
  fields.flatMap((field) => (field.kind === 'section' ? wireFields(field.inside) : isSpread(field) ? [] : [field]));
