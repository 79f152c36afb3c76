import type { INodeParameters } from 'n8n-workflow';

import type { Operation } from '../../nodes/PaymentPlatform/model/types';
import { transaction } from '../../nodes/PaymentPlatform/resources/transaction';

/** Operations that move money with one request. */
export const MONEY = [
  ...(['refund', 'capture', 'void', 'recharge'] as const),
  ...(['sale', 'authorize', 'credit', 'force', 'payout'] as const),
];

export type MoneyName = (typeof MONEY)[number];

/** Amount of each sale in cents. A void returns the full amount. */
export const SALE_CENTS = 100_000;

/** Requirements and effects of an operation that moves money. */
export interface MoneyFacts {
  on: 'sale' | 'customer' | 'payee';
  /** Pattern of the request's path. The capturing group contains the sale's ID. */
  path: RegExp;
  pathOf(this: void, sale: string): string;
  amount: string;
  /** Whether the operation applies to the whole sale, so that the request contains no amount. */
  isWhole: boolean;
  sales?: 'authorized' | 'captured' | 'any';
  more: INodeParameters;
}

const STATES: Partial<Record<MoneyName, MoneyFacts['sales']>> = { capture: 'authorized', void: 'captured' };
const MORE: Partial<Record<MoneyName, INodeParameters>> = { force: { auth_code: 'T12345' } };

export const movingOperations = (): Operation[] =>
  transaction.operations.filter(({ footprint, request }) => footprint !== undefined && request.effect !== 'reads');

const factsOf = ({ request, target, money, value }: Operation): MoneyFacts => {
  const isWhole = typeof money === 'object' && 'byNode' in money;
  const on = request.path.includes('{') ? 'sale' : target === 'payee_id' ? 'payee' : 'customer';
  return {
    on,
    path: new RegExp(`^${request.path.replace(/\{\w+\}/, '([^/]+)')}$`),
    pathOf: (sale) => request.path.replace(/\{\w+\}/, sale),
    amount: isWhole ? money.byNode : 'amt_tran',
    isWhole,
    ...(on === 'sale' && { sales: STATES[value as MoneyName] ?? 'any' }),
    more: MORE[value as MoneyName] ?? {},
  };
};

const facts = new Map(movingOperations().map((operation) => [operation.value, factsOf(operation)]));

export const moneyFacts = (name: string | undefined): MoneyFacts | undefined =>
  name === undefined ? undefined : facts.get(name);

/** Returns whether a tool refuses the operation until a user turns on Allow AI Agent. */
export const isOffInTools = (name: string): boolean =>
  movingOperations().some(({ value, offInTools }) => value === name && offInTools === true);
