/** Each saved workflow contains the version of its nodes, and n8n runs each node in that version (versions.md). */

/** Oldest first. */
export const NODE_VERSIONS: readonly number[] = [1];
export const TRIGGER_VERSIONS: readonly number[] = [1];

/** Returns the version for nodes that users add to a workflow. */
export const newest = (versions: readonly number[]): number => Math.max(...versions);

/** First and last node version in which a field or operation exists, both included. */
export interface Held {
  readonly since?: number;
  readonly until?: number;
}

/** Returns whether a field or operation exists in a node version. */
export const holdsIn = ({ since: first = -Infinity, until: last = Infinity }: Held, version: number): boolean =>
  first <= version && version <= last;

/** Limits a field or operation to a node version and later versions. */
export const since = <One extends object>(version: number, one: One): One & Held => ({ ...one, since: version });

/** Limits a field or operation to a node version and earlier versions. */
export const until = <One extends object>(version: number, one: One): One & Held => ({ ...one, until: version });

/** Returns the elements that exist in a node version. */
export function heldIn<One extends Held>(list: One[], version: number, inner: (one: One) => One = (one) => one): One[] {
  const held = list.filter((one) => holdsIn(one, version)).map(inner);
  return held.length === list.length && held.every((one, index) => one === list[index]) ? list : held;
}
