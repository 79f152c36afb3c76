import type { INodeProperties } from 'n8n-workflow';

export interface Chosen {
  resource: string;
  operation: string;
}

/** The parameters are in the order in which users fill them in. */
export interface Panel {
  chosen: Chosen;
  properties: INodeProperties[];
}

interface Entry {
  property: INodeProperties;
  shown: Chosen[];
  offered: Panel[];
}

/** Declares identical parameters once, because n8n sends the description to every editor. */
export const shareParameters = (panels: Panel[]): INodeProperties[] => share(panels, '');

function share(panels: Panel[], root: '' | '/'): INodeProperties[] {
  const entries: Entry[] = [];
  const byName = new Map<string, Entry[]>();
  // Processes long panels first, so that the parameters of shorter panels fit into their order.
  const longestFirst = [...panels].sort((one, other) => other.properties.length - one.properties.length);
  for (const panel of longestFirst) merge(panel, entries, byName);
  const all = panels.map(({ chosen }) => chosen);
  const found = new Map<string, Array<{ lists: Lists; condition: Condition }>>();
  const conditionsFor = (shown: Chosen[]) => {
    const key = shown.map(({ resource, operation }) => `${resource}.${operation}`).join();
    const conditions =
      found.get(key) ??
      listsFor(shown, all).map((lists) => ({ lists, condition: shortestCondition(lists, all, root) }));
    found.set(key, conditions);
    return conditions;
  };
  return entries.flatMap(({ property, shown, offered }) =>
    conditionsFor(shown).map(({ lists, condition }) => {
      const own = offered.filter(({ chosen }) => holds(lists, chosen));
      const content = own.length > 0 ? { ...property, options: share(own, '/') } : property;
      return shownFor(condition, content);
    }),
  );
}

const isCollection = ({ type, typeOptions }: INodeProperties) => type === 'collection' && !typeOptions?.multipleValues;

const optionsIn = ({ options = [] }: INodeProperties) =>
  options.flatMap((option) => ('type' in option ? [option] : []));

/**
 * The editor fills an added option with the default of the first option with that name, so type and default must be the
 * same.
 */
function isSameCollection({ property, offered }: Entry, other: INodeProperties): boolean {
  if (!isCollection(property) || !isCollection(other)) return false;
  if (!isSame({ ...property, options: [] }, { ...other, options: [] })) return false;
  const known = offered.flatMap(({ properties }) => properties);
  return optionsIn(other).every((option) =>
    known.every((one) => one.name !== option.name || isSame(beginningOf(one), beginningOf(option))),
  );
}

const beginningOf = ({ type, default: own, typeOptions }: INodeProperties) => ({
  type,
  own,
  isList: typeOptions?.multipleValues === true,
});

function merge({ chosen, properties }: Panel, entries: Entry[], byName: Map<string, Entry[]>): void {
  const places = placesOf(properties, entries, byName);
  let before = entries.length;
  for (const [index, property] of [...properties.entries()].reverse()) {
    const place = places[index];
    if (place === undefined) {
      const offered = isCollection(property) ? [{ chosen, properties: optionsIn(property) }] : [];
      const entry = { property, shown: [chosen], offered };
      entries.splice(before, 0, entry);
      byName.set(property.name, [...(byName.get(property.name) ?? []), entry]);
    } else {
      const entry = entries[place];
      entry?.shown.push(chosen);
      if (isCollection(property)) entry?.offered.push({ chosen, properties: optionsIn(property) });
    }
    before = place ?? before;
  }
}

/** Entries that a panel can share in the panel's order, and the number of characters that sharing them saves. */
interface Sharing {
  places: Array<number | undefined>;
  last: number;
  saved: number;
}

