/** Valid and invalid inputs for a text field. */
export const ANYTHING: readonly string[] = [
  'Ana Silva',
  'Oak Street 5',
  'ORDER-1001',
  'C1001',
  'abc',
  '97301',
  'OR',
  'USA',
  '0',
  '1',
  '2',
  '12',
  '30',
  '123',
  '12.50',
  '1234567890123456789',
  '0.001',
  '-5',
  '1230',
  '12/30',
  '4111111111111111',
  '021000021',
  '123456789',
  '100000000001',
  'ana@example.com',
  '+15035550123',
  '5035550123',
  'https://billing.example.com/hook',
  '2027-03-31',
  '0f8fad5bd9cb469fa16570867728950e',
  'x'.repeat(300),
  'Zoë & Söhne <b>',
];

/** Inputs that a field's name suggests. */
const SENSE: ReadonlyArray<readonly [RegExp, readonly string[]]> = [
  [/email/i, ['ana@example.com']],
  [/phone/i, ['+15035550123']],
  [/zip extension/i, ['1234']],
  [/zip/i, ['97301']],
  [/card number/i, ['4111111111111111', '5555555555554444']],
  [/security code/i, ['123']],
  [/expir/i, ['1230', '12/30']],
  [/routing/i, ['021000021']],
  [/account number/i, ['123456789']],
  [/amount|cost|fee|price|refuse/i, ['12.50', '1']],
  [/quantity|days|times|number of|installments|trial|every/i, ['1', '30']],
  [/date/i, ['2027-03-31']],
  [/url|link/i, ['https://billing.example.com/hook']],
  [/state/i, ['OR']],
  [/merchant|profile/i, ['100000000001']],
  [/code|developer|number|id$/i, ['1001', 'ABC123']],
];

/** Returns the inputs that a label suggests. */
export const sensible = (label: string): readonly string[] =>
  SENSE.find(([pattern]) => pattern.test(label))?.[1] ?? ['Ana Silva'];
