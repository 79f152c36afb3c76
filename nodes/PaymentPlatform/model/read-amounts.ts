import type { IDataObject } from 'n8n-workflow';
import { EXACT_DIGITS, LINES, lineTotal, namesAmount } from '../fields/kinds/number';
import type { Field } from '../fields/types';
import { describe, isEmpty } from '../fields/value';
import { centsOf, isList, isObject, readableNumber } from '../shared/objects';
import { paymentOutcomeOf } from './failure';
import type { Moves } from '../wire/facts';
import { declaredFields } from './operation';
import type { Money, MoneyRequest, Operation } from './types';

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

/** In the currency's main unit, with its sign. `amount` is missing if the text isn't a readable number. */
export interface NamedAmount {
  name: string;
  amount?: number;
  found: string;
}

export function movesMoney(operation: Operation): boolean {
  const { request, shape, money = request.moves } = operation;
  const has = (list: Field[]): boolean => list.some(({ money, fields: inner = [] }) => money === true || has(inner));
  return request.effect !== 'reads' && (shape !== undefined || money !== undefined || has(declaredFields(operation)));
}

/** Begins the `moneyEffect` of an operation that itself moves no money. */
export const NO_MONEY_MOVES = 'No money moves';
/** Begins the `moneyEffect` of a request to pay, such as an invoice. */
export const NOT_YET = `${NO_MONEY_MOVES} until`;

/** Other requests move money only after another person acts, such as a paying customer. */
export const movesMoneyAtOnce = (operation: Operation): boolean =>
  movesMoney(operation) && operation.moneyEffect?.startsWith(NO_MONEY_MOVES) !== true;

/** Includes amounts at any depth and totals, such as the total of an invoice. */
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
 * Returns the maximum unsigned amount in the currency's main unit. Returns 0 if the request moves no money, and
 * `undefined` if the amount is unknown.
 */
export function amountOf(given: MoneyRequest): number | undefined {
  const request = withoutKept(given);
  if (request.effect === 'reads' || moneyOf(request) === 'none') return 0;
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
  if (typeof money === 'string') return money !== 'untold';
  if ('byNode' in money) return Boolean(readableNumber(node[money.byNode]));
  return money.by === LINES ? invoiceTotal(body).length > 0 : Boolean(readableNumber(body[money.by]));
}

/** Returns the single field that contains the moved amount, or `undefined`. */
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
    : [
        {
          name,
          amount: readableNumber(value),
          // Only messages contain the description.
          get found() {
            return `${name} ${describe(value)}`;
          },
        },
      ];
}

/** Rounds up to the cent (openapi.yaml#CreateInvoiceRequest). */
function invoiceTotal({ [LINES]: lines, sales_tax: tax }: IDataObject): NamedAmount[] {
  if (!isList(lines) || lines.length === 0) return [];
  const net = sum(lines.map(lineTotal));
  return [total('invoice total', withTax(net, tax))];
}

/** Returns `undefined` if the body doesn't determine the total. */
export const invoiceAmount = (body: IDataObject): number | undefined => invoiceTotal(body)[0]?.amount;

/** The tax is a rate in percent or an amount (openapi.yaml#SalesTax). */
function withTax(net: number | undefined, tax: unknown): number | undefined {
  if (net === undefined || isEmpty(tax)) return net;
  const { type, value } = isObject(tax) ? tax : {};
  const number = readableNumber(value);
  if (number === undefined) return undefined;
  if (type === 'AMOUNT') return net + number;
  return type === 'RATE' ? net * (1 + number / 100) : undefined;
}

/** Includes the one-time fee and the surcharge (openapi.yaml#AddSubscriptionRequest). */
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

/** Beyond this amount, sums of numbers lose cents. */
const HIGHEST_PART = 1e12;

/** Returns `undefined` if a part is missing or too high for an exact sum. */
const sum = (parts: Array<number | undefined>): number | undefined =>
  parts.reduce((all, part) => {
    const isExact = part !== undefined && Math.abs(part) <= HIGHEST_PART;
    return all === undefined || !isExact ? undefined : all + part;
  }, 0);

/** Rounds away from zero to the cent. The service may also round up, and limits must check the larger amount. */
function total(name: string, exact: number | undefined): NamedAmount {
  if (exact === undefined) return { name, found: `${name} with a value that is not a number` };
  const amount = (Math.sign(exact) * roundedUpCents(exact)) / 100;
  return { name, amount, found: `${name} ${amount}` };
}

const roundedUpCents = (amount: number): number =>
  Math.ceil(Number((Math.abs(amount) * 100).toPrecision(EXACT_DIGITS)));

type Amounts = Readonly<Record<string, unknown>>;

/** Returns the unsigned amount with fees and a surcharge, rounded up, or `undefined` if it is unreadable. */
export function amountWithFees({ amt_tran: amount, pct_fee: percent, ...fees }: Amounts): number | undefined {
  const shown = [fees.amt_convenience_fee, fees.amt_tran_fee].filter((fee) => !isEmpty(fee));
  const rate = isEmpty(percent) ? 0 : percent;
  const [charged = NaN, surcharge = NaN, ...others] = [amount, rate, ...shown].map((one) => readableNumber(one) ?? NaN);
  const cents = sum([charged, (charged * surcharge) / 100, ...others].map(roundedUpCents));
  return cents === undefined ? undefined : cents / 100;
}

/** Returns whether an amount can be the requested amount with some of its fees (service.md#charges). */
export function mayIncludeFees(shown: unknown, asked: Amounts): boolean {
  const [one = NaN, least = NaN, most = NaN] = [shown, asked.amt_tran, amountWithFees(asked)].map(centsOf);
  return least <= one && one <= most;
}

/**
 * Returns the amount of the record, or else the requested amount. For a partial approval, returns `undefined` if the
 * record shows no smaller amount.
 */
export function approvedAmount(record: { rcode?: unknown; amt_tran?: unknown }, asked: unknown): unknown {
  const { amt_tran: shown } = record;
  const isPart = asked !== undefined && paymentOutcomeOf(record.rcode) === 'partlyApproved';
  if (!isPart) return shown ?? asked;
  return (centsOf(shown) ?? Infinity) < (centsOf(asked) ?? 0) ? shown : undefined;
}
