import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Held } from '../shared/versions';

/** Properties of the workflow that converters need besides the values. */
export interface ReadContext {
  /** IANA name of the workflow's time zone, e.g. "Europe/Berlin". */
  timezone: string;
  /**
   * Returns a unique reference of 20 uppercase letters and digits for this item of this run. Retries get the same
   * reference, so that an earlier attempt is recognized.
   */
  reference?: () => string;
  /**
   * Returns whether a parameter contains an expression. If an expression returns nothing, the field's default could
   * move money by mistake.
   */
  isExpression?: (parameter: string) => boolean;
  file?: FindFile;
}

/**
 * Returns the facts about a file of the item by the name of its binary property, or `undefined` if the item has none.
 * @param mostBytes files above this size are not read.
 */
export type FindFile = (property: string, mostBytes: number) => FileFacts | 'unreadable' | undefined;

/** Facts about a file of an item. The content is read again for sending. */
export interface FileFacts {
  fileName: string;
  mimeType: string;
  bytes: number;
  /** First bytes of the content as text, which show its type. */
  start?: string;
  /** Hexadecimal hash of the content. The node recognizes a repeated request by this hash. */
  sha256: string;
}

/** Problem with one parameter of an item, found before anything is sent. */
export interface Problem {
  /** Label of the parameter, with its position in a list if there is one: `Line Items 2 > Unit Cost`. */
  label: string;
  /** Description of the given value, without secrets. */
  found: string;
  /** Description of the allowed values. */
  allowed: string;
}

/** Place of a field in the request. "node" is a setting of the node and is never sent. */
export type FieldPlace = 'body' | 'path' | 'query' | 'node';

/**
 * Properties of every kind of field. A field describes one field of the interface as parameters of the node. `name` is
 * the interface's name, and also the parameter's name unless `parameter` differs. A field is data: `editorProperties`
 * builds its parameters, and `readField` returns its value on the wire.
 */
export interface FieldBase extends Held {
  readonly name: string;
  /**
   * Name of the parameter if it differs from the name on the wire, so that the same thing has the same name in all
   * operations.
   */
  readonly parameter?: string;
  /** Name in the service's records if it differs from `name` and `parameter`. */
  readonly record?: string;
  readonly label: string;
  readonly place: FieldPlace;
  readonly required: boolean;
  /** Whether messages must never describe the value. */
  readonly secret: boolean;
  /** Marks an amount of money, which the guards check. */
  readonly money?: true;
  /** Marks a value that helps users to find the record later. */
  readonly reference?: true;
  /**
   * Whether the value doesn't identify a payment because it is free text, a label, a reference or a setting. A language
   * model may phrase such a value differently in each call. In an object with this mark, all fields have it.
   */
  readonly notIdentifying?: boolean;
  /** Whether only software needs the field. The editor offers such fields last. */
  readonly technical?: true;
  /** Value that the service uses if the field is missing. */
  readonly serverDefault?: string | number | boolean;
  /** Whether the service ignores case in the value. */
  readonly caseInsensitive?: true;
  /** Fields of an object, or of the objects of a list, in the structure of the wire. */
  readonly fields?: Field[];
  /** For a list: maximum number of objects in a request. Several items then share a request. */
  readonly perRequest?: number;
}

/** Exceptions from the usual text of a problem: a position after the label, and a description of the given value. */
export interface ProblemDetails {
  place?: string;
  found?: string;
}

/** Reports a problem by stating what is allowed. Returns `undefined`, so that nothing is sent. */
export type Report = (allowed: string, details?: ProblemDetails) => undefined;

/** Converts a value to its wire format. Called only for values that aren't empty (see `isEmpty`). */
export type Convert = (value: unknown, problem: Report, context: ReadContext) => unknown;

/** Field with a single parameter and value. */
export interface ValueField extends FieldBase {
  readonly kind: 'value';
  readonly property: INodeProperties;
  readonly convert: Convert;
  /** Returns the value to send if none is given. Without this function or a value, a required field is a problem. */
  readonly fallback?: (context: ReadContext) => unknown;
}

