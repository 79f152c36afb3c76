import { NODE_VERSIONS } from '../shared/versions';
import type { Resource } from '../model/types';
import { resourcesAt } from '../model/resources-in-version';

/**
 * What the node does, in words, for the line under its name: an expression, which the editor evaluates. The stored values
 * are looked up, for they are no words ("getAll").
 */
export function operationSubtitle(declared: Resource[], versions = NODE_VERSIONS): string {
  // Words are no promise: the newest that there are hold in all versions.
  const all = versions.flatMap((version) => resourcesAt(declared, version));
  const words = all.flatMap(({ value: resource, operations }) =>
    operations.map(({ value, action }) => [`${resource}.${value}`, action] as const),
  );
  return `={{ (${JSON.stringify(Object.fromEntries(words))})[$parameter["resource"] + "." + $parameter["operation"]] ?? "" }}`;
}
