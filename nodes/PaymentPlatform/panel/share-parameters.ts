import type { INodeProperties } from 'n8n-workflow';

/** An operation, by what the two selectors hold when it is chosen. */
export interface Chosen {
  resource: string;
  operation: string;
}

/** The parameters of an operation, in the order in which a person fills them. */
export interface Panel {
  chosen: Chosen;
  properties: INodeProperties[];
}

interface Entry {
  property: INodeProperties;
  shown: Chosen[];
}

/**
 * The parameters of all operations, each with the condition that shows it. What is the same in several operations stands
 * there once: n8n sends the description to every editor. The order within each operation is kept.
 */
export function shareParameters(panels: Panel[]): INodeProperties[] {
  const entries: Entry[] = [];
  const byName = new Map<string, Entry[]>();
  // One with many parameters gives the others more places to stand at.
  const longestFirst = [...panels].sort((one, other) => other.properties.length - one.properties.length);
  for (const panel of longestFirst) merge(panel, entries, byName);
  const all = panels.map(({ chosen }) => chosen);
  return entries.flatMap(({ property, shown }) => conditions(shown, all).map((lists) => shownFor(lists, property)));
}

/** What is there already is shown for one operation more; what is new stands before what follows it in this operation. */
function merge({ chosen, properties }: Panel, entries: Entry[], byName: Map<string, Entry[]>): void {
  const places = placesOf(properties, entries, byName);
  let before = entries.length;
  for (const [index, property] of [...properties.entries()].reverse()) {
    const place = places[index];
    if (place === undefined) {
      const entry = { property, shown: [chosen] };
      entries.splice(before, 0, entry);
      byName.set(property.name, [...(byName.get(property.name) ?? []), entry]);
    } else entries[place]?.shown.push(chosen);
    before = place ?? before;
  }
}

/** Where the parameters stand already, if in the same order; no place where they do not. */
function placesOf(
  properties: INodeProperties[],
  entries: Entry[],
  byName: Map<string, Entry[]>,
): Array<number | undefined> {
  let next = 0;
  return properties.map((property) => {
    const places = (byName.get(property.name) ?? [])
      .filter((entry) => isSame(entry.property, property))
      .map((entry) => entries.indexOf(entry, next))
      .filter((place) => place >= 0);
    if (places.length === 0) return undefined;
    const place = Math.min(...places);
    next = place + 1;
    return place;
  });
}

/** Values of both selectors; the parameter is shown for every pair of them. */
interface Lists {
  resource: string[];
  operation: string[];
}

/**
 * As few pairs of lists as is simple that together show a parameter for some operations, once for each, and for no other:
 * n8n shows it where both lists hold what is chosen, so two operations of the same name may need lists of their own.
 */
function conditions(shown: Chosen[], all: Chosen[]): Lists[] {
  const hidden = all.filter((chosen) => !shown.includes(chosen));
  const lists: Lists[] = [];
  for (const chosen of shown) {
    const wider = lists.find((one) => {
      const more = widened(one, chosen);
      const others = lists.filter((other) => other !== one);
      const elsewhere = shown.filter((other) => others.some((list) => holds(list, other)));
      return ![...hidden, ...elsewhere].some((other) => holds(more, other)) && Object.assign(one, more);
    });
    if (!wider) lists.push({ resource: [chosen.resource], operation: [chosen.operation] });
  }
  return lists;
}

const holds = ({ resource, operation }: Lists, chosen: Chosen) =>
  resource.includes(chosen.resource) && operation.includes(chosen.operation);

const widened = (lists: Lists, chosen: Chosen): Lists => ({
  resource: [...new Set([...lists.resource, chosen.resource])],
  operation: [...new Set([...lists.operation, chosen.operation])],
});

const shownFor = (lists: Lists, property: INodeProperties): INodeProperties => ({
  ...property,
  displayOptions: { ...property.displayOptions, show: { ...lists, ...property.displayOptions?.show } },
});

/** Whether two parameters are equal in everything. Most differ at once, in their names. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => isSame(Reflect.get(one, name), Reflect.get(other, name)))
  );
}
