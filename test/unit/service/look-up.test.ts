import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Answer, Failure } from '../../../nodes/PaymentPlatform/model/failure';
import type { Account, Look } from '../../../nodes/PaymentPlatform/model/types';
import { couldNotLook, isTemporary, lookUp, notWhole } from '../../../nodes/PaymentPlatform/service/look-up';

const account = { baseUrl: 'http://127.0.0.1:1' } as Account;
const path = '/platform/plan';

async function look(wanted: Partial<Look>, ...replies: Array<{ status?: number; body: IDataObject | string }>) {
  const sent: IDataObject[] = [];
  const answers: Answer[] = [];
  const context = {
    helpers: {
      httpRequestWithAuthentication: async (
        _: string,
        { method, url, qs }: { method: string; url: string; qs: IDataObject },
      ) => {
        sent.push({ method, path: new URL(url).pathname, qs });
        const { status = 200, body = {} } = replies[Math.min(sent.length, replies.length) - 1] ?? {};
        const text = typeof body === 'string' ? body : JSON.stringify(body);
        return await Promise.resolve({ statusCode: status, headers: {}, body: text });
      },
    },
  } as unknown as IExecuteFunctions;
  const answered = (answer: Answer) => answers.push(answer);
  const found = await lookUp(
    { context, account, options: { timeoutMs: 1 }, answered },
    { path, family: 'platform', ...wanted },
  );
  return { found, sent, answers };
}

const ok = (data: unknown, totals: IDataObject = {}) => ({
  body: { code: 0, message: 'm', data, ...totals } as IDataObject,
});
const missing = { status: 404, body: { code: 99, message: 'No record' } };

describe('a look-up', () => {
  test('reads one record with the given query', async () => {
    const { found, sent, answers } = await look({ query: { filter: ['a,IS,b'] } }, ok({ id: 1 }));
    expect(found).toEqual({ records: [{ id: 1 }] });
    expect(sent).toEqual([{ method: 'GET', path, qs: { filter: ['a,IS,b'] } }]);
    expect(answers).toMatchObject([{ ok: true, record: { id: 1 } }]);
  });

  test.each<[unknown, unknown]>([
    ['8', '7'],
    [8, '007'],
    [{ id: '7' }, '7'],
  ])('is unreadable if a record has the ID %j instead of %j', async (id, asked) => {
    for (const wanted of [{}, { list: { identity: 'name' } }]) {
      const records = [{ name: 'a' }, { id, name: 'b' }] as IDataObject[];
      const { found } = await look({ ...wanted, ids: { id: asked } as IDataObject }, ok(records));
      expect(found).toMatchObject({
        ok: false,
        failure: { outcome: 'unknown', message: expect.stringContaining('another id') as string },
      });
    }
  });

  test.each<[unknown, unknown]>([
    [' a7 ', 'A7'],
    [7, '007'],
    [undefined, '7'],
    ['', '7'],
  ])('reads a record with the ID %j if %j is requested', async (id, asked) => {
    const { found } = await look({ ids: { id: asked } as IDataObject }, ok({ id, name: 'b' }));
    expect(found).toHaveProperty('records');
  });

  test('reads all pages of a list', async () => {
    const page = (from: number, count: number) =>
      ok(
        Array.from({ length: count }, (_, index) => ({ id: from + index })),
        { totalPages: 2, totalRecords: 150 },
      );
    const { found, sent, answers } = await look(
      { query: { filter: ['a,IS,b'] }, list: { identity: 'id' } },
      page(0, 100),
      page(100, 50),
      page(99, 3),
    );
    expect('records' in found && found.records).toHaveLength(150);
    expect(found).not.toHaveProperty('note');
    expect(sent.map(({ qs }) => qs)).toEqual([
      { filter: ['a,IS,b'], count: 100, page: 0 },
      { filter: ['a,IS,b'], count: 100, page: 1 },
      { filter: ['a,IS,b'], count: 3, page: 33 },
    ]);
    expect(answers).toHaveLength(3);
  });

  test('returns a record only once if it moves to the next page during the look-up', async () => {
    const page = (from: number, count: number) =>
      ok(
        Array.from({ length: count }, (_, index) => ({ id: from + index })),
        { totalPages: 2, totalRecords: 150 },
      );
    const { found } = await look({ list: { identity: 'id' } }, page(0, 100), page(99, 51));
    expect('records' in found && found.records.map(({ id }) => id)).toEqual(Array.from({ length: 150 }, (_, id) => id));
  });

  test.each([
    ['of a list', { list: { identity: 'id' } }],
    ['of a single path', { identity: 'id' }],
  ])('a look-up fails if a record %s has no ID', async (_, wanted) => {
    for (const data of [[{ id: 1 }, { name: 'a' }], { name: 'a' }]) {
      const { found } = await look(wanted, ok(data));
      expect(found).toMatchObject({ ok: false, failure: { message: expect.stringContaining('without id') as string } });
    }
    expect((await look(wanted, ok([{ id: 1 }]))).found).toMatchObject({ records: [{ id: 1 }] });
  });

  test('a look-up fails if the response contains two records in one', async () => {
    const twice = { body: '{"code":0,"message":"m","data":{"id":1},"data":{"id":2}}' };
    expect((await look({}, twice)).found).toMatchObject({ ok: false, failure: { outcome: 'unknown' } });
  });

  test('a look-up needs no listener for responses', async () => {
    const httpRequestWithAuthentication = async () =>
      await Promise.resolve({ statusCode: 200, headers: {}, body: JSON.stringify(ok({ id: 1 }).body) });
    const context = { helpers: { httpRequestWithAuthentication } } as unknown as IExecuteFunctions;
    const looking = { context, account, options: { timeoutMs: 1 } };
    expect(await lookUp(looking, { path, family: 'platform' })).toEqual({ records: [{ id: 1 }] });
  });

  test('a look-up returns a failure and does not repeat the request', async () => {
    const { found, sent, answers } = await look({}, { status: 500, body: {} });
    expect(found).toMatchObject({ ok: false, failure: { httpStatus: 500 } });
    expect(sent).toHaveLength(1);
    expect(answers).toHaveLength(1);
  });

  test('finds no record if the failure says that the record does not exist', async () => {
    const absent = ({ httpStatus }: Failure) => httpStatus === 404;
    expect((await look({ absent }, missing)).found).toEqual({ records: [] });
    expect((await look({ absent }, { status: 500, body: {} })).found).toMatchObject({ ok: false });
    expect((await look({}, missing)).found).toMatchObject({ ok: false, failure: { httpStatus: 404 } });
  });
});

