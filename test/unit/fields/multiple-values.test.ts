import { email } from '../../../nodes/PaymentPlatform/fields/kinds/text';
import {
  addressesIn,
  emailList,
  nameList,
  nameValuePairs,
  phoneList,
} from '../../../nodes/PaymentPlatform/fields/kinds/multiple-values';
import { phoneAsInteger, phoneText } from '../../../nodes/PaymentPlatform/fields/kinds/phone';
import { readField } from '../../../nodes/PaymentPlatform/fields/read-field';
import { lineItems } from '../../../nodes/PaymentPlatform/resources/invoice/fields';
import type { Field, Problem } from '../../../nodes/PaymentPlatform/fields/types';
import type { IDataObject } from 'n8n-workflow';

import { billingFields } from '../../../nodes/PaymentPlatform/resources/checkout/customer';

const read = (field: Field, parameters: Record<string, unknown>) => {
  const problems: Problem[] = [];
  return { value: readField(field, parameters as IDataObject, problems, { timezone: 'utc' }), problems };
};

const emails = emailList({ name: 'email_address', label: 'Emails', description: '' });

test.each([
  ['a list', ['a@x.com', 'b@x.com']],
  ['comma-separated text', 'a@x.com, b@x.com'],
  ['a list whose entry holds several', ['a@x.com,b@x.com']],
  ['an array in a list, from an expression', [['a@x.com', 'b@x.com']]],
])('accepts email addresses as %s', (_, given) => {
  expect(read(emails, { email_address: given }).value).toEqual(['a@x.com', 'b@x.com']);
});

test('sends each email address and phone number once', () => {
  expect(read(emails, { email_address: ['a@x.com, A@X.com', 'b@x.com', 'a@x.com'] }).value).toEqual([
    'a@x.com',
    'b@x.com',
  ]);
  const numbers = ['+1 202 555 0143', '12025550143', 442079460018, '+1 (202) 555-0143'];
  expect(read(phones, { phone_number: numbers }).value).toEqual([12025550143, 442079460018]);
});

test('keeps names that differ in case', () => {
  const names = nameList({ name: 'ids', label: 'IDs', description: '' });
  expect(read(names, { ids: 'a1, A1, a1' }).value).toEqual(['a1', 'A1']);
});

test("cleans the addresses in the trigger's options, without checking them", () => {
  expect(addressesIn('ana@x.com\u200b; Ana@x.com ben@x.com\nx')).toEqual(['ana@x.com', 'ben@x.com', 'x']);
  for (const nothing of [undefined, '', ' ', [], '\u200b']) expect(addressesIn(nothing)).toEqual([]);
});

test("names an entry that isn't an email address", () => {
  expect(read(emails, { email_address: 'a@x.com, nobody' }).problems[0]?.found).toBe('"nobody"');
});

test('sends nothing without an email address', () => {
  expect(read(emails, { email_address: [] })).toEqual({ value: undefined, problems: [] });
});

test.each([
  ['+1 (202) 555-0143', 12025550143],
  ['0044 20 7946 0018', 442079460018],
  ['12025550143', 12025550143],
  ['+1.202.555.0143', 12025550143],
  ['+49 711/1234567', 497111234567],
  ['+49 711 12345', 4971112345],
  [12025550143, 12025550143],
  [123456789012345, 123456789012345],
])('converts the phone number %s to the integer %d', (given, wanted) => {
  expect(phoneAsInteger(given)).toBe(wanted);
});

const phones = phoneList({ name: 'phone_number', label: 'Phones', description: '' });

test.each(['202 555 0143', 'call me', '+12', '2025550143', 2025550143, '+1 202', '+0044 20 7946 0018', '02079460018'])(
  'refuses the phone number %s, because its country prefix is uncertain',
  (given) => {
    expect(phoneAsInteger(given)).toBeUndefined();
    expect(read(phones, { phone_number: given }).problems).toHaveLength(1);
  },
);

test.each([
  ['a number with decimals', 12025550143.5],
  ['the decimals of a spreadsheet', '12025550143.0'],
  ['the decimals of a spreadsheet, with a plus', '+12025550143.00'],
  ['a number with a minus', -12025550143],
  ['a zero for calls at home', '+44 (0)20 7946 0018'],
  ['a second number that is only begun', '+1 202 555 0143/44'],
  ['more than 15 digits', '+1202555014312345'],
  ['a number that has lost digits', 2 ** 53],
  ['an exponent', '1.2025550143E+10'],
  ['no number', NaN],
  ['true', true],
  ['a list in a list of something else', [[{}]]],
])('refuses %s, which would become another phone number', (_, given) => {
  expect(phoneAsInteger(given)).toBeUndefined();
  expect(read(phones, { phone_number: [given] }).problems).toEqual([
    {
      label: 'Phones',
      found: expect.any(String) as string,
      allowed: expect.stringContaining('country code') as string,
    },
  ]);
});

