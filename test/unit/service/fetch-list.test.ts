import type { IDataObject } from 'n8n-workflow';

import { fetchList as fetchWithTotal } from '../../../nodes/PaymentPlatform/service/fetch-list';
import type { FetchPage } from '../../../nodes/PaymentPlatform/service/page-requests';
import { fetchWithoutTotal as fetchList, list, records, service } from '../paged-service';

test.each([
  ['with a limit', 50],
  ['with Return All', undefined],
])("returns the service's count of records %s", async (_, limit) => {
  expect(await fetchWithTotal(list, limit, service(records(250)).page)).toMatchObject({ total: 250 });
});

test('returns no count if the node removes records', async () => {
  const result = await fetchWithTotal(list, 50, service(records(250)).page, 1, ({ id }) => Number(id) % 2 === 0);
  expect(result).toMatchObject({ records: expect.any(Array) as unknown[], total: undefined });
});

test.each([0, 1, 99, 100, 101, 200, 1234])(
  'returns all of %d records once and in order with Return All',
  async (count) => {
    const { page, asked } = service(records(count));
    const result = await fetchList(list, undefined, page);
    expect(result).toEqual({ records: records(count) });
    expect(new Set(asked).size).toBe(asked.length);
  },
);

test.each([
  [1, 1],
  [50, 50],
  [100, 100],
  [101, 101],
  [500, 250],
])('applies a limit of %d to 250 records and returns %d', async (limit, wanted) => {
  const { page } = service(records(250));
  expect(await fetchList(list, limit, page)).toEqual({ records: records(wanted) });
});

test('returns all records if the totals are capped or missing', async () => {
  for (const totals of [
    { totalPages: 1, totalRecords: 100 },
    { totalPages: undefined, totalRecords: undefined },
  ]) {
    const { page } = service(records(345), totals);
    expect(await fetchList(list, undefined, page)).toEqual({ records: records(345) });
  }
});

test('reports an unreadable total, unless the list has as many records as the limit', async () => {
  for (const totals of [
    { totalPages: NaN, totalRecords: 30 },
    { totalPages: 1, totalRecords: NaN },
  ]) {
    const { page } = service(records(30), totals);
    const note = expect.stringContaining('an unreadable total') as string;
    expect(await fetchList(list, undefined, page)).toEqual({ records: records(30), note });
    expect(await fetchList(list, 5, page)).toEqual({ records: records(5) });
  }
});

test('deduplicates records across pages and reports missing records', async () => {
  const shifted = [...records(100), { id: 99 }, { id: 100 }];
  const { page } = service(shifted, { totalRecords: 102 });
  const result = await fetchList(list, undefined, page);
  expect(result).toMatchObject({ records: records(101), note: expect.stringContaining('102') as string });
});