test.each<[string, Parameters<typeof isTemporary>[0], boolean]>([
  ['did not run', undefined, false],
  ['found records', { records: [] }, false],
  ['did not reach the service', { ok: false, failure: { outcome: 'notSent', message: '', advice: '' } }, true],
  [
    'met an error of the service',
    { ok: false, failure: { outcome: 'unknown', httpStatus: 500, message: '', advice: '' } },
    true,
  ],
  ['was declined', { ok: false, failure: { outcome: 'declined', message: '', advice: '' } }, false],
])('another look-up can succeed after a look-up that %s: %3$s', (_, found, expected) =>
  expect(isTemporary(found)).toBe(expected),
);

test('a list that was read in part leaves the outcome unknown', () => {
  expect(notWhole('The list is longer.')).toEqual({ outcome: 'unknown', message: 'The list is longer.', advice: '' });
});

describe('an item whose look-up failed', () => {
  const failure: Failure = {
    outcome: 'notSent',
    message: 'No connection',
    advice: '',
    said: 'Too many requests (code 99)',
    httpStatus: 429,
    retryAfterMs: 3000,
  };

  test('an item whose look-up failed was not sent and can run again', () => {
    expect(couldNotLook('The node could not read the plan', failure)).toEqual({
      outcome: 'notSent',
      message: 'The node could not read the plan: No connection',
      advice: expect.any(String) as string,
      said: 'Too many requests (code 99)',
      httpStatus: 429,
      retryAfterMs: 3000,
    });
  });

  test('the advice for an item whose look-up failed is to run the item again', async () => {
    const { found } = await look({}, { status: 500, body: { code: 99, message: 'Service failure' } });
    const { advice } = couldNotLook('The node could not read the plan', 'failure' in found ? found.failure : failure);
    expect(advice).toContain('Run this item again.');
    expect(advice).not.toContain('look up');
  });

  test('an item is invalid if its look-up would fail again', () => {
    const refused: Failure = { outcome: 'declined', message: 'Not allowed', advice: 'Ask an administrator.' };
    expect(couldNotLook('The node could not read the plan', refused)).toMatchObject({
      outcome: 'invalid',
      advice: 'Ask an administrator.',
    });
  });
});
