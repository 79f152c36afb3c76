import type { IDataObject } from 'n8n-workflow';

import { choicesOf } from '../../../docs/generate/choices';
import { expirationDate, cardNumber } from '../../../nodes/PaymentPlatform/fields/kinds/card';
import { codesOf } from '../../../nodes/PaymentPlatform/fields/kinds/choice';
import { country, currency } from '../../../nodes/PaymentPlatform/fields/common';
import { COUNTRIES } from '../../../nodes/PaymentPlatform/fields/countries';
import { CURRENCIES } from '../../../nodes/PaymentPlatform/fields/currencies';
import { editorProperties } from '../../../nodes/PaymentPlatform/fields/editor';
import { readField } from '../../../nodes/PaymentPlatform/fields/read-field';
import type { Field, Problem } from '../../../nodes/PaymentPlatform/fields/types';
import { Contact, CreateInvoiceRequest, GatewayTokenizeRequest } from '../../../nodes/PaymentPlatform/wire/schemas';

const choices = (field: Field) => editorProperties(field).flatMap((property) => choicesOf(property));

const read = (field: Field, value: unknown) => {
  const problems: Problem[] = [];
  const parameters = { [field.name]: value } as IDataObject;
  return { value: readField(field, parameters, problems, { timezone: 'utc' }), problems };
};
const taken = (value: string) => ({ value, problems: [] });

describe('currencies', () => {
  const field = currency(CreateInvoiceRequest.tran_currency);

  test('offers currencies by name, letters and digits with US dollars first', () => {
    const [property] = editorProperties(field);
    expect(property).toMatchObject({ type: 'options', default: '840' });
    expect(choices(field).slice(0, 1)).toEqual([{ name: 'US Dollar (USD, 840)', value: '840' }]);
    expect(choices(field)).toContainEqual({ name: 'Euro (EUR, 978)', value: '978' });
  });

  test.each([
    ['840', '840'],
    [840, '840'],
    ['usd', '840'],
    [' EUR ', '978'],
    ['euro', '978'],
    ['036', '036'],
    ['997', '997'],
  ])('reads the currency %j from an expression as %s', (given, wanted) =>
    expect(read(field, given)).toEqual(taken(wanted)),
  );

  test.each(['$', 'US', 'XYZ', '84', 36, '8400', 84.5, true, ['USD']])('refuses %j as a currency', (given) => {
    expect(read(field, given).problems).toEqual([
      {
        label: 'Currency',
        found: expect.any(String) as string,
        allowed: 'must be a currency code in letters or digits, e.g. USD or 840',
      },
    ]);
  });
});

test('offers and reads countries by name, letters and digits', () => {
  const field = country(Contact.country_code, 'contact');
  expect(choices(field)).toContainEqual({ name: 'Germany (DE, 276)', value: '276' });
  for (const given of ['de', 'Germany', 276, '276']) expect(read(field, given)).toEqual(taken('276'));
  expect(read(field, 'Atlantis').problems).toHaveLength(1);
});

test.each([
  ['currencies', CURRENCIES, 3, 150],
  ['countries', COUNTRIES, 2, 240],
])('lists each of the %s once with a three-digit code, letters and a name', (_, table, length, least) => {
  const codes = codesOf(table);
  expect(codes.length).toBeGreaterThan(least);
  for (const { digits, letters, name } of codes)
    expect([/^\d{3}$/.test(digits), letters.length, letters === letters.toUpperCase(), name.length > 2]).toEqual([
      true,
      length,
      true,
      true,
    ]);
  expect(new Set(codes.map(({ digits }) => digits)).size).toBe(codes.length);
  expect(new Set(codes.map(({ letters }) => letters)).size).toBe(codes.length);
});

describe('card data in the usual notations', () => {
  const number = cardNumber(GatewayTokenizeRequest.card_number);
  const expires = expirationDate(GatewayTokenizeRequest.exp_date);

  test.each([
    '4111111111111111',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    '4111\u00a01111 1111-1111',
    ' 4111 11111111 1111 ',
  ])('reads the card number %s', (given) => expect(read(number, given)).toEqual(taken('4111111111111111')));

  test.each(['4111 1111 1111 111x', '4111--1111-1111-1111', '-4111111111111111', '4111.1111.1111.1111', '411 1'])(
    'refuses the card number %s',
    (given) => expect(read(number, given).problems).toMatchObject([{ allowed: 'must be 12 to 19 digits' }]),
  );

  test.each(['0929', '09/29', '9/29', '09/2029', '9/2029', '09-29', '09 / 29', '09 29', 929, ' 0929 '])(
    'reads the expiration date %j',
    (given) => expect(read(expires, given)).toEqual(taken('0929')),
  );

  test.each(['13/29', '0/29', '09/1929', '29', '09/', '2029-09', '092029', '1/2/29', 'Sep 29', '09/299'])(
    'refuses the expiration date %j',
    (given) =>
      expect(read(expires, given).problems).toMatchObject([{ allowed: expect.stringMatching(/01 to 12/) as string }]),
  );
});
