import { moneyBy } from '../../model/read-amounts';
import type { Money, MoneyRequest } from '../../model/types';
import { ROUTES } from '../../wire/moves';

/**
 * How much a write of the person's own choice moves. Where a path takes no amount, or nobody knows whether it takes
 * one, an amount in the body proves nothing: it may be there to get past a limit.
 */
export function moneyOfPath({ method, path, values }: Pick<MoneyRequest, 'method' | 'path' | 'values'>): Money {
  const known = ROUTES.find((route) => (route.method ?? method) === method && route.path.test(path));
  return known ? moneyBy(known.moves, values.body) : 'untold';
}
