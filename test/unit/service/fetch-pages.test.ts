import type { IDataObject } from 'n8n-workflow';

import { readList } from '../../../nodes/PaymentPlatform/service/fetch-list';
import { isAfterEnd, PAGE_SIZE, type FetchPage } from '../../../nodes/PaymentPlatform/service/page-requests';
import type { Answer, Failure } from '../../../nodes/PaymentPlatform/model/failure';
import { settle } from '../controlled';
import { fetchWithoutTotal as fetchList, list, records, service } from '../paged-service';

/** Records whose IDs begin at 1, because a decision needs IDs. */
const numbered = (count: number): IDataObject[] => records(count + 1).slice(1);

describe('pages requested in parallel', () => {
  function heldPages(totalPages: number, parallel: number) {
    const asked: number[] = [];
    const wanted: Record<number, () => boolean> = {};
    const open = new Map<number, { answer: (answer: Answer) => void; refuse: (error: Error) => void }>();
    const result = fetchList(
      list,
      undefined,
      async (page, _, isWanted) => {
        asked.push(page);
        wanted[page] = isWanted;
        if (page === 0) return await Promise.resolve({ ok: true, record: [{ id: 'p0' }], totalPages });
        return await new Promise<Answer>((answer, refuse) => open.set(page, { answer, refuse }));
      },
      parallel,
    );
    return { asked, wanted, open, result };
  }
  const answer = (page: number): Answer => ({ ok: true, record: [{ id: `p${page}` }] });

  test.each([
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [100, [0, 1, 2, 3, 4, 5]],
  ])('pages are requested %d at a time and returned in order', async (parallel, first) => {
    const { asked, open, result } = heldPages(6, parallel);
    await settle();
    expect(asked).toEqual(first);
    while (open.size > 0) {
      const page = Math.max(...open.keys());
      open.get(page)?.answer(answer(page));
      open.delete(page);
      await settle();
    }
    expect(await result).toEqual({ records: [0, 1, 2, 3, 4, 5].map((page) => ({ id: `p${page}` })) });
    expect(asked).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('pages are requested one at a time by default', async () => {
    let inFlight = 0;
    const { page } = service(records(500));
    await fetchList(list, undefined, async (number, count) => {
      inFlight += 1;
      expect(inFlight).toBe(1);
      await settle();
      inFlight -= 1;
      return await page(number, count);
    });
  });

  test("pages aren't requested after one fails, and waiting ones are dropped", async () => {
    const { asked, wanted, open, result } = heldPages(1000, 3);
    await settle();
    expect(asked.map((page) => wanted[page]?.())).toEqual([true, true, true, true]);
    const failed = { ok: false as const, failure: { outcome: 'unknown' as const, message: 'first', advice: '' } };
    open.get(2)?.answer(failed);
    await settle();
    expect(asked.slice(1).map((page) => wanted[page]?.())).toEqual([false, false, false]);
    open.get(3)?.answer({ ...failed, failure: { ...failed.failure, message: 'second' } });
    open.get(1)?.refuse(new Error('not started'));
    expect(await result).toEqual(failed);
    expect(asked).toEqual([0, 1, 2, 3]);
  });

  test("the list fails with the reason if pages can't be requested", async () => {
    const { open, result } = heldPages(3, 1);
    await settle();
    open.get(1)?.refuse(new Error('not started'));
    await expect(result).rejects.toThrow('not started');
  });

  test('pages end at an empty page, regardless of the count', async () => {
    const { page, asked } = service(records(250), { totalPages: 1e9, totalRecords: 250 });
    expect(await fetchList(list, undefined, page)).toEqual({ records: records(250) });
    expect(asked).toEqual([0, 1, 2, 3]);
  });

  test("pages aren't requested beyond the limit", async () => {
    const { page, asked } = service(records(1000));
    await fetchList(list, 101, page);
    expect(asked).toEqual([0, 1]);
  });
});

describe("pages beyond the service's count", () => {
  const endless = (totals: Partial<{ totalPages: number; totalRecords: number }>, last = Infinity) => {
    const asked: number[] = [];
    const page = async (number: number, count: number): Promise<Answer> => {
      asked.push(number);
      const record = records(number < last ? count : number === last ? 1 : 0).map(({ id }) => ({
        id: number * count + Number(id),
      }));
      return await Promise.resolve({ ok: true, record, ...totals });
    };
    return { asked, page };
  };

  test.each([
    [{}, 1001],
    [{ totalPages: 3, totalRecords: 300 }, 1003],
  ])('at most 1,000 uncounted pages are read, and a notice says so (totals %j)', async (totals, pages) => {
    const { asked, page } = endless(totals);
    const result = await fetchList(list, undefined, page);
    expect(asked).toHaveLength(pages);
    expect(result).toMatchObject({
      records: { length: pages * 100 },
      note: `The list has more pages than the node reads, so the node stopped after ${pages} pages with ${pages * 100} records. The list may contain more records. Narrow the list with a filter or a shorter period.`,
    });
  });

  test('uncounted pages need no notice if the page after the last one is empty', async () => {
    const { page } = endless({}, 999);
    const result = await fetchList(list, undefined, page);
    expect(result).toMatchObject({ records: { length: 99_901 } });
    expect(result).not.toMatchObject({ note: expect.anything() as unknown });
  });

  test.each([1, 150])('a limit of %d reads at most 1,000 further pages if the node keeps no record', async (limit) => {
    const { asked, page } = endless({});
    const result = await fetchList(list, limit, page, 1, () => false);
    const pages = Math.ceil(limit / 100) + 1000;
    expect(asked).toHaveLength(pages);
    expect(result).toMatchObject({
      records: [],
      note: expect.stringContaining(`so the node stopped after ${pages} pages`) as string,
    });
  });

  test('at most 10,000 announced pages and 1,000 further pages are read', async () => {
    const asked: number[] = [];
    const result = await fetchList(list, undefined, async (page) => {
      asked.push(page);
      return await Promise.resolve({ ok: true, record: [{ id: page }], totalPages: 1e9 });
    });
    expect(asked).toHaveLength(11_000);
    expect(result).toMatchObject({ note: expect.stringContaining('stopped after 11000 pages') as string });
  });

  test.each([1, 2, 10])('at most the maximum number of %d pages is read', async (mostPages) => {
    for (const totals of [{}, { totalPages: 50 }]) {
      const { asked, page } = endless(totals);
      const result = await fetchList({ ...list, mostPages }, undefined, page);
      expect(asked).toHaveLength(mostPages);
      expect(result).toMatchObject({ note: expect.stringContaining(`after ${mostPages} pages with`) as string });
    }
  });

  test('no page is read after the last needed record', async () => {
    for (const totals of [{}, { totalPages: 50, totalRecords: 5000 }]) {
      const { asked, page } = endless(totals);
      const isLast = (page: IDataObject[]) => Number(page.at(-1)?.id) >= 250;
      expect(await fetchList({ ...list, isLast }, undefined, page)).toEqual({ records: records(300) });
      expect(asked).toEqual([0, 1, 2]);
    }
  });

  test("uncounted pages are read up to the user's limit", async () => {
    const { asked, page } = endless({});
    expect(await fetchList(list, 150_000, page)).toMatchObject({ records: { length: 150_000 } });
    expect(asked).toHaveLength(1500);
  });

  test('uncounted pages end at a page without new records, with a notice', async () => {
    const asked: number[] = [];
    const result = await fetchList(list, undefined, async (page, count) => {
      asked.push(page);
      const first = (page % 3) * count;
      return await Promise.resolve({ ok: true, record: records(first + count).slice(first) });
    });
    expect(result).toEqual({
      records: records(300),
      note: 'The service returned a page a second time, so the node stopped after 4 pages with 300 records. The list may contain more records. Narrow the list with a filter or a shorter period.',
    });
    expect(asked).toEqual([0, 1, 2, 3]);
  });

  test('the list fails if an uncounted page fails', async () => {
    const failure = { outcome: 'unknown' as const, message: 'no', advice: '' };
    const { page } = endless({});
    const result = await fetchList(list, undefined, async (number, count) =>
      number === 2 ? { ok: false, failure } : await page(number, count),
    );
    expect(result).toEqual({ ok: false, failure });
  });

  test('uncounted pages are read until enough different records are found', async () => {
    const overlapping = [...records(100), ...records(100).slice(50), ...records(300).slice(100)];
    const { page } = service(overlapping, { totalPages: 2, totalRecords: 300 });
    expect(await fetchList(list, 200, page)).toEqual({ records: records(200) });
  });

  test.each([undefined, 'id'])('uncounted pages are requested with the page size and wanted (%s)', async (identity) => {
    const counts: number[] = [];
    const wants: boolean[] = [];
    const { page } = service(records(250), { totalPages: undefined, totalRecords: undefined });
    const result = await fetchList({ ...list, identity }, undefined, async (number, count, wanted) => {
      counts.push(count);
      wants.push(wanted());
      return await page(number, count);
    });
    expect(result).toEqual({ records: records(250) });
    expect(counts).toEqual([100, 100, 100, 100]);
    expect(wants).toEqual([true, true, true, true]);
  });
});

describe('the page after the last one', () => {
  const refusals: Array<Partial<Failure>> = [{ httpStatus: 404 }, { httpStatus: 400 }, { httpStatus: 200, code: 7 }];
  const failing = (failure: Partial<Failure>): Answer => ({
    ok: false,
    failure: { outcome: 'declined', message: 'no', advice: '', ...failure },
  });
  const ending = (failure: Partial<Failure>, totals: object = {}) => {
    const optional: Array<boolean | undefined> = [];
    const fetchPage: FetchPage = async (page, count, _wanted, isOptional) => {
      const answer: Answer =
        page < 2
          ? { ok: true, record: numbered(200).slice(page * count, (page + 1) * count), ...totals }
          : failing(failure);
      optional.push(isOptional?.(answer));
      return await Promise.resolve(answer);
    };
    return { optional, fetchPage };
  };

  test.each(refusals)(
    'ends the list if the service refuses the page with %j and did not announce it',
    async (failure) => {
      const unannounced = [{}, { totalPages: 1 }, { totalPages: 2 }, { totalPages: 2, totalRecords: 200 }];
      for (const totals of unannounced) {
        const { fetchPage, optional } = ending(failure, totals);
        expect(await fetchList(list, undefined, fetchPage)).toEqual({ records: numbered(200) });
        expect([optional[0], optional.at(-1)]).toEqual([undefined, true]);
      }
    },
  );

  test('fails a list with which the node decides if the service announced no totals', async () => {
    const deciding = { ...list, needsIds: true };
    for (const failure of refusals) {
      expect(await fetchList(deciding, undefined, ending(failure).fetchPage)).toEqual(failing(failure));
      for (const totals of [{ totalPages: 2 }, { totalRecords: 200 }])
        expect(await fetchList(deciding, undefined, ending(failure, totals).fetchPage)).toEqual({
          records: numbered(200),
        });
    }
  });

  test.each([{ totalPages: 3 }, { totalRecords: 201 }, { totalPages: 1, totalRecords: 250 }])(
    'fails the list if the service refuses a page that it announced: %j',
    async (totals) => {
      for (const failure of refusals) {
        const { fetchPage, optional } = ending(failure, totals);
        expect(await fetchList(list, undefined, fetchPage)).toEqual(failing(failure));
        expect(optional.at(-1)).toBeUndefined();
      }
    },
  );

  test.each([{ httpStatus: 403 }, { httpStatus: 500, code: 99 }, { httpStatus: 429 }, {}])(
    'fails the list if the page has another failure: %j',
    async (failure) => {
      const { fetchPage, optional } = ending(failure);
      expect(await fetchList(list, undefined, fetchPage)).toEqual(failing(failure));
      expect(optional.at(-1)).toBe(false);
    },
  );

  test.each(refusals)('fails the list if the service refuses the first page with %j', async (failure) => {
    const answer = async () => await Promise.resolve(failing(failure));
    expect(await fetchList(list, undefined, answer)).toEqual(failing(failure));
  });

  test('is no end if sending it threw an error', () => {
    expect(isAfterEnd(undefined)).toBe(false);
    expect(isAfterEnd({ ok: true, record: [] })).toBe(false);
  });
});

describe('pages that are shorter than requested', () => {
  const short = (count: number, size: number, totals: Partial<{ totalPages: number; totalRecords: number }> = {}) => {
    const { page, asked } = service(numbered(count), { totalPages: undefined, totalRecords: undefined, ...totals });
    return { asked, page: async (number: number) => await page(number, size) };
  };

  test.each([
    {},
    { totalPages: 5 },
    { totalRecords: 230 },
    { totalPages: 5, totalRecords: 230 },
    // The service may limit the total to 100.
    { totalRecords: 100 },
    { totalPages: 2, totalRecords: 100 },
  ])('do not end the list: %j', async (totals) => {
    for (const limit of [undefined, 230, 500]) {
      const { page } = short(230, 50, totals);
      expect(await fetchList(list, limit, page)).toEqual({ records: numbered(230) });
    }
  });

  test('end the list without a further request if a total proves the end', async () => {
    for (const totals of [{ totalPages: 1 }, { totalRecords: 30 }, { totalPages: 1, totalRecords: 30 }]) {
      const { page, asked } = short(30, 50, totals);
      expect(await fetchList({ ...list, needsIds: true }, undefined, page)).toEqual({ records: numbered(30) });
      expect(asked).toEqual([0]);
    }
  });

  test('end the list at an empty page if the service announced no totals', async () => {
    const { page, asked } = short(30, 50);
    expect(await fetchList({ ...list, needsIds: true }, undefined, page)).toEqual({ records: numbered(30) });
    expect(asked).toEqual([0, 1]);
  });

  test('do not end the list if a total is lower than the records or pages that were read', async () => {
    for (const totals of [
      { totalPages: 0 },
      { totalRecords: 0 },
      { totalRecords: 40 },
      { totalPages: 0, totalRecords: 1 },
    ]) {
      const { page } = short(230, 50, totals);
      expect(await fetchList({ ...list, needsIds: true }, undefined, page)).toEqual({ records: numbered(230) });
    }
  });

  test('need no further page if the list has as many records as wanted', async () => {
    const { page, asked } = short(230, 50);
    expect(await fetchList(list, 50, page)).toEqual({ records: numbered(50) });
    expect(asked).toEqual([0]);
  });
});

describe('pages that the service announced but did not return', () => {
  const returning = async (pages: number, totals: object) => {
    const { page } = service(records(pages * 100));
    return await fetchList(list, undefined, async (number, count) => {
      const { record } = (await page(number, count)) as Extract<Answer, { ok: true }>;
      return { ok: true, record, ...totals };
    });
  };

  test.each([
    [1, 2],
    [2, 3],
    [2, 100],
  ])('a notice states that only %d of %d pages were returned', async (pages, totalPages) => {
    expect(await returning(pages, { totalPages })).toEqual({
      records: records(pages * 100),
      note: `The service announced ${totalPages} pages but returned ${pages}. The list may have changed while the node read it. Run the node again to get a complete list.`,
    });
  });

  test.each([{ totalPages: 2 }, { totalPages: 1 }, {}, { totalPages: 3, totalRecords: 200 }])(
    'no notice is needed for 2 pages: %j',
    async (totals) => {
      expect(await returning(2, totals)).toEqual({ records: records(200) });
    },
  );
});

describe('a page that the service repeats', () => {
  const note = expect.stringMatching(
    /^The service returned a page a second time, so the node stopped after /,
  ) as string;
  const repeating = async (identity: string | undefined, pages: IDataObject[][], totals: object = {}, parallel = 1) =>
    await fetchList(
      { ...list, identity },
      undefined,
      async (page) => {
        const record = pages[Math.min(page, pages.length - 1)] ?? [];
        return await Promise.resolve({ ok: true, record, ...totals });
      },
      parallel,
    );
  const other = (from: number) => records(100).map(({ id }) => ({ id: from + Number(id), name: 'a' }));

  test.each(['id', undefined])('ends the list and is included once (identity %s)', async (identity) => {
    const pages = [other(0), other(100)];
    for (const totals of [{}, { totalPages: 1000 }])
      for (const parallel of [1, 20])
        expect(await repeating(identity, pages, totals, parallel)).toEqual({ records: pages.flat(), note });
  });

  test('is recognized if its records have no ID', async () => {
    const pages = [other(0), records(100).map(({ id }) => ({ name: id }))];
    expect(await repeating('id', pages)).toEqual({ records: pages.flat(), note });
    const mixed = [...other(0).slice(1), { name: 'b' }];
    expect(await repeating('id', [other(0), mixed])).toEqual({ records: [...other(0), { name: 'b' }], note });
  });

  test('is not a page that repeats all records but one', async () => {
    const pages = [other(0), other(1), []];
    expect(await repeating('id', pages)).toEqual({ records: [...other(0), { id: 100, name: 'a' }] });
  });

  test('is not needed if the limit is met', async () => {
    const page = async () => await Promise.resolve({ ok: true as const, record: other(0), totalPages: 9 });
    expect(await fetchList(list, 100, page)).toEqual({ records: other(0) });
  });
});

describe('the identity of records', () => {
  const of = async (given: IDataObject[], identity?: string) => {
    const { page } = service(given);
    const result = await fetchList({ identity, fields: [] }, undefined, page);
    return 'records' in result ? result.records : result;
  };

  test('the identity of records is compared as text, so that IDs of 18 digits stay distinct', async () => {
    const a = '426351789012345678';
    const b = '426351789012345679';
    expect(await of([{ id: a }, { id: b }, { id: a }], 'id')).toEqual([{ id: a }, { id: b }]);
    expect(await of([{ id: 7 }, { id: '7' }, { id: 8 }], 'id')).toEqual([{ id: 7 }, { id: 8 }]);
  });

  test('two records of a page with the same identity are two only for a decision, and a moved record is one', async () => {
    const [first, twin, other, last] = [{ id: 'a' }, { id: 'a', n: 2 }, { id: 'b' }, { id: 'b', n: 2 }];
    const { page } = service([...numbered(98), first, twin, twin, other, last]);
    const read = async (needsIds?: boolean) => await fetchList({ ...list, needsIds }, undefined, page);
    expect(await read(true)).toMatchObject({ records: [...numbered(98), first, twin, other, last] });
    expect(await read()).toMatchObject({ records: [...numbered(98), first, other] });
  });

  test("the identity of records isn't a number beyond 2^53, which several IDs can share", async () => {
    const rounded = [{ id: Number('426351789012345678') }, { id: Number('426351789012345679') }];
    expect(rounded[0]).toEqual(rounded[1]);
    expect(await of(rounded, 'id')).toEqual(rounded);
  });

  test('the identity of records is unknown if it is missing, empty or undeclared', async () => {
    const without = [{ id: '' }, { id: '' }, { id: null }, { id: null }, {}, {}];
    expect(await of(without, 'id')).toEqual(without);
    const equal = [{ id: 1 }, { id: 1 }];
    expect(await of(equal)).toEqual(equal);
  });
});

test('reports fewer records than the service counted but not more', async () => {
  const note =
    'The service announced 4 records but returned 3. The list may have changed while the node read it. Run the node again to get a complete list.';
  expect(await fetchList(list, undefined, service(records(3), { totalRecords: 4 }).page)).toEqual({
    records: records(3),
    note,
  });
  for (const totalRecords of [2, 3, undefined])
    expect(await fetchList(list, undefined, service(records(3), { totalRecords }).page)).toEqual({
      records: records(3),
    });
  expect(await fetchList(list, 3, service(records(3), { totalRecords: 4 }).page)).toEqual({ records: records(3) });
});

test('returns the failure of the first page as the failure of the list', async () => {
  const failure = { outcome: 'declined' as const, message: 'no', advice: '' };
  expect(await fetchList(list, 5, async () => await Promise.resolve({ ok: false, failure }))).toEqual({
    ok: false,
    failure,
  });
});

test("compares each record of a long list once and each page's last record twice", async () => {
  let reads = 0;
  const all = Array.from({ length: 19_950 }, (_, id) =>
    Object.defineProperty({} as IDataObject, 'id', { enumerable: true, get: () => ((reads += 1), id) }),
  );
  const { asked, page } = service(all);
  expect(await fetchList(list, undefined, page, 20)).toMatchObject({ records: { length: 19_950 } });
  expect(asked).toHaveLength(Math.ceil(all.length / PAGE_SIZE));
  expect(reads).toBeLessThanOrEqual(all.length + asked.length);
});

describe('records that the caller takes page by page', () => {
  async function reading(count: number, mostAhead: number) {
    const { page, asked } = service(records(count));
    const pages = readList(list, undefined, page, 3, undefined, mostAhead);
    const first = await pages.next();
    await settle();
    return { pages, asked, first };
  }

  test('the first page is returned before later pages are read, and at most a few pages wait for the caller', async () => {
    const { pages, asked, first } = await reading(5000, 6);
    expect(first.value).toEqual(records(200));
    expect(asked.length).toBeLessThanOrEqual(8);
    const read = [first.value];
    for (let page = await pages.next(); !page.done; page = await pages.next()) {
      read.push(page.value);
      expect(asked.length).toBeLessThanOrEqual(read.length + 7);
    }
    expect(read.flat()).toEqual(records(5000));
  });

  test('reading stops when the caller stops', async () => {
    const { pages, asked } = await reading(5000, 6);
    await pages.return({ isCut: false });
    const before = asked.length;
    await settle();
    expect(asked).toHaveLength(before);
    expect(await pages.next()).toEqual({ done: true, value: undefined });
  });
});
