import { moneyBy } from '../../model/read-amounts';
import type { Money, MoneyRequest } from '../../model/types';
import { ROUTES } from '../../wire/moves';

/**
 * Returns the amount that a custom write moves. If the path is not known to use the amount in the body, the amount is
 * unknown.
 */
export function moneyOfPath({ method, path, values }: Pick<MoneyRequest, 'method' | 'path' | 'values'>): Money {
  const known = ROUTES.find((route) => (route.method ?? method) === method && route.path.test(path));
  return known ? moneyBy(known.moves, values.body) : 'untold';
}
