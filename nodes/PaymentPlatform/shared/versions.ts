/**
 * Saved workflows contain the version of each node, and n8n runs the node in this version. The version of the npm
 * package has no effect (versions.md).
 */

/** Versions of the node and of the trigger, oldest first. */
export const NODE_VERSIONS: readonly number[] = [1];
export const TRIGGER_VERSIONS: readonly number[] = [1];

/** Returns the version of a newly added node. */
export const newest = (versions: readonly number[]): number => Math.max(...versions);

/** First and last node version that contain a part of the declaration, both included. Defaults to every version. */
export interface Held {
  readonly since?: number;
  readonly until?: number;
}

/** Returns whether a part of the declaration exists in a version. */
export const holdsIn = ({ since: first = -Infinity, until: last = Infinity }: Held, version: number): boolean =>
  first <= version && version <= last;

/** Limits a field, parameter, operation or resource to a version of the node and later versions. */
export const since = <One extends object>(version: number, one: One): One & Held => ({ ...one, since: version });

/** Limits a field, parameter, operation or resource to a version of the node and earlier versions. */
export const until = <One extends object>(version: number, one: One): One & Held => ({ ...one, until: version });

/** Returns the entries of a list that exist in a version. Returns the original list if all entries exist unchanged. */
export function heldIn<One extends Held>(list: One[], version: number, inner: (one: One) => One = (one) => one): One[] {
  const held = list.filter((one) => holdsIn(one, version)).map(inner);
  return held.length === list.length && held.every((one, index) => one === list[index]) ? list : held;
}
