import type { DayBudget } from '../../model/day-budget';
import { moneyBy } from '../../model/read-amounts';
import type { Money, MoneyRequest } from '../../model/types';
import { ROUTES } from '../../wire/moves';
import { transaction } from '../transaction';

/** For paths outside the interface, the amount is unknown. */
export function moneyOfPath({ method, path, values }: Pick<MoneyRequest, 'method' | 'path' | 'values'>): Money {
  const known = ROUTES.find((route) => (route.method ?? method) === method && route.path.test(path));
  return known ? moneyBy(known.moves, values.body) : 'untold';
}

/** Returns the daily total of the transactions that requests to this path create. */
export const budgetOfPath = ({ method, path }: Pick<MoneyRequest, 'method' | 'path'>): DayBudget | undefined =>
  transaction.operations.find(
    ({ request }) =>
      request.method === method && new RegExp(`^${request.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )?.budget;
