import type { IDataObject, INodeProperties } from 'n8n-workflow';

/** What the readers need to know about the workflow, besides the values themselves. */
export interface ReadContext {
  /** IANA name of the workflow's time zone, e.g. "Europe/Berlin". */
  timezone: string;
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
 * One field of the interface as a parameter of the node: how it looks in the editor, and how its value becomes the
 * value on the wire. `name` is the interface's own field name, wherever the field stands.
 */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly place: FieldPlace;
  readonly required: boolean;
  /** Secrets are never described in a message. */
  readonly secret: boolean;
  /**
   * Whether the value is words, a label, a reference or a setting that does not tell which payment it is, so that a
   * language model may give it anew each time. Where an object is so, all that stands in it is.
   */
  readonly wording?: boolean;
  /** The fields of an object or of the objects of a list. */
  readonly fields?: Field[];
  /** The editor's parameters for this field; some need more than one (a list and its JSON alternative). */
  properties(): INodeProperties[];
  /**
   * The value to send, or `undefined` to send nothing. Problems are added to `problems`, never thrown, so that a
   * person sees all of them at once.
   */
  read(parameters: IDataObject, problems: Problem[], context: ReadContext): unknown;
}

/** What every kind of field is declared with. */
export interface FieldOptions {
  name: string;
  label: string;
  description: string;
  required?: boolean;
  place?: FieldPlace;
  secret?: boolean;
  /** See `Field.wording`. Free text, dates, and lists of names and values say it explicitly where they are sent. */
  wording?: boolean;
  placeholder?: string;
  hint?: string;
  default?: INodeProperties['default'];
  displayOptions?: INodeProperties['displayOptions'];
}
