import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

import { escapePart, readDocument, resolve, valueAt as valueIn } from '../../interface/document';
import { onlyReads } from '../../nodes/PaymentPlatform/resources/api/path';
import { testEvery } from '../every-case';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

const description = readDocument() as JsonObject;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objectAt = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
const valueAt = (pointer: string) => valueIn(description, pointer) as Json | undefined;

/** Skips examples, because the keys of an example aren't keywords. */
function walk(value: Json | undefined, pointer: string, visit: (node: JsonObject, pointer: string) => void): void {
  if (Array.isArray(value)) value.forEach((item, index) => walk(item, `${pointer}/${index}`, visit));
  if (!isObject(value)) return;
  visit(value, pointer);
  for (const [key, child] of Object.entries(value)) {
    const holdsExamples = key === 'examples' && !pointer.endsWith('/properties');
    if (!holdsExamples) walk(child, `${pointer}/${escapePart(key)}`, visit);
  }
}

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
addFormats(ajv);
const extensions = new Set<string>(['components']);
walk(description, '', (node) => Object.keys(node).forEach((key) => key.startsWith('x-') && extensions.add(key)));
extensions.forEach((keyword) => ajv.addKeyword(keyword));
ajv.addSchema({ $id: 'interface', components: description.components ?? {} }, undefined, false, false);

