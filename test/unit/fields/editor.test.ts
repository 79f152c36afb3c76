import { NodeHelpers, type IDataObject, type INode, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { choice } from '../../../nodes/PaymentPlatform/fields/kinds/choice';
import { contact } from '../../../nodes/PaymentPlatform/fields/kinds/contact';
import { editorProperties } from '../../../nodes/PaymentPlatform/fields/editor';
import { group, section } from '../../../nodes/PaymentPlatform/fields/kinds/group';
import { nameValuePairs } from '../../../nodes/PaymentPlatform/fields/kinds/multiple-values';
import { readField } from '../../../nodes/PaymentPlatform/fields/read-field';
import { text } from '../../../nodes/PaymentPlatform/fields/kinds/text';
import type { Field, Problem } from '../../../nodes/PaymentPlatform/fields/types';
import { when } from '../../../nodes/PaymentPlatform/fields/kinds/when';
import { additionalFields } from '../../../nodes/PaymentPlatform/model/extra-fields';
import { operationParameters } from '../../../nodes/PaymentPlatform/panel/node-properties';
import { planItem } from '../../../nodes/PaymentPlatform/run/plan-item';
import type { Account } from '../../../nodes/PaymentPlatform/model/types';
import { resources } from '../../../nodes/PaymentPlatform/resources';
import { create } from '../../../nodes/PaymentPlatform/resources/invoice/create';
import { lineItems } from '../../../nodes/PaymentPlatform/resources/invoice/fields';
import * as wire from '../../../nodes/PaymentPlatform/wire/operations';
import { contextOf } from '../context';
import { operationOf } from '../requests';

const words = (name: string, more: object = {}) => text({ name, label: name, description: name, ...more });
const read = (field: Field, parameters: object) => {
  const problems: Problem[] = [];
  return { value: readField(field, parameters as IDataObject, problems, { timezone: 'utc' }), problems };
};

const kept = (properties: INodeProperties[], parameters: INodeParameters) =>
  NodeHelpers.getNodeParameters(properties, parameters, false, false, { typeVersion: 1 } as INode, null);

describe('the switch between fields and JSON in the editor', () => {
  const given = {
    line_items: { item: [{ description: 'Work', quantity: 2, unit_cost: 5 }] },
    line_itemsJson: '[{"description":"Plan"}]',
  };

  test("keeps a parameter of the same name while JSON is selected, so that the editor doesn't remove the fields", () => {
    const chosen = { ...given, line_itemsMode: 'json' };
    expect(kept(editorProperties(lineItems()), chosen)).toEqual(chosen);
    for (const line_itemsMode of ['fields', 'json'])
      expect(
        editorProperties(lineItems()).filter(
          (property) =>
            property.name === 'line_items' &&
            property.type !== 'hidden' &&
            NodeHelpers.displayParameter({ line_itemsMode }, property, { typeVersion: 1 }, null),
        ),
      ).toHaveLength(1);
  });

  test('shows either the fields or the JSON with an example', () => {
    const shown = (line_itemsMode: string) =>
      editorProperties(lineItems()).filter(
        (property) =>
          property.type !== 'notice' &&
          NodeHelpers.displayParameter({ line_itemsMode }, property, { typeVersion: 1 }, null),
      );
    expect(shown('fields').map(({ name }) => name)).toEqual(['line_itemsMode', 'line_items']);
    expect(shown('json').map(({ name }) => name)).toEqual(['line_itemsMode', 'line_itemsJson']);
    const [example = ''] = /\[.*\]/.exec(shown('json')[1]?.hint ?? '') ?? [];
    expect(read(lineItems(), { line_itemsMode: 'json', line_itemsJson: example }).problems).toEqual([]);
  });

  test("evaluates no expression of the mode that isn't selected", () => {
    const operation = operationOf({ fields: [lineItems()] });
    const failing = { line_items: { item: [{ description: '={{ fail }}' }] }, line_itemsJson: '={{ fail }}' };
    const of = (parameters: object) => {
      const context = contextOf({ ...failing, ...parameters });
      const asked: string[] = [];
      const getNodeParameter = (name: string) => {
        asked.push(name);
        return '';
      };
      planItem(Object.assign(context, { getNodeParameter }), operation, { merchantId: '1' } as Account, 0);
      return asked.filter((name) => name.startsWith('line_items'));
    };
    expect(of({ line_itemsMode: 'json' })).toEqual(['line_itemsJson']);
    expect(of({ line_itemsMode: 'fields' })).toEqual(['line_items']);
  });

  test('shows JSON examples that the field itself accepts', () => {
    const lists = resources.flatMap(({ operations }) =>
      operations.flatMap((operation) =>
        [...operation.fields, ...(operation.additional ?? [])].flatMap((field) => {
          const json = editorProperties(field).find(({ type }) => type === 'json');
          const [example] = /[[{].*[\]}]/.exec(json?.hint ?? '') ?? [];
          return json && example ? [{ field, name: json.name, example }] : [];
        }),
      ),
    );
    expect(lists.length).toBeGreaterThan(4);
    for (const { field, name, example } of lists) {
      const { problems } = read(field, { [name]: example, [name.replace(/Json$/, 'Mode')]: 'json' });
      expect({ name, example, problems }).toEqual({ name, example, problems: [] });
    }
  });
});

describe('a list in a collection', () => {
  const pairs = nameValuePairs({ name: 'echo_fields', label: 'Echo Fields', description: 'Names and values' });

  test('a list in a collection is one entry that contains the switch and opens when it is added', () => {
    const [collection] = editorProperties(section({ name: 'more', label: 'More', fields: [pairs] }));
    expect(collection?.options).toMatchObject([{ name: 'echo_fields', default: { given: {} } }]);
  });

  test('a list in a collection keeps the values of both modes', () => {
    const given = { echo_fieldsMode: 'json', echo_fieldsJson: '[]', echo_fields: { item: [{ name: 'a' }] } };
    expect(kept(editorProperties(pairs), { echo_fields: { given } })).toEqual({ echo_fields: { given } });
  });
});

describe('a choice in an object', () => {
  const kind = choice({
    name: 'kind',
    label: 'Kind',
    description: '',
    options: [
      { name: 'A', value: 'a' },
      { name: 'B', value: 'b' },
    ],
    place: 'node',
  });
  const object = group({
    name: 'object',
    label: 'Object',
    description: '',
    type: 'object',
    itemLabel: 'Object',
    open: true,
    fields: [
      kind,
      when(kind, ['a'], words('one'), { required: true }),
      when(kind, ['a'], words('other'), { except: true }),
    ],
  });
  const of = (item: object) => read(object, { object: { item } });

  test.each([
    [{ kind: 'a', one: '1', other: '2' }, { one: '1' }],
    [{ kind: 'b', one: '1', other: '2' }, { other: '2' }],
    [
      { one: '1', other: '2' },
      { one: '1', other: '2' },
    ],
  ])("a choice in an object decides which fields of %j are sent but isn't sent", (item, value) => {
    expect(of(item)).toEqual({ value, problems: [] });
  });

  test('a choice in an object requires the fields of the selected option', () => {
    expect(of({ kind: 'a' }).problems).toEqual([{ label: 'Object > one', found: 'nothing', allowed: 'is required' }]);
  });

  test("a choice in an object isn't a field of the interface", () => {
    expect(object.fields?.map(({ name }) => name)).toEqual(['one', 'other']);
  });
});

describe('the order of parameters', () => {
  const everyOperation = resources.flatMap(({ operations }) => operations);

  test('offers common fields first and technical fields last', () => {
    const fields = [words('technical', { technical: true }), words('b'), words('a')];
    const operation = operationOf({ additional: fields });
    expect(additionalFields(operation).map(({ name }) => name)).toEqual(['b', 'a', 'technical', 'extraBodyFields']);
    for (const one of everyOperation) {
      const technical = additionalFields(one).map((field) => field.technical === true);
      expect(technical).toEqual([...technical].sort((first, second) => Number(first) - Number(second)));
    }
  });

  test('gives each button in a panel a different label', () => {
    for (const operation of everyOperation) {
      const buttons = operationParameters(operation)
        .filter(({ type }) => type === 'collection' || type === 'fixedCollection')
        .map(({ placeholder }) => placeholder);
      expect(buttons).toEqual([...new Set(buttons)]);
    }
  });

  test('shows a contact email address initially and marks what the service requires', () => {
    const [property] = editorProperties(
      contact({
        ...wire.createInvoice.body.billing_contact,
        label: 'Billing Contact',
        description: 'Who receives it',
        needed: ['email_address'],
      }),
    );
    const [only] = property?.options ?? [];
    const open = only && 'values' in only ? only.values : [];
    expect(open.map(({ displayName }) => displayName)).toContain('Email (Required)');
    expect(open.map(({ name }) => name)).toContain('additionalFields');
  });

  test('shows the due date as a date and the description of a line before its quantity', () => {
    const parameters = operationParameters(create);
    const { options = [] } = parameters.find(({ name }) => name === 'additionalFields') ?? {};
    expect(options.find(({ name }) => name === 'date_due')).toMatchObject({ type: 'dateTime' });
    expect(lineItems().fields?.map(({ name }) => name)).toEqual(['description', 'quantity', 'unit_cost']);
  });
});
