import { basename } from 'node:path';

import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { readDocument } from '../../interface/document';
import { describedOperations } from '../../interface/generate/interface-document';
import { parameters } from '../../nodes/PaymentPlatform/description.data';
import { parameterName } from '../../nodes/PaymentPlatform/fields/value';
import { declaredFields } from '../../nodes/PaymentPlatform/model/operation';
import { operationParameters } from '../../nodes/PaymentPlatform/panel/node-properties';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { alphabetically } from '../../nodes/PaymentPlatform/shared/objects';
import { triggerParameters } from '../../nodes/PaymentPlatform/trigger/description';
import { texts } from './repository';
import { testEvery } from '../every-case';

/** Concepts with several names in the interface, and one parameter name each. */
const MEANINGS: Record<string, { what: string; called: string[] }> = {
  pg_id: { what: 'a transaction', called: ['pgIdOrig', 'pgId'] },
  checkout_id: { what: 'a checkout link', called: ['checkoutId'] },
  request_id: { what: 'an account updater request', called: ['requestId'] },
  rec_id: { what: 'a dispute', called: ['recId'] },
  merchant_id: { what: 'a merchant', called: ['merchantId', 'mid'] },
  reason_code: { what: 'why a payment is disputed', called: ['reasonCode'] },
  dispute_response: { what: 'the answer to a dispute', called: ['disputeResponse'] },
  date_due: {
    what: 'the day by which an invoice is to be paid',
    called: ['createInvoice.payment_terms', 'updateDraftInvoice.payment_terms'],
  },
  shipping_id: { what: 'a saved shipping address', called: ['id'] },
  own_customer_id: { what: 'the ID that a person gives to a customer', called: ['addCustomer.customer_id'] },
  recur_amt: {
    what: 'the amount of each recurring charge',
    called: ['addSubscription.amt_tran', 'addPlan.amt_tran', 'updatePlan.amt_tran'],
  },
  own_plan_code: { what: 'the code that a person gives to a plan', called: ['addPlan.plan_code'] },
  month_of_year: { what: 'the month in which a plan bills', called: ['addPlan.month', 'updatePlan.month'] },
  own_label_name: { what: 'the name that a person gives to a label', called: ['subscriptionLabelsAdd.name'] },
  new_date_start: { what: 'the start that a subscription gets', called: ['updateSubscription.date_start'] },
  tokenized_card_id: {
    what: 'a tokenized card, which is not in the vault',
    called: ['tokenize', 'expireToken', 'addBillingCard'].map((id) => `${id}.card_id`),
  },
  payer: {
    what: 'the customer as stored with a transaction',
    called: ['verifyCard', 'sale', 'authorize', 'credit', 'force'].map((id) => `${id}.customer`),
  },
  level3_lines: {
    what: 'the goods of a charge, as JSON text',
    called: ['sale', 'authorize', 'credit', 'force'].map((id) => `${id}.line_items`),
  },
  label_name: { what: 'a label', called: ['subscriptionLabelsEdit.name', 'subscriptionLabelsDelete.name'] },
  label_value: {
    what: 'what a label says',
    called: ['subscriptionLabelsAdd.value', 'subscriptionLabelsEdit.value', 'subscriptionLabelsDelete.value'],
  },
};

/** Names in request bodies that aren't in snake_case. */
const AS_IN_BODIES = ['payload_walletA_pay', 'payload_walletB_pay'];

const meant = new Map(
  Object.entries(MEANINGS).flatMap(([name, { called }]) => called.map((other): [string, string] => [other, name])),
);

const declared = resources.flatMap(({ value, operations }) =>
  operations
    .filter(({ shape }) => !shape)
    .flatMap((operation) =>
      declaredFields(operation)
        .filter(({ place }) => place !== 'node')
        .map((field) => ({
          at: `${value}.${operation.value}: ${field.name}`,
          field,
          wanted:
            meant.get(`${operation.request.operationId ?? ''}.${field.name}`) ?? meant.get(field.name) ?? field.name,
        })),
    ),
);

