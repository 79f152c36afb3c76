import type { ServerResponse } from 'node:http';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Operation } from '../../../nodes/PaymentPlatform/model/types';
import { resources } from '../../../nodes/PaymentPlatform/resources';
import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import { offendersIn } from '../../every-case';
import { isDeep } from '../../quantity';
import { timeIsSimulated } from '../../simulated-time';
import { runWorkflow, type RunInput } from '../harness';
import { startRecorder, type Recorded } from '../recorder';

timeIsSimulated();

interface Asked {
  page: number;
  count: number;
  /** Number of the request, counted from 1. */
  nth: number;
}

/** Platform codes by HTTP status. */
const CODES: Record<number, number> = { 400: 2, 403: 6, 404: 7, 500: 99 };

/** Returns the body of a response, or the HTTP status of a refusal. */
let respond: (asked: Asked) => object | number;
let service: Awaited<ReturnType<typeof startRecorder>>;
beforeAll(async () => {
  service = await startRecorder(({ url }: Recorded, response: ServerResponse) => {
    const query = new URL(url, 'http://x').searchParams;
    const [page, count] = [Number(query.get('page')), Number(query.get('count') ?? 10)];
    const body = respond({ page, count, nth: service.requests.length });
    if (typeof body !== 'number') return { code: 0, message: 'Success', ...body };
    response.writeHead(body).end(JSON.stringify({ code: CODES[body], message: 'Refused' }));
    return undefined;
  });
});
beforeEach(() => void (service.requests.length = 0));
afterAll(async () => await service.stop());

const run = async (parameters: INodeParameters, more: Partial<RunInput> = {}) =>
  await runWorkflow({ rows: [{}], parameters, credential: service.credential, ...more });

interface List {
  name: string;
  parameters: INodeParameters;
  /** Field that distinguishes the records. */
  field: string;
  isIdentified: boolean;
}

const listOf = (resource: string, { value: operation, list }: Operation): List[] =>
  list
    ? [
        {
          name: `${resource}.${operation}`,
          parameters: { resource, operation, invoice_id: '1', subscription_id: '1', plan_code: 'P', request_id: '1' },
          field: list.identity ?? list.fields[0]?.value ?? '',
          isIdentified: list.identity !== undefined,
        },
      ]
    : [];
const lists = resources.flatMap(({ value, operations }) => operations.flatMap((one) => listOf(value, one)));
const api: List = {
  name: 'api.request',
  parameters: { resource: 'api', operation: 'request', method: 'GET', path: '/platform/vault/customer', pages: 'all' },
  field: 'customer_id',
  isIdentified: false,
};

const every = async (check: (list: List) => Promise<unknown>, which = [...lists, api]) => {
  expect(which.length).toBeGreaterThan(2);
  expect(await offendersIn(which, check)).toEqual([]);
};
/** Lists with and without IDs, and a list that the user chooses. `npm run test:deep` tests all lists. */
const SOME = ['customer.getAll', 'report.getSettlements', 'api.request'];
const some = [...lists, api].filter(({ name }) => isDeep || SOME.includes(name));
const all: INodeParameters = { returnAll: true, simplify: false };
const limited: INodeParameters = { returnAll: false, limit: 250, simplify: false };
const ways = [all, limited];

const records = ({ field }: Pick<List, 'field'>, count: number): IDataObject[] =>
  Array.from({ length: count }, (_, row) => ({ [field]: `R${row}` }));
const pageOf = (listed: IDataObject[], { page, count }: Asked) => ({
  totalPages: Math.ceil(listed.length / count),
  totalRecords: listed.length,
  data: listed.slice(page * count, (page + 1) * count),
});
const idsIn = ({ field }: List, items: Array<{ json: IDataObject }>) => items.map(({ json }) => asText(json[field]));

