import {
  bodyOf,
  component,
  describedEvents,
  describedOperations,
  propertiesOf,
  resolve,
  type Schema,
} from './interface-document';

/** Field of a response or webhook delivery, including fields of nested objects. */
export interface AnswerField {
  name: string;
  /** Name of the field with the nested object. Empty for record-level fields. */
  parent: string;
  schema: Schema;
  /** Operation ID or event name. */
  of: string;
  isEvent: boolean;
}

/** Response fields outside the record, for example `code`. */
const ENVELOPE = new Set(Object.keys(propertiesOf(component('PlatformListEnvelope'))));

export function answerFields(): AnswerField[] {
  const answers = describedOperations().flatMap(({ operation: { operationId, responses } }) => {
    const { schema } = bodyOf(responses['200']);
    const fields = schema ? fieldsIn(schema, '', { of: operationId, isEvent: false }) : [];
    return fields.filter(({ name, parent }) => parent !== '' || !ENVELOPE.has(name));
  });
  const deliveries = describedEvents().flatMap(({ name, data }) => [
    ...fieldsIn(component('WebhookDelivery'), '', { of: name, isEvent: true }),
    ...(data === null ? [] : fieldsIn(component(data), '', { of: name, isEvent: true })),
  ]);
  return [...answers, ...deliveries];
}

function fieldsIn(schema: Schema, parent: string, at: Pick<AnswerField, 'of' | 'isEvent'>): AnswerField[] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, own]): AnswerField[] => {
    // The `data` field contains the record itself.
    const inside = name === 'data' ? '' : name;
    const { items, oneOf = [], ...value } = resolve(own);
    const one = items ? resolve(items) : value;
    const parts = [items ?? own, ...oneOf.map((way) => resolve(way).items ?? way)];
    const inner = parts.flatMap((part) => fieldsIn(part, inside, at));
    const isValue = inner.length === 0 && one.type !== 'object' && oneOf.length === 0;
    return isValue ? [{ name, parent, schema: { ...one, ...marksOf(value) }, ...at }] : inner;
  });
}

/** Returns the extension keywords (x-*) of a list's schema, which apply to the list's values. */
const marksOf = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => key.startsWith('x-')));
