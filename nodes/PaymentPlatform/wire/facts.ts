import type { Pattern } from './patterns';

/**
 * Constraints of one request field in interface/openapi.yaml. A declaration spreads the fact to get the name on the
 * wire, the limits and the marks, and adds only what users see.
 */
interface Fact {
  readonly name: string;
  /** Name of the parameter if the interface uses another name for the same thing elsewhere. */
  readonly parameter?: string;
  /** Name in the service's records if it differs from the parameter's name. */
  readonly record?: string;
  /** Place in the request. Defaults to the body. */
  readonly place?: 'path' | 'query';
  readonly required?: true;
  readonly secret?: true;
  /** Marks an amount of money, which the guards check. */
  readonly money?: true;
  /** Marks a value that helps users to find the record later. */
  readonly reference?: true;
  /** Value that the service uses if the field is missing. */
  readonly serverDefault?: string | number | boolean;
}

/** Text, or a number in a path or query that has too many digits to be a JavaScript number. */
export interface TextFact extends Fact {
  readonly type: 'text';
  readonly maxLength?: number;
  readonly pattern?: Pattern;
}

/** Whole number. */
export interface IntegerFact extends Fact {
  readonly type: 'integer';
  readonly least?: number;
  readonly most?: number;
}

/** Decimal: an amount in the currency's main unit, a rate or a quantity. */
export interface DecimalFact extends Fact {
  readonly type: 'decimal';
  readonly least?: number;
  readonly most?: number;
  readonly decimals?: number;
  /** Maximum number of digits in total, if the bounds don't imply it. */
  readonly digits?: number;
}

export interface BooleanFact extends Fact {
  readonly type: 'boolean';
}

/** One of a fixed set of values. */
export interface ChoiceFact<Value extends string | number = string | number> extends Fact {
  readonly type: 'choice';
  readonly values: readonly Value[];
}

/** Calendar day, sent as a timestamp. */
export interface DayFact extends Fact {
  readonly type: 'day';
}

/** Names and values, sent as the text of a JSON array. */
export interface PairsFact extends Fact {
  readonly type: 'pairs';
}

/** File, sent as a part of a multipart form. */
export interface FileFact extends Fact {
  readonly type: 'file';
  readonly mimeType: string;
  /** Maximum size in bytes. */
  readonly mostBytes?: number;
}

/** List of texts or of whole numbers. */
export interface ValuesFact extends Fact {
  readonly type: 'texts' | 'integers';
  /** For filters: names of the record fields that contain an amount of money. */
  readonly amounts?: readonly string[];
  /** Pattern that each text must match. */
  readonly pattern?: Pattern;
  /** Maximum number of values in one request. */
  readonly most?: number;
}

/** Object or list of objects, with the facts of its own fields. */
export interface ObjectFact<Parts extends Facts = Facts> extends Fact {
  readonly type: 'object' | 'list';
  readonly parts: Parts;
  /** Maximum number of objects in one request. */
  readonly most?: number;
}

export type AnyFact =
  | TextFact
  | IntegerFact
  | DecimalFact
  | BooleanFact
  | ChoiceFact
  | DayFact
  | PairsFact
  | FileFact
  | ValuesFact
  | ObjectFact;

/** Fields of one object by name. */
export interface Facts {
  readonly [name: string]: AnyFact;
}

/**
 * Amount of money that a request moves. `named`: the amounts in the request, or nothing without amounts. `untold`: an
 * amount that the request does not state. `by`: a field of the body, unless the body contains a field of `unless` or
 * lacks one of `with`.
 */
export type Moves =
  'named' | 'untold' | { readonly by: string; readonly unless?: readonly string[]; readonly with?: readonly string[] };

/** Amount of money that custom API requests move, by method and path. */
export interface Route {
  /** HTTP method. Defaults to any. */
  readonly method?: string;
  readonly path: RegExp;
  readonly moves: Moves;
}

/** Request and fields of one operation, from the interface. */
export interface WireOperation {
  readonly request: {
    readonly operationId: string;
    readonly method: 'DELETE' | 'GET' | 'POST' | 'PUT';
    /** Path below the base URL, with names of path fields in braces. */
    readonly path: string;
    /** Convention that the response follows. "bare" has no envelope. */
    readonly family: 'gateway' | 'platform' | 'bare';
    readonly effect: 'reads' | 'writesOnce' | 'repeatsSafely';
    /** Amount of money that the request moves. Defaults to the amounts in the request. */
    readonly moves?: Moves;
    /** Field of the response's record that contains the records, if the record itself is only a wrapper. */
    readonly records?: string;
    /** Encoding of the body. Defaults to JSON. */
    readonly encoding?: 'multipart';
    /** Field for the merchant. The node sends the credential's merchant unless the item contains another one. */
    readonly merchant?: { readonly place: 'path' | 'query' | 'body'; readonly name: string };
  };
  readonly path: Facts;
  readonly query: Facts;
  readonly body: Facts;
}
