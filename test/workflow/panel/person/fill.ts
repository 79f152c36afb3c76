import {
  NodeHelpers,
  type INodeParameters,
  type INodeProperties,
  type INodePropertyCollection,
  type INodeTypeDescription,
  type NodeParameterValueType,
} from 'n8n-workflow';

import { choicesOf } from '../../../../docs/generate/choices';
import type { Operation } from '../../../../nodes/PaymentPlatform/model/types';
import { declared } from '../../../../nodes/PaymentPlatform/resources';
import { asText } from '../../../../nodes/PaymentPlatform/shared/objects';
import type { Random } from '../../../simulator/random';
import { LEFT, type Habits, type Typed } from './habits';
import { ANYTHING, sensible } from './values';

export interface Filled {
  parameters: INodeParameters;
  typed: Typed[];
  /** Labels of all parameters in the panel, including empty parameters. */
  labels: Set<string>;
}

/** Parameters in which the user chooses the field names. */
const OWN_FIELDS = new Set(['extraBodyFields']);

const MOST_COPIED = 3;

/** Parameter whose values the service returns under another name. */
const TOKEN = 'tokenized_card_id';

const placeholderOf = (text: string | undefined) => text?.replace(/^e\.g\. /, '');
const exampleOf = (hint: string | undefined) => hint?.match(/^Example: (.*)$/s)?.[1];

export function inside({ type, options = [] }: INodeProperties): INodeProperties[] {
  if (type === 'collection') return options as INodeProperties[];
  return type === 'fixedCollection' ? (options as INodePropertyCollection[]).flatMap(({ values }) => values) : [];
}

const labelsOf = (property: INodeProperties): string[] => [property.displayName, ...inside(property).flatMap(labelsOf)];

/** Returns the parameters that an operation may show. */
export function offered({ properties }: INodeTypeDescription, resource: string, operation: string): INodeProperties[] {
  const fits = (condition: unknown, value: string) => !Array.isArray(condition) || condition.includes(value);
  const shownIn = ({ displayOptions: { show = {} } = {} }: INodeProperties, path = '') =>
    fits(show[`${path}resource`], resource) && fits(show[`${path}operation`], operation);
  const withOwn = (property: INodeProperties): INodeProperties =>
    property.type === 'collection'
      ? { ...property, options: inside(property).filter((option) => shownIn(option, '/')) }
      : property;
  return properties.filter((property) => shownIn(property)).map(withOwn);
}

function recordsWith(names: readonly string[], value: unknown): Array<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap((one) => recordsWith(names, one));
  const own = Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
  return Object.keys(own).length > 1 ? [own, ...inner] : inner;
}

/** Habits of a simulated user who fills in panels. */
export interface Person {
  /** Possible percentages of optional parameters to fill in. */
  shares: readonly number[];
  /** Percentage of filled panels that contain only plausible values. */
  careful: number;
  /** Returns the values for one of the simulated user's preferred parameters. */
  wanted: (name: string) => readonly string[] | undefined;
  /** Returns whether a parameter keeps its default. */
  kept: (name: string) => boolean;
}

const ANYBODY: Person = { shares: [5, 30, 60, 95], careful: 70, wanted: () => undefined, kept: () => false };

/** Probability in percent of filling in a preferred parameter. */
const WANTED = 90;

/** Fills in an operation's panel at random, using only visible parameters and offered choices. */
export class Panel {
  private typed: Typed[] = [];
  private labels = new Set<string>();
  private share = 50;
  private isCareful = true;
  private deciding: ReadonlySet<string> = new Set();
  private operation: Operation | undefined;
  private copied = new Map<string, Set<string>>();
  /** IDs from a single record, such as an invoice and its payment. */
  private linked: Record<string, unknown> = {};

  constructor(
    private readonly description: INodeTypeDescription,
    private readonly random: Random,
    private readonly habits: Habits,
    private readonly person: Person = ANYBODY,
  ) {}

