import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { heldIn, type Held } from '../shared/versions';
import { isSame } from './share-parameters';

export interface Edition {
  version: number;
  properties: INodeProperties[];
}

interface Entry {
  editions: Array<{ version: number; property: INodeProperties }>;
}

/** A parameter that exists only in some versions gets a condition for them. */
export function inVersions(editions: Edition[]): INodeProperties[] {
  const entries: Entry[] = [];
  for (const edition of editions) addEdition(edition, entries);
  return entries.map((entry) => {
    const property = combined(entry.editions);
    const versions = entry.editions.map(({ version }) => version);
    return versions.length < editions.length ? shownIn(versions, property) : property;
  });
}

function addEdition({ version, properties }: Edition, entries: Entry[]): void {
  let last = -1;
  for (const property of properties) {
    const place = entries.findIndex(({ editions: [first] }, index) => index > last && goes(first?.property, property));
    last = place < 0 ? last + 1 : place;
    if (place < 0) entries.splice(last, 0, { editions: [{ version, property }] });
    else entries[place]?.editions.push({ version, property });
  }
}

const goes = (one: INodeProperties | undefined, other: INodeProperties): boolean =>
  one !== undefined && isSame(outsideOf(one), outsideOf(other));

function outsideOf(property: INodeProperties) {
  const { options = [], ...outside } = property;
  if (options.every(isProperty)) return { ...outside, options: property.type === 'collection' };
  if (!options.every(isGroup)) return property;
  return { ...outside, options: options.map((group) => ({ ...group, values: undefined })) };
}

function combined(editions: Entry['editions']): INodeProperties {
  const [first, ...others] = editions.map(({ property }) => property);
  if (!first) throw new Error('A parameter has at least one version');
  if (others.every((other) => isSame(first, other))) return first;
  const inner = (of: (property: INodeProperties) => INodeProperties[]) =>
    inVersions(editions.map(({ version, property }) => ({ version, properties: of(property) })));
  if (first.options?.every(isProperty)) return { ...first, options: inner(propertiesIn) };
  return {
    ...first,
    options: first.options?.filter(isGroup).map((group, index) => ({
      ...group,
      values: inner(({ options = [] }) => options.filter(isGroup)[index]?.values ?? []),
    })),
  };
}

/** Puts the version condition first, because n8n stops at a condition on a parameter that contains an expression. */
const shownIn = (versions: number[], property: INodeProperties): INodeProperties => ({
  ...property,
  displayOptions: { ...property.displayOptions, show: { '@version': versions, ...property.displayOptions?.show } },
});

/** Omits the parameters' version ranges. */
export function propertiesAt(properties: Array<INodeProperties & Held>, version: number): INodeProperties[] {
  return heldIn(properties, version, (one) => {
    const property = withoutMarks(one);
    const { type } = property;
    return type === 'collection' ? { ...property, options: propertiesAt(propertiesIn(property), version) } : property;
  });
}

function withoutMarks(property: INodeProperties & Held): INodeProperties {
  const copy: INodeProperties & { since?: number; until?: number } = { ...property };
  delete copy.since;
  delete copy.until;
  return copy;
}

type Option = NonNullable<INodeProperties['options']>[number];

const isProperty = (option: Option): option is INodeProperties => 'type' in option;
const isGroup = (option: Option): option is INodePropertyCollection => 'values' in option;
const propertiesIn = ({ options = [] }: INodeProperties): INodeProperties[] => options.filter(isProperty);
