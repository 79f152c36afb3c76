import {
  bodyOf,
  component,
  describedEvents,
  describedOperations,
  propertiesOf,
  resolve,
  type Schema,
} from './interface-document';

/** A field of an answer or a delivery that holds a value, or a list of values; objects are told by their own fields. */
export interface AnswerField {
  name: string;
  /** The field in which its object stands; empty for the record itself. */
  parent: string;
  /** Of one value, with the marks that stand beside it. */
  schema: Schema;
  /** The operationId, or the name of the event. */
  of: string;
  isEvent: boolean;
}

/** What says how a request ended, and is no field of a record. */
const ENVELOPE = new Set(Object.keys(propertiesOf(component('PlatformListEnvelope'))));

/** Every field of the record of every answer and delivery, in the order of the description. */
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
    // What the envelope holds is the record.
    const inside = name === 'data' ? '' : name;
    const { items, oneOf = [], ...value } = resolve(own);
    const one = items ? resolve(items) : value;
    const parts = [items ?? own, ...oneOf.map((way) => resolve(way).items ?? way)];
    const inner = parts.flatMap((part) => fieldsIn(part, inside, at));
    const isValue = inner.length === 0 && one.type !== 'object' && oneOf.length === 0;
    return isValue ? [{ name, parent, schema: { ...one, ...marksOf(value) }, ...at }] : inner;
  });
}

/** Of a list, what is marked at the list counts for its values. */
const marksOf = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => key.startsWith('x-')));
