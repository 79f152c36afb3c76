import type { Pattern } from './patterns';

/**
 * What interface/openapi.yaml says of one field of a request. Spread into the declaration of a parameter, it gives the
 * name on the wire, the limits and the marks, so that the declaration adds only what a person sees.
 */
interface Fact {
  readonly name: string;
  /** What its parameter is called where another name is the interface's for the same thing elsewhere. */
  readonly parameter?: string;
  /** What records call it, where they call it otherwise than its parameter. */
  readonly record?: string;
  /** Where it goes in the request; the body unless given. */
  readonly place?: 'path' | 'query';
  readonly required?: true;
  readonly secret?: true;
  /** An amount of money, which the guards look at. */
  readonly money?: true;
  /** A person finds the record again by it. */
  readonly reference?: true;
  /** What the service takes where nothing is given. */
  readonly serverDefault?: string | number | boolean;
}

/** Text, or a number of so many digits that it is handled as text: in a path or a query. */
export interface TextFact extends Fact {
  readonly type: 'text';
  readonly maxLength?: number;
  readonly pattern?: Pattern;
}

/** A whole number. */
export interface IntegerFact extends Fact {
  readonly type: 'integer';
  readonly least?: number;
  readonly most?: number;
}

/** A decimal: an amount in the currency's main unit, a rate, a quantity. */
export interface DecimalFact extends Fact {
  readonly type: 'decimal';
  readonly least?: number;
  readonly most?: number;
  readonly decimals?: number;
  /** Most digits in total, where the bounds do not say it. */
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

/** A calendar day, sent as a timestamp. */
export interface DayFact extends Fact {
  readonly type: 'day';
}

/** Names and values, sent as the text of a JSON array. */
export interface PairsFact extends Fact {
  readonly type: 'pairs';
}

/** A file, which is a part of a form: such a body is not JSON. */
export interface FileFact extends Fact {
  readonly type: 'file';
  readonly mimeType: string;
  /** Greatest size in bytes. */
  readonly mostBytes?: number;
}

/** A list of texts or of whole numbers. */
export interface ValuesFact extends Fact {
  readonly type: 'texts' | 'integers';
  /** Of filters: the fields of the records that hold an amount of money. */
  readonly amounts?: readonly string[];
}

/** An object, or a list of objects, with the facts of its own fields. */
export interface ObjectFact<Parts extends Facts = Facts> extends Fact {
  readonly type: 'object' | 'list';
  readonly parts: Parts;
  /** How many objects one request takes. */
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

/** The fields of one object by name. */
export interface Facts {
  readonly [name: string]: AnyFact;
}

/**
 * How much money a request moves: `named`, what its amounts say, and nothing when it names none; `untold`, more than it can
 * name; `by` a field of its body, unless its body names one of the fields of \`unless\` or lacks one of \`with\`.
 */
export type Moves =
  'named' | 'untold' | { readonly by: string; readonly unless?: readonly string[]; readonly with?: readonly string[] };

/** How much requests of a person's choice move, by their method and path. */
export interface Route {
  /** Any unless given. */
  readonly method?: string;
  readonly path: RegExp;
  readonly moves: Moves;
}

/** What the interface says of one operation: its request, and the facts of the fields that it takes. */
export interface WireOperation {
  readonly request: {
    readonly operationId: string;
    readonly method: 'DELETE' | 'GET' | 'POST' | 'PUT';
    /** Below the base URL, with the names of path fields in braces. */
    readonly path: string;
    /** Which of the service's conventions the answer follows; "bare" has no envelope. */
    readonly family: 'gateway' | 'platform' | 'bare';
    readonly effect: 'reads' | 'writesOnce' | 'repeatsSafely';
    /** How much money it moves; what its amounts say unless given. */
    readonly moves?: Moves;
    /** The field of the answer's record that holds the records, where it is none itself. */
    readonly records?: string;
    /** How the body is sent: as JSON unless given. */
    readonly encoding?: 'multipart';
    /** The field that names the merchant of the credential unless the item names another. */
    readonly merchant?: { readonly place: 'path' | 'query' | 'body'; readonly name: string };
  };
  readonly path: Facts;
  readonly query: Facts;
  readonly body: Facts;
}
