import type { INodeParameters } from 'n8n-workflow';

import { resources } from '../../nodes/PaymentPlatform/resources';
import type { Sandbox } from '../../sandbox';
import { Search, type Described } from './canary-search';
import type { Filling } from './filling';

/** What was found for one operation. */
export interface Found {
  /** E.g. `card.tokenize`. */
  name: string;
  /** Fillings that together fill as many of its secret parameters as could be. */
  fillings: readonly Filling[];
  /** Paths of its secret parameters that no filling fills. */
  missing: readonly string[];
}

/** The operations that have a panel of fields; a person chooses the request of the others. */
const described: Described[] = resources.flatMap(({ value: resource, operations }) =>
  operations.filter(({ request }) => request.operationId !== undefined).map((operation) => ({ resource, operation })),
);

/** How often all operations are gone through for which something is left. */
const ROUNDS = 40;

/**
 * Fillings for all operations, found by trying in this process: each did its work right after `prepare`, and together
 * they put canaries into the parameters that are marked secret.
 * @param options the node's options, the same in all.
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
