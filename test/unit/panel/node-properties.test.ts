import { everyParameter } from '../../package-nodes';
import { isShownFor } from '../../shown-for';
import { PaymentPlatform } from '../../../nodes/PaymentPlatform/PaymentPlatform.node';
import { resources } from '../../../nodes/PaymentPlatform/resources';
import { SECRET } from '../../../nodes/PaymentPlatform/wire/marks';
import released from '../../contract/released.json';

const { description } = new PaymentPlatform();

/** Excludes notices, because a notice only stores the values of hidden parameters. */
const all = everyParameter(description.properties).filter(({ type }) => type !== 'notice');

test('gives every parameter a readable description', () => {
  const selectors = ['resource', 'operation'];
  const without = all.filter(
    ({ name, type, description: text }) => !selectors.includes(name) && !text && !(type === 'collection'),
  );
  expect(without.map(({ name }) => name)).toEqual([]);
});

test('writes labels in title case', () => {
  const small = /^(a|an|and|at|by|for|from|in|of|on|or|per|the|to|with|it)$/;
  for (const { displayName } of all)
    for (const word of displayName.replace(/[()]/g, '').split(' '))
      if (!small.test(word)) expect(word).toMatch(/^[A-Z0-9]/);
});

test('begins descriptions of switches with "Whether"', () => {
  for (const { type, description: text } of all) if (type === 'boolean') expect(text).toMatch(/^Whether /);
});

test('uses password fields for all secrets', () => {
  const secrets = all.filter(({ name }) => SECRET.includes(name));
  expect(secrets.length).toBeGreaterThan(5);
  for (const { name, typeOptions } of secrets) expect([name, typeOptions?.password]).toEqual([name, true]);
});

test('keeps the stored values of released resources and operations', () => {
  const operations = description.properties
    .filter(({ name }) => name === 'operation')
    .flatMap(({ displayOptions, options }) =>
      (options ?? []).map(
        (option) => `${displayOptions?.show?.resource?.[0] as string}.${'value' in option ? String(option.value) : ''}`,
      ),
    );
  const stored = Object.values(released.nodes).flatMap(({ versions }) => Object.keys(versions['1'].parameters));
  const scopes = stored.filter((scope) => scope.includes('.'));
  expect(scopes.length).toBeGreaterThan(18);
  expect(operations).toEqual(expect.arrayContaining(scopes));
});

test('gives parameters of an operation unique names, unless two share one value', () => {
  const operations = new Map<string, string[]>();
  for (const { value: resource, operations: own } of resources)
    for (const { value: operation } of own) {
      const shown = description.properties.filter(
        (one) => one.type !== 'notice' && isShownFor({ resource, operation }, one),
      );
      operations.set(
        `${resource}.${operation}`,
        shown.map(({ name }) => name).filter((name) => name !== 'operation'),
      );
    }
  expect(operations.size).toBeGreaterThan(18);
  for (const names of operations.values()) expect(names).toEqual([...new Set(names)]);
});

const COUNTS = ['maxParallelRequests', 'maxTries'];

test('never lets the editor round an amount or a number', () => {
  for (const { name, type, typeOptions } of all)
    if (type === 'number' && !COUNTS.includes(name))
      expect([name, typeOptions?.numberPrecision]).toEqual([name, undefined]);
});
