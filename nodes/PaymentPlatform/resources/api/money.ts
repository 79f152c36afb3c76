import type { DayRecords } from '../../model/day-records';
import { moneyBy } from '../../model/read-amounts';
import type { Money, MoneyRequest } from '../../model/types';
import { ROUTES } from '../../wire/moves';
import { transaction } from '../transaction';

/** For paths outside the interface, the amount is unknown. */
export function moneyOfPath({ method, path, values }: Pick<MoneyRequest, 'method' | 'path' | 'values'>): Money {
  const known = ROUTES.find((route) => (route.method ?? method) === method && route.path.test(path));
  return known ? moneyBy(known.moves, values.body) : 'untold';
}

/** Returns the records that count toward the limit per day of requests to this path. */
export const dayRecordsOfPath = ({ method, path }: Pick<MoneyRequest, 'method' | 'path'>): DayRecords | undefined =>
  transaction.operations.find(
    ({ request }) =>
      request.method === method && new RegExp(`^${request.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )?.dayRecords;
