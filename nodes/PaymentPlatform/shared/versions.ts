/*
 * Versions of a node are what saved workflows name and what n8n runs them by. The version of the npm package is another
 * thing, and decides nothing (versions.md).
 */

/** Versions of the node, and of the trigger, from the oldest to the newest. */
export const NODE_VERSIONS: readonly number[] = [1];
export const TRIGGER_VERSIONS: readonly number[] = [1];

/** The version that a node gets when a person adds it. */
export const newest = (versions: readonly number[]): number => Math.max(...versions);

/** Since and until which version of the node something holds, both of them included; in every version unless given. */
export interface Held {
  readonly since?: number;
  readonly until?: number;
}

/** Whether something holds in a version. */
export const holdsIn = ({ since: first = -Infinity, until: last = Infinity }: Held, version: number): boolean =>
  first <= version && version <= last;

/** The same, from this version on: a field, a parameter, an operation, a resource. */
export const since = <One extends object>(version: number, one: One): One & Held => ({ ...one, since: version });

/** The same, up to this version and in it. */
export const until = <One extends object>(version: number, one: One): One & Held => ({ ...one, until: version });

/** What stands in the place of a list in a version: the list itself where nothing in it depends on the version. */
export function heldIn<One extends Held>(list: One[], version: number, inner: (one: One) => One = (one) => one): One[] {
  const held = list.filter((one) => holdsIn(one, version)).map(inner);
  return held.length === list.length && held.every((one, index) => one === list[index]) ? list : held;
}
