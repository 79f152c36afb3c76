import type { IDataObject } from 'n8n-workflow';

import { nameValuePairs } from '../../nodes/PaymentPlatform/fields/kinds/multiple-values';
import { readField } from '../../nodes/PaymentPlatform/fields/read-field';
import type { Field, Problem } from '../../nodes/PaymentPlatform/fields/types';
import { parameterName } from '../../nodes/PaymentPlatform/fields/value';
import { declaredFields } from '../../nodes/PaymentPlatform/model/operation';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { asText } from '../../nodes/PaymentPlatform/shared/objects';

/** Inputs with different lengths, ranges and formats. */
const VALUES: ReadonlyArray<string | number | boolean> = [
  ...[1, 2, 3, 4, 5, 8, 9, 10, 12, 13, 15, 16, 17, 19, 20, 25, 26, 32, 33, 64, 65, 128, 129, 256, 257].flatMap(
    (length) => ['1', 'a'].map((sign) => sign.repeat(length)),
  ),
  ...['0', '-1', '0.01', '0.001', '1.000', '10,00', '9.99', '99', '100.1234', '100.12345', '999', '1000', '9999999'],
  ...['9007199254740991', '9007199254740993', '999999.99', '9999999999.99', '10000000000', '2147483648'],
  ...['840', 'US', 'USD', '1229', '1329', 'ana@example.com', 'ana', '+12025550143', 'https://a.example', '2026-03-31'],
  ...['a-1', 'a b', 'A1', true, false, 0, 1, 3, 12.5, 12.345],
];

/** Fields that follow different rules in different operations, with the reason. */
const DIFFERENT: Readonly<Record<string, string>> = {
  profile_id: 'invoices and checkout links take letters too',
  card_id: "the account updater takes the caller's own reference here, of any signs",
  email_address: 'a contact takes one address, other fields a list of them',
  customer_phone: 'a checkout link takes it as a number, without the plus',
  billing_addr1: 'a checkout link takes 64 characters, a card 128, a charge any number',
  ...Object.fromEntries(
    [
      ...['billing_addr2', 'billing_city', 'billing_country', 'billing_state', 'billing_zip'],
      ...['shipping_addr1', 'shipping_addr2', 'shipping_city', 'shipping_country', 'shipping_state', 'shipping_zip'],
    ].map((name) => [name, 'the reference has no length for the addresses of a charge']),
  ),
  merchant_id: 'the gateway takes 12 digits, the platform 16',
  card_number: 'the vault takes 16 digits, the gateway 19',
  vendor_id: 'cards and refunds take 12 digits, payees and payouts 16',
};

interface Rule {
  /** Name of the field, prefixed with the name of its object if the field's name is generic. */
  key: string;
  at: string;
  sent: string;
}

const everyField = (fields: readonly Field[]): Field[] =>
  fields.flatMap((field) => {
    if (field.kind === 'section') return everyField(field.inside);
    if (field.kind === 'group') return [field, ...everyField(field.inside)];
    return field.kind === 'conditional' && field.field.kind === 'group' ? everyField([field.field]) : [field];
  });

function rulesOf(field: Field, at: string, parent = ''): Rule[] {
  if (field.place === 'node') return [];
  if (field.kind === 'conditional') return rulesOf(field.field, at, parent);
  if (field.kind === 'section') return field.inside.flatMap((one) => rulesOf(one, at, parent));
  if (field.kind === 'group') return field.inside.flatMap((one) => rulesOf(one, `${at} > ${field.name}`, field.name));
  const name = parameterName(field);
  const key = name.includes('_') ? name : `${parent}.${name}`;
  return [{ key, at: `${at} > ${name}`, sent: JSON.stringify(VALUES.map((value) => sentFor(field, value))) }];
}

function sentFor(field: Field, value: string | number | boolean): string | undefined {
  const name = parameterName(field);
  const problems: Problem[] = [];
  const read = readField(field, { [name]: value }, problems, { timezone: 'utc' });
  // A path or query contains a number as text, while a body contains a JSON number.
  if (problems.length === 0 && read !== undefined)
    return typeof read === 'object' ? JSON.stringify(read) : asText(read);
  return undefined;
}

const rules = resources.flatMap((resource) =>
  resource.operations.flatMap((operation) =>
    declaredFields(operation).flatMap((field) => rulesOf(field, `${resource.value}.${operation.value}`)),
  ),
);

function grouped<Value>(values: readonly Value[], keyOf: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}

test('a field accepts the same values in all operations unless the interface differs', () => {
  const differing = [...grouped(rules, ({ key }) => key)].flatMap(([key, all]) =>
    grouped(all, ({ sent }) => sent).size > 1 ? [key] : [],
  );
  expect(differing.sort()).toEqual(Object.keys(DIFFERENT).sort());
});

