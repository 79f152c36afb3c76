import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { ListCache } from '../../../nodes/PaymentPlatform/lookup/list-cache';
import { likeIf, likeText, type Likeness } from '../../../nodes/PaymentPlatform/model/likeness';
import { likenessOf, type Footprint, type WriteValues } from '../../../nodes/PaymentPlatform/model/footprint';
import type { Account } from '../../../nodes/PaymentPlatform/model/types';
import { sale } from '../../../nodes/PaymentPlatform/resources/transaction/sale';
import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import { BASE_URL, fakeService, type Asked, type Reply } from '../fake-service';

const account = { baseUrl: BASE_URL } as Account;

function listsOf(reply: (asked: Asked) => Reply) {
  const { context, asked } = fakeService(reply);
  const lists = new ListCache({ context, account, options: { timeoutMs: 1 } }, async () => await Promise.resolve());
  return { lists, asked, paths: () => asked.map(({ path }) => path) };
}

const values: WriteValues = { path: {}, body: {} };
const found = { records: [{ id: 3 }, { id: 2 }, { id: 1 }], note: 'n' };
const unread = { ok: false as const, failure: { outcome: 'declined' as const, message: 'm', advice: '' } };
const newer = (above: string) => ({ at: DateTime.fromISO('2030-01-01'), above });

const footprintOf = (compare: (record: IDataObject, values: WriteValues) => Likeness, more: object = {}) =>
  ({
    list: { path: '/list', identity: 'id', newestBy: 'id' },
    filter: () => [],
    compare: (record: IDataObject, of: WriteValues) => [compare(record, of)],
    ...more,
  }) as unknown as Footprint;

describe('the details of a record', () => {
  const details = { name: 'cards', isList: true, path: ({ id }: IDataObject) => `/platform/rows/${asText(id)}` };
  // Record 1 belongs to another write, record 2 to the write, and record 3 possibly to the write.
  const likeness = ({ id }: IDataObject) => (id === 1 ? 'different' : id === 2 ? 'equal' : 'notShown');
  const listed = footprintOf(likeness, { details });
  const cards = [{ card_id: 'c0' }, { card_id: 'c1' }];

  test('details are read and added only to the records that may belong to the write', async () => {
    const { lists, paths } = listsOf(() => ({ data: cards }));
    expect(await lists.complete(listed, values, found)).toEqual({
      records: [{ id: 3, cards }, { id: 2 }, { id: 1 }],
      note: 'n',
      values,
    });
    expect(paths()).toEqual(['/platform/rows/3']);
  });

  test('details are not read for older records, other records of the list or without need', async () => {
    const open = footprintOf(() => 'notShown', { details });
    const { lists, paths } = listsOf(() => ({ data: cards }));
    await lists.complete(open, values, found, newer('2'));
    expect(paths()).toEqual(['/platform/rows/3']);
    const numbered = footprintOf(() => 'notShown', { details, filter: () => ['number,IS,7'] });
    const records = [
      { id: 5, number: '8' },
      { id: 4, number: '7' },
    ];
    await lists.complete(numbered, values, { records });
    expect(paths()).toEqual(['/platform/rows/3', '/platform/rows/4']);
    await lists.complete(
      footprintOf(() => 'notShown'),
      values,
      { records: [{ id: 9 }] },
    );
    expect(paths()).toHaveLength(2);
  });

  test('details of a record are read once for all items of a reading, and again for another reading', async () => {
    const { lists, asked } = listsOf(() => ({ data: cards }));
    await Promise.all([1, 2].map(async () => await lists.complete(listed, values, found)));
    expect(asked).toHaveLength(1);
    await lists.complete(listed, values, { records: [{ id: 3 }] });
    expect(asked).toHaveLength(2);
  });

  test('a list of details is read whole, and a single record of details by its path', async () => {
    const { lists, asked } = listsOf(() => ({ data: { id: 3, customer_id: 'C1' }, totalRecords: 1 }));
    await lists.complete(listed, values, found);
    expect(asked[0]?.query).toHaveProperty('page');
    const single = footprintOf(likeness, { details: { ...details, isList: undefined, name: 'detail' } });
    const read = await lists.complete(single, values, { records: [{ id: 3 }] });
    expect(asked[1]?.query).toEqual({});
    expect(read).toMatchObject({ records: [{ id: 3, detail: [{ id: 3, customer_id: 'C1' }] }] });
  });

  test("a single record without the record's ID or with another ID is unreadable", async () => {
    const single = footprintOf(likeness, { details: { ...details, isList: undefined } });
    for (const data of [{ records: [{ id: 3 }] }, { customer_id: 'C1' }, { id: null }, { id: 4 }]) {
      const { lists } = listsOf(() => ({ data }));
      expect(await lists.complete(single, values, found)).toMatchObject({ ok: false, failure: { outcome: 'unknown' } });
    }
  });

  test('a single record of details may not exist', async () => {
    const single = footprintOf(likeness, { details: { ...details, isList: undefined } });
    const { lists } = listsOf(() => ({ status: 404 }));
    expect(await lists.complete(single, values, found)).toMatchObject({ records: [{ id: 3, cards: [] }, {}, {}] });
  });

  test.each<[string, Reply]>([
    ["can't be read", { status: 500 }],
    ['are not whole', { data: cards, totalPages: 1, totalRecords: 3 }],
  ])('the look-up fails if the details of a record %s', async (_, reply) => {
    const { lists } = listsOf(() => reply);
    expect(await lists.complete(listed, values, found)).toMatchObject({ ok: false, failure: {} });
  });

  test.each([
    [500, 2],
    [403, 1],
  ])('details are read again after a temporary failure only: HTTP %d', async (status, readings) => {
    const { lists, asked } = listsOf(() => ({ status }));
    await lists.complete(listed, values, found);
    await lists.complete(listed, values, found);
    expect(asked).toHaveLength(readings);
  });
});