describe('a single phone number', () => {
  const one = (field: Field, value: unknown) => read(field, { [field.name]: value });
  const phone = billingFields().find(({ name }) => name === 'customer_phone') as Field;
  const written = phoneText({ name: 'phone', label: 'Phone', description: '', maxLength: 16 });

  test('a single phone number is sent as an integer for a checkout and as text for a contact', () => {
    expect(one(phone, '+1 (202) 555-0143')).toEqual({ value: 12025550143, problems: [] });
    expect(one(written, ' +1 202 555 0143 ')).toEqual({ value: '+1 202 555 0143', problems: [] });
    expect(one(written, 12025550143)).toEqual({ value: '12025550143', problems: [] });
    expect(one(written, '+1 (202) 555-0143').problems[0]?.allowed).toBe('must have at most 16 characters (it has 17)');
  });

  test.each([
    '0711 1234567',
    '5550143',
    '2025550143',
    '12025550143.0',
    -5550143,
    '+44 (0)20 7946 0018',
    [5550143],
    2 ** 53,
  ])('refuses the phone number %j', (wrong) => {
    for (const field of [phone, written])
      expect(one(field, wrong)).toEqual({
        value: undefined,
        problems: [
          {
            label: 'Phone',
            found: expect.any(String) as string,
            allowed: 'must be a phone number of at most 15 digits with a country code, e.g. +1 202 555 0143',
          },
        ],
      });
  });
});

describe('a single email address', () => {
  const address = email({ name: 'customer_email', label: 'Email', description: '', maxLength: 20 });

  test('a single email address is sent without surrounding spaces', () => {
    expect(read(address, { customer_email: ' ana@example.com ' })).toEqual({ value: 'ana@example.com', problems: [] });
    expect(read(address, { customer_email: '' })).toEqual({ value: undefined, problems: [] });
  });

  test.each([
    'ana',
    'ana@',
    'ana@example',
    '@example.com',
    'a@x.com, b@x.com',
    'a@x.com,',
    '<a@x.com>',
    'a b@x.com',
    5,
  ])('refuses the email address %j and names the field', (customer_email) => {
    expect(read(address, { customer_email }).problems).toEqual([
      {
        label: 'Email',
        found: JSON.stringify(customer_email),
        allowed: 'must be an email address such as ana@example.com',
      },
    ]);
  });

  test('a single email address has a maximum length', () => {
    expect(read(address, { customer_email: 'somebody@example.com.br' }).problems[0]?.allowed).toContain(
      '20 characters',
    );
  });
});

test.each([
  ['invoice_paid, dispute_update', ['invoice_paid', 'dispute_update']],
  [
    ['invoice_paid', 7],
    ['invoice_paid', '7'],
  ],
])('accepts the names %j', (given, wanted) => {
  expect(read(nameList({ name: 'events', label: 'Events', description: '' }), { events: given }).value).toEqual(wanted);
});

test('converts name and value pairs to one JSON text', () => {
  const echo = nameValuePairs({ name: 'echo_fields', label: 'Echo Fields', description: '' });
  expect(read(echo, { echo_fields: { item: [{ name: 'order', value: 7 }] } }).value).toBe(
    '[{"name":"order","value":"7"}]',
  );
  expect(read(echo, { echo_fields: {} }).value).toBeUndefined();
  const given = { echo_fieldsMode: 'json', echo_fieldsJson: { name: 'a', value: 'b' }, echo_fields: { item: [{}] } };
  expect(read(echo, { echo_fields: { given } }).value).toBe('[{"name":"a","value":"b"}]');
  expect(read(echo, { echo_fields: { given: { ...given, echo_fieldsMode: 'fields' } } }).problems).toHaveLength(1);
});

const item = { quantity: '2', description: 'Work', unit_cost: '12.50' };
const wanted = [{ quantity: 2, description: 'Work', unit_cost: 12.5 }];

test.each([
  ['fields', { line_itemsMode: 'fields', line_items: { item: [item] } }],
  ['JSON text', { line_itemsMode: 'json', line_itemsJson: JSON.stringify([item]) }],
  ['an array from an expression', { line_itemsMode: 'json', line_itemsJson: [item] }],
])('sends the same line items given by %s', (_, parameters) => {
  expect(read(lineItems(), parameters)).toEqual({ value: wanted, problems: [] });
});

test('refuses unknown fields in JSON', () => {
  const { problems } = read(lineItems(), { line_itemsMode: 'json', line_itemsJson: [{ ...item, price: 3 }] });
  expect(problems[0]).toMatchObject({ label: 'Line Items 1', found: 'an unknown field "price"' });
});

test('names the position, field, value and rule of a mistake in the second line item', () => {
  const { problems } = read(lineItems(), {
    line_itemsMode: 'fields',
    line_items: { item: [item, { ...item, unit_cost: 1.005 }] },
  });
  expect(problems).toEqual([
    { label: 'Line Items 2 > Unit Cost', found: '1.005', allowed: expect.stringMatching(/2 decimal places/) as string },
  ]);
});

test.each(['not json', '5', 'null'])("refuses JSON that isn't a list of objects: %s", (json) => {
  expect(read(lineItems(), { line_itemsMode: 'json', line_itemsJson: json }).problems).not.toHaveLength(0);
});