test("the platform's merchant ID accepts the same values in queries, paths and bodies", () => {
  const ofPlatform = rules.filter(({ key, at }) => key === 'merchant_id' && !/^(transaction|card|batch)\./.test(at));
  expect(ofPlatform.length).toBeGreaterThan(30);
  expect(grouped(ofPlatform, ({ sent }) => sent).size).toBe(1);
  expect(ofPlatform[0]?.sent).toContain(`"${'1'.repeat(16)}"`);
});

function problemsOf(resource: string, name: string, body: IDataObject): string[] {
  const operation = resources.find(({ value }) => value === resource)?.operations.find(({ value }) => value === name);
  const values = { path: {}, query: {}, body, node: { keepOthers: false } };
  return (operation?.check?.(values, ACCOUNT) ?? []).map(({ label, allowed }) => `"${label}" ${allowed}`);
}

const ACCOUNT = { environment: 'test', baseUrl: 'https://a.example', merchantId: '1', digestKey: 'k' } as const;

test('every operation requires the postal code of a new card and the recipient of a new address', () => {
  const isRequired = (field: Field): boolean => (field.kind === 'conditional' ? field.needed : field.required);
  const requiredIn = (name: string) =>
    resources.flatMap((resource) =>
      resource.operations.flatMap((operation) =>
        everyField(declaredFields(operation))
          .filter((field) => field.name === name)
          .map((field) => `${resource.value}.${operation.value} ${isRequired(field)}`),
      ),
    );
  expect(requiredIn('billing_zip')).toEqual([
    // The service stores the address with the transaction.
    'transaction.sale false',
    'transaction.authorize false',
    'transaction.credit false',
    'transaction.force false',
    // The operation saves no card, so the ZIP code is optional.
    'checkout.create false',
    'subscription.create true',
    'customer.create true',
    'customer.upsert true',
    // An empty ZIP code doesn't change a saved card. Only a new card requires a ZIP code.
    'customer.update false',
    'customerCard.create true',
    'customerCard.update false',
    // The service doesn't save the address with the card.
    'card.verify false',
  ]);
  for (const name of ['shipping_first_name', 'shipping_last_name'])
    expect(requiredIn(name)).toEqual([
      'transaction.sale true',
      'transaction.authorize true',
      'transaction.credit true',
      'transaction.force true',
      'subscription.create true',
      'customer.create true',
      'customer.upsert true',
      'customer.update true',
      'customerAddress.create true',
      'customerAddress.update false',
      'card.verify true',
    ]);
  const card = { card_number: '4111111111111111', exp_date: '1230' };
  expect(problemsOf('customer', 'update', { billing_cards: [card] })).toEqual([
    '"Billing Cards 1 > ZIP or Postal Code" is required for a new card',
  ]);
  expect(problemsOf('customerAddress', 'update', { shipping_id: 1, shipping_city: 'Salem' })).toHaveLength(1);
});

test('every operation that sends a contact requires its email address', () => {
  const contact = { first_name: 'Ana', last_name: 'Silva' };
  const line_items = [{ quantity: 1, unit_cost: 5, description: 'Work' }];
  const draft = { customer_id: 'C1', invoice_number: '1', line_items };
  for (const [name, label] of [
    ['billing_contact', 'Billing Contact > Email (Required)'],
    ['from_contact', 'Sender Contact > Email (Required)'],
  ] as const)
    for (const [operation, body] of [
      ['create', draft],
      ['update', draft],
      ['updateContacts', {}],
    ] as const) {
      expect(problemsOf('invoice', operation, { ...body, [name]: contact })).toEqual([`"${label}" is required`]);
      const reachable = { ...contact, email_address: 'ana@example.com' };
      expect(problemsOf('invoice', operation, { ...body, [name]: reachable })).toEqual([]);
    }
});

test('only a request with a new customer can use an existing one instead', () => {
  const terms = { plan_code: 'GOLD', customer_id: 'C1' };
  for (const use_existing_customer of [true, false])
    expect(problemsOf('subscription', 'create', { ...terms, use_existing_customer })).toEqual([
      '"Use Existing Customer" applies only to a New Customer',
    ]);
  expect(problemsOf('subscription', 'create', terms)).toEqual([]);
});

test('a name/value pair requires both parts, even if the value is empty', () => {
  const pairs = (given: unknown) =>
    readField(
      nameValuePairs({ name: 'echo_fields', label: 'Echo Fields', description: '' }),
      { echo_fields: given } as never,
      [],
      {
        timezone: 'utc',
      },
    );
  expect(pairs({ item: [{ name: 'order', value: '' }, { name: 'shop' }] })).toBe(
    '[{"name":"order","value":""},{"name":"shop","value":""}]',
  );
});
