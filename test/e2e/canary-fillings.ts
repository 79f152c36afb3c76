import type { INodeParameters } from 'n8n-workflow';

import { resources } from '../../nodes/PaymentPlatform/resources';
import type { Sandbox } from '../../sandbox';
import { Search, type Described } from './canary-search';
import type { Filling } from './filling';

/** Search result for one operation. */
export interface Found {
  /** Operation, for example `card.tokenize`. */
  name: string;
  /** Fillings that together fill as many secret parameters as possible. */
  fillings: readonly Filling[];
  /** Paths of secret parameters that no filling fills. */
  missing: readonly string[];
}

/** Operations with a panel of fields. Excludes custom requests. */
const described: Described[] = resources.flatMap(({ value: resource, operations }) =>
  operations.filter(({ request }) => request.operationId !== undefined).map((operation) => ({ resource, operation })),
);

/** Maximum number of passes over the operations whose secrets were not all checked yet. */
const ROUNDS = 40;

/**
 * Finds fillings for all operations by running the node in this process. Each filling succeeds right after `prepare`,
 * and together they fill the secret parameters with canaries.
 * @param options options of the node, the same for all operations.
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
