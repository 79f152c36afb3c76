import { parameterName } from '../../nodes/PaymentPlatform/fields/value';
import { testEvery } from '../every-case';
import { everyField, readFrom } from './every-field';

const named = (name: string) => everyField.filter(({ field }) => field.name === name);
const read = ({ field }: (typeof everyField)[number], value: unknown) =>
  readFrom(field, { [parameterName(field)]: value });
const allowed = expect.stringMatching(
  /^must be text, because numbers have no leading zeros\. In a spreadsheet, /,
) as string;

testEvery(named('dda_number'))('an account number is refused as a number, which could lack leading zeros', (one) => {
  for (const number of [123456789, 1, 1234567890123456])
    expect(read(one, number).problems).toMatchObject([{ label: 'Bank Account Number', allowed }]);
  expect(JSON.stringify(read(one, 123456789))).not.toContain('123456789');
  expect(read(one, '000123456789')).toEqual({ value: '000123456789', problems: [] });
});

testEvery(named('tr_number'))('a routing number is refused as a number if it lacks leading zeros', (one) => {
  for (const number of [21000021, 1, 99999999]) expect(read(one, number).problems).toMatchObject([{ allowed }]);
  expect(read(one, 121000021)).toEqual({ value: '121000021', problems: [] });
  expect(read(one, '021000021')).toEqual({ value: '021000021', problems: [] });
  expect(read(one, 1210000210).problems).toHaveLength(1);
});
