import { moneyBy } from '../../model/read-amounts';
import type { Money, MoneyRequest } from '../../model/types';
import { ROUTES } from '../../wire/moves';

/**
 * Returns how much a custom write moves. If the path takes no amount, or it is unknown whether it does, an amount in
 * the body proves nothing, because it could be there only to pass a limit.
 */
export function moneyOfPath({ method, path, values }: Pick<MoneyRequest, 'method' | 'path' | 'values'>): Money {
  const known = ROUTES.find((route) => (route.method ?? method) === method && route.path.test(path));
  return known ? moneyBy(known.moves, values.body) : 'untold';
}