  fill(resource: string, operation: string, records: unknown): Filled {
    this.copied = new Map();
    this.readRecords(records);
    this.typed = [];
    this.labels = new Set();
    this.share = this.random.pick(this.person.shares);
    this.isCareful = this.random.percent(this.person.careful);
    const root: INodeParameters = { resource, operation };
    const own = declared.find(({ value }) => value === resource)?.operations;
    this.operation = own?.find(({ value }) => value === operation);
    // Excludes the parameters of other operations, which would slow down the test.
    const properties = offered(this.description, resource, operation);
    const lists = properties.filter(({ type }) => type === 'resourceLocator').map(({ name }) => name);
    const linked = this.isCareful && lists.length > 1 ? recordsWith(lists, records) : [];
    this.linked = linked.length > 0 ? this.random.pick(linked) : {};
    this.deciding = new Set();
    this.deciding = new Set(this.decidingIn(properties));
    this.fillAll(root, root, properties, '');
    return { parameters: root, typed: this.typed, labels: this.labels };
  }

  /** Each value determines which later parameters are visible. */
  private fillAll(values: INodeParameters, root: INodeParameters, properties: INodeProperties[], prefix: string): void {
    for (const property of properties) {
      if (property.name in values && prefix === '') continue;
      if (!this.isShown(values, root, property)) continue;
      for (const label of labelsOf(property)) this.labels.add(label);
      const value = this.valueOf(property, root, `${prefix}${property.name}`);
      values[property.name] = value === undefined ? property.default : value;
    }
  }

  private isShown(values: INodeParameters, root: INodeParameters, property: INodeProperties): boolean {
    return NodeHelpers.displayParameter(values, property, { typeVersion: 1 }, this.description, root);
  }

  private valueOf(property: INodeProperties, root: INodeParameters, path: string): NodeParameterValueType | undefined {
    const { type, typeOptions = {}, options = [] } = property;
    if (type === 'notice' || this.person.kept(property.name)) return undefined;
    if (type === 'collection') return this.some(options as INodeProperties[], root, path);
    const stays = !property.required && this.isLeft(property, path);
    if (type === 'fixedCollection') return stays ? undefined : this.objects(property, root, path);
    if (stays) return undefined;
    if (type === 'string' && typeOptions.multipleValues)
      return this.random.list(this.random.integer(1, 2), () => this.text(property, path));
    switch (type) {
      case 'boolean':
        return this.pick(property, path, ['true', 'false']) === 'true';
      case 'options':
        return this.oneOf(property, path);
      case 'multiOptions':
        return [this.oneOf(property, path)];
      case 'number':
        return this.number(property, path);
      case 'dateTime':
        return this.choose(property, path, ['2026-11-24', '2027-03-31T09:30:00', '2026-01-15', '2031-12-31']);
      case 'json':
        return this.choose(property, path, [exampleOf(property.hint)], ['[]', '{}', '{"a":"b"}', 'nonsense', '[1]']);
      case 'resourceLocator':
        return { __rl: true, mode: this.random.pick(['list', 'id']), value: this.record(property, path) };
      case 'string':
        return this.text(property, path);
      default:
        throw new Error(`Nobody knows how to fill ${path}: ${type}`);
    }
  }

  /** The simulated user rarely leaves a parameter empty after a message requests a value. */
  private isLeft(property: INodeProperties, path: string): boolean {
    const { displayName: label, name } = property;
    const share = this.isWanted(property) ? WANTED : path.startsWith('options.') ? this.share / 8 : this.share;
    const left = this.habits.isLeft(path, share);
    if (left && name !== 'options') this.typed.push({ path, label, value: LEFT });
    return left;
  }

  private isWanted(property: INodeProperties): boolean {
    const { name } = property;
    const own = this.person.wanted(name) !== undefined || this.deciding.has(name);
    return own || inside(property).some((one) => this.isWanted(one));
  }

