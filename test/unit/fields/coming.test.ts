import type { IDataObject } from 'n8n-workflow';

import { readFields } from '../../../nodes/PaymentPlatform/fields/read-field';
import type { FileFacts, Problem, ReadContext } from '../../../nodes/PaymentPlatform/fields/types';
import { declaredFields } from '../../../nodes/PaymentPlatform/model/operation';
import { operationParameters } from '../../../nodes/PaymentPlatform/panel/node-properties';
import { makeReference } from '../../../nodes/PaymentPlatform/once/make-reference';
import { endRound } from '../../../nodes/PaymentPlatform/n8n/lineage';
import { planItem } from '../../../nodes/PaymentPlatform/run/plan-item';
import type { Account, Operation } from '../../../nodes/PaymentPlatform/model/types';
import { respond } from '../../../nodes/PaymentPlatform/resources/dispute/respond';
import { getFees } from '../../../nodes/PaymentPlatform/resources/report/get-fees';
import { customerUpdate, subscriptionUpdate } from './coming/others';
import { sale } from './coming/sale';
import { contextOf } from '../context';

const read = ({ fields }: Operation, parameters: object, more: Partial<ReadContext> = {}) => {
  const problems: Problem[] = [];
  const value = readFields(fields, parameters as IDataObject, problems, { timezone: 'utc', ...more });
  return problems.length > 0 ? problems.map(({ label, found, allowed }) => `${label}: ${found}; ${allowed}`) : value;
};

describe('a sale with 53 fields in sections', () => {
  const names = declaredFields(sale).map(({ name }) => name);

  test('a sale with 53 fields in sections contains every field once and shows only a few of them at first', () => {
    expect([new Set(names).size, names.length]).toEqual([53, 53]);
    const open = operationParameters(sale);
    expect(open.length).toBeLessThan(16);
    expect(open.filter(({ type }) => type === 'collection')).toHaveLength(9);
  });

  test('a sale with 53 fields in sections sends the fields of all sections at the same level', () => {
    const parameters = {
      amt_tran: 12.5,
      card: { card_number: '4111111111111111', exp_date: '1230' },
      address: { avs_zip: '97477' },
      amounts: { amt_tax: '1.25' },
      additionalFields: { auth_code: 'A1' },
    };
    const planned = planItem(withRun(parameters), sale, { merchantId: '1' } as Account, 0);
    expect(planned).toMatchObject({
      request: {
        values: {
          body: {
            amt_tran: 12.5,
            card_number: '4111111111111111',
            exp_date: '1230',
            avs_zip: '97477',
            amt_tax: 1.25,
            auth_code: 'A1',
          },
          node: {},
        },
      },
    });
  });

  test('a sale with 53 fields in sections refuses a section whose expression returns another type', () => {
    expect(read(sale, { card: 'x' })).toEqual(['Card: a value of 1 characters; must be an object']);
  });
});

const withRun = (parameters: object, kept: object = {}, runIndex = 0) =>
  Object.assign(contextOf({ ...parameters }), {
    getContext: () => kept,
    evaluateExpression: () => runIndex,
  });

describe('a generated reference', () => {
  const kept = {};
  const of = (parameters: object, item: number, context = kept, runIndex = 0) => {
    const planned = planItem(withRun(parameters, context, runIndex), sale, { merchantId: '1' } as Account, item);
    return 'request' in planned ? planned.request.values.body.purchase_id : planned;
  };

  test('a generated reference is the same in every attempt of an item and differs for other items, runs and executions', () => {
    const first = of({}, 0);
    expect(first).toMatch(/^[A-F0-9]{20}$/);
    expect(of({}, 0)).toBe(first);
    // n8n stores the context as JSON and passes it to a retry of the execution.
    expect(of({}, 0, JSON.parse(JSON.stringify(kept)) as object)).toBe(first);
    const others = [of({}, 1), of({}, 0, {})];
    endRound(withRun({}, kept));
    expect(new Set([first, ...others, of({}, 0, kept, 1)]).size).toBe(4);
  });

  test('equal items of two executions that began in the same millisecond get different references, also in a retry', () => {
    const started = { establishedAt: 1_790_000_000_000, triggerNode: { name: 'Form', type: 'form' } };
    const attempt = (id: string, own: object, mode = 'trigger') =>
      makeReference(
        Object.assign(withRun({}, own), {
          getExecutionId: () => id,
          getExecutionContext: () => started,
          getMode: () => mode,
        }),
        0,
      );
    const [one, other] = [{}, {}];
    const references = [attempt('71', one), attempt('72', other)];
    expect(new Set(references).size).toBe(2);
    expect([attempt('71', one), attempt('72', other)]).toEqual(references);
    expect([attempt('73', one, 'retry'), attempt('74', other, 'retry')]).toEqual(references);
    // If n8n is killed, a retry of the execution starts with an empty context.
    expect(attempt('75', {}, 'retry')).toBe(references[0]);
  });

  test("a generated reference is replaced by the user's own reference", () =>
    expect(of({ purchase_id: 'ORDER-1' }, 0)).toBe('ORDER-1'));

  test('no generated reference is stored if all items have a reference', () => {
    const context = {};
    of({ purchase_id: 'ORDER-1' }, 0, context);
    expect(context).toEqual({});
    makeReference(withRun({}, context), 0);
    expect(Object.keys(context)).toContain('paymentPlatformReferences');
  });
});