testEvery(declared)('a field has the same name in every operation', ({ field, wanted }) => {
  expect(parameterName(field)).toBe(wanted);
  if (!AS_IN_BODIES.includes(wanted)) expect(wanted).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
});

test('the interface marks every alternative name of a concept', () => {
  const marked = describedOperations().flatMap(({ operation }) =>
    (operation.parameters ?? []).flatMap((one) => ('x-parameter' in one ? [one.name] : [])),
  );
  const text = JSON.stringify(readDocument());
  for (const name of marked) expect(meant.has(name)).toBe(true);
  for (const name of marked) expect(text).toContain(`"x-parameter":"${String(meant.get(name))}"`);
});

interface Found {
  scope: string;
  path: string[];
  property: INodeProperties;
  inObject: boolean;
}

function walk(scope: string, properties: INodeProperties[], path: string[] = [], inObject = false): Found[] {
  return properties
    .filter(({ type }) => type !== 'notice')
    .flatMap((property): Found[] => {
      const inner = [...path, property.name];
      const isObject = inObject || (property.type === 'collection' && !COLLECTIONS.includes(property.name));
      const inside = (property.options ?? []).flatMap((option) => {
        if ('values' in option) return walk(scope, option.values, inner, true);
        return 'type' in option ? walk(scope, [option], inner, isObject) : [];
      });
      return [{ scope, path, property, inObject }, ...inside];
    });
}

/** Collections that group parameters in the editor and have no field in the request. */
const COLLECTIONS = ['additionalFields', 'options', 'sorting'];

const all = [
  ...resources.flatMap(({ value, operations }) =>
    operations.flatMap((operation) => walk(`${value}.${operation.value}`, operationParameters(operation))),
  ),
  ...walk('trigger', triggerParameters()),
];
/** n8n requires the label "Trigger On" for triggers. */
const open = all
  .filter(({ inObject }) => !inObject)
  .map((one) =>
    one.property.displayName === 'Trigger On' ? { ...one, property: { ...one.property, displayName: 'Events' } } : one,
  );

const grouped = (found: Found[], by: (one: Found) => string) => {
  const groups = new Map<string, Found[]>();
  for (const one of found) groups.set(by(one), [...(groups.get(by(one)) ?? []), one]);
  return [...groups].map(([key, list]) => ({ key, list }));
};

/** Returns the properties that n8n compares before it keeps a value for another operation. */
const shapeOf = ({ displayName, type, typeOptions, default: own, options = [] }: INodeProperties) =>
  JSON.stringify({
    displayName,
    type,
    multiple: typeOptions?.multipleValues === true,
    // The default of an options list is the first entry, so the test ignores it.
    ...(type !== 'options' && { own: type === 'fixedCollection' ? {} : own }),
    ...(type === 'options' && { kind: typeof (options[0] && 'value' in options[0] ? options[0].value : '') }),
  });

testEvery(grouped(open, ({ property }) => property.name))(
  'parameters with the same name have the same meaning',
  ({ list }) => {
    expect([...new Set(list.map(({ property }) => shapeOf(property)))]).toHaveLength(1);
  },
);

testEvery(grouped(open, ({ property }) => property.displayName))('a label belongs to one parameter', ({ list }) => {
  expect([...new Set(list.map(({ property }) => property.name))]).toHaveLength(1);
});

/** Fields that mean something else inside an object than as a top-level parameter. */
const OTHER_IN_OBJECTS: Record<string, string> = {
  'customer.customer_id': 'the ID that a new customer gets, not a saved customer',
  'billing_cards.card_id': 'as text, for JSON gives it so',
  'data.card_id': "the person's own reference of a card that was never tokenized",
  'filter.value': 'what a record is compared with',
  'sales_tax.type': 'a rate or an amount',
  'sales_tax.value': 'the rate or the amount',
  'billing_contact.email_address': 'one address',
  'from_contact.email_address': 'one address',
};

