import {
  bodyOf,
  component,
  describedEvents,
  describedOperations,
  propertiesOf,
  resolve,
  type Schema,
} from './interface-document';

/** Field of a response or delivery with a value or a list of values. Objects are represented by their fields. */
export interface AnswerField {
  name: string;
  /** Field that contains the object. Empty for the record itself. */
  parent: string;
  /** Schema of one value, with the marks next to it. */
  schema: Schema;
  /** The operationId or the name of the event. */
  of: string;
  isEvent: boolean;
}

/** Fields that describe the result of a request and belong to no record. */
const ENVELOPE = new Set(Object.keys(propertiesOf(component('PlatformListEnvelope'))));

/** Returns every record field of every response and delivery, in the order of the description. */
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
    // The content of the envelope is the record.
    const inside = name === 'data' ? '' : name;
    const { items, oneOf = [], ...value } = resolve(own);
    const one = items ? resolve(items) : value;
    const parts = [items ?? own, ...oneOf.map((way) => resolve(way).items ?? way)];
    const inner = parts.flatMap((part) => fieldsIn(part, inside, at));
    const isValue = inner.length === 0 && one.type !== 'object' && oneOf.length === 0;
    return isValue ? [{ name, parent, schema: { ...one, ...marksOf(value) }, ...at }] : inner;
  });
}

/** The marks of a list apply to the values in the list. */
const marksOf = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => key.startsWith('x-')));
