import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import {
  bodyOf,
  describedOperation,
  propertiesOf,
  resolve,
  root,
  type Schema,
} from '../../interface/generate/interface-document';
import { outputSchema } from '../../interface/generate/output-schema';
import { everyParameter, packageNodes } from '../package-nodes';
import { documentFiles } from '../../docs/generate/main';
import { parameterRows } from '../../docs/generate/parameters';
import { codeFiles } from '../../interface/generate/main';
import { secretOutputFields } from '../../interface/generate/secrets';
import { stale, type Files } from '../../interface/generate/written';
import { editorProperties } from '../../nodes/PaymentPlatform/fields/editor';
import { wireFields } from '../../nodes/PaymentPlatform/fields/kinds/group';
import type { Field } from '../../nodes/PaymentPlatform/fields/types';
import { parameterName } from '../../nodes/PaymentPlatform/fields/value';
import { resources } from '../../nodes/PaymentPlatform/resources';
import { testEvery } from '../every-case';
import { releasedFiles } from './released';
import { read } from './repository';

const operations = resources.flatMap((resource) =>
  resource.operations.map((operation) => ({ name: `${resource.value}.${operation.value}`, resource, operation })),
);
/** Excludes the custom request, which has an unknown response. */
const answered = operations.filter(({ operation }) => operation.request.operationId);

const code = codeFiles();

test.each<[string, () => Files]>([
  ['the generated code', () => code],
  ['the generated documentation', documentFiles],
  ['the record of what workflows store', releasedFiles],
])('%s equals the output of `npm run generate`', (_, files) => {
  const paths = stale(files());
  if (paths.length > 0) throw new Error(`Stale: ${paths.join(', ')}. Run "npm run generate" and commit the result.`);
});

test('every file of wire/ is generated or says that it is written by hand', () => {
  const folder = 'nodes/PaymentPlatform/wire';
  const names = readdirSync(join(root, folder));
  const byHand = names.filter((name) => read(`${folder}/${name}`).startsWith('// Written by hand'));
  expect(byHand).toEqual(names.filter((name) => !(`${folder}/${name}` in code)));
});

const fieldNames = (fields: Field[], prefix = ''): string[] =>
  fields.flatMap((field) => {
    const name = `${prefix}${parameterName(field)}`;
    return [name, ...fieldNames(field.fields ?? [], `${name}.`)];
  });
/** Returns whether a user enters the field. The node takes the values of other settings from other parameters. */
const isEntered = (field: Field) => field.place !== 'node' || editorProperties(field).length > 0;
const everyField = ({ operation: { fields, additional = [] } }: (typeof operations)[number]) =>
  wireFields([...fields, ...additional]).filter(isEntered);

testEvery(operations)('the table of an operation has a row for every field, including nested fields', (one) => {
  const names = parameterRows(one.operation).map(({ name }) => name);
  const composed = everyField(one).filter(
    (field) => !editorProperties(field).some(({ name }) => name === parameterName(field)),
  );
  expect(composed).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(fieldNames(everyField(one))));
});

test('the allowed values of a parameter contain no advice from error messages', () => {
  const rows = operations.flatMap(({ operation }) => parameterRows(operation));
  const advised = rows.filter(({ allowed }) => /From List|Check for|but is/.test(allowed));
  expect(advised.map(({ name, allowed }) => `${name}: ${allowed}`)).toEqual([]);
  expect(rows.some(({ allowed }) => allowed === 'A JSON array of objects')).toBe(true);
});

testEvery(answered)('the table of an operation names the source of every field that is sent', (one) => {
  const sent = fieldNames(everyField(one).filter(({ place }) => place !== 'node'));
  const known = parameterRows(one.operation).filter(({ source }) =>
    /^(interface document|public reference)/.test(source),
  );
  expect(known.map(({ name }) => name)).toEqual(expect.arrayContaining(sent));
});

testEvery(answered)('each operation has an output schema that the editor can show', (one) => {
  const schema = outputSchema(one.operation);
  expect(schema?.type).toBe('object');
  expect(Object.keys(schema?.properties ?? {}).length).toBeGreaterThan(0);
  expect(JSON.stringify(schema)).not.toMatch(/"(\$ref|allOf|oneOf|anyOf)"/);
});

test('response fields marked as secret in the interface are declared sensitive to n8n', () => {
  const node = packageNodes().find(({ description }) => description.name === 'paymentPlatform');
  expect(node?.description.sensitiveOutputFields?.toSorted()).toEqual(secretOutputFields());
});

const secretNames = (schema: Schema): string[] =>
  Object.entries(propertiesOf(schema)).flatMap(([name, own]) => {
    const { 'x-secret': secret, items } = resolve(own);
    return secret ? [name] : secretNames(items ?? own);
  });

const withSecrets = answered.flatMap((one) => {
  const { schema } = bodyOf(describedOperation(one.operation.request.operationId ?? '').requestBody);
  const secret = [...new Set(schema ? secretNames(schema) : [])];
  return secret.length > 0 ? [{ ...one, secret }] : [];
});

testEvery(withSecrets)('a secret in the interface is a password field and is described as secret', (one) => {
  const { operation, secret } = one;
  const parameters = everyParameter(everyField(one).flatMap(editorProperties));
  const offered = parameters.filter(({ name }) => secret.includes(name));
  expect([...new Set(offered.map(({ name }) => name))].sort()).toEqual(secret.sort());
  for (const { name, type, typeOptions } of offered)
    expect([name, type, typeOptions?.password]).toEqual([name, 'string', true]);
  const rows = parameterRows(operation).filter(({ name }) => secret.includes(name.split('.').at(-1) ?? ''));
  for (const { name, allowed } of rows)
    expect([name, allowed]).toEqual([name, expect.stringMatching(/The editor hides the value$/)]);
});