/** An inner label may omit the name of its object, such as "City" for "Billing City". */
const sameWords = (outer: string, inner: string) =>
  outer.endsWith(inner.replace(/ \(.*\)$/, '')) || outer.replace(/ \(.*\)$/, '') === inner.replace(/ \(.*\)$/, '');

test('a field name has the same meaning inside and outside of an object, or is listed as an exception', () => {
  const inTheOpen = new Map(open.map(({ property }) => [property.name, property.displayName]));
  const others = all
    .filter(({ inObject, property }) => inObject && !COLLECTIONS.includes(property.name))
    .flatMap(({ path, property }) => {
      const outer = inTheOpen.get(property.name);
      const object = path.filter((part) => !['item', 'given', ...COLLECTIONS].includes(part)).at(-1) ?? '';
      const at = `${object}.${property.name}`;
      return outer !== undefined && !sameWords(outer, property.displayName) && !(at in OTHER_IN_OBJECTS) ? [at] : [];
    });
  expect([...new Set(others)]).toEqual([]);
});

testEvery(
  grouped(
    all.filter(({ inObject }) => inObject),
    ({ path, property }) => [...path.slice(-1), property.name].join('.'),
  ),
)('fields of the same name in objects of the same name have the same meaning', ({ list }) => {
  const shapes = list.map(({ property: { type, typeOptions } }) => `${type} ${String(typeOptions?.multipleValues)}`);
  expect(new Set(shapes.filter((shape) => !shape.startsWith('options'))).size).toBeLessThanOrEqual(1);
});

/** Maximum number of label characters that the editor shows in a collection (n8n.md#parameters). */
const SHOWN_CHARACTERS = 26;

/** Excludes titles of groups, because titles have more space. */
const labelsInGroups = (declaredHere: INodeProperties[], isInside = false): string[] =>
  declaredHere.flatMap(({ type, displayName, options = [] }) => {
    if (type === 'collection') return labelsInGroups(options as INodeProperties[], true);
    if (type === 'fixedCollection')
      return (options as INodePropertyCollection[]).flatMap(({ values }) => labelsInGroups(values, true));
    return isInside && type !== 'notice' ? [displayName] : [];
  });

test('the editor shows the whole label of each value in a group', () => {
  const labels = new Set(labelsInGroups(parameters()));
  expect(labels.size).toBeGreaterThan(100);
  expect([...labels].filter((label) => label.length > SHOWN_CHARACTERS)).toEqual([]);
});

test('the preferences of a checkout link are sorted by label', () => {
  const labels = all
    .filter(({ property: { name, type } }) => name === 'preferences' && type === 'collection')
    .map(({ property }) => labelsInGroups([property]));
  expect(labels).toHaveLength(1);
  for (const given of labels) expect(given).toEqual([...given].sort(alphabetically));
});

test('every list has a separate collection for sorting', () => {
  const sorted = all.filter(({ property }) => /^order_/.test(property.name));
  expect(sorted.length).toBeGreaterThan(4);
  for (const { path } of sorted) expect(path).toEqual(['sorting']);
});

const isDeclaration = (path: string, name: string): boolean =>
  /PaymentPlatform\/(resources|wire\/operations)/.test(path) &&
  (path.endsWith('wire/operations.ts') ||
    inCamelCase(basename(path, '.ts')).startsWith(name) ||
    /\bindex\.ts$/.test(path));

const inCamelCase = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

test('an exported name belongs to one module of the shipped code', () => {
  const owners = new Map<string, string[]>();
  for (const { path, text } of texts.filter(({ path }) => /^(nodes|credentials)\/.*\.ts$/.test(path)))
    for (const [, name = ''] of text.matchAll(
      /^export (?:async |abstract )*(?:function|const|class|interface|type) (\w+)/gm,
    ))
      if (!isDeclaration(path, name)) owners.set(name, [...(owners.get(name) ?? []), path]);
  const shared = [...owners].filter(([, paths]) => new Set(paths).size > 1);
  expect(shared.map(([name, paths]) => `${name}: ${paths.join(', ')}`)).toEqual([]);
});
