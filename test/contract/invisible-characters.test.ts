import { parameterName } from '../../nodes/PaymentPlatform/fields/value';
import type { Field } from '../../nodes/PaymentPlatform/fields/types';
import { testEvery } from '../every-case';
import { everyField, readFrom } from './every-field';

/** Zero-width space and joiner, soft hyphen, byte order mark, marks and overrides of direction, filler, and a control. */
const INVISIBLE = ['\u200b', '\u200d', '\u00ad', '\ufeff', '\u200e', '\u202e', '\u2066', '\u3164', '\u2800', '\u0000'];

const read = (field: Field, value: unknown) => readFrom(field, { [parameterName(field)]: value });
const accepts = (field: Field, value: string) => {
  const { value: sent, problems } = read(field, value);
  return problems.length === 0 && JSON.stringify(sent ?? '').includes(value);
};
const withSigns = (text: string) =>
  INVISIBLE.flatMap((sign) => [`${sign}${text}`, `${text}${sign}`, `${text.slice(0, 5)}${sign}${text.slice(5)}`]);

const emails = everyField.filter(({ field }) => accepts(field, 'ana@example.com') && !accepts(field, 'ana'));

testEvery(emails)('no email address contains invisible characters, and the message shows them', ({ field }) => {
  for (const email of withSigns('ana@example.com').filter((one) => one.trim() !== 'ana@example.com')) {
    const { problems } = read(field, email);
    expect(problems.map(({ label, found }) => [label, found])).toEqual([
      [field.label, expect.stringMatching(/^".*\[U\+[0-9A-F]{4}\].*"$/)],
    ]);
  }
});

testEvery(emails.filter(({ field }) => Array.isArray(read(field, 'ana@example.com').value)))(
  'each recipient is sent once',
  ({ field }) => {
    const { value } = read(field, [
      'ana@example.com',
      'ben@example.com; Ana@Example.com',
      'BEN@example.com,ana@example.com',
    ]);
    expect(value).toEqual(['ana@example.com', 'ben@example.com']);
  },
);

const names = everyField.filter(
  ({ path, field }) =>
    /(?:^|_)name$/.test(field.name) && !/user_name|echo_fields|report_data|queryParameters/.test(path),
);
// A label that exists is selected by its exact name.
const textNames = names.filter(({ field }) => accepts(field, 'Ana Silva') && parameterName(field) !== 'label_name');

testEvery(textNames)('no name contains invisible characters', ({ field }) => {
  for (const name of withSigns('Ana Silva').filter((one) => one.trim() !== 'Ana Silva'))
    expect(read(field, name).problems).toEqual([
      {
        label: field.label,
        found: expect.stringMatching(/^".*\[U\+[0-9A-F]{4}\].*"$/) as string,
        allowed: 'must not contain invisible characters',
      },
    ]);
});

testEvery(textNames)('a name can contain the joiners that its script or an emoji needs', ({ field }) => {
  for (const name of [
    'علی\u200cرضا',
    'ශ්\u200dරී',
    '\u{1f468}\u200d\u{1f469} Café',
    '\u2764\ufe0f\u200d\u{1f525}',
    'Ana\tSilva',
  ])
    expect(read(field, name)).toEqual({ value: name, problems: [] });
});

testEvery(textNames)('a name without visible characters is missing', ({ field }) => {
  for (const name of ['\u200b', ' \u2800\u3164 ', '\u202e\u202c']) {
    const { value, problems } = read(field, name);
    expect(value).toBeUndefined();
    expect(problems).toEqual(field.required ? [{ label: field.label, found: 'nothing', allowed: 'is required' }] : []);
  }
});
