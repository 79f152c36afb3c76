import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Held } from '../shared/versions';

/** Information about the workflow and the item that `Convert` functions need. */
export interface ReadContext {
  /** IANA name of the workflow's time zone, e.g. "Europe/Berlin". */
  timezone: string;
  /**
   * Returns a reference of 20 uppercase letters and digits that is unique for the item and the run. Retries get the
   * same reference, so that the node recognizes an earlier attempt.
   */
  reference?: () => string;
  /**
   * Returns whether a parameter contains an expression. If the expression returns nothing, the node must not use the
   * field's default, which could move money by mistake.
   */
  isExpression?: (parameter: string) => boolean;
  file?: FindFile;
}

/**
 * Returns information about the file in a binary property of the item, or `undefined` if the property contains no file.
 * @param mostBytes maximum size. The function doesn't read the content of a larger file.
 */
export type FindFile = (property: string, mostBytes: number) => FileFacts | 'unreadable' | undefined;

/** Information about a file of an item. The node reads the content again when it sends the file. */
export interface FileFacts {
  fileName: string;
  mimeType: string;
  bytes: number;
  /** First bytes of the content as text, which indicate the file type. */
  start?: string;
  /** Hexadecimal SHA-256 hash of the content, which identifies a repeated request. */
  sha256: string;
}

/** Problem with a parameter of an item, found before the node sends anything. */
export interface Problem {
  /** Label of the parameter, including a position in a list: `Line Items 2 > Unit Cost`. */
  label: string;
  /** Description of the invalid value, without secrets. */
  found: string;
  /** Description of the allowed values. */
  allowed: string;
}

/** Part of the request that contains a field. "node" means a setting of the node, which is never sent. */
export type FieldPlace = 'body' | 'path' | 'query' | 'node';

/**
 * Properties of every kind of field. A field maps a field of the interface to parameters of the node. `name` is the
 * interface's name. `name` is also the parameter's name, unless `parameter` is set. `editorProperties` returns the
 * parameters of a field, and `readField` returns the value to send.
 */
export interface FieldBase extends Held {
  readonly name: string;
  /**
   * Parameter name, if it differs from the interface's name. Operations with different interface names can then share
   * one parameter name.
   */
  readonly parameter?: string;
  /** Name in the service's records, if it differs from `name` and `parameter`. */
  readonly record?: string;
  readonly label: string;
  readonly place: FieldPlace;
  readonly required: boolean;
  /** Whether messages must never contain the value. */
  readonly secret: boolean;
  /** Whether the value is an amount of money, which the guards check. */
  readonly money?: true;
  /** Whether the value helps users find the record later. */
  readonly reference?: true;
  /**
   * Whether the value doesn't identify a payment because it is free text, a label, a reference or a setting. A language
   * model may phrase the value differently in each call. If an object has this property, all of its fields have it,
   * too.
   */
  readonly notIdentifying?: boolean;
  /**
   * Whether the field is technical, such as the ID of the software that sends the request. The editor lists technical
   * fields last.
   */
  readonly technical?: true;
  /** Value that the service uses if the request omits the field. */
  readonly serverDefault?: string | number | boolean;
  /** Whether the service ignores the case of the value. */
  readonly caseInsensitive?: true;
  /** Fields of the object, or of each object in the list, as the request contains them. */
  readonly fields?: Field[];
  /** Maximum number of list entries in a request. Several items can then share a request. */
  readonly perRequest?: number;
}

/** Overrides for a problem: `place` is a position after the label, and `found` describes the value. */
export interface ProblemDetails {
  place?: string;
  found?: string;
}

/**
 * Reports a problem and describes the allowed values. Returns `undefined`, so that a `Convert` function can return the
 * result to send nothing.
 */
export type Report = (allowed: string, details?: ProblemDetails) => undefined;

/**
 * Converts a value to its wire format. The node calls this function only for values that aren't empty (see `isEmpty`).
 */
