/** n8n runs each node of a workflow in its saved version (versions.md). */

/** Oldest first. */
export const NODE_VERSIONS: readonly number[] = [1];
export const TRIGGER_VERSIONS: readonly number[] = [1];

/** New nodes have this version. */
export const newest = (versions: readonly number[]): number => Math.max(...versions);

/** First and last version in which a field or operation exists, both included. */
export interface Held {
  readonly since?: number;
  readonly until?: number;
}

export const holdsIn = ({ since: first = -Infinity, until: last = Infinity }: Held, version: number): boolean =>
  first <= version && version <= last;

export const since = <One extends object>(version: number, one: One): One & Held => ({ ...one, since: version });

export const until = <One extends object>(version: number, one: One): One & Held => ({ ...one, until: version });

export function heldIn<One extends Held>(list: One[], version: number, inner: (one: One) => One = (one) => one): One[] {
  const held = list.filter((one) => holdsIn(one, version)).map(inner);
  return held.length === list.length && held.every((one, index) => one === list[index]) ? list : held;
}