describe('a list', () => {
  test('a list fails if a page contains no records and is not certainly empty', async () => {
    const unreadable = [{ data: 'x' }, { data: [null] }, { data: { rows: [] } }, {}, { data: [], totalRecords: '7' }];
    await every(async ({ parameters }) => {
      for (const body of unreadable) {
        respond = () => body;
        const { error, items } = await run({ ...parameters, ...all });
        expect([body, items]).toEqual([body, []]);
        expect(error?.message).toContain('The node could not read the response, because it contains ');
      }
    }, lists);
  });

  test('a list fails if a later page is unreadable', async () => {
    await every(async (list) => {
      respond = (asked) =>
        asked.page === 1 ? { data: [...records(list, 9), null] } : pageOf(records(list, 250), asked);
      for (const way of ways)
        expect((await run({ ...list.parameters, ...way })).error?.message).toContain('a null value instead of records');
    }, some);
  });

  test('a list can be empty or contain a single object', async () => {
    await every(async (list) => {
      for (const empty of [{ data: [] }, { data: [], totalRecords: '0' }, { data: null, totalRecords: 0 }]) {
        respond = () => empty;
        const { error, items } = await run({ ...list.parameters, ...all });
        expect([error, items]).toEqual([undefined, []]);
      }
      const [record] = records(list, 1);
      respond = () => ({ data: record });
      expect(idsIn(list, (await run({ ...list.parameters, ...all })).items)).toEqual(['R0']);
    }, some);
  });

  test('a hint states how many records a limited list left out', async () => {
    await every(async (list) => {
      respond = (asked) => pageOf(records(list, 250), asked);
      const { items, hints } = await run({ ...list.parameters, returnAll: false, limit: 2 });
      expect([items.length, hints]).toEqual([
        2,
        ['2 of 250 records. To get more, turn on "Return All" or raise "Limit".'],
      ]);
    }, lists);
  });

  test('totals can be text', async () => {
    await every(async (list) => {
      const listed = records(list, 250);
      respond = (asked) => ({ ...pageOf(listed, asked), totalPages: '3', totalRecords: '251' });
      const { items, hints } = await run({ ...list.parameters, ...all });
      expect(items).toHaveLength(250);
      expect(hints.join()).toContain('announced 251 records but returned 250');
    }, some);
  });
});

test.each([
  ['customerCard', 'billing_cards'],
  ['customerAddress', 'shipping_addresses'],
])('a list in a field of a customer must be readable: %s', async (resource, field) => {
  const parameters = { resource, operation: 'getAll', customer_id: 'C1' };
  const answered = async (list: unknown) => {
    respond = () => ({ data: { customer_id: 'C1', [field]: list } });
    const { items, error } = await run(parameters);
    return error ? error.message : items.length;
  };
  for (const unreadable of ['x', 5, [null], { rows: [] }])
    expect(await answered(unreadable)).toMatch(/^The node could not read the response, because it contains an? /);
  expect(await answered([])).toBe(0);
  expect(await answered([{ card_id: 'c' }])).toBe(1);
});

describe('a list that changes while the node reads it', () => {
  /** Changes the list after a request. */
  type Change = (listed: IDataObject[], nth: number) => unknown;
  const changing = (list: List, change: Change) => {
    service.requests.length = 0;
    const listed = records(list, 250);
    respond = (asked) => {
      const page = pageOf(listed, asked);
      change(listed, asked.nth);
      return page;
    };
  };
  const added = ({ field }: List): IDataObject => ({ [field]: 'NEW' });
  const replaceFirst = (listed: IDataObject[], list: List) => listed.splice(0, 1).map(() => listed.push(added(list)));

  test('a hint states that a record may be missing if one record was removed and one was added', async () => {
    await every(async (list) => {
      for (const way of ways) {
        changing(list, (listed, nth) => nth === 1 && replaceFirst(listed, list));
        const { items, hints } = await run({ ...list.parameters, ...way });
        expect(idsIn(list, items)).not.toContain('R100');
        expect(hints.join()).toContain('a record may be missing');
      }
    });
  });

  test('a hint states that a record may be missing even if another record takes its place', async () => {
    const options = { sending: { maxParallelRequests: 1 } };
    await every(async (list) => {
      changing(list, (listed, nth) => {
        if (nth === 1) replaceFirst(listed, list);
        if (nth === 3) listed.unshift(added(list));
      });
      const { items, hints } = await run({ ...list.parameters, ...all, options });
      expect(idsIn(list, items)).not.toContain('R100');
      expect(hints.join()).toContain('a record may be missing');
    }, some);
  });

  test.each(['unshift', 'push'] as const)(
    'a list with IDs needs no hint if a record was only added: %s',
    async (add) => {
      const identified = lists.filter(({ isIdentified }) => isIdentified);
      expect(identified.length).toBeGreaterThan(10);
      for (const list of identified) {
        changing(list, (listed, nth) => nth === 1 && listed[add](added(list)));
        const { items, hints } = await run({ ...list.parameters, ...all });
        const ids = idsIn(list, items);
        expect(records(list, 250).filter(({ [list.field]: id }) => !ids.includes(asText(id)))).toEqual([]);
        expect([new Set(ids).size, hints]).toEqual([ids.length, []]);
      }
    },
  );

  test('a hint states that a record may be missing if the list is sorted by a field that changes, and records moved', async () => {
    const list = lists.find(({ name }) => name === 'subscription.getAll') ?? api;
    const moved = async (order_on: string) => {
      changing(list, (listed, nth) => {
        if (nth !== 1) return;
        listed.unshift(...listed.splice(220, 1));
        listed.push(added(list));
      });
      const { items, hints } = await run({ ...list.parameters, ...all, sorting: { order_on } });
      expect(idsIn(list, items)).not.toContain('R220');
      return hints;
    };
    expect(await moved('status')).toEqual([expect.stringContaining('a record may be missing')]);
    // IDs don't change, so the service can't move a record.
    expect(await moved('subscription_id')).toEqual([]);
  });
});

