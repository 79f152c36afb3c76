// Written by hand, unlike the generated files of this folder.
import type { Pattern } from './patterns';

/** Facts about a field in interface/openapi.yaml. Field declarations add the texts that users see. */
interface Fact {
  readonly name: string;
  /** Missing if the parameter has the name of the field. */
  readonly parameter?: string;
  readonly record?: string;
  readonly place?: 'path' | 'query';
  readonly required?: true;
  readonly secret?: true;
  readonly money?: true;
  readonly reference?: true;
  readonly serverDefault?: string | number | boolean;
}

/** Text, or a number with too many digits for JavaScript. */
export interface TextFact extends Fact {
  readonly type: 'text';
  readonly maxLength?: number;
  readonly pattern?: Pattern;
}

export interface IntegerFact extends Fact {
  readonly type: 'integer';
  readonly least?: number;
  readonly most?: number;
}

/** Amount in the currency's main unit, rate or quantity. */
export interface DecimalFact extends Fact {
  readonly type: 'decimal';
  readonly least?: number;
  readonly most?: number;
  readonly decimals?: number;
  /** Maximum number of digits, if the bounds don't imply it. */
  readonly digits?: number;
}

export interface BooleanFact extends Fact {
  readonly type: 'boolean';
}

export interface ChoiceFact<Value extends string | number = string | number> extends Fact {
  readonly type: 'choice';
  readonly values: readonly Value[];
}

/** Calendar day, sent as a timestamp. */
export interface DayFact extends Fact {
  readonly type: 'day';
}

/** Names and values, sent as a JSON array in text form. */
export interface PairsFact extends Fact {
  readonly type: 'pairs';
}

/** Sent in a multipart form. */
export interface FileFact extends Fact {
  readonly type: 'file';
  readonly mimeType: string;
  /** In bytes. */
  readonly mostBytes?: number;
}

export interface ValuesFact extends Fact {
  readonly type: 'texts' | 'integers';
  /** For filters: record fields with amounts of money. */
  readonly amounts?: readonly string[];
  readonly pattern?: Pattern;
  /** Maximum per request. */
  readonly most?: number;
}

export interface ObjectFact<Parts extends Facts = Facts> extends Fact {
  readonly type: 'object' | 'list';
  readonly parts: Parts;
  /** Maximum per request. */
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

export interface Facts {
  readonly [name: string]: AnyFact;
}

type WithoutName<Each> = Each extends AnyFact ? Omit<Each, 'name'> : never;

type Named<Fields> = { readonly [Name in keyof Fields]: Fields[Name] & { readonly name: Name } };

/** Adds the names of the fields, so that the package contains each name only once. */
export function named<const Fields extends Readonly<Record<string, WithoutName<AnyFact>>>>(
  fields: Fields,
): Named<Fields>;
export function named(fields: Readonly<Record<string, object>>): object {
  return Object.fromEntries(Object.entries(fields).map(([name, fact]) => [name, { name, ...fact }]));
}

/**
 * Source of the amount of money that a request moves:
 * - `named`: the amounts in the request. A request without amounts moves no money.
 * - `untold`: an amount that the request doesn't contain.
 * - `by`: a field of the body. The amount is unknown if the body contains an `unless` field or lacks a `with` field.
 */
export type Moves =
  'named' | 'untold' | { readonly by: string; readonly unless?: readonly string[]; readonly with?: readonly string[] };

/** Source of the amount that a custom API request moves. */
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
    /** The names of path fields are in braces. */
    readonly path: string;
    /** Format of the response. A "bare" response has no envelope. */
    readonly family: 'gateway' | 'platform' | 'bare';
    readonly effect: 'reads' | 'writesOnce' | 'repeatsSafely';
    /** Defaults to `named`. */
    readonly moves?: Moves;
    readonly records?: string;
    readonly lists?: true;
    /** Defaults to JSON. */
    readonly encoding?: 'multipart';
    /** Defaults to the credential's merchant ID. */
    readonly merchant?: { readonly place: 'path' | 'query' | 'body'; readonly name: string };
  };
  readonly path: Facts;
  readonly query: Facts;
  readonly body: Facts;
}
