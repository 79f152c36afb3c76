import { hasEvidence, isOpen, type Remembered } from '../../../nodes/PaymentPlatform/model/write-memory';

describe('a remembered write', () => {
  const done = (byDatabase?: boolean): Remembered => ({ outcome: 'done', records: [], byDatabase });
  const unknown = (evidence?: 'begun' | 'forgotten' | 'otherContent' | 'sameContent'): Remembered => ({
    outcome: 'unknown',
    evidence,
  });
  const otherAccount: Remembered = { outcome: 'otherAccount', code: 'a' };

  test.each([
    ['finished by the execution', false, done()],
    ["known to be finished from n8n's database alone", true, done(true)],
    ['begun by the execution', false, unknown()],
    ["known to have begun from n8n's database alone", true, unknown('begun')],
    ['of another account', false, otherAccount],
  ])('only the database proves %s: %j', (_, expected, known) => expect(hasEvidence(known)).toBe(expected));

  test.each([
    ['that is not known', true, undefined],
    ['whose outcome is unknown', true, unknown()],
    ['that has begun', true, unknown('begun')],
    ['whose keys may have been removed', true, unknown('forgotten')],
    ["that is finished, with a result that n8n's database lacks", true, done(true)],
    ['that is finished', false, done()],
    ['that is finished with other values', false, { ...done(true), isOtherPayment: true } as Remembered],
    ['with other content', false, unknown('otherContent')],
    ['that equals a write of another execution', false, unknown('sameContent')],
    ['of another account', false, otherAccount],
  ])('the service shows %s: %j', (_, expected, known) => expect(isOpen(known)).toBe(expected));
});