describe('the last page of a list', () => {
  const customers: INodeParameters = { resource: 'customer', operation: 'getAll' };
  const field = { field: 'customer_id' };
  const ending = (count: number, status: number, totals = true) => {
    respond = (asked) => {
      const { data, ...counted } = pageOf(records(field, count), asked);
      return asked.page > 0 && data.length === 0 ? status : { data, ...(totals && counted) };
    };
  };

  test.each([
    [99, 404],
    [100, 404],
    [101, 404],
    [200, 404],
    [200, 400],
  ])('the last page of %d records is followed by the HTTP status %d', async (count, status) => {
    for (const totals of [true, false]) {
      ending(count, status, totals);
      const { items, error, hints } = await run({ ...customers, ...all });
      expect([error?.message, items.length, hints]).toEqual([undefined, count, []]);
    }
  });

  test('the end of a list does not stop the items after it', async () => {
    ending(100, 404);
    const { items } = await run(
      { ...customers, ...all, options: { sending: { maxParallelRequests: 1 } } },
      { rows: [{}, {}] },
    );
    expect(items).toHaveLength(200);
  });

  test.each([
    ['announced by the number of pages', { totalPages: 2 }],
    ['announced by the number of records', { totalRecords: 150 }],
  ])('a list fails if a page is refused that was %s', async (_, totals) => {
    respond = ({ page }) => (page === 0 ? { data: records(field, 100), ...totals } : 404);
    expect((await run({ ...customers, ...all })).error?.message).toBeDefined();
  });

  test.each([500, 403])('a list fails if the page after the last one has the HTTP status %d', async (status) => {
    ending(100, status);
    const options = { sending: { maxTries: 1 } };
    expect((await run({ ...customers, ...all, options })).error?.message).toBeDefined();
  });

  test.each([25, 60, 75])('a limit of %d is met if the service returns fewer records per page', async (limit) => {
    respond = ({ page, ...asked }) => pageOf(records(field, 250), { ...asked, page, count: Math.min(25, asked.count) });
    expect((await run({ ...customers, returnAll: false, limit })).items).toHaveLength(limit);
  });
});

test('a hint states that the service returned a page a second time', async () => {
  await every(async (list) => {
    for (const way of ways) {
      service.requests.length = 0;
      respond = () => ({ totalPages: 100_000, data: records(list, 100) });
      const { items, hints } = await run({ ...list.parameters, ...way });
      expect(items).toHaveLength(100);
      expect(hints.join()).toContain('The service returned a page a second time');
      expect(service.requests.length).toBeLessThan(25);
    }
  });
});

test('a hint states that announced pages are missing', async () => {
  await every(async (list) => {
    respond = ({ page }) => ({ totalPages: 100_000, data: page === 0 ? records(list, 100) : [] });
    const { items, hints } = await run({ ...list.parameters, ...all });
    expect(items).toHaveLength(100);
    expect(hints.join()).toMatch(/announced 100000 pages but returned \d+\. The list may have changed/);
  }, some);
});
