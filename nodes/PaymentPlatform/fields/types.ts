import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Held } from '../shared/versions';

/** Workflow and item details for `Convert`. */
export interface ReadContext {
  /** IANA name. */
  timezone: string;
  /** If an expression returns nothing, the node must not use the field's default, which could move money by mistake. */
  isExpression?: (parameter: string) => boolean;
  file?: FindFile;
}

/**
 * Returns `undefined` if the property contains no file.
 * @param mostBytes maximum size. The function doesn't read larger files.
 */
export type FindFile = (property: string, mostBytes: number) => FileFacts | 'unreadable' | undefined;

/** The node reads the content again when it sends the file. */
export interface FileFacts {
  fileName: string;
  mimeType: string;
  bytes: number;
  /** First bytes as text, which indicate the file type. */
  start?: string;
  /** Hexadecimal SHA-256 of the content. */
  sha256: string;
}

/** Problem that the node found before it sent anything. */
export interface Problem {
  /** Example: `Line Items 2 > Unit Cost`. */
  label: string;
  found: string;
  allowed: string;
}

/** Part of the request that contains a field. A "node" field is a setting that the node never sends. */
export type FieldPlace = 'body' | 'path' | 'query' | 'node';

/** Connects the interface's field `name` to parameters in the editor. */
export interface FieldBase extends Held {
  readonly name: string;
  readonly parameter?: string;
  readonly record?: string;
  readonly label: string;
  readonly place: FieldPlace;
  readonly required: boolean;
  /** Whether messages must never contain the value. */
  readonly secret: boolean;
  /** Whether the node checks the value against its limits. */
  readonly money?: true;
  /** Whether the value helps users find the record later. */
  readonly reference?: true;
  /**
   * Whether the value is free text or a setting, which doesn't identify a payment. A language model may vary it between
   * calls.
   */
  readonly notIdentifying?: boolean;
  /** Whether only developers need the field. The editor lists it last. */
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

/** Converts a nonempty value from the editor for the request. */
export type Convert = (value: unknown, problem: Report, context: ReadContext) => unknown;

export interface ValueField extends FieldBase {
  readonly kind: 'value';
  readonly property: INodeProperties;
  readonly convert: Convert;
  /** @param isAdded whether the parameter exists, although it is empty. */
  readonly fallback?: (context: ReadContext, isAdded: boolean) => unknown;
}

export interface Parts {
  read: (part: Field) => unknown;
  /** Doesn't report the other field's problems a second time. */
  look: (field: Field) => unknown;
  timezone: string;
  problem: (problem: Problem) => undefined;
}

export interface CompositeField extends FieldBase {
  readonly kind: 'composite';
  readonly parts: Field[];
  readonly join: (parts: Parts) => unknown;
  /** Whether the request contains the members as separate fields. */
  readonly spread?: boolean;
}

/** Exists only in the editor. */
export interface SectionField extends FieldBase {
  readonly kind: 'section';
  readonly inside: Field[];
  readonly add: string;
}

export interface ConditionalField extends FieldBase {
  readonly kind: 'conditional';
  readonly decides: Field;
  /** Collection that contains the choice. If missing, the choice is beside the field. */
  readonly collection?: string;
  readonly values: readonly string[];
  /** Whether the field applies if the choice is none of the values. */
  readonly except: boolean;
  readonly field: Field;
  readonly needed: boolean;
  readonly marked: boolean;
}

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
  /** Whether users add the fields of an object one by one. */
  readonly oneByOne: boolean;
  readonly mode?: ValueField;
  /** Whether users add the parameters and the input mode together, as one entry of a collection. */
  readonly wrapped: boolean;
  readonly known: ReadonlySet<string>;
  /** Checks rules across several fields. */
  readonly rule?: (object: IDataObject, context: ReadContext) => Problem[];
  /** Defaults to the examples of the fields. */
  readonly example?: IDataObject;
  readonly encode?: (value: IDataObject | IDataObject[]) => unknown;
}

export type Field = ValueField | CompositeField | ConditionalField | GroupField | SectionField;

export interface FieldOptions {
  name: string;
  parameter?: string;
  record?: string;
  label: string;
  description: string;
  required?: boolean;
  /** Whether a required field looks optional (see `when`). */
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
