import type { Pattern } from './patterns';

/**
 * Constraints on a request field in interface/openapi.yaml. A field declaration spreads the constraints to get the
 * field's name and limits, and adds the texts that users see.
 */
interface Fact {
  readonly name: string;
  /** Parameter name, if other parts of the interface use another name for the same value. */
  readonly parameter?: string;
  /** Name in the service's records, if it differs from the parameter's name. */
  readonly record?: string;
  /** Part of the request that contains the field. Defaults to the body. */
  readonly place?: 'path' | 'query';
  readonly required?: true;
  readonly secret?: true;
  /** Whether the value is an amount of money, which the guards check. */
  readonly money?: true;
  /** Whether the value helps users find the record later. */
  readonly reference?: true;
  /** Value that the service uses if the request omits the field. */
  readonly serverDefault?: string | number | boolean;
}

/** Text, or a number in a path or query that has too many digits for a JavaScript number. */
export interface TextFact extends Fact {
  readonly type: 'text';
  readonly maxLength?: number;
  readonly pattern?: Pattern;
}

/** Field that contains a whole number. */
export interface IntegerFact extends Fact {
  readonly type: 'integer';
  readonly least?: number;
  readonly most?: number;
}

/** Field that contains a decimal: an amount in the currency's main unit, a rate or a quantity. */
export interface DecimalFact extends Fact {
  readonly type: 'decimal';
  readonly least?: number;
  readonly most?: number;
  readonly decimals?: number;
  /** Maximum number of digits in total, if the bounds don't imply the maximum. */
  readonly digits?: number;
}

export interface BooleanFact extends Fact {
  readonly type: 'boolean';
}

/** Field that accepts one value from a fixed set. */
export interface ChoiceFact<Value extends string | number = string | number> extends Fact {
  readonly type: 'choice';
  readonly values: readonly Value[];
}

/** Field that contains a calendar day, sent as a timestamp. */
export interface DayFact extends Fact {
  readonly type: 'day';
}

/** Field that contains names and values, sent as text with a JSON array. */
export interface PairsFact extends Fact {
  readonly type: 'pairs';
}

/** Field that contains a file, sent as a part of a multipart form. */
export interface FileFact extends Fact {
  readonly type: 'file';
  readonly mimeType: string;
  /** Maximum size in bytes. */
  readonly mostBytes?: number;
}

/** Field that contains a list of texts or whole numbers. */
export interface ValuesFact extends Fact {
  readonly type: 'texts' | 'integers';
  /** For filters: names of the record fields that contain amounts of money. */
  readonly amounts?: readonly string[];
  /** Pattern that each text must match. */
  readonly pattern?: Pattern;
  /** Maximum number of values in one request. */
  readonly most?: number;
}

/** Field that contains an object or a list of objects, with constraints on the object's fields. */
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

/** Constraints on the fields of one object, by field name. */
export interface Facts {
  readonly [name: string]: AnyFact;
}

/**
 * Source of the amount of money that a request moves:
 * - `named`: the amounts in the request. A request without amounts moves no money.
 * - `untold`: an amount that the request doesn't contain.
 * - `by`: a field of the body. The amount is unknown if the body contains a field of `unless` or lacks a field of
 *   `with`.
 */
export type Moves =
  'named' | 'untold' | { readonly by: string; readonly unless?: readonly string[]; readonly with?: readonly string[] };

/** Source of the amount of money that a custom API request moves, by method and path. */
export interface Route {
  /** HTTP method. Defaults to any. */
  readonly method?: string;
  readonly path: RegExp;
  readonly moves: Moves;
}

/** Request and fields of an operation in the interface. */
export interface WireOperation {
  readonly request: {
    readonly operationId: string;
    readonly method: 'DELETE' | 'GET' | 'POST' | 'PUT';
    /** Path below the base URL, with the names of path fields in braces. */
    readonly path: string;
    /** Format of the response. "bare" has no envelope. */
    readonly family: 'gateway' | 'platform' | 'bare';
    readonly effect: 'reads' | 'writesOnce' | 'repeatsSafely';
    /** Source of the amount of money that the request moves. Defaults to `named`. */
    readonly moves?: Moves;
    /** Field of the response that contains the list of records, if the response object is only a wrapper. */
    readonly records?: string;
    /** Encoding of the body. Defaults to JSON. */
    readonly encoding?: 'multipart';
    /**
     * Field for the merchant ID. The node sends the credential's merchant ID unless the item contains another merchant
     * ID.
     */
    readonly merchant?: { readonly place: 'path' | 'query' | 'body'; readonly name: string };
  };
  readonly path: Facts;
  readonly query: Facts;
  readonly body: Facts;
}
