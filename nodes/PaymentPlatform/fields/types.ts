import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Held } from '../shared/versions';

/** What the readers need to know about the workflow, besides the values themselves. */
export interface ReadContext {
  /** IANA name of the workflow's time zone, e.g. "Europe/Berlin". */
  timezone: string;
  /**
   * A reference that belongs to this item of this run alone, of 20 capital letters and digits: the same in every further
   * try, so that a try is recognised.
   */
  reference?: () => string;
  file?: FindFile;
}

/**
 * What is known of a file of the item, by the name of its binary property; `undefined` where the item has none.
 * @param mostBytes a file that is larger need not be read: its size is known without.
 */
export type FindFile = (property: string, mostBytes: number) => FileFacts | 'unreadable' | undefined;

/** A file of an item; the content itself is read when it is sent. */
export interface FileFacts {
  fileName: string;
  mimeType: string;
  bytes: number;
  /** Of the content, in hexadecimal: what is sent is recognised by it. */
  sha256: string;
}

/** One thing that is wrong with one parameter of one item, found before anything is sent. */
export interface Problem {
  /** The parameter's label, with its place in a list where it stands in one, e.g. `Line Items 2 > Unit Cost`. */
  label: string;
  /** What was found, described without secrets. */
  found: string;
  /** What is allowed. */
  allowed: string;
}

/** Where a field goes in the request; "node" decides what the node does and is never sent. */
export type FieldPlace = 'body' | 'path' | 'query' | 'node';

/**
 * What every kind of field has: one field of the interface as parameters of the node. `name` is the interface's own
 * field name, wherever the field stands, and the parameter's too unless `parameter` says otherwise. A field is data: `editorProperties` says how it looks, `readField` what its
 * value is on the wire.
 */
export interface FieldBase extends Held {
  readonly name: string;
  /** What the parameter is called where it is not the name on the wire: one thing has one name in all operations. */
  readonly parameter?: string;
  /** What the service's records call it, where that is neither. */
  readonly record?: string;
  readonly label: string;
  readonly place: FieldPlace;
  readonly required: boolean;
  /** Secrets are never described in a message. */
  readonly secret: boolean;
  /** An amount of money, which the guards look at. */
  readonly money?: true;
  /** Whether a person finds the record again by it. */
  readonly reference?: true;
  /**
   * Whether the value is words, a label, a reference or a setting that does not tell which payment it is, so that a
   * language model may give it anew each time. Where an object is so, all that stands in it is.
   */
  readonly notIdentifying?: boolean;
  /** Whether only software asks for it, so that the editor offers it last. */
  readonly technical?: true;
  /** What the service takes where nothing is given. */
  readonly serverDefault?: string | number | boolean;
  /** Whether capital letters make no difference. */
  readonly caseInsensitive?: true;
  /** The fields of an object or of the objects of a list, where they stand so on the wire. */
  readonly fields?: Field[];
  /** In a list: its objects travel together with those of other items, so many in one request. */
  readonly perRequest?: number;
}

/** What differs from the usual words about a problem: after the label, and of what was found. */
export interface ProblemDetails {
  place?: string;
  found?: string;
}

/** Reports a problem by what is allowed instead; gives `undefined`, which sends nothing. */
export type Report = (allowed: string, details?: ProblemDetails) => undefined;

/** How one value is turned into its wire form. It is not asked about nothing (see `isEmpty`). */
export type Convert = (value: unknown, problem: Report, context: ReadContext) => unknown;

/** One parameter of the editor that holds one value. */
export interface ValueField extends FieldBase {
  readonly kind: 'value';
  readonly property: INodeProperties;
  readonly convert: Convert;
  /** What is sent where nothing is given; nothing unless there is such a rule. */
  readonly fallback?: (context: ReadContext) => unknown;
}

/** How the value of a joined field is made from its parts. */
export interface Parts {
  /** The value of a part; what is wrong with it is reported. */
  read: (part: Field) => unknown;
  /** The value of a field that stands elsewhere beside this one, which reports by itself what is wrong with it. */
  look: (field: Field) => unknown;
  /** IANA name of the workflow's time zone. */
  timezone: string;
  problem: (problem: Problem) => undefined;
}

/** Several parameters of the editor that make one value. */
export interface JoinedField extends FieldBase {
  readonly kind: 'joined';
  /** In the order in which the editor shows them. */
  readonly parts: Field[];
  readonly join: (parts: Parts) => unknown;
  /** Whether its value is an object whose members stand beside the other fields on the wire. */
  readonly spread?: boolean;
}

/** A collection of the editor whose fields stand beside the others on the wire. */
export interface SectionField extends FieldBase {
  readonly kind: 'section';
  readonly inside: Field[];
  /** What the button says that adds one of the fields. */
  readonly add: string;
}

/** A field that applies only while a choice has one of some values. */
export interface ConditionalField extends FieldBase {
  readonly kind: 'conditional';
  readonly decides: Field;
  readonly values: readonly string[];
  /** Whether it applies while the choice has none of them. */
  readonly except: boolean;
  readonly field: Field;
  /** Whether it must be given when it applies, and whether the editor says so. */
  readonly needed: boolean;
  readonly marked: boolean;
}

/** An object, or a list of objects, given by fields or as JSON. */
export interface GroupField extends FieldBase {
  readonly kind: 'group';
  readonly list: boolean;
  /** The singular, for the button and for messages, e.g. "Line Item". */
  readonly itemLabel: string;
  /** All fields that an object may have. */
  readonly inside: Field[];
  /** Those that stand in the open, and those that stand in a collection of their own. */
  readonly main: Field[];
  readonly additional: Field[];
  /** What the editor's parameter has beside its fields. */
  readonly property: Pick<INodeProperties, 'displayName' | 'name'> & Partial<INodeProperties>;
  /** Whether the fields of a single object stand open, once it is added. */
  readonly open: boolean;
  /** Whether a person adds the fields of the object one by one. */
  readonly oneByOne: boolean;
  /** The switch between fields and JSON, where there is one. */
  readonly mode?: ValueField;
  /** Whether the switch and what it switches stand in an entry of their own, for they would else stand in a collection. */
  readonly wrapped: boolean;
  /** Names of parameters that an object may hold. */
  readonly known: ReadonlySet<string>;
  /** What is wrong between the fields of an object; labels as in the object. */
  readonly rule?: (object: IDataObject, context: ReadContext) => Problem[];
  /** An object for the example of its JSON; made of the examples of its fields unless given. */
  readonly example?: IDataObject;
  /** Turns the objects into what is sent; the objects themselves unless given. */
  readonly encode?: (value: IDataObject | IDataObject[]) => unknown;
}

export type Field = ValueField | JoinedField | ConditionalField | GroupField | SectionField;

/** What every kind of field is declared with. */
export interface FieldOptions {
  name: string;
  /** See `Field.parameter` and `Field.record`: marks of the interface. */
  parameter?: string;
  record?: string;
  label: string;
  description: string;
  required?: boolean;
  /** Required, but not marked so in the editor: n8n would ask for it where it can't tell whether it is shown. */
  unmarked?: boolean;
  place?: FieldPlace;
  secret?: boolean;
  /** See `Field.money` and `Field.reference`: marks of the interface. */
  money?: true;
  reference?: true;
  /** See `Field.notIdentifying`. Free text, dates, and lists of names and values say it explicitly where they are sent. */
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
