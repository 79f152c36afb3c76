import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../../../nodes/PaymentPlatform/model/failure';
import type { ListToFetch } from '../../../nodes/PaymentPlatform/model/types';
import { fetchList } from '../../../nodes/PaymentPlatform/service/fetch-list';
import { KnownMarks } from '../../../nodes/PaymentPlatform/service/known-marks';
import {
  endOf,
  type FetchPage,
  overlappingPages,
  PAGE_SIZE,
  type PageRequest,
} from '../../../nodes/PaymentPlatform/service/page-requests';
import { fetchWithoutTotal, records, service } from '../paged-service';

const list: ListToFetch = { identity: 'id' };
const changed = { note: expect.stringMatching(/^The list changed while the node read it/) as string };
const failure = { outcome: 'declined' as const, message: 'no', advice: '' };

/** Service whose list changes after a request. `answering` may replace the response to a request. */
function changing(
  all: IDataObject[],
  change: (nth: number) => unknown,
  answering: (request: PageRequest, nth: number) => Answer | undefined = () => undefined,
) {
  const asked: Array<[number, number]> = [];
  const { page } = service(all);
  const fetchPage: FetchPage = async (number, count) => {
    asked.push([number, count]);
    const answer = await page(number, count);
    const { length } = asked;
    const usual = { ...answer, totalPages: Math.ceil(all.length / count), totalRecords: all.length };
    change(length);
    return answering({ number, count }, length) ?? usual;
  };
  return { asked, fetchPage };
}
const read = async (fetchPage: FetchPage, more: ListToFetch = {}, limit?: number, parallel = 1) =>
  await fetchWithoutTotal({ ...list, ...more }, limit, fetchPage, parallel);
const unchanged = () => undefined;

describe('the layout of overlapping pages', () => {
  test('each page contains the last record of the page before and reaches beyond it', () => {
    let end = PAGE_SIZE;
    for (const page of overlappingPages(PAGE_SIZE)) {
      expect(page.number * page.count).toBeLessThan(end);
      expect(endOf(page)).toBeGreaterThan(end);
      expect(page.count).toBeLessThanOrEqual(PAGE_SIZE);
      end = endOf(page);
      if (end > 50_000) break;
    }
  });

  test.each([
    [250, 3],
    [20_000, 228],
    [100_000, 1143],
  ])('%d records need %d requests, and no request to check them', async (count, requests) => {
    const { page, asked } = service(records(count));
    expect(await fetchList(list, undefined, page, 20)).toEqual({ records: records(count), total: count });
    expect(asked).toHaveLength(requests);
  });

  test.each([
    [100, [[0, 100]]],
    [101, [[0, 100], [1, 99]]], // prettier-ignore
    [198, [[0, 100], [1, 99]]], // prettier-ignore
    [199, [[0, 100], [1, 99], [2, 98]]], // prettier-ignore
  ])('a limit of %d records ends the requests', async (limit, pages) => {
    const { fetchPage, asked } = changing(records(1000), unchanged);
    expect(await read(fetchPage, {}, limit)).toEqual({ records: records(limit) });
    expect(asked).toEqual(pages);
  });

  test('a filter applies to each record once', async () => {
    const seen: number[] = [];
    const { fetchPage } = changing(records(450), unchanged);
    const keeps = ({ id }: IDataObject) => seen.push(Number(id)) > 0 && Number(id) % 2 === 0;
    const result = await fetchList(list, 200, fetchPage, 3, keeps);
    expect(result).toMatchObject({ records: records(400).filter(({ id }) => Number(id) % 2 === 0) });
    expect(new Set(seen).size).toBe(seen.length);
  });
});

