import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Held } from '../shared/versions';

/** Workflow and item details for `Convert` functions. */
export interface ReadContext {
  /** IANA name of the workflow's time zone. */
  timezone: string;
  /** Returns a unique reference of 20 uppercase letters and digits. Retries of the item return the same reference. */
  reference?: () => string;
  /** If an expression returns nothing, the node must not use the field's default, which could move money by mistake. */
  isExpression?: (parameter: string) => boolean;
  file?: FindFile;
}

/**
 * Finds the file in an item's binary property. Returns `undefined` if the property contains no file.
 * @param mostBytes maximum size. The function doesn't read larger files.
 */
export type FindFile = (property: string, mostBytes: number) => FileFacts | 'unreadable' | undefined;

/** Details of an item's file. The node reads the content again when it sends the file. */
export interface FileFacts {
  fileName: string;
  mimeType: string;
  bytes: number;
  /** First bytes of the content as text, which indicate the file type. */
  start?: string;
  /** Hexadecimal SHA-256 hash of the content. */
  sha256: string;
}

/** Problem with an item's parameter that the node found before it sent anything. */
export interface Problem {
  /** Example: `Line Items 2 > Unit Cost`. */
  label: string;
  found: string;
  allowed: string;
}

/** Part of the request that contains a field. A "node" field is a setting that the node never sends. */
export type FieldPlace = 'body' | 'path' | 'query' | 'node';

/** Connects the field `name` of the service's interface to parameters in the editor. */
export interface FieldBase extends Held {
  readonly name: string;
  readonly parameter?: string;
  readonly record?: string;
  readonly label: string;
  readonly place: FieldPlace;
  readonly required: boolean;
  /** Whether messages must never contain the value. */
  readonly secret: boolean;
  /** Whether the value is an amount of money, which the node checks against its limits. */
  readonly money?: true;
  /** Whether the value helps users find the record in the service later. */
  readonly reference?: true;
  /**
   * Whether the value is free text or a setting, so it doesn't identify a payment. A language model may vary it between
   * calls.
   */
  readonly notIdentifying?: boolean;
  /** Whether only developers need the field. The editor lists technical fields last. */
  readonly technical?: true;
  readonly serverDefault?: string | number | boolean;
  readonly caseInsensitive?: true;
  readonly fields?: Field[];
  /** Maximum number of list elements per request, if several items can share a request. */
  readonly perRequest?: number;
}

/** `place`: position after the parameter's label. `found`: description of the invalid value. */
export interface ProblemDetails {
  place?: string;
  found?: string;
}

/** Reports a problem. Returns `undefined`, which tells the node to send nothing. */
export type Report = (allowed: string, details?: ProblemDetails) => undefined;

/** Converts a nonempty value from the editor to the value in the request. */
export type Convert = (value: unknown, problem: Report, context: ReadContext) => unknown;

/** Field with a single parameter. */
export interface ValueField extends FieldBase {
  readonly kind: 'value';
  readonly property: INodeProperties;
  readonly convert: Convert;
  readonly fallback?: (context: ReadContext) => unknown;
}

/** Functions that give a joined field access to its parts. */
export interface Parts {
  read: (part: Field) => unknown;
  /** Reads another field without reporting its problems a second time. */
  look: (field: Field) => unknown;
  timezone: string;
  reference?: () => string;
  problem: (problem: Problem) => undefined;
}

/** Field that combines several parameters into one value. */
export interface JoinedField extends FieldBase {
  readonly kind: 'joined';
  readonly parts: Field[];
  readonly join: (parts: Parts) => unknown;
  /** Whether the request contains the combined object's members as separate fields. */
  readonly spread?: boolean;
}

/** Collection that groups fields in the editor. The request doesn't contain the collection. */
export interface SectionField extends FieldBase {
  readonly kind: 'section';
  readonly inside: Field[];
  readonly add: string;
}

/** Field that applies only while a choice has certain values. */
export interface ConditionalField extends FieldBase {
  readonly kind: 'conditional';
  readonly decides: Field;
  readonly values: readonly string[];
  /** Whether the field applies if the choice is none of the values. */
  readonly except: boolean;
  readonly field: Field;
  /** Whether the field is required if it applies. */
  readonly needed: boolean;
  readonly marked: boolean;
}

/** Object or list of objects that users enter as fields or as JSON. */
export interface GroupField extends FieldBase {
  readonly kind: 'group';
  readonly list: boolean;
  readonly itemLabel: string;
  readonly inside: Field[];
  /** `main`: fields that are always visible. `additional`: fields in a collection. */
  readonly main: Field[];
  readonly additional: Field[];
  readonly property: Pick<INodeProperties, 'displayName' | 'name'> & Partial<INodeProperties>;
  readonly open: boolean;
  /** Whether the user adds the fields of an object one by one. */
  readonly oneByOne: boolean;
  readonly mode?: ValueField;
  /** Whether users add the group's parameters and its input mode together, as one entry of a collection. */
  readonly wrapped: boolean;
  readonly known: ReadonlySet<string>;
  /** Checks rules across several fields of an object. */
  readonly rule?: (object: IDataObject, context: ReadContext) => Problem[];
  /** Example for the JSON parameter. Defaults to the examples of the fields. */
  readonly example?: IDataObject;
  readonly encode?: (value: IDataObject | IDataObject[]) => unknown;
}

export type Field = ValueField | JoinedField | ConditionalField | GroupField | SectionField;

/** Options for declaring a field. */
export interface FieldOptions {
  name: string;
  parameter?: string;
  record?: string;
  label: string;
  description: string;
  required?: boolean;
  /**
   * Whether the editor shows a required field as optional. n8n would otherwise require the field even if an expression
   * decides that it doesn't apply.
   */
  unmarked?: boolean;
  place?: FieldPlace;
  secret?: boolean;
  money?: true;
  reference?: true;
  /** Required for free text, dates, and lists of names and values (see `Field.notIdentifying`). */
  notIdentifying?: boolean;
  technical?: true;
  serverDefault?: string | number | boolean;
  caseInsensitive?: true;
  placeholder?: string;
  hint?: string;
  default?: INodeProperties['default'];
  displayOptions?: INodeProperties['displayOptions'];
}