describe('a verified list of several pages that do not overlap', () => {
  const verified = { ...list, ignoresNotes: false };
  /** Pages overlap only if the service announces the number of records. */
  const pagesOnly = { totalRecords: undefined };
  const noTotals = { totalPages: undefined, totalRecords: undefined };

  test('a verified list of several pages has no notice if nothing changed', async () => {
    const { page, asked } = service(records(250), pagesOnly);
    expect(await fetchList(verified, undefined, page)).toEqual({ records: records(250) });
    expect(asked).toEqual([0, 1, 2, 33, 66]);
  });

  test('a notice warns that a record may be missing after one was removed and one added', async () => {
    const all = records(250);
    const { page } = service(all, pagesOnly);
    const result = await fetchList(verified, undefined, async (number, count) => {
      const answer = await page(number, count);
      if (number === 0) all.push({ id: 250, gone: all.splice(5, 1).length });
      return answer;
    });
    expect(result).toMatchObject({ note: expect.stringContaining('a record may be missing') as string });
    expect('records' in result && result.records.some(({ id }) => id === 100)).toBe(false);
  });

  const failure = { outcome: 'unknown' as const, message: 'no', advice: '' };
  const notTold =
    'The node could not check whether the list changed while the node read it, so a record may be missing. Run the node again to get a complete list.';

  test.each([
    ['fails', async () => await Promise.resolve({ ok: false as const, failure })],
    ['does not start', async () => await Promise.reject(new Error('the gate is closed'))],
  ])('a notice states that the check failed if the second reading of a page %s', async (_, again) => {
    const { page } = service(records(250), pagesOnly);
    const optional: boolean[] = [];
    const result = await fetchList(verified, undefined, async (number, count, _wanted, isOptional = () => false) => {
      optional.push(isOptional(undefined));
      return number === 66 ? await again() : await page(number, count);
    });
    expect(result).toEqual({ records: records(250), note: notTold });
    expect(optional).toEqual([false, false, false, true, true]);
  });

  const changed = { note: expect.stringMatching(/^The list changed while the node read it/) as string };
  const shifting = (all: IDataObject[], count: number, change: (page: number) => void) => {
    const { page, asked } = service(all, pagesOnly);
    const fetchPage: FetchPage = async (number, size) => {
      const answer = await page(number, Math.min(size, count));
      change(asked.length);
      return answer;
    };
    return { asked, fetchPage };
  };

  test('a verified list needs no notice if new records move the others by up to a page', async () => {
    for (const added of [1, 50, 98]) {
      const all = records(250);
      const { fetchPage } = shifting(all, 100, (nth) => {
        if (nth === 1) all.unshift(...records(added).map(({ id }) => ({ id: 1000 + Number(id) })));
      });
      const result = await fetchList(verified, undefined, fetchPage);
      expect(result).toEqual({ records: records(250) });
    }
  });

  test('a verified list needs no notice if a record is removed after the last page', async () => {
    const all = records(250);
    const { fetchPage } = shifting(all, 100, (nth) => void (nth === 3 && all.shift()));
    expect(await fetchList(verified, undefined, fetchPage)).toEqual({ records: records(250) });
  });

  test.each([
    ['the last record of a page is removed', (all: IDataObject[]) => all.splice(99, 1)],
    ['the first record of a page is removed', (all: IDataObject[]) => all.splice(100, 1)],
    ['a record comes between two pages', (all: IDataObject[]) => all.splice(100, 0, { id: 'new' })],
  ])('a notice warns if %s after the node has read it', async (_, change) => {
    const all = records(250);
    const { fetchPage } = shifting(all, 100, (nth) => void (nth === 3 && change(all)));
    expect(await fetchList(verified, undefined, fetchPage)).toMatchObject(changed);
  });

  test.each([7, 25, 100])('a verified list may have pages of %d records', async (size) => {
    const all = records(3 * size + 1);
    const unchanged = shifting(all, size, () => undefined);
    const expected = { records: all };
    expect(await fetchWithTotal({ identity: 'id' }, undefined, unchanged.fetchPage)).toEqual({
      ...expected,
      total: undefined,
    });
    const { fetchPage } = shifting(
      all,
      size,
      (nth) => void (nth === 1 && all.push({ id: -1, gone: all.splice(0, 1) })),
    );
    expect(await fetchList(verified, undefined, fetchPage)).toMatchObject(changed);
  });

  test.each([250, 101])('a list with a limit of %d records is verified', async (limit) => {
    const all = records(500);
    const { fetchPage } = shifting(all, 100, (nth) => void (nth === 1 && all.push({ id: -1, gone: all.splice(0, 1) })));
    expect(await fetchList(verified, limit, fetchPage)).toMatchObject({ ...changed, records: { length: limit } });
  });

  test('a list without IDs is verified by the content of its records', async () => {
    const all = records(250);
    const { fetchPage, asked } = shifting(all, 100, () => undefined);
    expect(await fetchList({}, undefined, fetchPage)).toEqual({ records: all });
    expect(asked).toEqual([0, 1, 2, 33, 66]);
    const moving = shifting(all, 100, (nth) => void (nth === 1 && all.push({ id: -1, gone: all.splice(0, 1) })));
    expect(await fetchList({}, undefined, moving.fetchPage)).toMatchObject(changed);
  });

  test('a notice states that the check failed after a page that is shorter than the first page', async () => {
    const pages = [records(100), records(150).slice(100), records(250).slice(150)];
    const asked: number[] = [];
    const result = await fetchList(verified, undefined, async (page, count) => {
      asked.push(page);
      const found = count === 100 ? (pages[page] ?? []) : records(250).slice(page * count, (page + 1) * count);
      return await Promise.resolve({ ok: true, record: found, totalPages: 3 });
    });
    expect(result).toEqual({ records: records(250), note: notTold });
    expect(asked).toEqual([0, 1, 2, 3, 33]);
  });

  test('the last record is checked if an empty page ends the list', async () => {
    const { page, asked } = service(records(200), noTotals);
    expect(await fetchList(verified, undefined, page)).toEqual({ records: records(200) });
    expect(asked).toEqual([0, 1, 2, 33, 66]);
    const empty = service([]);
    expect(await fetchList(verified, undefined, empty.page)).toEqual({ records: [] });
    expect(empty.asked).toEqual([0]);
  });

  test.each([noTotals, { totalPages: 1, totalRecords: 100 }])(
    'a notice warns if the last record moved to a page that was already read: %j',
    async (totals) => {
      const all = records(101);
      const { page } = service(all, totals);
      const result = await fetchList(verified, undefined, async (number, count) => {
        const answer = await page(number, count);
        if (number === 0) all.splice(5, 1);
        return answer;
      });
      expect(result).toMatchObject({ ...changed, records: records(100) });
    },
  );

  test('the last record is checked if the service refuses the page after it', async () => {
    for (const removed of [0, 1]) {
      const all = records(200 + removed);
      const { page } = service(all, noTotals);
      const result = await fetchList(verified, undefined, async (number, count) => {
        const answer = await page(number, count);
        if (number === 0) all.splice(5, removed);
        const isBeyond = number * count >= all.length;
        return isBeyond ? { ok: false, failure: { ...failure, httpStatus: 404 } } : answer;
      });
      expect(result).toMatchObject({ records: { length: 200 }, ...(removed > 0 && changed) });
      expect('note' in result).toBe(removed > 0);
    }
  });

  test('a notice states that the check failed if the second reading of a page is unreadable', async () => {
    const { page } = service(records(250), pagesOnly);
    const wanted: boolean[] = [];
    const result = await fetchList(verified, undefined, async (number, count, isWanted) => {
      wanted.push(isWanted());
      return count < 100 ? { ok: true, record: 'x' } : await page(number, count);
    });
    expect(result).toEqual({ records: records(250), note: notTold });
    expect(wanted).toEqual([true, true, true, true, true]);
  });

  test('at most as many pages as allowed are verified at a time', async () => {
    const { page } = service(records(2000), pagesOnly);
    let [inFlight, most] = [0, 0];
    await fetchList(
      verified,
      undefined,
      async (number, count) => {
        most = Math.max(most, (inFlight += 1));
        await new Promise((go) => setImmediate(go));
        inFlight -= 1;
        return await page(number, count);
      },
      3,
    );
    expect(most).toBe(3);
  });

  test("a notice states that the list changed if one page shows this and another can't be checked", async () => {
    const { page } = service(records(250), pagesOnly);
    const result = await fetchList(verified, undefined, async (number, count) => {
      if (number === 66) return { ok: false, failure };
      return number === 33 ? { ok: true, record: [{ id: 1 }] } : await page(number, count);
    });
    expect(result).toMatchObject({ note: expect.stringMatching(/^The list changed while the node read it/) as string });
  });
});