function validatorOf(schema: Json | undefined): ValidateFunction {
  return ajv.compile(
    JSON.parse(JSON.stringify(schema).replace(/"#\/components/g, '"interface#/components')) as JsonObject,
  );
}
const schemaNamed = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const operations = Object.entries(objectAt(description.paths)).flatMap(([path, item]) =>
  Object.entries(objectAt(item)).map(([method, operation]) => ({ path, method, operation: objectAt(operation) })),
);
const bodySchemas = operations.flatMap(({ operation }) => {
  const contents = Object.values(objectAt(valueAtPath(operation, ['requestBody', 'content'])));
  const references = contents.map((content) => valueAtPath(content, ['schema', '$ref']));
  return references.flatMap((reference) => (typeof reference === 'string' ? [reference.slice(1)] : []));
});

function valueAtPath(value: Json | undefined, keys: string[]): Json | undefined {
  return keys.reduce<Json | undefined>((found, key) => objectAt(found)[key], value);
}

function reachable(pointers: string[]): string[] {
  const found = new Set<string>();
  const follow = (pointer: string) => {
    if (found.has(pointer)) return;
    found.add(pointer);
    walk(valueAt(pointer), pointer, (node) => {
      if (typeof node.$ref === 'string') follow(node.$ref.slice(1));
    });
  };
  pointers.forEach(follow);
  return [...found];
}

function describedProperties(schema: JsonObject): JsonObject {
  const { allOf, oneOf, properties } = resolve(description, schema);
  const parts = [allOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const entries = parts.flatMap((part) => Object.entries(describedProperties(objectAt(part))));
  return Object.fromEntries([...entries, ...Object.entries(objectAt(properties))]);
}
function itemsOf(schema: JsonObject): JsonObject {
  const { items, oneOf } = resolve(description, schema);
  const one = (Array.isArray(oneOf) ? oneOf : []).find((part) => objectAt(part).type === 'array');
  return { ...objectAt(items), ...objectAt(objectAt(one).items) };
}

function undescribed(value: Json | undefined, schema: JsonObject, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => undescribed(item, itemsOf(schema), `${path}[]`));
  if (!isObject(value)) return [];
  if (resolve(description, schema).additionalProperties === true) return [];
  const properties = describedProperties(schema);
  return Object.entries(value).flatMap(([key, child]) =>
    key in properties ? undescribed(child, objectAt(properties[key]), `${path}/${key}`) : [`${path}/${key}`],
  );
}

const examples: { name: string; schema: JsonObject; value: Json; answer: boolean }[] = [];
walk(description, '', (node, pointer) => {
  const answer = pointer.includes('/responses/');
  for (const [key, example] of Object.entries(objectAt(node.examples)))
    if (isObject(node.schema))
      examples.push({
        name: `${pointer}/${key}`,
        schema: node.schema,
        value: objectAt(example).value ?? null,
        answer,
      });
  if (isObject(node.schema) && node.example !== undefined)
    examples.push({ name: pointer, schema: node.schema, value: node.example, answer });
});

describe('the description of the interface', () => {
  test('the description of the interface contains every operation once, numbered as in the document', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const documented = operations.filter(({ operation }) => operation['x-source'] === 'document');
    const numbers = documented.map(({ operation }) => operation['x-document-operation']);
    expect(numbers.map(Number).sort((a, b) => a - b)).toEqual(documented.map((_, index) => index + 1));
    expect(documented).toHaveLength(17);
  });

  test('the description of the interface cites the source of every operation, parameter, schema and property', () => {
    const unmarked: string[] = [];
    const mark = (node: Json | undefined, pointer: string) => {
      const source = objectAt(node)['x-source'];
      if (source !== 'document' && source !== 'reference') unmarked.push(pointer);
    };
    operations.forEach(({ path, method, operation }) => mark(operation, `${method} ${path}`));
    for (const kind of ['schemas', 'parameters', 'responses', 'securitySchemes'])
      Object.entries(objectAt(valueAt(`/components/${kind}`))).forEach(([name, node]) => mark(node, `${kind}/${name}`));
    walk(description, '', (node, pointer) => {
      if ('in' in node && 'name' in node) mark(node, pointer);
      const isRule = /\/(if|then|else|not|dependentSchemas)(\/|$)/.test(pointer);
      if (!isRule && node.type === 'object')
        Object.entries(objectAt(node.properties)).forEach(([name, property]) => mark(property, `${pointer}/${name}`));
    });
    expect(unmarked).toEqual([]);
  });

  test('the description of the interface states for every operation whether it moves money or changes data', () => {
    operations.forEach(({ operation }) =>
      expect(['reads', 'writes once', 'repeats safely']).toContain(operation['x-money']),
    );
  });

  // The node doesn't retry custom POST requests, so it classifies POST requests as writes.
  test('the interface description and the custom request agree on which GET requests only read', () => {
    for (const { method, path, operation } of operations) {
      const chosen = path.replace(/\{\w+\}/g, '1');
      expect([operation.operationId, onlyReads(method.toUpperCase(), chosen)]).toEqual([
        operation.operationId,
        operation['x-money'] === 'reads' && method === 'get',
      ]);
    }
  });

  test('the description of the interface contains an example of every response and every request body', () => {
    const lacking = operations.filter(({ path, method, operation }) => {
      const start = `/paths/${escapePart(path)}/${method}/`;
      const named = examples.filter(({ name }) => name.startsWith(start));
      return (
        !named.some(({ answer }) => answer) || ('requestBody' in operation && !named.some(({ answer }) => !answer))
      );
    });
    expect(lacking).toEqual([]);
  });

  testEvery(examples)('an example is valid and uses described fields only', ({ schema, value }) => {
    const validate = validatorOf(schema);
    expect(validate(value) ? [] : validate.errors).toEqual([]);
    expect(undescribed(value, schema)).toEqual([]);
  });

  test('the description of the interface contains no full card number in a response', () => {
    const shown = examples.filter(({ answer }) => answer).map(({ value }) => JSON.stringify(value));
    expect(shown.filter((text) => /"(primary_)?card_number":"(?!\d{6}x+\d{4}")/.test(text))).toEqual([]);
    expect(shown.some((text) => text.includes('"card_number"'))).toBe(true);
  });

  test('the interface description states response limits only in notes, so unknown fields, values and lengths are never refused', () => {
    const strict: string[] = [];
    const limits = ['enum', 'const', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'maxItems'];
    const answers = operations.flatMap(({ path, method }) => [`/paths/${escapePart(path)}/${method}/responses`]);
    reachable(answers).forEach((pointer) =>
      walk(valueAt(pointer), pointer, (node, at) => {
        if (at.endsWith('/properties')) return;
        if (node.additionalProperties === false || limits.some((keyword) => keyword in node)) strict.push(at);
      }),
    );
    expect(strict).toEqual([]);
  });
});

