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
  /** Main fields of an object in the group. */
  fields: Field[];
  /** Whether the group is a list of objects or a single object. */
  type: 'list' | 'object';
  /** Interface constraints on the fields of an object. */
  parts?: Facts;
  /** Rarely needed fields of an object, shown in a collection. */
  additional?: Field[];
  /** Fields of the object that the editor shows outside the group. JSON can contain these fields. */
  jsonOnlyFields?: Field[];
  /**
   * Whether the editor shows all fields of a single object after the user adds the object. Otherwise, the user adds the
   * fields one by one. Don't set a default, because n8n can't load a workflow that omits a single object with a
   * nonempty default.
   */
  open?: boolean;
  /** Singular name of an object for the Add button and messages, e.g. "Line Item". */
  itemLabel: string;
  /**
   * Whether the group is at the top level, or in an object at the top level. A group at the top level has an input mode
   * for fields or JSON. A list always has the input mode. In a collection, the list and its input mode share one entry,
   * so that users don't have to add two entries.
   */
  topLevel?: boolean;
  /** See `Field.perRequest`. */
  perRequest?: number;
  /** See `GroupField.example`. */
  example?: IDataObject;
  /**
   * Checks rules that involve several fields of an object. The labels in the returned problems don't include the
   * object's label.
   */
  rule?: (object: IDataObject, context: ReadContext) => Problem[];
  /** Converts the objects to their wire format. Without this function, the node sends the objects unchanged. */
  encode?: (value: IDataObject | IDataObject[]) => unknown;
}

/**
 * Creates a field for an object or a list of objects. Users enter fields or JSON. The JSON is text, or an array or
 * object from an expression. JSON passes the same checks as fields, and the node refuses unknown names in JSON.
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
    // If a field of the group is secret, such as a card number, the group is secret, too.
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

/**
 * Fields of a group's objects. `inside` contains the main fields, the additional fields, and the fields that only JSON
 * can contain.
 */
type OwnFields = Pick<GroupField, 'main' | 'additional' | 'inside'>;

/** Returns a copy of the group with other fields. */
export const withFields = (field: GroupField, fields: OwnFields): GroupField => ({
  ...field,
  ...ofFields(field, fields),
});

/** Returns the properties of a group that depend on the group's fields. */
const ofFields = ({ list, open, encode }: Pick<GroupField, 'list' | 'open' | 'encode'>, fields: OwnFields) => ({
  ...fields,
  open,
  ...(encode ? { encode } : { fields: fields.inside.filter(({ place }) => place !== 'node') }),
  oneByOne: !list && !open && fields.main.every(({ required }) => !required),
  known: new Set(fields.inside.flatMap(parameterNames)),
});

/** Returns a copy of the field with `notIdentifying` set at every depth. */
const asWording = (field: Field): Field => ({
  ...field,
  notIdentifying: true,
  ...(field.fields && { fields: field.fields.map(asWording) }),
});

/**
 * Parameter that selects fields or JSON. The parameter doesn't allow expressions, because the editor needs the value to
 * decide which parameters to show.
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
 * Collection that groups related fields in the editor, such as the fields of an address. The collection keeps the list
 * of parameters short and doesn't appear in the request.
 */
export const section = (options: {
  name: string;
  label: string;
  fields: Field[];
  /** Part of the request that contains the fields. The part also determines the section's position in the editor. */
  place?: FieldPlace;
  /** Text of the button that adds a field. Defaults to "Add Card Field" if the label is "Card". */
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
 * Returns the fields that the request contains. Replaces a section with its fields. Omits a joined field if the request
 * contains the members of its value instead.
 */
export const wireFields = (fields: readonly Field[]): Field[] =>
  fields.flatMap((field) => (field.kind === 'section' ? wireFields(field.inside) : isSpread(field) ? [] : [field]));