test.each([undefined, 250])('stops reading an unpaginated path with a notice (limit %s)', async (limit) => {
  const asked: number[] = [];
  const result = await fetchList(list, limit, async (page) => {
    asked.push(page);
    return await Promise.resolve({ ok: true, record: records(100) });
  });
  expect(result).toEqual({ records: records(100), note: expect.stringContaining('a page a second time') as string });
  expect(asked).toEqual([0, 1]);
});

test('fails a list without a partial result if a page fails', async () => {
  const failure = { outcome: 'unknown' as const, message: 'no', advice: '' };
  const { page } = service(records(300));
  const result = await fetchList(list, undefined, async (number, count) =>
    number === 2 ? { ok: false, failure } : await page(number, count),
  );
  expect(result).toEqual({ ok: false, failure });
});

test('fails a list if its first page fails, and requests no more', async () => {
  const failure = { outcome: 'declined' as const, message: 'no', advice: '' };
  const asked: number[] = [];
  const result = await fetchList(list, undefined, async (page) => {
    asked.push(page);
    return await Promise.resolve({ ok: false, failure });
  });
  expect(result).toEqual({ ok: false, failure });
  expect(asked).toEqual([0]);
});

test('fails a list if a page fails that was not counted', async () => {
  const failure = { outcome: 'unknown' as const, message: 'no', advice: '' };
  const { page } = service(records(300), { totalPages: undefined, totalRecords: undefined });
  const result = await fetchList(list, undefined, async (number, count) =>
    number === 1 ? { ok: false, failure } : await page(number, count),
  );
  expect(result).toEqual({ ok: false, failure });
});

test('requests no page after a failed page', async () => {
  const failure = { outcome: 'unknown' as const, message: 'no', advice: '' };
  const { page, asked } = service(records(500));
  const result = await fetchList(list, undefined, async (number, count) => {
    const answer = await page(number, count);
    return number === 1 ? { ok: false, failure } : answer;
  });
  expect(result).toEqual({ ok: false, failure });
  expect(asked).toEqual([0, 1]);
});

test.each([
  [100, [0]],
  [101, [0, 1]],
  [250, [0, 1, 2]],
])('requests only the necessary pages for a limit of %d', async (limit, wanted) => {
  for (const totals of [{}, { totalPages: undefined, totalRecords: undefined }]) {
    const { page, asked } = service(records(1000), totals);
    await fetchList(list, limit, page);
    expect(asked).toEqual(wanted);
  }
});

