import type { IDataObject, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import {
  bodyOf,
  describedOperations,
  propertiesOf,
  recordSchema,
  resolve,
} from '../../../interface/generate/interface-document';
import { readDocument, valueAt } from '../../../interface/document';
import { editorProperties } from '../../../nodes/PaymentPlatform/fields/editor';
import { readField } from '../../../nodes/PaymentPlatform/fields/read-field';
import type { Field, Problem } from '../../../nodes/PaymentPlatform/fields/types';
import { getAll as getInvoices } from '../../../nodes/PaymentPlatform/resources/invoice/get-all';
import { resources } from '../../../nodes/PaymentPlatform/resources';
import { FIELDS } from '../../../nodes/PaymentPlatform/wire/kinds-of-fields';
import { RECORD_FIELDS } from '../../../nodes/PaymentPlatform/wire/records';
import { getTransactions } from '../../../nodes/PaymentPlatform/resources/report/get-transactions';
import { cardTypes, requestTypes, transactionStatuses } from '../../../nodes/PaymentPlatform/resources/report/words';

const DATES = new Set([...FIELDS.day, ...FIELDS.instant, ...FIELDS.pacificInstant]);

const filters = getTransactions.fields.find(({ name }) => name === 'filter') as Field;
const read = (item: object, field = filters) => {
  const problems: Problem[] = [];
  const parameters = { filterMode: 'fields', filter: { item: [{ condition: 'IS', ...item }] } } as IDataObject;
  return { value: readField(field, parameters, problems, { timezone: 'utc' }), problems };
};

test.each([
  [{ field: 'tran_status', value: 'C' }, 'tran_status,IS,C'],
  [{ field: 'tran_status', value: 'captured' }, 'tran_status,IS,C'],
  [{ field: 'tran_status', value: 'v' }, 'tran_status,IS,v'],
  [{ field: 'tran_status', value: 'X' }, 'tran_status,IS,X'],
  [{ field: 'request_type', value: 'Refund' }, 'request_type,IS,refund'],
  [{ field: 'card_type', value: 'Visa' }, 'card_type,IS,VS'],
  [{ field: 'purchase_id', value: 'Captured' }, 'purchase_id,IS,Captured'],
  [{ field: 'comments', condition: 'GREATER_OR', value: 'Captured' }, 'comments,GREATER_OR,Captured'],
])('converts %j to the filter %s', (item, wanted) => expect(read(item)).toEqual({ value: [wanted], problems: [] }));

test('refuses a value with a vertical bar, selected or typed', () => {
  for (const field of ['tran_status', 'purchase_id'])
    expect(read({ field, value: 'C|S' }).problems).toMatchObject([{ allowed: 'must not contain a vertical bar (|)' }]);
});

describe('the choice Overdue of the invoice list', () => {
  const [days, list] = getInvoices.fields as [Field, Field];
  /** This time is 22:00 on March 30 in the time zone of the workflow. */
  beforeEach(() => void jest.useFakeTimers({ now: Date.parse('2026-03-31T02:00:00Z'), doNotFake: ['nextTick'] }));
  afterEach(() => void jest.useRealTimers());
  const readBoth = (parameters: object) => {
    const problems: Problem[] = [];
    const given = { filterMode: 'fields', dateFrom: '', dateTo: '', ...parameters } as IDataObject;
    const one = (field: Field) => readField(field, given, problems, { timezone: 'America/New_York' });
    return { days: one(days), sent: one(list), problems };
  };
  const overdue = { field: 'status', condition: 'IS', value: 'OVERDUE' };
  const item = (...filter: object[]) => ({ filter: { item: filter } });
  const zone = 'America/New_York';

  test('the choice Overdue selects outstanding invoices due before today', () => {
    const wanted = {
      days: { last: '2026-03-29', zone },
      sent: ['date_due,LESS,2026-03-31', 'status,IS,OUTSTANDING'],
      problems: [],
    };
    expect(readBoth(item(overdue))).toEqual(wanted);
    expect(readBoth(item({ ...overdue, value: 'Overdue' }))).toEqual(wanted);
    expect(readBoth({ filterMode: 'json', filterJson: JSON.stringify([overdue]) })).toEqual(wanted);
  });

  test('the choice Overdue keeps days that the user chose, up to yesterday', () => {
    const chosen = (dateFrom: string, dateTo: string) => readBoth({ ...item(overdue), dateFrom, dateTo }).days;
    expect(chosen('2026-03-01', '2026-03-15')).toEqual({ first: '2026-03-01', last: '2026-03-15', zone });
    expect(chosen('', '2026-04-15')).toEqual({ last: '2026-03-29', zone });
  });

  test('the choice Overdue requires the condition Is', () => {
    expect(readBoth(item({ ...overdue, condition: 'IS_NOT' })).problems).toMatchObject([
      { label: 'Filters 1 > Condition', allowed: 'must be "Is" for the value OVERDUE' },
    ]);
  });

  test('the choice Overdue leaves other filters and days unchanged', () => {
    const outstanding = { ...overdue, value: 'OUTSTANDING' };
    expect(readBoth(item(outstanding))).toEqual({ days: undefined, sent: ['status,IS,OUTSTANDING'], problems: [] });
  });
});

const lists = resources.flatMap(({ value, operations }) =>
  operations.flatMap(({ fields, value: name, request: { operationId } }) => {
    const field = fields.find((one) => one.name === 'filter');
    const amounts = amountsOf(operationId);
    return field && amounts.length > 0 ? [{ name: `${value}.${name}`, field, amounts }] : [];
  }),
);

test('the check covers lists of records with amounts', () => expect(lists.length).toBeGreaterThan(8));

test.each(lists)('accepts only plain numbers for amounts in the filters of $name', ({ field, amounts }) => {
  for (const name of amounts) {
    const compared = (value: string) => read({ field: name, value }, field).problems;
    expect([name, compared('1,000.00')]).toEqual([name, [expect.objectContaining({ label: 'Filters 1 > Value' })]]);
    expect([name, compared('12.345')]).toEqual([name, []]);
    expect([name, compared('1.000')]).toEqual([
      name,
      [expect.objectContaining({ allowed: 'has two possible meanings. Enter 1000 or 1.00' })],
    ]);
  }
  expect(read({ field: 'comments', value: '1,000.00' }, field).problems).toEqual([]);
});

test.each([
  ['tran_status', transactionStatuses],
  ['request_type', requestTypes],
  ['card_type', cardTypes],
])('describes all known values of %s in words', (name, words) => {
  const known = knownValues(name);
  expect(words.map(({ value }) => value).sort()).toEqual(Object.keys(known).sort());
});

function amountsOf(operationId = ''): string[] {
  const placed = describedOperations().find(({ operation }) => operation.operationId === operationId);
  const { schema } = bodyOf(placed?.operation.responses['200']);
  const fields = schema ? propertiesOf(recordSchema('platform', schema)) : {};
  return Object.entries(fields).flatMap(([name, own]) => (resolve(own)['x-amount'] ? [name] : []));
}

function knownValues(name: string): Record<string, string> {
  const at = `/components/schemas/TransactionRequestRecord/properties/${name}`;
  const schema = valueAt(readDocument(), at) as { $ref?: string; 'x-known-values'?: Record<string, string> };
  if (!schema.$ref) return schema['x-known-values'] ?? {};
  return (valueAt(readDocument(), schema.$ref.slice(1)) as typeof schema)['x-known-values'] ?? {};
}

const EXAMPLES: Record<string, string> = {
  customer_email: 'ana@example.com',
  payee_email: 'ana@example.com',
  batch_date: '2026-03-31',
  billing_month: '2026-03-01',
  post_date_actual: '2026-03-31',
  reason_code: '10.4',
  name: 'Route',
};

test('shows a possible value in the example of each list of filters', () => {
  const examples = resources.flatMap(({ operations }) =>
    operations.flatMap(({ fields }) => {
      const filter = fields.find((one) => one.name === 'filter');
      const properties = filter ? editorProperties(filter) : [];
      const given = properties.find(({ name, type }) => name === 'filter' && type === 'fixedCollection');
      const json = properties.find(({ type }) => type === 'json');
      if (!given || !json?.hint) return [];
      const [{ field, value }] = JSON.parse(json.hint.replace('Example: ', '')) as [{ field: string; value: string }];
      const [{ values }] = given.options as [INodePropertyCollection];
      const picked = values.find(({ displayOptions: { show } = {} }) => show?.field?.includes(field));
      const offered = (picked?.options as INodePropertyOptions[] | undefined)?.map((option) => option.value);
      return [{ field, value, offered: offered ?? [EXAMPLES[field]] }];
    }),
  );
  expect(examples.length).toBeGreaterThan(10);
  expect(examples.filter(({ value, offered }) => !offered.includes(value))).toEqual([]);
});

describe('a filter on a date', () => {
  const on = (value: unknown, more: object = {}) => read({ field: 'tran_time', condition: 'LESS', value, ...more });

  test.each([
    ...['2026-03-31', '2026-03-31T10:15:00Z', '2026-03-31 10:15:00', '2026-03-31T10:15:00.000-07:00', '20260331'],
    ...['20260331101500', ' 2026-03-31 '],
  ])('a filter on a date is sent as entered: %s', (value) => {
    expect(on(value)).toEqual({ value: [`tran_time,LESS,${value.trim()}`], problems: [] });
  });

  test.each([
    ['12/31/2026', 'must have the format yyyy-MM-dd. Did you mean 2026-12-31?'],
    ['31.12.2026', 'must have the format yyyy-MM-dd. Did you mean 2026-12-31?'],
    ['02/03/2026', 'has two possible meanings. Enter 2026-02-03 or 2026-03-02'],
    ['yesterday', 'must be a date, e.g. 2026-03-31'],
    ['2026-02-30', 'must be a date that exists. February 2026 has 28 days'],
    ['20260230', 'must be a date that exists. February 2026 has 28 days'],
    ['31/02/2026', 'must be a date that exists. February 2026 has 28 days'],
    ['2026-02-31T10:00:00Z', 'must be a date that exists. February 2026 has 28 days'],
    ['March 31, 2026', 'must be a date, e.g. 2026-03-31'],
    ['2026-13-31 10:15', 'must be a date, e.g. 2026-03-31'],
    ['10:15', 'must be a date, e.g. 2026-03-31'],
  ])('a filter on a date is refused before anything is sent: %s', (value, allowed) => {
    for (const condition of ['LESS', 'GREATER', 'IS', 'IS_NOT'])
      expect(on(value, { condition }).problems).toEqual([{ label: 'Filters 1 > Value', found: `"${value}"`, allowed }]);
  });

  test('a filter on a date accepts a part of a date only with Contains', () => {
    expect(on('2026-03', { condition: 'CONTAINS' }).problems).toEqual([]);
    expect(on('2026-03').problems).toHaveLength(1);
    expect(on('20261331101500').problems).toMatchObject([{ found: 'text of 14 digits' }]);
  });

  test.each(
    resources.flatMap(({ value, operations }) =>
      operations
        .filter(({ list }) => list !== undefined)
        .map((operation) => [`${value}.${operation.value}`, operation.request.operationId ?? ''] as const),
    ),
  )('a filter on a date is checked in the list of %s', (_, operationId) => {
    const operation = resources
      .flatMap(({ operations }) => operations)
      .find(({ request }) => request.operationId === operationId);
    const field = operation?.fields.find(({ name }) => name === 'filter');
    const dates = (RECORD_FIELDS[operationId] ?? []).filter((name) => DATES.has(name));
    for (const name of field ? dates : []) {
      const { problems } = read({ field: name, condition: 'GREATER', value: '31.12.2026' }, field);
      expect(problems).toMatchObject([{ label: 'Filters 1 > Value' }]);
    }
  });
});
