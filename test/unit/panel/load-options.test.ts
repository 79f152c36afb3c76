import type { ILoadOptionsFunctions, INodeProperties } from 'n8n-workflow';

import { everyParameter } from '../../package-nodes';
import { choicesOf } from '../../../docs/generate/choices';
import { operationParameters } from '../../../nodes/PaymentPlatform/panel/node-properties';
import { PaymentPlatform } from '../../../nodes/PaymentPlatform/PaymentPlatform.node';
import { resources } from '../../../nodes/PaymentPlatform/resources';

const { description, methods } = new PaymentPlatform();

const context = (resource: string, operation: string) =>
  ({
    getNode: () => ({ name: 'A', type: 'paymentPlatform', parameters: {} }),
    getCurrentNodeParameter: (name: string) => ({ resource, operation })[name],
  }) as unknown as ILoadOptionsFunctions;

const { getCountries, getCurrencies, getEvents, getOutputFields, getRecordFields, getSingleEvents } =
  methods.loadOptions;

test('returns countries and currencies without a request or credential', async () => {
  const countries = await getCountries.call(context('customer', 'create'));
  const currencies = await getCurrencies.call(context('invoice', 'create'));
  expect(countries[0]).toEqual({ name: 'United States (US, 840)', value: '840' });
  expect(countries.length).toBeGreaterThan(240);
  expect(currencies[0]).toEqual({ name: 'US Dollar (USD, 840)', value: '840' });
  expect(currencies.length).toBeGreaterThan(150);
});

test('offers the fields of the selected operation in a tool', async () => {
  const [invoice, customer] = await Promise.all([
    getOutputFields.call(context('invoice', 'get')),
    getOutputFields.call(context('customer', 'get')),
  ]);
  expect(invoice).toContainEqual({ name: 'invoice_id', value: 'invoice_id' });
  expect(customer).toContainEqual({ name: 'customer_id', value: 'customer_id' });
  expect(customer).not.toContainEqual({ name: 'invoice_id', value: 'invoice_id' });
  expect(await getOutputFields.call(context('invoice', 'gone'))).toEqual([]);
});

test('offers the fields of the listed records for filters and sorting', async () => {
  expect(await getRecordFields.call(context('invoice', 'getAll'))).toContainEqual({ name: 'Status', value: 'status' });
  expect(await getRecordFields.call(context('invoice', 'create'))).toEqual([]);
});

test('offers all events for a webhook, and single events to change one event', async () => {
  const [all, single] = await Promise.all([
    getEvents.call(context('webhook', 'update')),
    getSingleEvents.call(context('webhook', 'addEvent')),
  ]);
  expect(all.map(({ value }) => value)).toEqual(['*', ...single.map(({ value }) => value)]);
  expect(single).toContainEqual(expect.objectContaining({ name: 'Invoice Paid', value: 'invoice_paid' }));
});

test('contains every list that a parameter loads, with the default', () => {
  const asking = everyParameter(description.properties).filter(({ typeOptions }) => typeOptions?.loadOptionsMethod);
  expect(asking.length).toBeGreaterThan(10);
  for (const { name, typeOptions } of asking)
    expect([name, Object.keys(methods.loadOptions)]).toEqual([
      name,
      expect.arrayContaining([typeOptions?.loadOptionsMethod]) as string[],
    ]);
  const offered = resources.flatMap(({ operations }) =>
    operations.flatMap((operation) =>
      everyParameter(operationParameters(operation))
        .filter(
          ({ type, typeOptions, default: own }) => type === 'options' && typeOptions?.loadOptionsMethod && own !== '',
        )
        .map((one) => ({ own: one.default, choices: choicesOf(one, operation).map(({ value }) => value) })),
    ),
  );
  expect(offered.length).toBeGreaterThan(30);
  expect(offered.filter(({ own, choices }) => !choices.some((value) => value === own))).toEqual([]);
});

/** n8n 1 can't load a node with another condition (n8n.md#parameters). */
test('each condition without a slash names a parameter of the same level', () => {
  const wrong = (level: INodeProperties[], place: string): string[] => {
    const names = new Set(level.map(({ name }) => name));
    return level.flatMap(({ name, displayOptions = {}, options = [] }) => {
      const keys = Object.values(displayOptions).flatMap((rules: object) => Object.keys(rules));
      const own = keys.filter((key) => !/^[/@]/.test(key) && !names.has(key)).map((key) => `${place}${name}: ${key}`);
      const inner = options.flatMap((one) => ('values' in one ? [one.values] : 'type' in one ? [[one]] : []));
      const inside = options.every((one) => 'type' in one) ? [inner.flat()] : inner;
      return [...own, ...inside.flatMap((group) => wrong(group, `${place}${name} > `))];
    });
  };
  expect(wrong(description.properties, '')).toEqual([]);
});

test('keeps the description below 310 kB, because n8n sends it to every editor', () => {
  expect(Buffer.byteLength(JSON.stringify(description))).toBeLessThan(310_000);
});
