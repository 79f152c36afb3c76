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
 * Matches the usual names of amounts, so that limits also apply to undeclared fields. Names that end in `_ignore` are
 * switches (openapi.yaml#AddSubscriptionRequest).
 */
const NAMED_LIKE_ONE = /^amt_(?!.*_ignore$).+/;

/** Returns whether an undeclared field, such as one of Extra Body Fields, contains an amount. */
export function namesAmount(name: string): boolean {
  const written = name.toLowerCase();
  return KNOWN.has(written) || NAMED_LIKE_ONE.test(written);
}

/** Returns the source of the amount that a request moves. */
export function moneyBy(moves: Moves, body: IDataObject): Money {
  if (typeof moves === 'string') return moves;
  const { by, unless = [], with: beside = [] } = moves;
  const isTold = beside.every((name) => body[name] !== undefined) && !unless.some((name) => names(body, name));
  return isTold ? { by } : 'untold';
}

function names(value: unknown, field: string): boolean {
  if (Array.isArray(value)) return value.some((one) => names(one, field));
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([name, inner]) => inner !== undefined && (name.toLowerCase() === field || names(inner, field)),
  );
}

/**
 * Amount in a request, in the currency's main unit and with its sign. `amount` is missing if the text isn't a readable
 * number.
 */
export interface NamedAmount {
  name: string;
  amount?: number;
  found: string;
}

const NUMERIC_TEXT = /^[+-]?\d+(\.\d+)?$/;
const LINES = 'line_items';
const EXACT_DIGITS = 14;

/** Returns the number that an amount represents, or `undefined` if the amount is ambiguous. */
export function readableNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && NUMERIC_TEXT.test(value.trim()) ? Number(value) : undefined;
}

/** Returns whether a request of the operation can move money. */
export function movesMoney(operation: Operation): boolean {
  const { request, shape, money = request.moves } = operation;
  const has = (list: Field[]): boolean => list.some(({ money, fields: inner = [] }) => money === true || has(inner));
  return request.effect !== 'reads' && (shape !== undefined || money !== undefined || has(declaredFields(operation)));
}

/** Beginning of an operation's `moneyEffect` if the operation itself moves no money. */
export const NO_MONEY_MOVES = 'No money moves';

/** Returns whether a request of the operation can move money before another person acts, such as a paying customer. */
export const movesMoneyAtOnce = (operation: Operation): boolean =>
  movesMoney(operation) && operation.moneyEffect?.startsWith(NO_MONEY_MOVES) !== true;

/** Returns all amounts in the request, at any depth, and their totals, such as the total of an invoice. */
export function amountsOf(request: MoneyRequest): NamedAmount[] {
  const { operation, values } = request;
  const declared = declaredFields(operation);
  const at = (place: 'query' | 'body') =>
    amountsIn(
      values[place],
      declared.filter((field) => field.place === place),
    );
  return [...at('query'), ...at('body'), ...statedAmount(moneyOf(request), values.node)];
}

const statedAmount = (money: Money, node: IDataObject): NamedAmount[] =>
  typeof money === 'object' && 'byNode' in money ? named('amount', node[money.byNode]) : [];

/**
 * Returns the maximum unsigned amount that a request can move, in the currency's main unit. Returns 0 if the request
 * moves no money, and `undefined` if the amount is unknown.
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

function isTold(request: MoneyRequest): boolean {
  const { body, node } = request.values;
  const money = moneyOf(request);
  if (money === 'untold' || money === 'named') return money === 'named';
  if ('byNode' in money) return Boolean(readableNumber(node[money.byNode]));
  return money.by === LINES ? invoiceTotal(body).length > 0 : Boolean(readableNumber(body[money.by]));
}

/**
 * Returns the name of the single field that contains the moved amount, or `undefined` if no single field contains it.
 */
export function toldBy(request: MoneyRequest): string | undefined {
  const money = moneyOf(request);
  if (typeof money !== 'object') return undefined;
  return 'by' in money ? money.by : money.byNode;
}

function moneyOf(request: MoneyRequest): Money {
  const { money, request: declared } = request.operation;
  if (money === undefined) return moneyBy(declared.moves ?? 'named', request.values.body);
  return typeof money === 'function' ? money(request) : money;
}

