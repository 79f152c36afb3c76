import { outputSchema } from '../../docs/generate/output-schema';
import { declaredFields } from '../../nodes/PaymentPlatform/pipeline/declared-fields';
import { recordName } from '../../nodes/PaymentPlatform/pipeline/given-ids';
import { resources } from '../../nodes/PaymentPlatform/resources';

/** More than these are offered in a simplified version (n8n's guidelines). */
const MOST_FIELDS = 10;

const described = resources.flatMap(({ value, operations }) =>
  operations.flatMap((operation) => {
    const schemas = [outputSchema(operation, true), outputSchema(operation)];
    const [whole, shown] = schemas.map((schema) => schema?.properties ?? {});
    return whole && shown && schemas[0] ? [{ name: `${value}.${operation.value}`, operation, whole, shown }] : [];
  }),
);

/** Words that the node adds beside the service's own fields. */
const own = (properties: object) =>
  Object.keys(properties).filter((name) => name !== 'what_happened' && !name.endsWith('_text'));

test.each(described)('$name is simplified where its record has more than ten fields', ({ operation, whole }) => {
  if (own(whole).length > MOST_FIELDS) expect(operation.simplified).toBeDefined();
});

test.each(described.filter(({ operation }) => operation.simplified))(
  '$name: what Simplify shows is flat, and at most ten fields',
  ({ shown }) => {
    expect(own(shown).length).toBeLessThanOrEqual(MOST_FIELDS);
    const nested = Object.entries(shown).filter(([, { type }]) => type === 'object' || type === 'array');
    expect(nested.map(([name]) => name)).toEqual([]);
  },
);

test.each(described.filter(({ operation }) => operation.request.effect !== 'reads'))(
  '$name returns the IDs that it was given, simplified or not, and nothing of the envelope',
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