describe('the record on which a comparison depends', () => {
  const source = () => ({ path: '/platform/customer/P1', identity: 'id' });
  const bySource = ({ owner }: IDataObject, { source: read }: WriteValues) =>
    read ? likeText(owner, read.id) : likeText(owner, undefined);
  const owned = footprintOf(bySource, { source });
  const records = [{ id: 2, owner: 'P1' }];

  test('the record is read if a record of the list may belong to the write, and is added to the values', async () => {
    const { lists, asked } = listsOf(() => ({ data: { id: 'P1' } }));
    expect(await lists.complete(owned, values, { records })).toEqual({
      records,
      values: { ...values, source: { id: 'P1' } },
    });
    expect(asked).toEqual([{ method: 'GET', path: '/platform/customer/P1', query: {} }]);
  });

  test.each<[string, Footprint, IDataObject[]]>([
    ['the list is empty', owned, []],
    ['a record belongs to the write', footprintOf(() => 'equal', { source }), records],
    ['a record belongs to another write', footprintOf(() => 'different', { source }), records],
    ['the write depends on no record', footprintOf(() => 'notShown', { source: () => undefined }), records],
    ['the operation depends on no record', footprintOf(() => 'notShown'), records],
    ['only a record of another number may match', { ...owned, filter: () => ['number,IS,7' as never] }, records],
  ])('the record is not read if %s', async (_, footprint, some) => {
    const { lists, asked } = listsOf(() => ({ data: { id: 'P1' } }));
    expect(await lists.complete(footprint, values, { records: some })).toEqual({ records: some, values });
    expect(asked).toEqual([]);
  });

  test('the record is not read for records before the search', async () => {
    const { lists, asked } = listsOf(() => ({ data: { id: 'P1' } }));
    expect(await lists.complete(owned, values, { records }, newer('2'))).toEqual({ records, values });
    await lists.complete(owned, values, { records }, newer('1'));
    expect(asked).toHaveLength(1);
  });

  test('the record may no longer exist', async () => {
    const { lists } = listsOf(() => ({ status: 404 }));
    expect(await lists.complete(owned, values, { records })).toEqual({ records, values });
  });

  test("the look-up fails if the list or the record can't be read", async () => {
    const { lists, asked } = listsOf(() => ({ status: 500 }));
    expect(await lists.complete(owned, values, unread)).toBe(unread);
    expect(asked).toEqual([]);
    expect(await lists.complete(owned, values, { records })).toMatchObject({ failure: { httpStatus: 500 } });
  });

  test('each item is compared with its own record', async () => {
    const { lists, paths } = listsOf(({ path }) => ({ data: { id: path.slice(-2) } }));
    const own = ({ path }: WriteValues) => ({ path: `/platform/customer/${asText(path.id)}`, identity: 'id' });
    const sources = ['P1', 'P2'].map(async (id) => {
      const read = await lists.complete({ ...owned, source: own }, { path: { id }, body: {} }, { records });
      return 'values' in read ? read.values.source : read;
    });
    expect(await Promise.all(sources)).toEqual([{ id: 'P1' }, { id: 'P2' }]);
    expect(paths()).toEqual(['/platform/customer/P1', '/platform/customer/P2']);
  });

  test('items with the same record share one reading of it', async () => {
    const { lists, asked } = listsOf(() => ({ data: { id: 'P1' } }));
    await Promise.all([1, 2, 3].map(async () => await lists.complete(owned, values, { records })));
    expect(asked).toHaveLength(1);
  });
});