  /** Returns the names of the parameters that determine whether a preferred parameter is visible. */
  private decidingIn(properties: INodeProperties[]): string[] {
    return properties.flatMap((property) => {
      const { show, hide } = property.displayOptions ?? {};
      return [
        ...(this.isWanted(property) ? [...Object.keys(show ?? {}), ...Object.keys(hide ?? {})] : []),
        ...this.decidingIn(inside(property)),
      ];
    });
  }

  private some(properties: INodeProperties[], root: INodeParameters, path: string): INodeParameters {
    const values: INodeParameters = {};
    for (const property of properties) {
      if (OWN_FIELDS.has(property.name) || !this.isShown(values, root, property)) continue;
      if (this.isLeft(property, `${path}.${property.name}`)) continue;
      const value = this.valueOf({ ...property, required: true }, root, `${path}.${property.name}`);
      if (value !== undefined) values[property.name] = value;
    }
    return values;
  }

  private objects({ options = [], typeOptions }: INodeProperties, root: INodeParameters, path: string) {
    const groups = (options as INodePropertyCollection[]).map(({ name, values }) => {
      const one = () => {
        const object: INodeParameters = {};
        this.fillAll(object, root, values, `${path}.`);
        return object;
      };
      return [name, typeOptions?.multipleValues ? this.random.list(this.random.integer(1, 3), one) : one()];
    });
    return Object.fromEntries(groups) as INodeParameters;
  }

  private readRecords(record: unknown): void {
    if (typeof record !== 'object' || record === null) return;
    for (const [name, value] of Object.entries(record) as Array<[string, unknown]>) {
      this.readRecords(value);
      if (typeof value !== 'string' && typeof value !== 'number') continue;
      const known = this.copied.get(name) ?? new Set();
      this.copied.set(name, known.add(String(value)));
    }
  }

  private copiedOf(name: string): string[] {
    const known = [...(this.copied.get(name === TOKEN ? 'card_id' : name) ?? [])];
    return [...new Set([...known.slice(0, MOST_COPIED), ...known.slice(-1)])];
  }

  private oneOf(property: INodeProperties, path: string) {
    const options = choicesOf(property, this.operation);
    const name = this.pick(
      property,
      path,
      options.map((option) => String(option.value)),
    );
    return options.find(({ value }) => String(value) === name)?.value as string;
  }

  private number(property: INodeProperties, path: string): number {
    const { minValue = 0, maxValue = 1000 } = property.typeOptions ?? {};
    const shown = [minValue, maxValue, property.default as number, Math.round((minValue + maxValue) / 2)];
    return Number(this.choose(property, path, shown.map(String)));
  }

  private record(property: INodeProperties, path: string): string {
    const { [property.name]: value } = this.linked;
    return value === undefined ? this.text(property, path) : this.choose(property, path, [asText(value)]);
  }

  private text(property: INodeProperties, path: string): string {
    const { name, placeholder, modes } = property;
    const own = this.person.wanted(name);
    if (own) return this.choose(property, path, own);
    const shown = [placeholder, ...(modes ?? []).map((mode) => mode.placeholder)].map(placeholderOf);
    return this.choose(property, path, [...shown, ...sensible(property.displayName), ...this.copiedOf(name)], ANYTHING);
  }

  private choose(
    { displayName: label, name, type }: INodeProperties,
    path: string,
    shown: ReadonlyArray<string | undefined>,
    others: readonly string[] = [],
  ): string {
    const value = this.habits.type(
      path,
      shown.filter((one) => one !== undefined),
      this.isCareful && shown.length > 0 ? [] : others,
    );
    this.typed.push({ path, label, value, isRecord: type === 'resourceLocator' || name === TOKEN });
    return value;
  }

  private pick({ displayName: label }: INodeProperties, path: string, choices: readonly string[]): string {
    const value = this.habits.pick(path, choices);
    this.typed.push({ path, label, value });
    return value;
  }
}
