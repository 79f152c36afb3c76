import { environmentNamedBy, shownEnvironment } from '../../../nodes/PaymentPlatform/service/test-credential';

const codes = (...list: string[]) => list.map((auth_code) => ({ auth_code }));

test.each([
  ['https://api-test.example.com', 'test'],
  ['https://sandbox.example.com/v1', 'test'],
  ['http://127.0.0.1:4010/test', 'test'],
  ['http://127.0.0.1:4010/production', 'production'],
  ['https://api.example.com', undefined],
  ['https://latest.example.com', undefined],
  ['https://production.example.com/test', undefined],
])('the address %s indicates the environment %s only as a whole word', (address, environment) => {
  expect(environmentNamedBy(address)?.environment).toBe(environment);
});

test.each([
  [codes('T10001', 'T10002', 'T10003'), 'test'],
  [codes('T10001', 'T10002'), undefined],
  [codes('T10001', '012345'), 'production'],
  [codes('T1O001'), 'production'],
  [[...codes(''), {}], undefined],
  [[], undefined],
])('recognizes the approval codes %j as those of %s', (records, shown) => {
  expect(shownEnvironment(records)).toBe(shown);
});
