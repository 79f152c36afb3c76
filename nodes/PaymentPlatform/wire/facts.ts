import type { Pattern } from './patterns';

/**
 * Constraints on a request field, generated from interface/openapi.yaml. Field declarations add the texts that users
 * see.
 */
interface Fact {
  readonly name: string;
  /** The node's parameter name, if the rest of the interface uses another name. */
  readonly parameter?: string;
  readonly record?: string;
  readonly place?: 'path' | 'query';
  readonly required?: true;
  readonly secret?: true;
  readonly money?: true;
  readonly reference?: true;
  readonly serverDefault?: string | number | boolean;
}

/** Field for text, or for a number with too many digits for JavaScript. */
export interface TextFact extends Fact {
  readonly type: 'text';
  readonly maxLength?: number;
  readonly pattern?: Pattern;
}

/** Field for a whole number. */
export interface IntegerFact extends Fact {
  readonly type: 'integer';
  readonly least?: number;
  readonly most?: number;
}

/** Field for an amount in the currency's main unit, a rate or a quantity. */
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

/** Field that accepts one of several values. */
export interface ChoiceFact<Value extends string | number = string | number> extends Fact {
  readonly type: 'choice';
  readonly values: readonly Value[];
}

/** Field for a calendar day, which the node sends as a timestamp. */
export interface DayFact extends Fact {
  readonly type: 'day';
}

/** Field for names and values, which the node sends as a JSON array in text form. */
export interface PairsFact extends Fact {
  readonly type: 'pairs';
}

/** Field for a file, which the node sends in a multipart form. */
export interface FileFact extends Fact {
  readonly type: 'file';
  readonly mimeType: string;
  /** In bytes. */
  readonly mostBytes?: number;
}

/** Field for a list of strings or integers. */
export interface ValuesFact extends Fact {
  readonly type: 'texts' | 'integers';
  /** For filters: record fields that contain amounts of money. */
  readonly amounts?: readonly string[];
  readonly pattern?: Pattern;
  /** Maximum number of values in one request. */
  readonly most?: number;
}

/** Field for an object or a list of objects. */
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

/** Constraints by field name. */
export interface Facts {
  readonly [name: string]: AnyFact;
}

/**
 * Source of the amount of money that a request moves:
 * - `named`: the amounts in the request. A request without amounts moves no money.
 * - `untold`: an amount that the request doesn't contain.
 * - `by`: a field of the body. The amount is unknown if the body contains an `unless` field or lacks a `with` field.
 */
export type Moves =
  'named' | 'untold' | { readonly by: string; readonly unless?: readonly string[]; readonly with?: readonly string[] };

/** Source of the amount of money that a custom API request moves. */
export interface Route {
  /** Defaults to any method. */
  readonly method?: string;
  readonly path: RegExp;
  readonly moves: Moves;
}

/** Request and fields of an operation in interface/openapi.yaml. */
export interface WireOperation {
  readonly request: {
    readonly operationId: string;
    readonly method: 'DELETE' | 'GET' | 'POST' | 'PUT';
    /** Path below the base URL, with the names of path fields in braces. */
    readonly path: string;
    /** Format of the response. A "bare" response has no envelope. */
    readonly family: 'gateway' | 'platform' | 'bare';
    readonly effect: 'reads' | 'writesOnce' | 'repeatsSafely';
    /** Defaults to `named`. */
    readonly moves?: Moves;
    readonly records?: string;
    /** Defaults to JSON. */
    readonly encoding?: 'multipart';
    /** Field for the merchant ID. Defaults to the credential's merchant ID. */
    readonly merchant?: { readonly place: 'path' | 'query' | 'body'; readonly name: string };
  };
  readonly path: Facts;
  readonly query: Facts;
  readonly body: Facts;
}