describe('pages do not overlap', () => {
  const countsOf = async (more: ListToFetch, totals: object = {}, limit?: number) => {
    const counts = new Set<number>();
    const { page } = service(records(250), totals);
    await read(
      async (number, count) => {
        if (number < 3) counts.add(count);
        return await page(number, count);
      },
      more,
      limit,
    );
    return [...counts];
  };

  test.each<[string, ListToFetch, object]>([
    ['a decision depends on them', { needsIds: true }, {}],
    ['the caller ignores notices', { ignoresNotes: true }, {}],
    ['their number is limited', { mostPages: 10 }, {}],
    ['the list ends at a record', { isLast: () => false }, {}],
    ['the service announces only pages', {}, { totalRecords: undefined }],
    ['the service announces only records', {}, { totalPages: undefined }],
    ['the totals contradict each other', {}, { totalPages: 4 }],
    ['the total may be limited to 100', {}, { totalPages: 1, totalRecords: 100 }],
  ])('if %s', async (_, more, totals) => {
    expect(await countsOf(more, totals)).toEqual([100]);
  });

  test('if the first page is shorter than requested', async () => {
    const { page, asked } = service(records(250));
    expect(await read(async (number, count) => await page(number, Math.min(count, 50)))).toEqual({
      records: records(250),
    });
    expect(asked.slice(0, 5)).toEqual([0, 1, 2, 3, 4]);
  });

  test.each<[string, (request: PageRequest, all: IDataObject[]) => Answer]>([
    [
      'returns only multiples of ten records',
      ({ number, count }, all) => {
        const size = Math.ceil(count / 10) * 10;
        return { ok: true, record: all.slice(number * size, (number + 1) * size) };
      },
    ],
    ['refuses their size', () => ({ ok: false, failure: { ...failure, httpStatus: 400, code: 2 } })],
    ['returns the first page', ({ count }, all) => ({ ok: true, record: all.slice(0, count) })],
    ['returns no records', () => ({ ok: true, record: [] })],
    ['returns more records than requested', ({ number }, all) => ({ ok: true, record: all.slice(number * 99) })],
  ])('if the service %s', async (_, answering) => {
    for (const more of [{}, { identity: undefined }])
      for (const parallel of [1, 20]) {
        const all = records(1050);
        const { fetchPage, asked } = changing(all, unchanged, (request) =>
          request.count < 100 && request.count > 20 ? answering(request, all) : undefined,
        );
        expect(await read(fetchPage, more, undefined, parallel)).toEqual({ records: records(1050) });
        const numbers = asked.filter(([, count]) => count === PAGE_SIZE).map(([number]) => number);
        expect(numbers).toEqual(expect.arrayContaining([...Array(11).keys()]));
      }
  });

  test('and late responses of abandoned pages change nothing', async () => {
    const open: Array<() => void> = [];
    const { page } = service(records(450));
    const result = read(
      async (number, count) => {
        if (number === 1 && count === 99) return { ok: true, record: [] };
        if (number > 1 && count < 100 && count > 20) {
          await new Promise<void>((go) => open.push(go));
          return { ok: false, failure: { ...failure, outcome: 'unknown', httpStatus: 500 } };
        }
        return await page(number, count);
      },
      {},
      undefined,
      3,
    );
    await new Promise((go) => setImmediate(go));
    for (const go of open.splice(0)) go();
    expect(await result).toEqual({ records: records(450) });
  });
});

