import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../fields/types';
import { describe, isEmpty } from '../fields/value';
import { isList, isObject } from '../shared/objects';
import type { Moves } from '../wire/facts';
import { AMOUNTS } from '../wire/marks';
import { declaredFields } from './operation';
import type { Money, MoneyRequest, Operation } from './types';

const KNOWN: ReadonlySet<string> = new Set(AMOUNTS);
/**
 * Amounts that the interface does not tell of, or not yet: among fields that nobody declared a limit has to see them too,
 * and all of the service's amounts are named so but one. Those that end so are switches (openapi.yaml#AddSubscriptionRequest).
 */
const NAMED_LIKE_ONE = /^amt_(?!.*_ignore$).+/;

/**
 * Whether a field that no operation declares holds an amount, such as one of Extra Body Fields and all of an API request.
 * Declared fields have marks: they are not asked about here.
 */
export function namesAmount(name: string): boolean {
  const written = name.toLowerCase();
  return KNOWN.has(written) || NAMED_LIKE_ONE.test(written);
}

/** How much a request with this body moves, by what the interface says of such requests. */
export function moneyBy(moves: Moves, body: IDataObject): Money {
  if (typeof moves === 'string') return moves;
  const { by, unless = [], with: beside = [] } = moves;
  const isTold = beside.every((name) => body[name] !== undefined) && !unless.some((name) => names(body, name));
  return isTold ? { by } : 'untold';
}

/** Whether a field of this name is there, at any depth and in any case. */
function names(value: unknown, field: string): boolean {
  if (Array.isArray(value)) return value.some((one) => names(one, field));
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([name, inner]) => inner !== undefined && (name.toLowerCase() === field || names(inner, field)),
  );
}

/** An amount that a request carries, in the currency's main unit and with its sign; without one it can't be read. */
export interface NamedAmount {
  name: string;
  amount?: number;
  /** The value for a message, without long runs of digits. */
  found: string;
}

/** What every reader of JSON takes for the same number: no exponent, no thousands separator, no currency. */
const NUMERIC_TEXT = /^[+-]?\d+(\.\d+)?$/;
/** The lines of an invoice say what it asks for. */
const LINES = 'line_items';
/** More digits of a product are noise of binary fractions. */
const EXACT_DIGITS = 14;

/** The number that an amount means, or `undefined` when readers could differ about it. */
export function readableNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && NUMERIC_TEXT.test(value.trim()) ? Number(value) : undefined;
}

/** Whether a request of the operation can move money, so that a limit makes sense. */
export function movesMoney(operation: Operation): boolean {
  const { request, shape, money = request.moves } = operation;
  const has = (list: Field[]): boolean => list.some(({ money, fields: inner = [] }) => money === true || has(inner));
  return request.effect !== 'reads' && (shape !== undefined || money !== undefined || has(declaredFields(operation)));
}

/** All amounts in what would be sent, at any depth, and what they come to: an invoice, the first payment of a series. */
export function amountsOf({ operation, values }: MoneyRequest): NamedAmount[] {
  const declared = declaredFields(operation);
  const at = (place: 'query' | 'body') =>
    amountsIn(
      values[place],
      declared.filter((field) => field.place === place),
    );
  return [...at('query'), ...at('body')];
}

/**
 * What a request may move at most, in the currency's main unit: the greatest of its amounts and totals, without sign.
 * 0 for what moves no money; `undefined` when it moves money and nobody knows how much. A field that is sent as the record
 * has it moves nothing.
 */
export function amountOf(given: MoneyRequest): number | undefined {
  const request = withoutKept(given);
  if (request.effect === 'reads') return 0;
  const amounts = amountsOf(request).map(({ amount }) => amount);
  if (!isTold(request) || amounts.includes(undefined)) return undefined;
  return amounts.reduce<number>((most, amount = 0) => Math.max(most, Math.abs(amount)), 0);
}

function withoutKept(request: MoneyRequest): MoneyRequest {
  const { decided, values } = request;
  if (!decided || decided.kept.length === 0) return request;
  const changed = Object.entries(values.body).filter(([name]) => !decided.kept.includes(name));
  return { ...request, values: { ...values, body: Object.fromEntries(changed) } };
}