export type Convert = (value: unknown, problem: Report, context: ReadContext) => unknown;

/** Field with a single parameter. */
export interface ValueField extends FieldBase {
  readonly kind: 'value';
  readonly property: INodeProperties;
  readonly convert: Convert;
  /**
   * Returns the value to send if the user enters none. If this function returns `undefined` or is missing, an empty
   * required field is a problem.
   */
  readonly fallback?: (context: ReadContext) => unknown;
}

/** Functions that give a joined field access to its parts. */
export interface Parts {
  /** Reads a part and reports the part's problems. */
  read: (part: Field) => unknown;
  /**
   * Reads another field without reporting its problems, because the node reports the problems of that field separately.
   */
  look: (field: Field) => unknown;
  /** IANA name of the workflow's time zone. */
  timezone: string;
  /** See `ReadContext.reference`. */
  reference?: () => string;
  problem: (problem: Problem) => undefined;
}

/** Field that combines several parameters into one value. */
export interface JoinedField extends FieldBase {
  readonly kind: 'joined';
  /** Parts in display order. */
  readonly parts: Field[];
  readonly join: (parts: Parts) => unknown;
  /** Whether the request contains the value's members as separate fields. */
  readonly spread?: boolean;
}

/** Collection that groups fields in the editor. The collection doesn't appear in the request. */
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
  /**
   * `needed`: whether the field is required if it applies. `marked`: whether the editor shows the field as required.
   */
  readonly needed: boolean;
  readonly marked: boolean;
}

/** Object or list of objects that users enter as fields or as JSON. */
export interface GroupField extends FieldBase {
  readonly kind: 'group';
  readonly list: boolean;
  /** Singular name of an object for the Add button and messages, e.g. "Line Item". */
  readonly itemLabel: string;
  /** All fields that an object can contain. */
  readonly inside: Field[];
  /** `main`: fields that are always visible. `additional`: fields in a collection. */
  readonly main: Field[];
  readonly additional: Field[];
  /** Properties of the group's parameter in the editor. */
  readonly property: Pick<INodeProperties, 'displayName' | 'name'> & Partial<INodeProperties>;
  /** Whether the editor shows all fields of a single object after the user adds the object. */
  readonly open: boolean;
  /** Whether the user adds the fields of the object one by one. */
  readonly oneByOne: boolean;
  /** Parameter that selects fields or JSON, if the group offers both. */
  readonly mode?: ValueField;
  /**
   * Whether one entry of a collection contains the group's parameters and its input mode. Otherwise, users would have
   * to add each parameter separately.
   */
  readonly wrapped: boolean;
  /** Names of the parameters that an object can contain. */
  readonly known: ReadonlySet<string>;
  /**
   * Checks rules that involve several fields of an object. The labels in the returned problems don't include the
   * object's label.
   */
  readonly rule?: (object: IDataObject, context: ReadContext) => Problem[];
  /** Example object for the JSON parameter. Defaults to the examples of the fields. */
  readonly example?: IDataObject;
  /** Converts the objects to their wire format. Without this function, the node sends the objects unchanged. */
  readonly encode?: (value: IDataObject | IDataObject[]) => unknown;
}

export type Field = ValueField | JoinedField | ConditionalField | GroupField | SectionField;

/** Options for declaring any kind of field. */
export interface FieldOptions {
  name: string;
  /** See `Field.parameter` and `Field.record`. The interface provides both values. */
  parameter?: string;
  record?: string;
  label: string;
  description: string;
  required?: boolean;
  /**
   * Whether the editor shows a required field as optional. n8n would otherwise require the field even if an expression
   * decides that the field doesn't apply.
   */
  unmarked?: boolean;
  place?: FieldPlace;
  secret?: boolean;
  /** See `Field.money` and `Field.reference`. The interface provides both values. */
  money?: true;
  reference?: true;
  /**
   * See `Field.notIdentifying`. Required for free text, dates, and lists of names and values, unless the field is a
   * setting of the node.
   */
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
