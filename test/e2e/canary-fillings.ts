import type { INodeParameters } from 'n8n-workflow';

import { resources } from '../../nodes/PaymentPlatform/resources';
import type { Sandbox } from '../../sandbox';
import { Search, type Described } from './canary-search';
import type { Filling } from './filling';

/** Parameter sets that the search found for one operation. */
export interface Found {
  /** Resource and operation, for example `card.tokenize`. */
  name: string;
  /** Parameter sets that together cover as many secret parameters as possible. */
  fillings: readonly Filling[];
  /** Paths of secret parameters that no parameter set covers. */
  missing: readonly string[];
}

/** Operations that have their own fields. Excludes custom API requests. */
const described: Described[] = resources.flatMap(({ value: resource, operations }) =>
  operations.filter(({ request }) => request.operationId !== undefined).map((operation) => ({ resource, operation })),
);

/** Maximum number of passes over the operations that still have unchecked secret parameters. */
const ROUNDS = 40;

/**
 * Finds parameter sets for all operations by running the node in this process. The service accepts each parameter set
 * right after `prepare`. Together, the parameter sets contain test secrets in all secret parameters that the search can
 * fill.
 * @param options node options that all operations share.
 */
export async function findFillings(sandbox: Sandbox, options: INodeParameters): Promise<Found[]> {
  const searches = described.map((of) => new Search(sandbox, of, options));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const search of searches) {
      const others = searches.filter(({ writes, resource }) => writes && resource === search.resource);
      await search.go(round === 0 ? [] : others.flatMap(({ fillings }) => fillings));
    }
  return searches.map(({ name, fillings, missing }) => ({ name, fillings, missing }));
}
