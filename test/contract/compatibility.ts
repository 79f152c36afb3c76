import { isDeepStrictEqual } from 'node:util';

import type { OutputTypes } from './output-types';
import type { Stored, StoredNode, StoredParameter, StoredParameters, StoredVersion } from './stored';

const text = (value: unknown) => JSON.stringify(value);

function parameterBreaks(where: string, released: StoredParameter, today: StoredParameter | undefined): string[] {
  if (!today) return [`${where} is gone: what workflows store there would be ignored.`];
  const gone = (released.values ?? []).filter((value) => !today.values?.includes(value));
  return [
    ...((today.type === released.type && today.multiple === released.multiple) || becamePicker(released, today)
      ? []
      : [
          `${where} was of the type ${kind(released)} and is ${kind(today)}: what workflows store there would not be understood.`,
        ]),
    ...gone.map((value) => `${where} no longer takes the value ${text(value)}, which workflows store.`),
    ...(isDeepStrictEqual(plain(today.default), plain(released.default)) || becamePicker(released, today)
      ? []
      : [
          `${where} had the default ${text(released.default)} and has ${text(today.default)}: workflows that leave it alone would do something else.`,
        ]),
    ...(today.required && !released.required
      ? [`${where} was optional and is required: workflows that leave it empty would fail.`]
      : []),
  ];
}

/** Returns whether a text parameter became a list that accepts stored text (test/workflow/panel/pickers.test.ts). */
const becamePicker = (released: StoredParameter, today: StoredParameter) =>
  released.type === 'string' &&
  !released.multiple &&
  released.default === '' &&
  today.type === 'resourceLocator' &&
  today.values?.includes('id') === true;

const kind = ({ type, multiple }: StoredParameter) => (multiple ? `list of ${type}` : type);

const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

function parametersBreaks(where: string, released: StoredParameters, today: StoredParameters): string[] {
  const changed = Object.entries(released).flatMap(([path, own]) =>
    parameterBreaks(`${where} > ${path}`, own, today[path]),
  );
  const demanded = Object.entries(today)
    .filter(([path, { required, default: value }]) => !(path in released) && !path.includes('.') && required && !value)
    .map(
      ([path]) => `${where} > ${path} is new and required without a default: workflows do not have it and would fail.`,
    );
  return [...changed, ...demanded];
}

const outputBreaks = (where: string, released: OutputTypes, today: OutputTypes): string[] =>
  Object.entries(released).flatMap(([path, type]) => {
    const now = today[path];
    if (now === type) return [];
    return now === undefined
      ? [`${where} > ${path} is gone from the output: workflows that read it would get nothing.`]
      : [`${where} > ${path} was of the type ${type} in the output and is ${now}: workflows that read it would fail.`];
  });

/** Reports a removed operation or event. */
function scopesBreaks<One>(
  where: string,
  released: Record<string, One>,
  today: Record<string, One>,
  breaksOf: (where: string, released: One, today: One) => string[],
): string[] {
  return Object.entries(released).flatMap(([scope, before]) => {
    const name = scope ? `${where} ${scope}` : where;
    const now = today[scope];
    return now ? breaksOf(name, before, now) : [`${name} is gone: workflows that use it would fail.`];
  });
}

function versionBreaks(where: string, released: StoredVersion, today: StoredVersion): string[] {
  // Reports a removed operation only once, not again for each output.
  const isGone = (operation = '') => operation in released.parameters && !(operation in today.parameters);
  const outputs = Object.entries(released.outputs).filter(([scope]) => !isGone(scope.split(',')[0]));
  return [
    ...scopesBreaks(where, released.parameters, today.parameters, parametersBreaks),
    ...scopesBreaks(where, Object.fromEntries(outputs), today.outputs, outputBreaks),
  ];
}

function nodeBreaks(name: string, released: StoredNode, today: StoredNode | undefined): string[] {
  if (!today) return [`The node ${name} is gone: every workflow with it would fail.`];
  const credentials = released.credentials.filter((credential) => !today.credentials.includes(credential));
  return [
    ...credentials.map((credential) => `${name} no longer takes the credential ${credential}, which workflows store.`),
    ...Object.entries(released.versions).flatMap(([version, before]) => {
      const now = today.versions[version];
      return now
        ? versionBreaks(`${name} ${version}`, before, now)
        : [`${name} no longer has the version ${version}: workflows that store it would fail.`];
    }),
  ];
}

/** Returns one sentence for each change that would break saved workflows. */
export function breaks(released: Stored, today: Stored): string[] {
  return [
    ...Object.entries(released.nodes).flatMap(([name, node]) => nodeBreaks(name, node, today.nodes[name])),
    ...Object.entries(released.credentials).flatMap(([name, fields]) => {
      const own = today.credentials[name];
      return own
        ? parametersBreaks(`The credential ${name}`, fields, own)
        : [`The credential ${name} is gone: nobody's stored credentials would be found.`];
    }),
  ];
}

/** Adds current entries to the released description. Before the first release, returns the current one. */
export function recorded(released: Stored, today: Stored): Stored {
  return released.frozen ? (deepAdd(released, today) as Stored) : today;
}

function deepAdd(before: unknown, added: unknown): unknown {
  if (before === undefined) return added;
  if (Array.isArray(before) && Array.isArray(added))
    return [...(before as unknown[]), ...(added as unknown[]).filter((value) => !before.includes(value))];
  if (!isRecord(before) || !isRecord(added)) return before;
  // Keeps a recorded parameter unchanged except for new values.
  if (isParameter(before))
    return 'values' in added ? { ...before, values: deepAdd(before.values, added.values) } : before;
  const names = [...new Set([...Object.keys(before), ...Object.keys(added)])];
  return Object.fromEntries(names.map((name) => [name, deepAdd(before[name], added[name])]));
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns whether an object describes a parameter, and not a group of parameters. */
export const isParameter = (value: Record<string, unknown>): boolean =>
  'default' in value && typeof value.type === 'string';
