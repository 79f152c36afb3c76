import { decode } from '../../../nodes/PaymentPlatform/service/decode-response';
import { adviceFor, LOOK_UP_FIRST } from '../../../nodes/PaymentPlatform/messages/catalogue';
import { gatewayRefusals } from '../../../nodes/PaymentPlatform/messages/catalogue/gateway-refusals';
import { issuerApprovals } from '../../../nodes/PaymentPlatform/messages/catalogue/issuer-approvals';
import { issuerDeclines } from '../../../nodes/PaymentPlatform/messages/catalogue/issuer-declines';
import { platform } from '../../../nodes/PaymentPlatform/messages/catalogue/platform';

const issuerCodes = `
  000 001 002 003 004 005 006 007 008 010 011 012 013 014 015 019 021 025 028 030 032 034 039 041 043 051 052 053 054
  055 057 058 059 061 062 063 064 065 068 075 076 077 078 079 080 081 082 083 084 085 086 089 091 092 093 094 096 0B1
  0B2 0N0 0N3 0N4 0N5 0N7 0N8 0Q1 0R0 0R1 0R2 0R3 0T0 0T1 0T2 0T3 0T4 0T5 0T6 0T7 0XA 0XD 0Y1 0Y3 0Z1 0Z3`;
const gatewayCodes =
  '100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 401 402 403 404 405';
const split = (codes: string) => codes.trim().split(/\s+/);

const rcodes = [...split(issuerCodes), ...split(gatewayCodes), '998', '999'];
const platformCodes = ['0', '2', '6', '7', '11', '99'];
const all = [
  ...rcodes.map((code) => ['gateway', code] as const),
  ...platformCodes.map((code) => ['platform', code] as const),
];

/** Response codes after which the payment may have succeeded. */
const mayHaveMoved = ['000', '004', '008', '010', '011', '084', '085', '094', '0Y1', '0Y3'];

const textsOf = (family: 'gateway' | 'platform', code: string) => {
  const found = adviceFor(family, code);
  if (!found) throw new Error(`no entry for ${family} code ${code}`);
  return found;
};
const asked = (text: string) =>
  text
    .split(/[.:;,]/)
    .filter((clause) => !/\bdo not\b/i.test(clause))
    .join('.');
const REPEATS = /\b(again|once more|anew|repeat|retry|resend|re-?submit|try)\b/i;
const outcomeOf = (family: 'gateway' | 'platform', code: string) => {
  const body = family === 'gateway' ? { rcode: code } : { code: Number(code) };
  const answer = decode(family, { status: 200, headers: {}, body: JSON.stringify(body) });
  return answer.ok ? 'done' : answer.failure.outcome;
};

test('covers 84 issuer codes and 27 gateway codes', () => {
  expect(split(issuerCodes)).toHaveLength(84);
  expect(new Set(rcodes).size).toBe(84 + 27);
});

test.each(all)('describes the %s code %s and its advice in at most 200 characters each', (family, code) => {
  const { what, advice } = textsOf(family, code);
  for (const text of [what, advice]) {
    expect(text).toMatch(/^[A-Z].{10,}\.$/);
    expect(text.length).toBeLessThanOrEqual(200);
  }
});

test('contains each code once and only codes that the service can return', () => {
  const codes = (entries: typeof platform) => entries.flatMap((entry) => entry.codes);
  expect([...codes(issuerApprovals), ...codes(issuerDeclines), ...codes(gatewayRefusals)].sort()).toEqual(
    [...rcodes].sort(),
  );
  expect([...codes(platform)].sort()).toEqual([...platformCodes].sort());
});

test('finds a platform code given as a number', () => {
  expect(adviceFor('platform', 11)).toEqual(adviceFor('platform', '11'));
  expect(adviceFor('platform', 11)?.advice).toContain('credential');
});

test.each([
  ['gateway', '0ZZ'],
  ['gateway', '1'],
  ['gateway', '2'],
  ['gateway', ''],
  ['gateway', 'constructor'],
  ['platform', 98],
  ['platform', '051'],
] as const)('doesn\'t know the %s code "%s"', (family, code) => {
  expect(adviceFor(family, code)).toBeUndefined();
});

test('advises a look-up only for codes with an unknown outcome', () => {
  const open = all.filter(([family, code]) => outcomeOf(family, code) === 'unknown');
  const approvals = ['004', '008', '010', '011', '085', '0Y1', '0Y3'];
  const failures = open.filter(([, code]) => !approvals.includes(code));
  expect(failures).toEqual([
    ['gateway', '998'],
    ['gateway', '999'],
    ['platform', '99'],
  ]);
  expect(open).toHaveLength(failures.length + approvals.length);
  for (const code of approvals) expect(textsOf('gateway', code).advice).toMatch(/do not charge/i);
  expect(all.filter(([family, code]) => textsOf(family, code).advice === LOOK_UP_FIRST)).toEqual(failures);
  expect(LOOK_UP_FIRST).toMatch(/Do not send it again before you look up the record/);
});

test.each(mayHaveMoved)('advises a look-up or no second charge for the code %s', (code) => {
  expect(textsOf('gateway', code).advice).toMatch(/\blook .*up\b|\bdo not charge again\b/i);
});

test.each(all)('never advises sending the request again for the %s code %s', (family, code) => {
  const { what, advice } = textsOf(family, code);
  expect(asked(`${what} ${advice}`)).not.toMatch(REPEATS);
});

test.each(['Run the item again.', 'Do not wait: send it again.', 'Wait, then retry.'])(
  'detects advice to repeat a request: "%s"',
  (text) => {
    expect(asked(text)).toMatch(REPEATS);
  },
);

test('hides the reason from the cardholder for stolen cards, lost cards and fraud', () => {
  for (const code of ['007', '034', '041', '043', '059', '063'])
    expect(textsOf('gateway', code).advice).toContain('without giving a reason');
});
