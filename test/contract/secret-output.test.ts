import { formatRecord } from '../../nodes/PaymentPlatform/output/format-record';
import type { PlannedRequest } from '../../nodes/PaymentPlatform/model/types';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { SECRET } from '../../nodes/PaymentPlatform/wire/marks';
import { testEvery } from '../every-case';

const CANARY = 'canary4242Secret';

/** Secrets of every kind, as fields, in objects and lists, as JSON text, and as pairs of a name and a value. */
const secrets = Object.fromEntries(SECRET.map((name) => [name, CANARY]));
const pairs = SECRET.map((name) => ({ name, value: CANARY }));
const record = {
  ...secrets,
  webhook_id: 501,
  auth_settings: { user_name: 'n8n', ...secrets },
  data: [secrets],
  response: { rcode: '000', ...secrets },
  echo_fields: JSON.stringify(pairs),
  option_info: { value: JSON.stringify(secrets) },
};

const outputOf = (request: Partial<PlannedRequest> & Pick<PlannedRequest, 'operation'>, node = {}) => {
  const values = { path: { webhook_id: '501' }, query: {}, body: {}, node };
  return formatRecord({ items: [0], part: 0, values, simplify: false, ...request } as PlannedRequest, record, values);
};

const operations = resources.flatMap(({ value, operations: own }) =>
  own.map((operation) => ({ name: `${value}.${operation.value}`, operation })),
);

testEvery(operations)('an output contains no secret of a record unless the user requests it', ({ operation }) => {
  for (const simplify of [false, true]) expect(JSON.stringify(outputOf({ operation, simplify }))).not.toContain(CANARY);
});

test('the option Return Security Key returns only the security key', () => {
  const create = operations.find(({ name }) => name === 'webhook.create');
  if (!create) throw new Error('webhook.create');
  const { security_key: key, ...others } = outputOf(create, { returnSecurityKey: true });
  expect(key).toBe(CANARY);
  expect(JSON.stringify(others)).not.toContain(CANARY);
});