describe('updating a customer', () => {
  test('untouched switch and text fields send nothing', () => {
    expect(read(customerUpdate, { verify: '' })).toEqual({});
    expect(read(customerUpdate, { verify: '', comments: '' })).toEqual({});
  });

  test('sends a switch that was set to on or off', () => {
    expect(read(customerUpdate, { verify: false })).toEqual({ verify: false });
    expect(read(customerUpdate, { verify: 'true' })).toEqual({ verify: true });
  });
});

test('returns a subscription to the primary card only if the user chose it', () => {
  expect(read(subscriptionUpdate, { cardToCharge: 'primary', card_id: 'c1' })).toEqual({ card_id: '' });
  expect(read(subscriptionUpdate, { cardToCharge: 'saved', card_id: 'c1' })).toEqual({ card_id: 'c1' });
  expect(read(subscriptionUpdate, { cardToCharge: 'keep', card_id: 'c1' })).toEqual({});
  expect(read(subscriptionUpdate, { cardToCharge: 'keep', card_id: '' })).toEqual({});
});

describe('responding to a dispute', () => {
  const pdf: FileFacts = {
    fileName: 'a.pdf',
    mimeType: 'application/pdf',
    bytes: 3,
    start: '%PDF-1.7',
    sha256: 'c0ffee',
  };
  const answer = (facts?: FileFacts | 'unreadable') =>
    read(
      respond,
      { rec_id: '1', file: 'data', dispute_response: { message: 'Delivered', tran_date: '2026-03-31' } },
      { file: (property) => (property === 'data' ? facts : undefined) },
    );

  test('sends a file with its hash and a JSON text', () => {
    expect(answer(pdf)).toEqual({
      recId: '1',
      file: { property: 'data', ...pdf, start: undefined },
      disputeResponse: '{"message":"Delivered","tran_date":"2026-03-31T00:00:00.000Z"}',
    });
  });

  test.each([
    ['is not there', undefined, 'Evidence File: "data"; must be the name of a binary property that contains a file'],
    [
      'only claims to be a PDF',
      { ...pdf, start: 'GIF89a' },
      'Evidence File: a file whose content is not PDF; must be a PDF file',
    ],
    ['is no PDF', { ...pdf, mimeType: 'image/png' }, 'Evidence File: a file of the type image/png; must be a PDF file'],
    [
      'is too large',
      { ...pdf, bytes: 10 * 1024 * 1024 + 1 },
      'Evidence File: 10485761 bytes; must be a file of at most 10 MB',
    ],
    [
      'can not be read',
      'unreadable' as const,
      'Evidence File: a file that n8n no longer stores; must be a readable file',
    ],
    ['is empty', { ...pdf, bytes: 0 }, 'Evidence File: an empty file; must not be an empty file'],
  ])('refuses a file that %s before anything is sent', (_, facts, sentence) => {
    expect(answer(facts)).toEqual([sentence]);
  });
});

describe('a report by month', () => {
  const dateFrom = { first: '2026-03-01', last: '2026-03-31', zone: 'utc' };
  const march = ['billing_month,GREATER,2026-02-27', 'billing_month,LESS,2026-04-02'];

  test.each(['2026-03', '03/2026', '2026-03-15', new Date('2026-03-31T12:00:00Z')])('accepts the month %p', (month) => {
    expect(read(getFees, { month })).toEqual({ filter: march, dateFrom });
  });

  test.each(['2026-03-01', '2026-03-15', '2026-03-31'])('includes the month of the first day %s', (first) => {
    expect(read(getFees, { dateFrom: first, dateTo: '2026-03-31' })).toEqual({ filter: march, dateFrom });
  });

  test("refuses a missing month and values that aren't a month", () => {
    expect(read(getFees, { period: 'month', month: '' })).toEqual(['Month: nothing; is required']);
    expect(read(getFees, { period: 'month', month: '2026-13' })).toEqual([
      'Month: "2026-13"; must be a month, e.g. 2026-03, or a date, e.g. 2026-03-31',
    ]);
  });
});