/** Returns the place of the entry that each parameter shares. The choice saves the most characters. */
function placesOf(
  properties: INodeProperties[],
  entries: Entry[],
  byName: Map<string, Entry[]>,
): Array<number | undefined> {
  const sharings: Sharing[] = [{ places: [], last: -1, saved: 0 }];
  for (const [index, property] of properties.entries()) {
    const size = JSON.stringify(property).length;
    const more = (byName.get(property.name) ?? [])
      .filter((entry) => isSame(entry.property, property) || isSameCollection(entry, property))
      .map((entry) => entries.indexOf(entry))
      .map((last): Sharing => {
        const { places, saved } = most(sharings.filter((one) => one.last < last));
        return { places: Object.assign([...places], { [index]: last }), last, saved: saved + size };
      });
    sharings.push(...more);
  }
  return Array.from(properties, (_, index) => most(sharings).places[index]);
}

const most = (sharings: Sharing[]) => sharings.reduce((best, one) => (one.saved > best.saved ? one : best));

type Lists = {
  resource: string[];
  operation: string[];
};

/** n8n shows a parameter if both lists contain the selected values. Each operation in `shown` appears exactly once. */
function listsFor(shown: Chosen[], all: Chosen[]): Lists[] {
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

interface Condition {
  show: Record<string, string[]>;
  hide: Record<string, string[]>;
}

/**
 * Returns the shortest condition, because n8n sends the description to every editor. When a user changes a selector,
 * n8n clears only parameters whose condition contains this selector (n8n.md#parameters).
 */
function shortestCondition({ resource, operation }: Lists, all: Chosen[], root: '' | '/'): Condition {
  const others = all.filter((chosen) => !holds({ resource, operation }, chosen));
  const names = { resource: `${root}resource`, operation: `${root}operation` };
  const showing = { [names.resource]: resource, [names.operation]: operation };
  /** A condition that hides the parameter is shorter than one that shows it if few operations lack the parameter. */
  const hiding = (selector: keyof Chosen, shown: string[]) => {
    const hidden = [...new Set(others.map((one) => one[selector]))].filter((one) => !shown.includes(one));
    return hidden.length === 0 ? [] : [{ [names[selector]]: hidden }];
  };
  const notShown = [...hiding('resource', resource), ...hiding('operation', operation)];
  const shows = [{}, { [names.resource]: resource }, { [names.operation]: operation }, showing];
  const hides = [{}, ...notShown, notShown.reduce((joined, one) => ({ ...joined, ...one }), {})];
  const candidates = shows
    .flatMap((show) => hides.map((hide): Condition => ({ show, hide })))
    .map((condition) => ({ condition, size: JSON.stringify(condition).length }))
    .sort((one, other) => one.size - other.size);
  const isRight = ({ show, hide }: Condition) =>
    all.every((chosen) => {
      const isShown = show[names.resource]?.includes(chosen.resource) ?? true;
      const isNotHidden = !hide[names.resource]?.includes(chosen.resource);
      const shown =
        isShown &&
        isNotHidden &&
        (show[names.operation]?.includes(chosen.operation) ?? true) &&
        !hide[names.operation]?.includes(chosen.operation);
      return shown === holds({ resource, operation }, chosen);
    });
  const clears = ({ show, hide }: Condition) => {
    const named = { ...show, ...hide };
    return names.operation in named && (names.resource in named || resource.length === 1);
  };
  const found = candidates.find(({ condition }) => (root === '/' || clears(condition)) && isRight(condition));
  const shortest = found?.condition ?? { show: {}, hide: {} };
  return shortest;
}

function shownFor({ show, hide }: Condition, property: INodeProperties): INodeProperties {
  const { show: ownShow, hide: ownHide } = property.displayOptions ?? {};
  const displayOptions = {
    ...(Object.keys({ ...show, ...ownShow }).length > 0 && { show: { ...show, ...ownShow } }),
    ...(Object.keys({ ...hide, ...ownHide }).length > 0 && { hide: { ...hide, ...ownHide } }),
  };
  return Object.keys(displayOptions).length === 0 ? property : { ...property, displayOptions };
}

export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => isSame(Reflect.get(one, name), Reflect.get(other, name)))
  );
}
