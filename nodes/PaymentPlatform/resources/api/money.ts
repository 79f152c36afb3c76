import { moneyBy } from '../../model/read-amounts';
import type { Money, MoneyRequest } from '../../model/types';
import { ROUTES } from '../../wire/moves';

/** Returns the amount of money that a custom request moves. For paths outside the interface, the amount is unknown. */
export function moneyOfPath({ method, path, values }: Pick<MoneyRequest, 'method' | 'path' | 'values'>): Money {
  const known = ROUTES.find((route) => (route.method ?? method) === method && route.path.test(path));
  return known ? moneyBy(known.moves, values.body) : 'untold';
}
