import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../fields/types';
import { asText, isObject, objectIn, objectsIn, readableNumber, toCents } from '../shared/objects';
import * as schemas from '../wire/schemas';
import { ACCOUNT_NUMBERS, AMOUNTS, CARD_NUMBERS, MANNER, NAMES, ROLES, WHOM, WORDS } from '../wire/marks';
import { ROUTES } from '../wire/moves';
import { declaredFields, originalRequest } from './operation';
import { namesAmount } from '../fields/kinds/number';
import { invoiceAmount, movesMoney, NOT_YET } from './read-amounts';
import type { FieldValues, Operation, PlannedRequest } from './types';

/** Free-text fields, which don't identify a payment. Applies to undeclared fields. */
const WORDING: ReadonlySet<string> = new Set(WORDS);
/** Settings of a payment, which don't identify the payment. */
const IN_WHICH_MANNER: ReadonlySet<string> = new Set(MANNER);
/** Details of the customer. */
const DETAILS: ReadonlySet<string> = new Set(WHOM);
/** All fields of the interface's requests. */
const KNOWN: ReadonlySet<string> = new Set(Object.values(schemas).flatMap((schema) => Object.keys(schema)));
/** Values that the service uses for missing fields, by name. */
const DEFAULTS: ReadonlyMap<string, Field['serverDefault']> = new Map(
  Object.values<Record<string, Pick<Field, 'name' | 'serverDefault'>>>(schemas)
    .flatMap((schema) => Object.values(schema))
    .flatMap(({ name, serverDefault }) => (serverDefault === undefined ? [] : [[name, serverDefault]])),
);
const REFERENCES: ReadonlySet<string> = new Set(NAMES.filter((name) => WORDING.has(name)));
const ACCOUNTS: ReadonlySet<string> = new Set(ROLES.account);
const NUMBERS: ReadonlySet<string> = new Set([...CARD_NUMBERS, ...ACCOUNT_NUMBERS, 'card_swipe']);
const [CUSTOMER] = ROLES.customer;
const [PAYEE] = ROLES.payee;
const [MERCHANT] = ROLES.merchant;
const EXPIRATION = schemas.GatewayTransactionRequest.exp_date.name;
const [AMOUNT, ...FEES] = ['amt_tran', 'amt_convenience_fee', 'amt_tran_fee'] as const;
/** Lines and tax of an invoice, which add up to its total. */
const INVOICED: ReadonlySet<string> = new Set(['line_items', 'sales_tax']);
const DECIMAL = /^\d+\.\d+$/;

/** Node setting with the customer who owns the account. The request names only one of them (service.md#card-data). */
export const OWNER = 'owner';

/** Who pays or receives money. A value that the request doesn't contain is undefined. */
export interface Party {
  merchant?: string;
  customer?: string;
  payee?: string;
  /** Card number, account number or ID of a saved card. */
  accounts: Record<string, string>;
}

/** Returns who pays or receives a request's money. */
export function partyOf({ body, node, merchant }: Pick<FieldValues, 'body'> & Partial<FieldValues>): Party {
  const [customer, payee] = [says(body[CUSTOMER]) ? body[CUSTOMER] : node?.[OWNER], body[PAYEE]];
  const own = Object.entries(body).filter(([name, value]) => ACCOUNTS.has(name) && says(value));
  const accounts = own.length > 0 || says(customer) ? own : newNumbers(body.customer);
  return {
    ...(merchant !== undefined && { merchant }),
    ...(says(customer) && { customer: asText(customer).trim() }),
    ...(says(payee) && { payee: asText(payee).trim() }),
    accounts: Object.fromEntries(accounts.map(([name, value]) => [name, asText(value).trim()])),
  };
}

/** Returns the numbers of a new customer's primary card, or else of the first one. */
function newNumbers(customer: unknown): Array<[string, unknown]> {
  const cards = objectsIn(objectIn(customer).billing_cards);
  const card = cards.find(({ primary }) => primary === true) ?? cards[0] ?? {};
  return Object.entries(card).filter(([name, value]) => NUMBERS.has(name) && says(value));
}

/**
 * Returns the last four digits of a card or account number. The others must not reach a digest, and leading zeros can
 * get lost.
 */
function shortened([name, value]: [string, string]): [string, string] {
  const digits = NUMBERS.has(name) ? (/\d[\d -]{2,}\d/.exec(value)?.[0] ?? '').replace(/\D/g, '') : '';
  return [name, digits === '' ? value : digits.slice(-4)];
}

/**
 * Returns the content that identifies a write, without free text, settings and references. The node treats two writes
 * with the same content as the same payment: movement, merchant, who pays or receives, amount with fees, and currency.
 */
export function identifyWrite(request: PlannedRequest): unknown {
  const { operation, method, path, values } = originalRequest(request);
  const declared = declaredFields(operation);
  const isState = setsState(operation);
  const part = (place: 'query' | 'body') => {
    const own = declared.filter((field) => field.place === place);
    if (isState) return values[place];
    const told = isKnownPayment(request) ? onlyKnown(values[place]) : values[place];
    return content(told, own, place === 'body' ? { ...values, body: told } : undefined);
  };
  // Requests to the same path move the same money, regardless of the operation.
  const movement = movesMoney(operation) && !isState ? [method, path] : [operation.value, method, path];
  // The first write is the same as that of an item without further steps.
  const isPart = (operation.steps?.each.length ?? 0) > 1 && !(operation.steps?.createsFirst && request.part === 0);
  return [...movement, part('query'), part('body'), ...(isPart ? [request.part] : [])];
}

const onlyKnown = (fields: IDataObject): IDataObject =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => KNOWN.has(name) || namesAmount(name)));

