import type { Operation, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import type { Field } from '../../../nodes/PaymentPlatform/fields/types';
import { reading, requestOf, runOf, type Setting } from '../fake-run';
import { pageOf, type Asked } from '../fake-service';

describe('a request that reads', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());
  const list = { list: { fields: [], identity: 'id' }, limit: undefined };
  const page = (from: number, length: number) => Array.from({ length }, (_, at) => ({ id: String(from + at) }));

  test("a request that reads is repeated after a temporary failure and isn't remembered", async () => {
    const { asked, log, process } = runOf({
      reply: (_, number) => (number === 1 ? { status: 500, data: {} } : { data: { id: '1' } }),
    });
    const result = process(reading());
    await jest.advanceTimersByTimeAsync(5000);
    expect(await result).toMatchObject({ kind: 'done', records: [{ id: '1' }] });
    expect(asked).toHaveLength(2);
    expect(log).not.toContain('memory enters');
    expect(log).not.toContain('database notes');
  });

  test('a request that reads returns no record for an empty list, and a record for an empty object', async () => {
    const request = reading();
    const result = await runOf({ reply: () => ({ data: [] }) }).process(request);
    expect(result).toEqual({ items: request.items, kind: 'done', records: [], list: {} });
    const other = await runOf({ reply: () => ({ data: {} }) }).process(reading());
    expect(other.kind === 'done' && other.records).toHaveLength(1);
    const filled = await runOf({ reply: () => ({ data: [{ id: '1' }] }) }).process(reading());
    expect(filled.kind === 'done' && filled.records).not.toEqual([]);
  });

  test('a request that reads fails if a field with a list contains anything else', async () => {
    const operation = { request: { records: 'cards' } } as Partial<Operation>;
    const request = requestOf({ effect: 'reads', method: 'GET' }, operation);
    const answered = async (cards: unknown) => await runOf({ reply: () => ({ data: { cards } }) }).process(request);
    for (const unreadable of ['x', [null], { id: '1' }])
      expect(await answered(unreadable)).toMatchObject({
        kind: 'failed',
        items: [0],
        failure: { message: expect.stringMatching(/^The node could not read the response/) as string },
      });
    expect(await answered([{ id: '1' }])).toMatchObject({ kind: 'done' });
  });

  test('a read marks records as a list only if there are several', async () => {
    const markOf = async (data: object[]) => {
      const result = await runOf({ reply: () => ({ data }) }).process(reading());
      return result.kind === 'done' ? result.list : undefined;
    };
    expect(await markOf([{ id: '1' }, { id: '2' }])).toEqual({});
    expect(await markOf([{ id: '1' }])).toBeUndefined();
  });

  test('a request that reads returns the records of all pages and a notice about missing records', async () => {
    const reply = ({ query }: Asked) => ({
      data: query.page === 0 ? page(0, 100) : page(100, 5),
      totalPages: 2,
      totalRecords: 106,
    });
    const values = { path: {}, query: { filter: ['a,IS,b'] }, body: {}, node: {} };
    const { asked, process } = runOf({ reply });
    const result = await process(reading({ ...list, values }));
    expect(result).toMatchObject({
      kind: 'done',
      list: { total: 106 },
      note: expect.stringContaining('announced 106 records') as string,
    });
    expect(result.kind === 'done' && result.records).toHaveLength(105);
    expect(asked[0]?.query).toMatchObject({ filter: ['a,IS,b'], count: 100, page: 0 });
  });

  test('a request that reads names the secrets that its records lack', async () => {
    const additional = [{ name: 'showAccountNumbers', label: 'Show' }] as unknown as Field[];
    const read = async (showAccountNumbers: boolean) => {
      const { process } = runOf({
        reply: () => ({ data: [{ id: '1', secret: 'S' }], totalPages: 1, totalRecords: 1 }),
      });
      const values = { path: {}, query: {}, body: {}, node: { showAccountNumbers } };
      return await process(requestOf({ ...list, effect: 'reads', method: 'GET', values }, { additional }));
    };
    expect(await read(false)).toMatchObject({ records: [{ id: '1' }], withoutSecrets: ['secret'] });
    expect(await read(true)).not.toHaveProperty('withoutSecrets');
  });

  test('a request that reads returns the requested number of records', async () => {
    const { process } = runOf({ reply: () => ({ data: page(0, 3), totalPages: 1, totalRecords: 3 }) });
    const result = await process(reading({ ...list, limit: 2 }));
    expect(result.kind === 'done' && result.records.map(({ id }) => id)).toEqual(['0', '1']);
  });

  test("a request that reads fails if a page of the list can't be read", async () => {
    const { process } = runOf({ reply: () => ({ status: 403, data: {} }) });
    expect(await process(reading(list))).toMatchObject({ items: [0], kind: 'failed', failure: { httpStatus: 403 } });
  });

  test('a request that reads stops asking for pages after a page failed', async () => {
    const reply = ({ query }: Asked) =>
      query.page === 0 ? { data: page(0, 100), totalPages: 5 } : { status: 403, data: {} };
    const { asked, process } = runOf({ reply });
    expect(await process(reading(list))).toMatchObject({ kind: 'failed', failure: { httpStatus: 403 } });
    expect(asked.map(({ query }) => query.page)).not.toContain(4);
  });

  test("a failed read states the service's response or an internal error", async () => {
    const { process } = runOf({ reply: () => ({ status: 403, data: {} }) });
    expect(await process(reading({ items: [6] }))).toMatchObject({
      items: [6],
      kind: 'failed',
      failure: { httpStatus: 403 },
    });
    const broken = runOf();
    broken.shared.gate.waitUntilUnblocked = async () => await Promise.reject(new Error('broken'));
    expect(await broken.process(reading({ items: [6] }))).toMatchObject({
      items: [6],
      kind: 'failed',
      failure: { message: 'The node could not process the response' },
    });
  });

  test.each([[{}], [list]])('a request that reads is not started after the gate closed: %j', async (more) => {
    const { shared, asked, process } = runOf();
    shared.gate.close('The service is busy');
    expect(await process(reading(more))).toEqual({ items: [0], kind: 'notStarted', reason: 'The service is busy' });
    expect(asked).toEqual([]);
  });

  test.each([
    ['a new record moved a record to the second page', page(-1, 105), undefined],
    ['a removed record moved a record to the first page', page(1, 104), 'The list changed while the node read it'],
  ])('a request that reads returns no record twice, and states that one may be missing: %s', async (_, now, note) => {
    const reply = ({ query }: Asked) => ({
      data: query.count === 100 && query.page === 0 ? page(0, 100) : pageOf(now, query),
      totalPages: 2,
    });
    const { process } = runOf({ reply });
    const result = await process(reading(list));
    const ids = result.kind === 'done' ? result.records.map(({ id }) => id) : [];
    expect(result).toMatchObject({ note: note && (expect.stringContaining(note) as string) });
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.includes('100')).toBe(note === undefined);
  });

  test('a request that reads does not end the run if only the check for changes of its list fails', async () => {
    const reply = ({ query }: Asked) =>
      Number(query.count) < 100
        ? { status: 403, data: {} }
        : { data: query.page === 0 ? page(0, 100) : page(100, 5), totalPages: 2 };
    const { shared, process } = runOf({ goOn: false, reply });
    expect(await process(reading(list))).toMatchObject({
      kind: 'done',
      note: expect.stringContaining('could not check whether the list changed') as string,
    });
    expect(() => shared.gate.assertOpen()).not.toThrow();
  });

  test.each([[{}], [list]])('a request that reads ends a run that stops at the first failure: %j', async (more) => {
    const { process, asked } = runOf({ goOn: false, reply: () => ({ status: 403, data: {} }) });
    const results = await Promise.all([reading(more), reading({ ...more, items: [1] })].map(process));
    expect(results.map(({ kind }) => kind)).toEqual(['failed', 'notStarted']);
    expect(asked).toHaveLength(1);
  });

  describe('a request that reads a list of days', () => {
    const ofDays = () =>
      reading({
        list: { fields: [], identity: 'id', day: ['date_due'] },
        values: {
          path: {},
          query: { filter: ['date_due,LESS,2026-02-02', 'name,IS,a'] },
          body: {},
          node: { dateFrom: { first: '2026-01-01', last: '2026-01-31', zone: 'America/New_York' } },
        },
      });

    test('a list of days is read without the last day if the service refuses that filter', async () => {
      const records = [
        { id: '1', date_due: '2026-01-05' },
        { id: '2', date_due: '2026-03-05' },
      ];
      const { asked, process, shared } = runOf({
        goOn: false,
        reply: ({ query }) =>
          JSON.stringify(query.filter).includes('LESS') ? { status: 400, code: 2, data: {} } : { data: records },
      });
      const request = ofDays();
      const result = await process(request);
      expect(asked.map(({ query }) => query.filter)).toEqual([request.values.query.filter, ['name,IS,a']]);
      expect(result.kind === 'done' && result.records.map(({ id }) => id)).toEqual(['1']);
      expect(() => shared.gate.assertOpen()).not.toThrow();
    });

    test('an empty list of days states the days', async () => {
      const noteOf = async (data: object[]) => {
        const result = await runOf({ reply: () => ({ data, totalPages: 1, totalRecords: data.length }) }).process(
          ofDays(),
        );
        return result.kind === 'done' ? result.note : result;
      };
      expect(await noteOf([])).toMatch(/^1 to 31 January 2026, Eastern time: 0 /);
      expect(await noteOf([{ id: '1', date_due: '2026-01-05' }])).toBeUndefined();
    });

    test('a list of days fails if the service also refuses the list without the last day', async () => {
      const { asked, process } = runOf({ reply: () => ({ status: 400, code: 2, data: {} }) });
      expect(await process(ofDays())).toMatchObject({ kind: 'failed', failure: { httpStatus: 400 } });
      expect(asked).toHaveLength(2);
    });
  });

  describe('a request that reads into a file', () => {
    const file = {
      format: 'ndjson',
      property: 'data',
      addBom: false,
      hasLabels: false,
      escapesFormulas: true,
    } as const;
    const written = async (given: Setting, more: Partial<PlannedRequest>) => {
      const { shared, process } = runOf(given);
      const texts: string[] = [];
      const prepareBinaryData = async (stream: AsyncIterable<Buffer>, fileName: string) => {
        for await (const chunk of stream) texts.push(String(chunk));
        return { fileName };
      };
      Object.assign(shared.context, { helpers: { ...shared.context.helpers, prepareBinaryData } });
      const result = await process(reading({ ...more, file }));
      return { result, lines: texts.join('').split('\n').filter(Boolean) };
    };
    const paged = ({ query }: Asked) => ({ data: pageOf(page(0, 105), query), totalPages: 2, totalRecords: 105 });

    test('a file contains the records of all pages, up to the limit', async () => {
      const { result, lines } = await written({ reply: paged }, list);
      expect(lines).toEqual([...page(0, 105)].map((record) => JSON.stringify(record)));
      expect(result).toMatchObject({ kind: 'done', records: [{ records: 105, is_complete: true }] });
      expect(result).toHaveProperty('binary.data');
      expect((await written({ reply: paged }, { ...list, limit: 2 })).lines).toHaveLength(2);
    });

    test('a file contains the records of a response without pages', async () => {
      const { result, lines } = await written({ reply: () => ({ data: page(0, 3) }) }, {});
      expect(lines).toHaveLength(3);
      expect(result).toMatchObject({ kind: 'done', records: [{ records: 3 }] });
      expect(result).not.toHaveProperty('list');
      const failing = await written({ reply: () => ({ status: 403, data: {} }) }, {});
      expect(failing).toMatchObject({ result: { kind: 'failed' }, lines: [] });
    });

    test('a failed page leaves no file', async () => {
      const reply = ({ query }: Asked) => (query.page === 0 ? paged({ query } as Asked) : { status: 403, data: {} });
      expect((await written({ reply }, list)).result).toMatchObject({ kind: 'failed', failure: { httpStatus: 403 } });
    });
  });
});