describe('both together', () => {
  const source = () => ({ path: '/platform/customer/P1', identity: 'id' });
  const details = { name: 'detail', path: () => '/platform/detail' };
  const reply = ({ path }: Asked) => ({ data: { id: path === '/platform/detail' ? 'other' : 'P1' } });
  const inOrder = (bySource: Likeness) =>
    footprintOf(
      ({ detail }, { source: read }) => (detail === undefined ? (read ? bySource : 'notShown') : likeIf(false)),
      { source, details },
    );

  test.each<[Likeness, string[]]>([
    ['notShown', ['/platform/customer/P1', '/platform/detail']],
    ['equal', ['/platform/customer/P1', '/platform/detail']],
    ['different', ['/platform/customer/P1']],
  ])('details are read after the record unless it already excludes the write: %s', async (bySource, expected) => {
    const { lists, paths } = listsOf(reply);
    await lists.complete(inOrder(bySource), values, { records: [{ id: 1 }] });
    expect(paths()).toEqual(expected);
  });

  describe('a charge', () => {
    const footprint = sale.footprint as Footprint;
    const record = {
      ...{ pg_id: 'p1', request_type: 'sale', tran_status: 'C', rcode: '000', amt_tran: 5, purchase_id: 'DUES' },
      ...{ card_number: 'xxxx1111', cardholder_first_name: 'Ana', cardholder_last_name: 'Silva' },
    };
    const charge = (body: IDataObject) => ({ path: {}, body: { amt_tran: 5, purchase_id: 'DUES', ...body } });
    const vault = (customer_id: string) => ({
      customer_id,
      ...{ customer_first_name: 'Ana', customer_last_name: 'Silva', primary_card_number: 'xxxx1111' },
    });
    const service = ({ path }: Asked): Reply =>
      path.includes('/vault/') ? { data: vault(path.slice(-2)) } : { data: { pg_id: 'p1', customer_id: 'C1' } };

    test.each([
      ['C1', 'equal'],
      ['C2', 'different'],
    ])('the record of twins with one card belongs only to the customer who paid: %s', async (customer_id, expected) => {
      const { lists, paths } = listsOf(service);
      const read = await lists.complete(footprint, charge({ customer_id }), { records: [record] });
      const shown = 'records' in read && likenessOf(footprint, read.records[0] ?? {}, read.values);
      expect(shown).toBe(expected);
      expect(paths()).toEqual([
        `/platform/vault/customer/${customer_id}`,
        '/platform/reporting/transactions/bypgid/p1',
      ]);
    });

    test("reads neither for a typed card or for a record with the node's own reference", async () => {
      const { lists, asked } = listsOf(service);
      await lists.complete(footprint, charge({ card_number: '4111111111111111' }), { records: [record] });
      const own = { reference: { name: 'merch_ref_num', value: 'OWN', isLasting: true } };
      const mine = { ...charge({ customer_id: 'C1', merch_ref_num: 'OWN' }), ...own };
      await lists.complete(footprint, mine, { records: [{ ...record, merch_ref_num: 'OWN' }] });
      expect(asked).toEqual([]);
    });
  });
});