describe('a list that changes between overlapping pages', () => {
  test.each([1, 98, 99])('needs no notice if %d records were added before the others', async (added) => {
    const all = records(550);
    const { fetchPage } = changing(
      all,
      (nth) => nth === 1 && all.unshift(...records(added).map(({ id }) => ({ id: -1 - Number(id) }))),
    );
    const result = await read(fetchPage);
    expect(result).toMatchObject({ records: expect.arrayContaining(records(550)) as unknown });
    expect('note' in result).toBe(false);
  });

  test('continues after a page that new records filled with known ones', async () => {
    const all = records(1050);
    const { fetchPage } = changing(
      all,
      (nth) => nth === 3 && all.unshift(...records(150).map(({ id }) => ({ id: -1 - Number(id) }))),
    );
    expect(await read(fetchPage)).toEqual({ records: records(1050) });
  });

  test('needs no notice if a page overlaps by more records than were removed', async () => {
    const all = records(550);
    // The third page begins two records before the end of the second page.
    const { fetchPage, asked } = changing(all, (nth) => nth === 2 && all.splice(5, 1));
    expect(await read(fetchPage)).toEqual({ records: records(550) });
    expect(asked).toHaveLength(6);
  });

  test('has a notice if a record moved to a page that was already read', async () => {
    for (const identity of ['id', undefined]) {
      const all = records(550);
      const { fetchPage } = changing(all, (nth) => nth === 1 && all.push({ id: -1, gone: all.splice(5, 1).length }));
      const result = await read(fetchPage, { identity });
      expect(result).toMatchObject(changed);
      expect('records' in result && result.records.filter(({ id }) => id === 99)).toHaveLength(1);
    }
  });

  test('contains no record twice if records without IDs move to a later page', async () => {
    const all = records(550);
    const { fetchPage } = changing(all, (nth) => nth === 3 && all.unshift({ id: -1 }));
    expect(await read(fetchPage, { identity: undefined })).toEqual({ records: records(550), ...changed });
  });
});

describe('a wrong page among overlapping pages', () => {
  const wrong = async (answer: (page: IDataObject[], all: IDataObject[]) => IDataObject[], nth = 3) => {
    const all = records(650);
    const { fetchPage, asked } = changing(all, unchanged, ({ number, count }, at) =>
      at === nth
        ? {
            ok: true,
            record: answer(all.slice(number * count, (number + 1) * count), all),
            totalPages: Math.ceil(650 / count),
            totalRecords: 650,
          }
        : undefined,
    );
    return { result: await read(fetchPage), asked };
  };

  test.each<[string, (page: IDataObject[], all: IDataObject[]) => IDataObject[]]>([
    ['a repeated page', (page, all) => all.slice(0, page.length)],
    ['an empty page in the middle', () => []],
    ['a page that ends early', (page) => page.slice(0, 40)],
    ['a page that begins late', (page) => page.slice(40)],
  ])('%s is read again', async (_, answer) => {
    for (const nth of [2, 3, 6]) expect((await wrong(answer, nth)).result).toEqual({ records: records(650) });
  });

  test('the last page is read again if it ends early', async () => {
    expect((await wrong((page) => page.slice(0, 20), 7)).result).toEqual({ records: records(650) });
  });

  test('a notice states that pages are missing if the list ends early', async () => {
    const all = records(650);
    const { fetchPage } = changing(all, (nth) => nth === 3 && all.splice(330));
    expect(await read(fetchPage)).toEqual({
      records: records(330),
      note: 'The service announced 650 records but returned 330. The list may have changed while the node read it. Run the node again to get a complete list.',
    });
  });

  test('a capped total ends no list', async () => {
    const { page } = service(records(345), { totalPages: 1, totalRecords: 100 });
    expect(await read(page)).toEqual({ records: records(345) });
  });

  test('the list fails if a page fails', async () => {
    const { fetchPage } = changing(records(650), unchanged, (_, nth) =>
      nth === 4 ? { ok: false, failure: { ...failure, httpStatus: 500 } } : undefined,
    );
    expect(await read(fetchPage)).toMatchObject({ ok: false });
  });
});

describe('the marks of the records that were read', () => {
  test('a mark is new once', () => {
    const marks = new KnownMarks();
    const all = Array.from({ length: 5000 }, (_, index) => `p${String(index).padStart(31, '0')}`);
    expect(all.filter((mark) => marks.has(mark))).toEqual([]);
    expect(all.filter((mark) => !marks.add(mark))).toEqual([]);
    expect(all.filter((mark) => !marks.has(mark) || marks.add(mark))).toEqual([]);
    expect(marks.has('')).toBe(false);
    expect([marks.add(''), marks.add(''), marks.add('\0'), marks.add('\0\0')]).toEqual([true, false, true, true]);
  });
});