function amountsIn(value: unknown, declared: readonly Field[]): NamedAmount[] {
  if (isList(value)) return value.flatMap((one) => amountsIn(one, declared));
  if (!isObject(value)) return [];
  const own = Object.entries(value).flatMap(([name, inner]) => {
    const field = declared.find((one) => one.name === name);
    const isAmount = field ? field.money === true : namesAmount(name);
    return isAmount ? named(name, inner) : amountsIn(inner, field?.fields ?? []);
  });
  return [...own, ...invoiceTotal(value), ...firstPayment(value), ...withFees(value)];
}

function named(name: string, value: unknown): NamedAmount[] {
  if (value === undefined) return [];
  return Array.isArray(value) && value.length > 0
    ? value.flatMap((one) => named(name, one))
    : [{ name, amount: readableNumber(value), found: `${name} ${describe(value)}` }];
}

/** Rounds up to the cent (openapi.yaml#CreateInvoiceRequest). */
function invoiceTotal({ [LINES]: lines, sales_tax: tax }: IDataObject): NamedAmount[] {
  if (!isList(lines) || lines.length === 0) return [];
  const net = sum(lines.map(lineTotal));
  return [total('invoice total', withTax(net, tax))];
}

/** Returns the total of an invoice, or `undefined` if the body doesn't determine it. */
export const invoiceAmount = (body: IDataObject): number | undefined => invoiceTotal(body)[0]?.amount;

const lineTotal = (line: unknown): number | undefined => {
  if (!isObject(line)) return undefined;
  const [quantity, cost] = [readableNumber(line.quantity), readableNumber(line.unit_cost)];
  return quantity === undefined || cost === undefined ? undefined : quantity * cost;
};

/** Adds the sales tax, which is a rate in percent or an amount (openapi.yaml#SalesTax). */
function withTax(net: number | undefined, tax: unknown): number | undefined {
  if (net === undefined || isEmpty(tax)) return net;
  const { type, value } = isObject(tax) ? tax : {};
  const number = readableNumber(value);
  if (number === undefined) return undefined;
  if (type === 'AMOUNT') return net + number;
  return type === 'RATE' ? net * (1 + number / 100) : undefined;
}

/**
 * Returns the first payment of a subscription, including the one-time fee and the surcharge
 * (openapi.yaml#AddSubscriptionRequest).
 */
function firstPayment({ amt_tran: recurring, amt_setup: fee = 0, pct_fee: percent = 0 }: IDataObject): NamedAmount[] {
  if (isEmpty(recurring) || (fee === 0 && percent === 0)) return [];
  const charged = sum([readableNumber(recurring), readableNumber(fee)]);
  const surcharge = readableNumber(percent);
  const all = charged === undefined || surcharge === undefined ? undefined : charged * (1 + surcharge / 100);
  return [total('first payment', all)];
}

/**
 * Adds the fees, because the API doesn't specify that the amount already includes them
 * (openapi.yaml#GatewayTransactionRequest).
 */
function withFees({ amt_tran: amount, amt_convenience_fee: fee = 0, amt_tran_fee: other = 0 }: IDataObject) {
  if (isEmpty(amount) || (fee === 0 && other === 0)) return [];
  return [total('charge with fees', sum([amount, fee, other].map(readableNumber)))];
}

const sum = (parts: Array<number | undefined>): number | undefined =>
  parts.reduce((all, part) => (all === undefined || part === undefined ? undefined : all + part), 0);

/** Rounds away from zero to the cent. The service may also round up, and limits must check the larger amount. */
function total(name: string, exact: number | undefined): NamedAmount {
  if (exact === undefined) return { name, found: `${name} with a value that is not a number` };
  const cents = Math.ceil(Number((Math.abs(exact) * 100).toPrecision(EXACT_DIGITS)));
  const amount = (Math.sign(exact) * cents) / 100;
  return { name, amount, found: `${name} ${amount}` };
}

/** Converts an amount in the main unit to whole cents, so that sums are exact. */
export const toCents = (amount: number) => Math.round(amount * 100);

/** Returns an amount in cents without its sign, or `undefined` for an unreadable amount. */
export function centsOf(value: unknown): number | undefined {
  const amount = readableNumber(value);
  return amount === undefined ? undefined : Math.abs(toCents(amount));
}

/** Returns whether two amounts are equal. An unreadable amount equals no other amount. */
export const isSameAmount = (shown: unknown, sent: unknown): boolean =>
  centsOf(sent) !== undefined && centsOf(shown) === centsOf(sent);
