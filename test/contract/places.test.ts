import type { Field } from '../../nodes/PaymentPlatform/fields/types';
import { declaredFields } from '../../nodes/PaymentPlatform/model/operation';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { REFERENCES } from '../../nodes/PaymentPlatform/wire/marks';
import { texts as files } from './repository';

/** Texts refer to an operation as "Invoice > Get Many". */
const OPERATIONS = new Map(
  resources.map(({ name, operations }) => [name, new Set(operations.map((operation) => operation.name))]),
);
const PLACE = new RegExp(
  `(?<!> |New )\\b(${[...OPERATIONS.keys()].join('|')}) ?(?:>|:) ((?:[A-Z][A-Za-z]+|or|of|a)(?: (?:[A-Z][A-Za-z]+|or|of|a|to))*)`,
  'g',
);

interface Named {
  at: string;
  text: string;
}

const STRING = /'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`|"((?:[^"\\\n]|\\.)*)"/g;

const texts: Named[] = files.flatMap(({ path, text }) => {
  if (/^(docs\/.+|README)\.md$/.test(path)) return [{ at: path, text }];
  if (!/^nodes\/.*\.ts$/.test(path) || path.includes('/wire/')) return [];
  return [...text.matchAll(STRING)].map(([, a, b, c]) => ({ at: path, text: a ?? b ?? c ?? '' }));
});

/** Allows further words after an operation's name. */
const unknownIn = ({ at, text }: Named): string[] =>
  [...text.matchAll(PLACE)].flatMap(([whole, resource = '', rest = '']) => {
    const names = [...(OPERATIONS.get(resource) ?? [])];
    const isKnown = names.some((name) => rest === name || rest.startsWith(`${name} `));
    return isKnown ? [] : [`${at}: ${whole}`];
  });

test('every operation named in a text exists', () => {
  expect(texts.flatMap(unknownIn)).toEqual([]);
  expect(texts.filter(({ text }) => new RegExp(PLACE).test(text)).length).toBeGreaterThan(30);
});

test('the check finds an unknown operation', () => {
  expect(unknownIn({ at: 'x', text: 'Look in Invoice > Find All for it.' })).toEqual(['x: Invoice > Find All']);
  expect(unknownIn({ at: 'x', text: 'Look in Plan > Get Many. Running' })).toEqual([]);
});

const EXISTING = new Set(
  resources.flatMap(({ operations }) =>
    operations.filter(({ shape }) => !shape).map(({ request }) => `${request.method} ${request.path}`),
  ),
);

/** Returns the paths of custom GET requests that a text recommends although an operation sends them. */
const superfluousRequests = ({ at, text }: Named): string[] =>
  [...text.matchAll(/API Request[^.]*? `?(\/[\w/{}]+)/g)].flatMap(([, path = '']) =>
    EXISTING.has(`GET ${path}`) ? [`${at}: ${path}`] : [],
  );

test('no text recommends an API Request for an existing operation', () => {
  expect(texts.flatMap(superfluousRequests)).toEqual([]);
});

test('the check finds an API Request for an existing operation', () => {
  const text = 'Look with API Request at /platform/invoice/{invoice_id}/payments.';
  expect(superfluousRequests({ at: 'x', text })).toEqual(['x: /platform/invoice/{invoice_id}/payments']);
  expect(superfluousRequests({ at: 'x', text: 'Use API Request for /platform/other.' })).toEqual([]);
});

test('a look-up hint mentions only values that every request contains, except in brackets', () => {
  const unsure = resources.flatMap(({ name: resource, operations }) =>
    operations.flatMap((operation) => {
      const { name, lookUp = '' } = operation;
      const required = new Set(declaredFields(operation).flatMap((field) => (field.required ? field.name : [])));
      const always = lookUp.replace(/\[[^\]]*\]/g, '');
      const named = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, value = '']) => value);
      return [
        ...named(always).filter((value) => !required.has(value)),
        ...named(lookUp).filter((value) => !REFERENCES.includes(value)),
      ].map((value) => `${resource} > ${name}: ${value}`);
    }),
  );
  expect(unsure).toEqual([]);
});

function labelsOf(fields: readonly Field[]): string[] {
  return fields.flatMap((field): string[] => {
    switch (field.kind) {
      case 'value': {
        const { options = [], displayName } = field.property;
        return [displayName, field.label, ...options.map(({ name }) => name)];
      }
      case 'composite':
        return [field.label, ...labelsOf(field.parts)];
      case 'conditional':
        return labelsOf([field.field]);
      case 'group':
        return [field.label, field.itemLabel, ...labelsOf(field.inside)];
      case 'section':
        return [field.label, ...labelsOf(field.inside)];
    }
  });
}

const LABELS = new Set(
  resources.flatMap(({ operations }) => operations.flatMap((one) => labelsOf(declaredFields(one)))),
);
/** Labels in n8n's own menus. */
const OF_N8N = ['Settings', 'Community Nodes'];
const PATH = /((?:[A-Z][A-Za-z]+ )*[A-Z][A-Za-z]+) > (?=[A-Z])/g;

/** Returns a text's words before ">" that are neither a resource nor a panel label. */
const unknownPlacesIn = ({ at, text }: Named): string[] =>
  [...text.matchAll(PATH)].flatMap(([, place = '']) => {
    const words = place.split(' ');
    const ends = words.map((_, index) => words.slice(index).join(' '));
    return ends.some((end) => OPERATIONS.has(end) || LABELS.has(end) || OF_N8N.includes(end))
      ? []
      : [`${at}: ${place}`];
  });

test('every resource, label and menu named before an operation or field exists', () => {
  expect(texts.flatMap(unknownPlacesIn)).toEqual([]);
  expect(unknownPlacesIn({ at: 'x', text: 'Look in Bills > Get Many.' })).toEqual(['x: Bills']);
});

test("a look-up hint uses the panel's labels for fields and values", () => {
  const quoted = resources.flatMap(({ name, operations }) =>
    operations.flatMap(({ name: operation, refusals = [] }) =>
      refusals.flatMap(({ advice }) =>
        [...advice.matchAll(/"([^"]+)"/g)].flatMap(([, label = '']) =>
          LABELS.has(label) || label === 'Deposit Sent' ? [] : [`${name} > ${operation}: ${label}`],
        ),
      ),
    ),
  );
  expect(quoted).toEqual([]);
});
