import type { IDataObject } from 'n8n-workflow';

import { describeFailure } from '../../nodes/PaymentPlatform/messages/describe-failure';
import { isSecretField, scrubberOf } from '../../nodes/PaymentPlatform/messages/scrubber';
import { declaredFields } from '../../nodes/PaymentPlatform/model/operation';
import type { FieldValues, Operation, PlannedRequest } from '../../nodes/PaymentPlatform/model/types';
import { formatRecord } from '../../nodes/PaymentPlatform/output/format-record';
import { resources } from '../../nodes/PaymentPlatform/resources';
import type { Field } from '../../nodes/PaymentPlatform/fields/types';
import { testEvery } from '../every-case';

const VALUES: Record<string, string[]> = {
  card_number: ['4242424242424242'],
  cvv2: ['814'],
  tr_number: ['021000021'],
  dda_number: ['98765432109', '90817', '1234'],
};
const OTHER = 'canary "Passwörd" <7>';

/** Body with one secret, in the objects and lists of its field. */
function bodyWith([field, ...inner]: Field[], secret: string): IDataObject {
  if (!field) return {};
  const value = inner.length === 0 ? secret : bodyWith(inner, secret);
  return { [field.name]: field.kind === 'group' && field.list ? [value] : value } as IDataObject;
}

const pathsIn = (fields: readonly Field[]): Field[][] =>
  fields.flatMap((field) => [
    ...(isSecretField(field.name) ? [[field]] : []),
    ...pathsIn(field.fields ?? []).map((path) => [field, ...path]),
  ]);

const cases = resources.flatMap(({ value: resource, operations }) =>
  operations.flatMap((operation) =>
    pathsIn(declaredFields(operation)).flatMap((path) =>
      (VALUES[path.at(-1)?.name ?? ''] ?? [OTHER]).map((secret) => ({
        path: `${resource}.${operation.value}: ${path.map(({ name }) => name).join('.')} ${secret}`,
        operation,
        secret,
        body: bodyWith(path, secret),
      })),
    ),
  ),
);

const requestOf = (operation: Operation, values: FieldValues) =>
  ({
    ...{ items: [0], part: 0, secrets: ['the-api-key'], simplify: false, operation, values },
    options: { unknownOutcome: 'lookUp', testEnvironmentOnly: false },
    ...operation.request,
  }) as PlannedRequest;

const base64 = (text: string) => Buffer.from(text).toString('base64');
const echoesOf = (secret: string, body: IDataObject) => [
  ...[secret, JSON.stringify(secret), encodeURIComponent(secret)],
  Array.from(secret, (one) => `&#${one.codePointAt(0)};`).join(''),
  ...[secret, ` ${secret}`, `  ${secret}`, JSON.stringify(body)].map(base64),
];

testEvery(cases)('a failure repeats no secret of the request, in any form', ({ operation, secret, body }) => {
  const request = requestOf(operation, { path: {}, query: {}, body, node: {} });
  for (const echo of echoesOf(secret, body)) {
    const text = scrubberOf(request).words(`said ${echo} .`);
    const failure = describeFailure({ outcome: 'unknown', message: text, said: text, advice: '' }, request);
    expect(JSON.stringify(failure)).not.toContain(JSON.stringify(echo).slice(1, -1));
  }
});

testEvery(cases)(
  "an output repeats no secret of the request in the service's message",
  ({ operation, secret, body }) => {
    const values = { path: {}, query: {}, body, node: {} };
    const request = requestOf(operation, values);
    for (const echo of echoesOf(secret, body)) {
      const record = formatRecord(request, { rcode: '000', rmsg: `to ${echo} .`, message: echo, pg_id: 'p1' }, values);
      const [shown] = scrubberOf(request).records([record]);
      expect(JSON.stringify(shown)).not.toContain(JSON.stringify(echo).slice(1, -1));
    }
  },
);

testEvery(cases.filter(({ secret }) => secret.length >= 8))(
  'an output repeats no long secret of the request in another field',
  ({ operation, secret, body }) => {
    const values = { path: {}, query: {}, body, node: {} };
    const record = { note: secret, avs_zip: secret, list: [{ text: base64(`{"a":"${secret}"}`) }] };
    const [shown] = scrubberOf(requestOf(operation, values)).records([record]);
    expect(shown).toEqual({ note: '***', avs_zip: '***', list: [{ text: '***' }] });
  },
);