test('requests no page after a single record instead of a list if there is no count', async () => {
  const asked: number[] = [];
  const single = async (page: number) => {
    asked.push(page);
    return await Promise.resolve({ ok: true as const, record: { id: 1 } });
  };
  expect(await fetchList(list, undefined, single)).toEqual({ records: [{ id: 1 }] });
  expect(asked).toEqual([0]);
  const note = expect.stringContaining('returned a page a second time') as string;
  expect(await fetchList({ ...list, needsIds: true }, undefined, single)).toEqual({ records: [{ id: 1 }], note });
});

test("requests no page after an empty one, regardless of the service's count", async () => {
  const { page, asked } = service(records(200), { totalPages: 10 });
  expect(await fetchList(list, undefined, page)).toEqual({ records: records(200) });
  expect(asked).toEqual([0, 1, 2]);
});

test('stops reading an endless list after 1,000 uncounted pages', async () => {
  let asked = 0;
  const result = await fetchList(list, undefined, async (page) => {
    asked += 1;
    return await Promise.resolve({ ok: true, record: [...Array(100).keys()].map((id) => ({ id: page * 100 + id })) });
  });
  expect(result).toMatchObject({ records: { length: 100_100 } });
  expect(asked).toBe(1001);
});

test.each([[undefined], [null], ['']])('keeps all records with the identity %j', async (id) => {
  const same = [{ id }, { id }] as IDataObject[];
  expect(await fetchList(list, undefined, service(same).page)).toEqual({ records: same });
});

test('returns equal records if no field distinguishes them', async () => {
  const same = [{ id: 1 }, { id: 1 }];
  expect(await fetchList({ fields: [] }, undefined, service(same).page)).toEqual({ records: same });
});

describe('pages that the service counted', () => {
  function held(parallel?: number) {
    const open = new Map<number, { answer: (failure?: 'fails') => void; refuse: () => void; wanted: () => boolean }>();
    const { page } = service(records(790));
    const failureOf = (number: number) => ({ outcome: 'unknown' as const, message: `page ${number}`, advice: '' });
    const fetchPage: FetchPage = async (number, count, wanted) => {
      if (number > 0)
        await new Promise<void>((resolve, reject) => {
          const answer = (failure?: 'fails') => {
            if (failure) failing.add(number);
            open.delete(number);
            resolve();
          };
          open.set(number, { answer, refuse: () => reject(new Error('not started')), wanted });
        });
      return failing.has(number) ? { ok: false, failure: failureOf(number) } : await page(number, count);
    };
    const failing = new Set<number>();
    const result = fetchList(list, undefined, fetchPage, parallel);
    const settle = async () => {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    };
    const at = (number: number) => {
      const found = open.get(number);
      if (!found) throw new Error(`Page ${number} is not asked for`);
      return found;
    };
    return { result, settle, at, asked: () => [...open.keys()], failureOf };
  }

  test('counted pages are requested in parallel up to the limit and returned in order', async () => {
    const { result, settle, at, asked } = held(3);
    await settle();
    expect(asked()).toEqual([1, 2, 3]);
    at(3).answer();
    await settle();
    expect(asked()).toEqual([1, 2, 4]);
    at(1).answer();
    await settle();
    expect(asked()).toEqual([2, 4, 5]);
    for (const page of [5, 4, 6, 7, 2]) {
      at(page).answer();
      await settle();
    }
    expect(await result).toEqual({ records: records(790) });
  });

  test('counted pages are requested one at a time by default', async () => {
    const { settle, at, asked } = held();
    await settle();
    expect(asked()).toEqual([1]);
    at(1).answer();
    await settle();
    expect(asked()).toEqual([2]);
  });

  test('counted pages are not requested after a failure, and the first failure is returned', async () => {
    const { result, settle, at, asked, failureOf } = held(4);
    await settle();
    expect(asked().map((page) => at(page).wanted())).toEqual([true, true, true, true]);
    at(2).answer('fails');
    await settle();
    expect(asked()).toEqual([1, 3, 4]);
    expect(asked().map((page) => at(page).wanted())).toEqual([false, false, false]);
    at(1).answer('fails');
    at(3).refuse();
    at(4).answer();
    expect(await result).toEqual({ ok: false, failure: failureOf(2) });
  });

  test('the list fails if a counted page is refused and none failed', async () => {
    const { result, settle, at } = held(2);
    await settle();
    at(1).refuse();
    at(2).answer();
    for (let page = 3; page < 8; page++) {
      await settle();
      at(page).answer();
    }
    await expect(result).rejects.toThrow('not started');
  });
});

test('a single page is requested without a parallel page', async () => {
  const { page } = service(records(150), { totalPages: undefined });
  const wanted: boolean[] = [];
  await fetchList(list, undefined, async (number, count, isWanted) => {
    wanted.push(isWanted());
    return await page(number, count);
  });
  expect(wanted).toEqual([true, true]);
});