/** A model may add fields to such a request that the interface doesn't have. */
function isKnownPayment(request: PlannedRequest): boolean {
  const { method, path, values } = originalRequest(request);
  return says(values.body[AMOUNT]) && ROUTES.some((route) => route.method === method && route.path.test(path));
}

/** Returns the content that identifies a payment, with the references that the user chose. */
export function identifyPayment(request: PlannedRequest): unknown {
  const { body, reference } = originalRequest(request).values;
  const given = Object.entries(body).filter(
    ([name, value]) => REFERENCES.has(name) && name !== reference?.name && says(value),
  );
  return [identifyWrite(request), given.sort(byName).map(([name, value]) => [name, asWritten(asText(value))])];
}

/** Returns whether two requests are the same payment, including its references. */
export const isSamePayment = (one: PlannedRequest, other: PlannedRequest): boolean =>
  JSON.stringify(identifyPayment(one)) === JSON.stringify(identifyPayment(other));

/** Returns whether a write only sets a state, so that repeating it changes nothing. */
export const setsState = ({ request, setsState }: Pick<Operation, 'request' | 'setsState'>): boolean =>
  setsState === true || request.effect === 'repeatsSafely';

/** Returns whether a second, equal write would be a second payment. A request to pay, such as an invoice, is none. */
export const makesPayment = (operation: Operation): boolean =>
  movesMoney(operation) && !setsState(operation) && operation.moneyEffect?.startsWith(NOT_YET) !== true;

/** @param values the request's values if `value` is its whole body. */
function content(value: unknown, declared: Field[], values?: FieldValues): unknown {
  if (Array.isArray(value)) return value.map((one) => content(one, declared));
  if (typeof value === 'string' || typeof value === 'number') return asWritten(String(value));
  if (!isObject(value)) return value;
  const fieldOf = (name: string) => declared.find((field) => field.name === name);
  const { customer, payee, accounts, merchant } = partyOf(values ?? { body: value });
  const isKnown = customer !== undefined || payee !== undefined || Object.keys(accounts).length > 0;
  const isOwned = customer !== undefined && says(value[AMOUNT]);
  const told: IDataObject = {
    ...withTotal(value),
    ...(isOwned ? {} : Object.fromEntries(Object.entries(accounts).map(shortened))),
    ...(customer !== undefined && { [CUSTOMER]: customer }),
    ...(merchant !== undefined && { [MERCHANT]: merchant }),
  };
  return Object.entries(told)
    .filter(([name, inner]) => says(inner) && !IN_WHICH_MANNER.has(name) && !isWording(name, inner, declared))
    .filter(([name, inner]) => !isAssumed(name, inner, fieldOf(name)))
    .filter(([name]) => !(isKnown && DETAILS.has(name)) && !(isOwned && ACCOUNTS.has(name)))
    .filter(([name]) => !(isKnown && says(value[AMOUNT]) && name === EXPIRATION))
    .sort(byName)
    .map(([name, inner]) => {
      const { fields = [], caseInsensitive } = fieldOf(name) ?? {};
      const written = content(inner, fields);
      return [name, caseInsensitive ? inSmallLetters(written) : written];
    });
}

/** Replaces an invoice's lines with its total, because a model may divide it differently. */
function withTotal(value: IDataObject): IDataObject {
  const total = says(value[AMOUNT]) ? undefined : invoiceAmount(value);
  if (total === undefined) return withFees(value);
  return { ...Object.fromEntries(Object.entries(value).filter(([name]) => !INVOICED.has(name))), [AMOUNT]: total };
}

/** Adds the fees to the amount, because a model may do the same. */
function withFees(value: IDataObject): IDataObject {
  const parts = [AMOUNT, ...FEES].flatMap((name) => (says(value[name]) ? [readableNumber(value[name])] : []));
  const amount = parts.reduce<number | undefined>((sum, one) => add(sum, one), 0);
  if (!says(value[AMOUNT]) || amount === undefined) return value;
  const others = Object.entries(value).filter(([name]) => !FEES.some((fee) => fee === name));
  return { ...Object.fromEntries(others), [AMOUNT]: amount };
}

const add = (sum: number | undefined, one: number | undefined) =>
  sum === undefined || one === undefined ? undefined : toCents(sum + one) / 100;

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1);

/** Normalizes a value, because a model may send a number as text or add spaces. */
function asWritten(text: string): string {
  const written = text.trim().replace(/\s+/g, ' ');
  return DECIMAL.test(written) ? String(Number(written)) : written;
}

/** Empty values and booleans can't identify a payment. */
const says = (value: unknown) => value !== null && value !== undefined && value !== '' && typeof value !== 'boolean';

function inSmallLetters(written: unknown): unknown {
  if (Array.isArray(written)) return written.map(inSmallLetters);
  return typeof written === 'string' ? written.toLowerCase() : written;
}

/** Returns whether omitting the field would have the same effect. */
function isAssumed(name: string, value: unknown, field?: Field): boolean {
  const fallback = field?.serverDefault ?? DEFAULTS.get(name);
  const isMoney = field ? field.money === true : AMOUNTS.includes(name);
  const isNothing = isMoney && Number(value) === 0;
  return isNothing || (fallback !== undefined && asWritten(asText(value)) === asWritten(String(fallback)));
}

function isWording(name: string, value: unknown, declared: Field[]): boolean {
  const field = declared.find((one) => one.name === name);
  // Fields of the same name contain text in some requests and amounts in others.
  const isText = !isObject(value) && objectsIn(value).length === 0;
  return field ? field.notIdentifying === true : WORDING.has(name) && isText;
}
