import type { INodeParameters } from 'n8n-workflow';

import { resources } from '../../nodes/PaymentPlatform/resources';
import type { Sandbox } from '../../sandbox';
import { Search, type Described } from './canary-search';
import type { Filling } from './filling';

/** Accepted parameters for one operation. */
export interface Found {
  name: string;
  fillings: readonly Filling[];
  /** Paths of secret parameters that no parameter set covers. */
  missing: readonly string[];
}

/** Custom API requests have no fields of their own. */
const described: Described[] = resources.flatMap(({ value: resource, operations }) =>
  operations.filter(({ request }) => request.operationId !== undefined).map((operation) => ({ resource, operation })),
);

/** Maximum number of passes over the operations with unchecked secret parameters. */
const ROUNDS = 40;

/** Finds each operation's accepted parameters with test secrets. */
export async function findFillings(sandbox: Sandbox, options: INodeParameters): Promise<Found[]> {
  const searches = described.map((of) => new Search(sandbox, of, options));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const search of searches) {
      const others = searches.filter(({ writes, resource }) => writes && resource === search.resource);
      await search.go(round === 0 ? [] : others.flatMap(({ fillings }) => fillings));
    }
  return searches.map(({ name, fillings, missing }) => ({ name, fillings, missing }));
}