/** Access to the parts of a composite field. */
export interface Parts {
  /** Reads a part and reports its problems. */
  read: (part: Field) => unknown;
  /** Reads another field beside this one without reporting its problems, because that field reports them itself. */
  look: (field: Field) => unknown;
  /** IANA name of the workflow's time zone. */
  timezone: string;
  /** See `ReadContext.reference`. */
  reference?: () => string;
  problem: (problem: Problem) => undefined;
}

/** Several parameters that form one value. */
export interface JoinedField extends FieldBase {
  readonly kind: 'joined';
  /** Parts in the order of the editor. */
  readonly parts: Field[];
  readonly join: (parts: Parts) => unknown;
  /** Whether the value is an object whose members are sent at the same level as the other fields. */
  readonly spread?: boolean;
}

/** Collection in the editor whose fields are sent at the same level as the other fields. */
export interface SectionField extends FieldBase {
  readonly kind: 'section';
  readonly inside: Field[];
  /** Text of the button that adds a field. */
  readonly add: string;
}

/** Field that applies only while a choice has certain values. */
export interface ConditionalField extends FieldBase {
  readonly kind: 'conditional';
  readonly decides: Field;
  readonly values: readonly string[];
  /** Whether to invert the condition, so that the field applies unless the choice has one of the values. */
  readonly except: boolean;
  readonly field: Field;
  /** `needed`: the field is required when it applies. `marked`: the editor shows it as required. */
  readonly needed: boolean;
  readonly marked: boolean;
}

/** Object or list of objects, given by fields or as JSON. */
export interface GroupField extends FieldBase {
  readonly kind: 'group';
  readonly list: boolean;
  /** Singular for the button and for messages, e.g. "Line Item". */
  readonly itemLabel: string;
  /** All fields that an object can have. */
  readonly inside: Field[];
  /** `main`: fields that are always visible. `additional`: fields in a collection. */
  readonly main: Field[];
  readonly additional: Field[];
  /** Further properties of the editor's parameter. */
  readonly property: Pick<INodeProperties, 'displayName' | 'name'> & Partial<INodeProperties>;
  /** Whether the editor shows all fields of a single object once it is added. */
  readonly open: boolean;
  /** Whether the user adds the fields of the object one by one. */
  readonly oneByOne: boolean;
  /** Switch between fields and JSON, if the group has one. */
  readonly mode?: ValueField;
  /**
   * Whether the switch and its parameters have an entry of their own, because they would otherwise be separate entries
   * of a collection.
   */
  readonly wrapped: boolean;
  /** Names of the parameters that an object can contain. */
  readonly known: ReadonlySet<string>;
  /** Checks rules between the fields of an object. The labels are relative to the object. */
  readonly rule?: (object: IDataObject, context: ReadContext) => Problem[];
  /** Example object for the JSON. Defaults to the examples of the fields. */
  readonly example?: IDataObject;
  /** Converts the objects to their wire format. Without this function, they are sent unchanged. */
  readonly encode?: (value: IDataObject | IDataObject[]) => unknown;
}

export type Field = ValueField | JoinedField | ConditionalField | GroupField | SectionField;

/** Properties in the declaration of every kind of field. */
export interface FieldOptions {
  name: string;
  /** See `Field.parameter` and `Field.record`, which come from the interface. */
  parameter?: string;
  record?: string;
  label: string;
  description: string;
  required?: boolean;
  /**
   * Whether to hide the required mark, because n8n would require the field even if an expression decides whether the
   * field applies.
   */
  unmarked?: boolean;
  place?: FieldPlace;
  secret?: boolean;
  /** See `Field.money` and `Field.reference`, which come from the interface. */
  money?: true;
  reference?: true;
  /** See `Field.notIdentifying`. Free text, dates and lists of names and values must set it if they are sent. */
  notIdentifying?: boolean;
  /** See `Field.technical`. */
  technical?: true;
  /** See `Field.serverDefault` and `Field.caseInsensitive`. */
  serverDefault?: string | number | boolean;
  caseInsensitive?: true;
  placeholder?: string;
  hint?: string;
  default?: INodeProperties['default'];
  displayOptions?: INodeProperties['displayOptions'];
}