describe('request bodies', () => {
  const own = { customer_id: 'C1001' };
  const made = { auto_generate_customer_id: true };
  test('request bodies allow no unknown fields at any depth', () => {
    const open = reachable(bodySchemas).filter((pointer) => {
      const schema = objectAt(valueAt(pointer));
      return schema.type === 'object' && schema.additionalProperties !== false;
    });
    expect(bodySchemas.length).toBeGreaterThan(9);
    expect(open).toEqual([]);
  });

  const subscription = { customer_id: 'CUST1', plan_code: 'MONTHLY' };
  const payment = { type: 'CHECK', amt_paid: 10, date_payment: '2030-03-10' };
  const webhook = { notification_url: 'https://example.com/hook', label: 'Label' };
  const sender = { customer_id: 'CUST1', from_contact: { street: '1 Sample Street' } };
  const card = { card_number: '4111111111111111', exp_date: '1230' };
  test.each<[string, string, JsonObject, boolean]>([
    ['a subscription for an existing customer on a plan is taken', 'AddSubscriptionRequest', subscription, true],
    ['a subscription without a customer is refused', 'AddSubscriptionRequest', { plan_code: 'MONTHLY' }, false],
    [
      'a subscription with an existing and a new customer is refused',
      'AddSubscriptionRequest',
      { ...subscription, customer: { customer_firm_name: 'Firm' } },
      false,
    ],
    [
      'an off-plan subscription without an amount is refused',
      'AddSubscriptionRequest',
      { customer_id: 'CUST1', plan_frequency: 3, plan_duration: 12 },
      false,
    ],
    [
      'a new customer with a last name alone is refused',
      'AddCustomerRequest',
      { ...own, customer_last_name: 'L' },
      false,
    ],
    ['a new customer with a firm name is taken', 'AddCustomerRequest', { ...own, customer_firm_name: 'Firm' }, true],
    ['a new customer without an ID is refused', 'AddCustomerRequest', { customer_firm_name: 'Firm' }, false],
    [
      'a new customer whose ID the service makes is taken',
      'AddCustomerRequest',
      { ...made, customer_firm_name: 'F' },
      true,
    ],
    [
      'a new customer whose ID nobody makes is refused',
      'AddCustomerRequest',
      { auto_generate_customer_id: false, customer_firm_name: 'F' },
      false,
    ],
    ['a plain day is taken as a date', 'InvoicePaymentRequest', payment, true],
    [
      'a timestamp is taken as a date',
      'InvoicePaymentRequest',
      { ...payment, date_payment: '2030-03-10T00:00:00.000Z' },
      true,
    ],
    ['a day that no month has is refused', 'InvoicePaymentRequest', { ...payment, date_payment: '2030-03-32' }, false],
    ['a card payment added by hand is refused', 'InvoicePaymentRequest', { ...payment, type: 'CARD' }, false],
    ['an amount as text is refused', 'InvoicePaymentRequest', { ...payment, amt_paid: '10.00' }, false],
    ['an expiry month of 13 is refused', 'AusRequestData', { ...card, exp_date: '1330' }, false],
    ['a request for more than 100 cards is refused', 'AusRequest', { data: Array<Json>(101).fill(card) }, false],
    ['a request for 100 cards is taken', 'AusRequest', { data: Array<Json>(100).fill(card) }, true],
    [
      'a merchant ID as a number is refused by the gateway',
      'GatewayRefundRequest',
      { merchant_id: 990000000001 },
      false,
    ],
    ['an unknown field of a contact is refused', 'CreateInvoiceRequest', sender, false],
    ['a customer ID with a space is refused', 'CreateInvoiceRequest', { customer_id: 'CUST 1' }, false],
    ['a phone number as text is refused', 'SendInvoiceRequest', { phone_number: ['+15035550123'] }, false],
    [
      'basic authentication without settings is refused',
      'AddWebhookRequest',
      { ...webhook, auth_type: 'BASIC' },
      false,
    ],
    [
      'a webhook without authentication needs no settings',
      'AddWebhookRequest',
      { ...webhook, auth_type: 'NONE' },
      true,
    ],
  ])('checks a request body: %s', (_rule, schema, value, taken) => {
    expect(validatorOf(schemaNamed(schema))(value)).toBe(taken);
  });
});
