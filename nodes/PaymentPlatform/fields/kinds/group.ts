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
  /** Fields of an object in the group. */
  fields: Field[];
  /** Whether the group is a list of objects or a single object. */
  type: 'list' | 'object';
  /** Facts of the interface about the fields of an object. */
  parts?: Facts;
  /** Rarely needed fields of an object, shown in a collection. */
  additional?: Field[];
  /** Fields of the object that the editor offers outside the group. JSON can contain them. */
  jsonOnlyFields?: Field[];
  /**
   * Whether the editor shows all fields of a single object once it is added, instead of one by one. Don't set a
   * default: n8n can't load a workflow that omits a single object whose default isn't empty.
   */
  open?: boolean;
  /** Singular for the button and for messages, e.g. "Line Item". */
  itemLabel: string;
  /**
   * Whether the parameter is at the top level, or in an object at the top level, and gets a switch between fields and
   * JSON. A list always has the switch. In a collection such as "Additional Fields", the list and its switch share one
   * entry, so that users don't have to add two.
   */
  topLevel?: boolean;
  /** See `Field.perRequest`. */
  perRequest?: number;
  /** See `GroupField.example`. */
  example?: IDataObject;
  /** Checks rules between valid fields of an object. The labels are relative to the object. */
  rule?: (object: IDataObject, context: ReadContext) => Problem[];
  /** Converts the objects to their wire format. Without this function, they are sent unchanged. */
  encode?: (value: IDataObject | IDataObject[]) => unknown;
}

/**
 * Object or list of objects, given by fields or as JSON (text, or an array or object from an expression). JSON passes
 * the same checks as fields. Unknown names in JSON are refused.
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
    // A list that contains a secret, such as a card number, is a secret, too.
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

/** Fields of a group: visible fields, additional fields, and all fields that an object can have. */
type OwnFields = Pick<GroupField, 'main' | 'additional' | 'inside'>;

/** Returns the group with other fields. */
export const withFields = (field: GroupField, fields: OwnFields): GroupField => ({
  ...field,
  ...ofFields(field, fields),
});

/** Returns the properties of a group that depend on its fields. */
const ofFields = ({ list, open, encode }: Pick<GroupField, 'list' | 'open' | 'encode'>, fields: OwnFields) => ({
  ...fields,
  open,
  ...(encode ? { encode } : { fields: fields.inside.filter(({ place }) => place !== 'node') }),
  oneByOne: !list && !open && fields.main.every(({ required }) => !required),
  known: new Set(fields.inside.flatMap(parameterNames)),
});

/** Marks all fields of an object as not identifying the payment. */
const asWording = (field: Field): Field => ({
  ...field,
  notIdentifying: true,
  ...(field.fields && { fields: field.fields.map(asWording) }),
});

/**
 * Switch between fields and JSON. Expressions aren't allowed, because the editor could not determine which parameters
 * to show.
 */
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

/**
 * Collection of related fields, such as those of an address. The fields are sent at the same level as fields outside
 * the collection. A request with 53 fields would otherwise show 53 parameters.
 */
export const section = (options: {
  name: string;
  label: string;
  fields: Field[];
  /** Place of the fields, which also determines where the editor shows them. */
  place?: FieldPlace;
  /** Text of the button that adds a field. Defaults to "Add Card Field" in a section "Card". */
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

/**
 * Returns the fields in the structure of the wire. A section is replaced by its fields, and fields that only write into
 * others are left out.
 */
export const wireFields = (fields: readonly Field[]): Field[] =>
  fields.flatMap((field) => (field.kind === 'section' ? wireFields(field.inside) : isSpread(field) ? [] : [field]));
