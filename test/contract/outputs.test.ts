import { outputSchema } from '../../interface/generate/output-schema';
import { declaredFields, recordName } from '../../nodes/PaymentPlatform/model/operation';
import { optionLists } from '../../nodes/PaymentPlatform/panel/load-options';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { testEvery } from '../every-case';

/** Maximum number of fields in a record without a simplified output, according to n8n's guidelines. */
const MOST_FIELDS = 10;

const described = resources.flatMap(({ value, operations }) =>
  operations.flatMap((operation) => {
    const schemas = [outputSchema(operation, true), outputSchema(operation)];
    const [whole, shown] = schemas.map((schema) => schema?.properties ?? {});
    return whole && shown && schemas[0] ? [{ name: `${value}.${operation.value}`, operation, whole, shown }] : [];
  }),
);

/** Omits the descriptive texts that the node adds to a record. */
const own = (properties: object) =>
  Object.keys(properties).filter((name) => name !== 'what_happened' && !name.endsWith('_text'));

testEvery(described)('an operation offers Simplify if its record has more than ten fields', ({ operation, whole }) => {
  if (own(whole).length > MOST_FIELDS) expect('simplified' in operation).toBe(true);
});

testEvery(described.filter(({ operation }) => 'simplified' in operation))(
  'a simplified record is flat and has at most ten fields',
  ({ shown }) => {
    expect(own(shown).length).toBeLessThanOrEqual(MOST_FIELDS);
    const nested = Object.entries(shown).filter(([, { type }]) => type === 'object' || type === 'array');
    expect(nested.map(([name]) => name)).toEqual([]);
  },
);

testEvery(described.filter(({ operation }) => operation.request.effect !== 'reads'))(
  'a write outputs the sent IDs with and without Simplify, and no envelope fields',
  ({ operation, whole, shown }) => {
    const ids = declaredFields(operation)
      .filter(({ place, reference, required }) => place === 'path' && reference && required)
      .map(recordName);
    for (const properties of [whole, shown]) {
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(ids));
      expect(Object.keys(properties).filter((name) => ['code', 'message'].includes(name))).toEqual([]);
    }
  },
);

testEvery(described.filter(({ operation }) => 'simplified' in operation))(
  'a tool can output each field of its record and each field that Simplify adds',
  ({ operation, whole, shown }) => {
    const offered = optionLists.getOutputFields(operation).map(({ value }) => value);
    const given = declaredFields(operation)
      .filter(({ reference }) => reference)
      .map(recordName);
    const all = new Set([...Object.keys(whole), ...Object.keys(shown)]);
    const wanted = [...all].filter((name) => name !== 'what_happened' && !given.includes(name));
    expect(offered).toEqual(expect.arrayContaining(wanted));
  },
);
