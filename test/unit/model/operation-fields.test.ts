import { section } from '../../../nodes/PaymentPlatform/fields/kinds/group';
import { text } from '../../../nodes/PaymentPlatform/fields/kinds/text';
import type { Problem } from '../../../nodes/PaymentPlatform/fields/types';
import {
  declaredFields,
  fillPath,
  inRecord,
  listsRecords,
  recordName,
  referencesOf,
  sentReferences,
  takesMany,
} from '../../../nodes/PaymentPlatform/model/operation';
import type { Operation, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { operationOf } from '../requests';

const word = (name: string, more: { record?: string; parameter?: string } = {}) =>
  text({ name, label: `Label of ${name}`, description: name, ...more });

type Sent = Partial<Record<'path' | 'body', object>>;
const requestOf = (sent: Sent, asked?: Sent, fields = [word('pgIdOrig', { record: 'pg_id' })]) => {
  const valuesOf = ({ path, body }: Sent) => ({ path: { ...path }, query: {}, body: { ...body }, node: {} });
  const request = { operation: operationOf({ fields }), values: valuesOf(sent) };
  const original = asked && { ...request, values: valuesOf(asked) };
  return { ...request, ...(original && { decided: { asked: original } }) } as unknown as PlannedRequest;
};

const reading = (declared: Partial<Operation['request']>, more: Partial<Operation> = {}) =>
  operationOf({
    request: { method: 'GET', path: '/pg/report', family: 'gateway', effect: 'reads', ...declared },
    ...more,
  });

test.each<[string, Operation, boolean]>([
  ['a declared list', reading({}, { list: {} as NonNullable<Operation['list']> }), true],
  ['a list in a field of the response', reading({ records: 'data' }), true],
  ['a list as the response', reading({ lists: true }), true],
  ['one record', reading({}), false],
  ['one record and its versions', reading({ lists: true }, { value: 'get' }), false],
  ['the records that a write returns', reading({ lists: true, effect: 'writesOnce' }), false],
])('an operation can return a file only of a list that it reads: %s', (_, operation, lists) => {
  expect(listsRecords(operation)).toBe(lists);
});

test('the fields of an operation include its additional fields and the fields of sections', () => {
  const [main, more, inside] = [word('main'), word('more'), word('inside')];
  const inSection = section({ name: 'section', label: 'Section', fields: [inside] });
  expect(declaredFields({ fields: [main], additional: [more, inSection] })).toEqual([main, more, inside]);
  expect(declaredFields({ fields: [main] })).toEqual([main]);
});

test('several items share a request only if a field declares how many of its values a request can contain', () => {
  const single = word('single');
  const many = { ...word('many'), perRequest: 100 };
  expect(takesMany(operationOf({ fields: [single, many] }))).toBe(true);
  expect(takesMany(operationOf({ fields: [single] }))).toBe(false);
  expect(takesMany(operationOf({}))).toBe(false);
});

test("a field has the name of the record's field, of its parameter or its own, in this order", () => {
  expect(recordName(word('name'))).toBe('name');
  expect(recordName(word('name', { parameter: 'parameter' }))).toBe('parameter');
  expect(recordName(word('name', { parameter: 'parameter', record: 'record' }))).toBe('record');
});

describe('the path of a request', () => {
  const fields = [word('payee_id'), word('plan_code')];
  const fill = (values: object) => {
    const problems: Problem[] = [];
    return { path: fillPath('/payee/{payee_id}/plan/{plan_code}', { ...values }, fields, problems), problems };
  };

  test('a path contains the values of its fields', () => {
    expect(fill({ payee_id: 7, plan_code: 'GOLD_1-a' })).toEqual({ path: '/payee/7/plan/GOLD_1-a', problems: [] });
  });

  test.each(['../1', '1/x', '/1', 'a b', '%2e', '1?x=2', '1#', 'é', ''])(
    'a value that could lead to another path is omitted and reported under its label: %p',
    (plan_code) => {
      const { path, problems } = fill({ payee_id: '7', plan_code });
      expect(path).toBe('/payee/7/plan/');
      expect(problems).toEqual([
        {
          label: 'Label of plan_code',
          found: plan_code === '' ? 'nothing' : `"${plan_code}"`,
          allowed: 'must contain only letters, digits, dashes and underscores',
        },
      ]);
    },
  );

  test('a missing value is not reported twice, because the check of required fields reports it', () => {
    expect(fill({ payee_id: '7' })).toEqual({ path: '/payee/7/plan/', problems: [] });
  });

  test('a value without a declared field is reported under its own name', () => {
    const problems: Problem[] = [];
    fillPath('/payee/{payee_id}', { payee_id: '.' }, [], problems);
    expect(problems).toMatchObject([{ label: 'payee_id' }]);
  });
});

describe('the references of a request', () => {
  test('the references of a request are the values that help to find its record, as text', () => {
    const request = requestOf({
      path: { pgIdOrig: '12' },
      body: { amt_tran: 12.5, purchase_id: 'ORDER-1', card_number: '4111111111111111', customer_name: 'Ada' },
    });
    expect(sentReferences(request)).toEqual({ pgIdOrig: '12', amt_tran: '12.5', purchase_id: 'ORDER-1' });
  });

  test('missing values, lists and objects are no references', () => {
    const body = { label: null, invoice_id: undefined, event: ['a'], id: { a: 1 }, card_id: '' };
    expect(sentReferences(requestOf({ body }))).toEqual({ card_id: '' });
  });

  test('a reference never contains a card number', () => {
    const { purchase_id, pg_id } = sentReferences(
      requestOf({ body: { purchase_id: 'card 4111111111111111', pg_id: '411111111111111111' } }),
    );
    expect(purchase_id).not.toContain('4111111111111111');
    expect(pg_id).toBe('411111111111111111');
  });

  test("the sent values take precedence over the item's own values, which a step may not send", () => {
    const sent = { path: { payee_id: 'new' }, body: { label: 'new', plan_id: '4' } };
    const asked = { path: { pgId: '3', payee_id: 'old' }, body: { label: 'old', plan_code: 'GOLD' } };
    expect(sentReferences(requestOf(sent, asked))).toEqual({
      pgId: '3',
      payee_id: 'new',
      label: 'new',
      plan_code: 'GOLD',
      plan_id: '4',
    });
  });

  test("references in a message have the names of the record's fields", () => {
    const request = requestOf({ path: { pgIdOrig: '12' }, body: { amt_tran: 5 } });
    expect(referencesOf(request)).toEqual({ pg_id: '12', amt_tran: '5' });
    expect(inRecord(request, { pgIdOrig: 1, other: 2 })).toEqual({ pg_id: 1, other: 2 });
  });
});
