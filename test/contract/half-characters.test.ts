import { parameterName } from '../../nodes/PaymentPlatform/fields/value';
import { isWellFormed } from '../../nodes/PaymentPlatform/shared/objects';
import { testEvery } from '../every-case';
import { everyField, readFrom } from './every-field';

const HALF = '\u{1f35e}'.slice(0, 1);

testEvery(everyField)('no field accepts half a character, as text, in a list, in an object or in JSON', ({ field }) => {
  const name = parameterName(field);
  for (const value of [`A${HALF}`, `${HALF}1`, [`A${HALF}`], { item: [{ name: HALF, value: HALF }] }]) {
    const given = { [name]: value, [`${name}Json`]: JSON.stringify(value), [`${name}Mode`]: 'json' };
    for (const parameters of [{ [name]: value }, given]) {
      const { value: sent, problems } = readFrom(field, parameters);
      expect(problems.length > 0 || isWellFormed(sent)).toBe(true);
      expect(isWellFormed(problems)).toBe(true);
    }
  }
});

const texts = everyField.filter(({ field }) => {
  const { value, problems } = readFrom(field, { [parameterName(field)]: 'A1 \u{1f35e}' });
  return problems.length === 0 && JSON.stringify(value ?? '').includes('\u{1f35e}');
});

testEvery(texts)('a field that accepts a whole emoji names half of it as the cause', ({ field }) => {
  const { problems } = readFrom(field, { [parameterName(field)]: `A1 ${HALF}` });
  expect(problems).toEqual([
    {
      label: field.label,
      found: field.secret ? 'a value of 4 characters' : '"A1 \ufffd"',
      allowed: 'must not contain half a character, e.g. half of an emoji that an expression cut',
    },
  ]);
});
