/**
 * Saved workflows name a version of the node, and n8n runs the node in that version. The version of the npm package has
 * no effect (versions.md).
 */

/** Versions of the node and of the trigger, oldest first. */
export const NODE_VERSIONS: readonly number[] = [1];
export const TRIGGER_VERSIONS: readonly number[] = [1];

/** Returns the version that a newly added node gets. */
export const newest = (versions: readonly number[]): number => Math.max(...versions);

/** First and last version of the node in which something exists, both included. Defaults to every version. */
export interface Held {
  readonly since?: number;
  readonly until?: number;
}

/** Returns whether something exists in a version. */
export const holdsIn = ({ since: first = -Infinity, until: last = Infinity }: Held, version: number): boolean =>
  first <= version && version <= last;

/** Returns the field, parameter, operation or resource, limited to this version and later ones. */
export const since = <One extends object>(version: number, one: One): One & Held => ({ ...one, since: version });

/** Returns the field, parameter, operation or resource, limited to this version and earlier ones. */
export const until = <One extends object>(version: number, one: One): One & Held => ({ ...one, until: version });

/** Returns the entries of a list that exist in a version. Returns the same list if the version changes nothing. */
export function heldIn<One extends Held>(list: One[], version: number, inner: (one: One) => One = (one) => one): One[] {
  const held = list.filter((one) => holdsIn(one, version)).map(inner);
  return held.length === list.length && held.every((one, index) => one === list[index]) ? list : held;
}