/** Whether the request says how much it moves. */
function isTold(request: MoneyRequest): boolean {
  const { body } = request.values;
  const money = moneyOf(request);
  if (money === 'untold' || money === 'named') return money === 'named';
  return money.by === LINES ? invoiceTotal(body).length > 0 : Boolean(readableNumber(body[money.by]));
}

/** The name of the field that says how much the request moves; none where several do, or nobody knows. */
export function toldBy(request: MoneyRequest): string | undefined {
  const money = moneyOf(request);
  return typeof money === 'object' ? money.by : undefined;
}

/** What the declaration says, which knows its fields; else what the interface says of the request. */
function moneyOf(request: MoneyRequest): Money {
  const { money, request: declared } = request.operation;
  if (money === undefined) return moneyBy(declared.moves ?? 'named', request.values.body);
  return typeof money === 'function' ? money(request) : money;
}

/** @param declared the fields that are declared where the value stands. */
function amountsIn(value: unknown, declared: readonly Field[]): NamedAmount[] {
  if (isList(value)) return value.flatMap((one) => amountsIn(one, declared));
  if (!isObject(value)) return [];
  const own = Object.entries(value).flatMap(([name, inner]) => {
    const field = declared.find((one) => one.name === name);
    const isAmount = field ? field.money === true : namesAmount(name);
    return isAmount ? named(name, inner) : amountsIn(inner, field?.fields ?? []);
  });
  return [...own, ...invoiceTotal(value), ...firstPayment(value)];
}

/** A name that stands several times in a query has a list of values. */
function named(name: string, value: unknown): NamedAmount[] {
  if (value === undefined) return [];
  return Array.isArray(value) && value.length > 0
    ? value.flatMap((one) => named(name, one))
    : [{ name, amount: readableNumber(value), found: `${name} ${describe(value)}` }];
}

/** What an invoice asks for: its lines and its tax (openapi.yaml#CreateInvoiceRequest), rounded up to the cent. */
function invoiceTotal({ [LINES]: lines, sales_tax: tax }: IDataObject): NamedAmount[] {
  if (!isList(lines) || lines.length === 0) return [];
  const net = sum(lines.map(lineTotal));
  return [total('invoice total', withTax(net, tax))];
}

/** What an invoice comes to by its lines and its tax; `undefined` when they do not say so. */
export const invoiceAmount = (body: IDataObject): number | undefined => invoiceTotal(body)[0]?.amount;

const lineTotal = (line: unknown): number | undefined => {
  if (!isObject(line)) return undefined;
  const [quantity, cost] = [readableNumber(line.quantity), readableNumber(line.unit_cost)];
  return quantity === undefined || cost === undefined ? undefined : quantity * cost;
};

/** A rate in percent or an amount (openapi.yaml#SalesTax). */
function withTax(net: number | undefined, tax: unknown): number | undefined {
  if (net === undefined || isEmpty(tax)) return net;
  const { type, value } = isObject(tax) ? tax : {};
  const number = readableNumber(value);
  if (number === undefined) return undefined;
  if (type === 'AMOUNT') return net + number;
  return type === 'RATE' ? net * (1 + number / 100) : undefined;
}

/**
 * The first payment of a subscription and its one-time fee, with the surcharge (openapi.yaml#AddSubscriptionRequest).
 */
function firstPayment({ amt_tran: recurring, amt_setup: fee = 0, pct_fee: percent = 0 }: IDataObject): NamedAmount[] {
  if (isEmpty(recurring) || (fee === 0 && percent === 0)) return [];
  const charged = sum([readableNumber(recurring), readableNumber(fee)]);
  const surcharge = readableNumber(percent);
  const all = charged === undefined || surcharge === undefined ? undefined : charged * (1 + surcharge / 100);
  return [total('first payment', all)];
}

const sum = (parts: Array<number | undefined>): number | undefined =>
  parts.reduce((all, part) => (all === undefined || part === undefined ? undefined : all + part), 0);

/** Away from zero to the cent: a limit must not be passed by a fraction that the service rounds up. */
function total(name: string, exact: number | undefined): NamedAmount {
  if (exact === undefined) return { name, found: `${name} that can not be added up` };
  const cents = Math.ceil(Number((Math.abs(exact) * 100).toPrecision(EXACT_DIGITS)));
  const amount = (Math.sign(exact) * cents) / 100;
  return { name, amount, found: `${name} ${amount}` };
}
