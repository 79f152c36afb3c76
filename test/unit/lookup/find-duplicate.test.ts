import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { ListCache } from '../../../nodes/PaymentPlatform/lookup/list-cache';
import { RecordMatcher } from '../../../nodes/PaymentPlatform/lookup/match-records';
import { DuplicateSearch } from '../../../nodes/PaymentPlatform/lookup/find-duplicate';
import { Gate, NotStarted } from '../../../nodes/PaymentPlatform/service/gate';
import type { IfExists } from '../../../nodes/PaymentPlatform/model/option-types';
import type { Account, Operation, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { create as createInvoice } from '../../../nodes/PaymentPlatform/resources/invoice/create';
import { create as createPlan } from '../../../nodes/PaymentPlatform/resources/plan/create';
import { payout } from '../../../nodes/PaymentPlatform/resources/transaction/payout';
import { refund } from '../../../nodes/PaymentPlatform/resources/transaction/refund';
import { sale } from '../../../nodes/PaymentPlatform/resources/transaction/sale';
import { BASE_URL, fakeService, pageOf, type Asked, type Reply } from '../fake-service';

const account = { baseUrl: BASE_URL, merchantId: '100' } as Account;
const returning: IfExists = { then: 'return' };
const failing: IfExists = { then: 'fail' };
const REPORT = '/platform/reporting/transaction-requests';

let items = 0;
const write = (operation: unknown, existing: IfExists | undefined, values: object) =>
  ({
    operation: operation as Operation,
    items: [(items += 1)],
    part: 0,
    options: { existing },
    values: { path: {}, query: {}, body: {}, node: {}, ...values },
  }) as unknown as PlannedRequest;
const refunding = (pgIdOrig: string, existing: IfExists | undefined = returning, operation: unknown = refund) =>
  write(operation, existing, { path: { pgIdOrig }, body: { amt_tran: 4 } });
const refunded = (sale: string, more: IDataObject = {}): IDataObject => ({
  ...{ pg_id: `r${sale}`, pg_id_linked: sale, amt_tran: 4, request_type: 'refund', rcode: '000', tran_status: 'P' },
  ...{ tran_time: '2026-06-15 12:00:00', ...more },
});
const others = (count: number, from = 0) => Array.from({ length: count }, (_, at) => refunded(`other${from + at}`));

function runOf(
  writes: PlannedRequest[],
  reply: (asked: Asked, number: number) => Reply,
  canceled = () => false,
  more: object = {},
  hasEqualElsewhere = false,
) {
  const { asked, context } = fakeService(reply, more);
  const claims = new RecordMatcher(context, writes);
  const gate = new Gate({ most: 1, longestWaitMs: 1000, canceled });
  const lists = new ListCache(
    { context, account, options: { timeoutMs: 1 } },
    async (milliseconds) => await gate.rest(milliseconds),
  );
  const keys = { hasEqualElsewhere: async () => await Promise.resolve(hasEqualElsewhere) };
  const existing = new DuplicateSearch({ context, account, lists, recordMatcher: claims, keys, gate, writes });
  return { asked, claims, gate, existing };
}
const answering =
  (...data: IDataObject[]) =>
  () => ({ data });

describe('writes without a duplicate search', () => {
  test('reads no list without the option If It Already Exists', async () => {
    const request = write(refund, undefined, { path: { pgIdOrig: '1' }, body: { amt_tran: 4 } });
    const { existing, asked } = runOf([request], answering(refunded('1')));
    expect(await existing.findDuplicate(request)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  test('reads no list for a write without identifying values', async () => {
    const request = refunding('1', returning, { ...refund, footprint: undefined });
    const { existing, asked } = runOf([request], answering(refunded('1')));
    expect(await existing.findDuplicate(request)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  test('fails a write without identifying values', async () => {
    const request = refunding('');
    const { existing, asked } = runOf([request], answering());
    expect(await existing.findDuplicate(request)).toEqual({
      failure: {
        outcome: 'invalid',
        message: '"If It Already Exists" can\'t distinguish this item from others, so nothing was sent',
        advice:
          'Fill in the fields that distinguish this item, or set the option "If It Already Exists" to "Skip the Check".',
      },
    });
    expect(asked).toEqual([]);
  });
});

describe('a write of another merchant', () => {
  const of = (merchant: string | undefined, option: IfExists) => {
    const request = refunding('1', option);
    request.values.merchant = merchant;
    return request;
  };

  test("a write of the credential's merchant is searched for", async () => {
    for (const merchant of ['100', undefined]) {
      const request = of(merchant, returning);
      expect(await runOf([request], answering(refunded('1'))).existing.findDuplicate(request)).toHaveProperty('record');
    }
  });

  test('a record of another merchant is no duplicate', async () => {
    const request = of('100', failing);
    const { existing } = runOf([request], answering(refunded('1', { merchant_id: 200 })));
    expect(await existing.findDuplicate(request)).toBeUndefined();
  });
});

describe('a record that two items of a run could own', () => {
  const vault: Record<string, IDataObject> = {
    Ana: { payee_name: 'Ana', payee_account: { dda_number: 'xxxxx1111' } },
    Ben: { payee_name: 'Ben', payee_account: { dda_number: 'xxxxx2222' } },
  };
  const paying = (payee_id: string, more: IDataObject = {}, option = returning) =>
    write(payout, option, { body: { payee_id, amt_tran: 4, merch_ref_num: 'PAYROLL', ...more } });
  const paid = (more: IDataObject = {}): IDataObject => ({
    ...{ pg_id: 'p1', rec_id: '1', request_type: 'payment', rcode: '000', tran_status: 'C', amt_tran: 4 },
    ...{ merch_ref_num: 'PAYROLL', cardholder_last_name: 'Ana', card_number: 'xxxxx1111' },
    ...{ tran_time: '2026-06-15 12:00:00', ...more },
  });
  /** Replies with payees, whose IDs begin with their names. */
  const replying =
    (...records: IDataObject[]) =>
    ({ path }: Asked): Reply => {
      const payee_id = path.split('/').at(-1) ?? '';
      if (path === REPORT) return { data: records };
      const payee = vault[payee_id.split('-')[0] ?? ''];
      return payee ? { data: { payee_id, ...payee } } : { status: 500 };
    };
  const refused = { failure: { message: expect.stringContaining('A matching record may already exist') as string } };
  const existed = { record: paid(), kind: 'existed' };
  type Other = ReturnType<typeof paying>;

  test.each<[string, Other, object]>([
    ['a payee of the same name and account', paying('Ana-2'), refused],
    ['a payee of another name and account', paying('Ben-1'), existed],
    ['a payee that the node could not read', paying('Unknown-1'), refused],
    ['a payee of the same name and account who gets another amount', paying('Ana-2', { amt_tran: 5 }), existed],
    ['the same payee', paying('Ana-1'), existed],
  ])('belongs to the item unless the other item pays %s', async (_, other, expected) => {
    const request = paying('Ana-1');
    const { existing } = runOf([request, other], replying(paid()));
    expect(await existing.findDuplicate(request)).toMatchObject(expected);
  });

  test('belongs to the item if the other item has its own record', async () => {
    const [request, other] = [paying('Ana-1'), paying('Ana-2')];
    const { existing, claims } = runOf([request, other], replying(paid()));
    claims.own(other, [{ rec_id: '7', pg_id: 'p7' }]);
    expect(await existing.findDuplicate(request)).toMatchObject(existed);
  });

  test('may belong to a later one of several other items', async () => {
    const request = paying('Ana-1');
    const { existing } = runOf([request, paying('Ben-1'), paying('Ana-2')], replying(paid()));
    expect(await existing.findDuplicate(request)).toMatchObject(refused);
  });

  test.each([
    ['reads other payees only for a record that would be returned', paying('Ana-1', {}, failing), [paid()]],
    ['reads other payees only if a record matches', paying('Ana-1'), []],
  ])('%s', async (_, request, records) => {
    const { existing, asked } = runOf([request, paying('Ana-2')], replying(...records));
    await existing.findDuplicate(request);
    expect(asked.filter(({ path }) => path.endsWith('Ana-2'))).toEqual([]);
  });

  test("may be that of an item with the node's own reference", async () => {
    const charging = (customer_id: string, value: string) =>
      write(sale, returning, {
        body: { amt_tran: 4, customer_id, purchase_id: 'A1', merch_ref_num: value },
        reference: { name: 'merch_ref_num', value, isLasting: true },
      });
    const sold = { pg_id: 'p1', request_type: 'sale', rcode: '000', tran_status: 'C', amt_tran: 4, purchase_id: 'A1' };
    const record = { ...sold, merch_ref_num: 'OTHER', card_number: 'xxxx1111', tran_time: '2026-06-15 12:00:00' };
    const request = charging('C1', 'OWN1');
    const { existing } = runOf([request, charging('C2', 'OWN2')], ({ path }) => {
      const customer = { customer_id: path.split('/').at(-1), primary_card_number: 'xxxx1111' };
      return { data: path === REPORT ? [record] : path.includes('vault') ? customer : { pg_id: 'p1' } };
    });
    expect(await existing.findDuplicate(request)).toMatchObject(refused);
  });
});

describe("a write with the node's own reference", () => {
  const reference = { name: 'merch_ref_num', value: 'OWN', isLasting: true };
  const charging = (body: IDataObject) =>
    write(sale, returning, { body: { amt_tran: 4, card_number: '4111111111111111', ...body }, reference });
  const sold = (more: IDataObject = {}): IDataObject => ({
    ...{ pg_id: 'p1', request_type: 'sale', rcode: '000', tran_status: 'C', amt_tran: 4, purchase_id: 'A1' },
    ...{ merch_ref_num: 'OTHER', card_number: 'xxxx1111', tran_time: '2026-06-15 12:00:00', ...more },
  });

  test("a write with the node's own reference is compared without it, because the records of other writes don't show it", async () => {
    const request = charging({ purchase_id: 'A1', merch_ref_num: 'OWN' });
    const { existing, asked } = runOf([request], answering(sold()));
    expect(await existing.findDuplicate(request)).toMatchObject({
      record: sold(),
      agreement: 'same reference, amount, currency and payer',
    });
    expect(asked[0]?.query.filter).toEqual(['purchase_id,IS,A1']);
  });

  test('a write with only an own reference is refused', async () => {
    const request = charging({ merch_ref_num: 'OWN' });
    const { existing, asked } = runOf([request], answering(sold()));
    expect(await existing.findDuplicate(request)).toMatchObject({
      failure: { message: expect.stringContaining("can't distinguish this item from others") as string },
    });
    expect(asked).toEqual([]);
  });

  test('a write with an own reference is refused if a record may belong to another payer', async () => {
    const request = charging({ purchase_id: 'A1', merch_ref_num: 'OWN' });
    const { existing } = runOf([request], answering(sold({ card_number: '' })));
    expect(await existing.findDuplicate(request)).toMatchObject({
      failure: { message: expect.stringContaining('A matching record may already exist: pg_id p1') as string },
    });
    const other = charging({ purchase_id: 'A1', merch_ref_num: 'OWN' });
    const search = runOf([other], answering(sold({ card_number: 'xxxx2222' })));
    expect(await search.existing.findDuplicate(other)).toBeUndefined();
  });

  test('a search reads the customer and the transaction of a record that may be the payment', async () => {
    const request = write(sale, returning, {
      body: { amt_tran: 4, customer_id: 'C1', purchase_id: 'A1', merch_ref_num: 'OWN' },
      reference,
    });
    const vault = { customer_id: 'C1', customer_first_name: 'Ana', primary_card_number: 'xxxx1111' };
    const { existing, asked } = runOf([request], ({ path }) => ({
      data: path === REPORT ? [sold()] : path.includes('vault') ? vault : { pg_id: 'p1', customer_id: 'C1' },
    }));
    // The record doesn't contain the transaction, which only the comparison needs.
    const agreement = 'same reference, amount, currency and payer';
    expect(await existing.findDuplicate(request)).toEqual({ record: sold(), agreement, kind: 'existed' });
    expect(asked.map(({ path }) => path)).toEqual([
      REPORT,
      '/platform/vault/customer/C1',
      '/platform/reporting/transactions/bypgid/p1',
    ]);
  });

  test("a search sends nothing if the customer can't be read", async () => {
    const request = write(sale, returning, {
      body: { amt_tran: 4, customer_id: 'C1', purchase_id: 'A1', merch_ref_num: 'OWN' },
      reference,
    });
    const { existing } = runOf([request], ({ path }) => (path === REPORT ? { data: [sold()] } : { status: 500 }));
    expect(await existing.findDuplicate(request)).toMatchObject({
      failure: { message: expect.stringContaining('so nothing was sent') as string },
    });
  });
});

describe('an existing record', () => {
  const since = DateTime.fromISO('2026-06-01T04:30:00Z');

  test('an existing record is returned with the match, and the item is not sent', async () => {
    const request = refunding('1');
    const { existing } = runOf([request], answering(refunded('1')));
    expect(await existing.findDuplicate(request)).toEqual({
      record: refunded('1'),
      agreement: 'same transaction, same amount',
      kind: 'existed',
    });
  });

  test("an existing record is returned with the start of the period in the workflow's time zone", async () => {
    const request = refunding('1', { ...returning, since });
    const { existing } = runOf([request], answering(refunded('1')));
    expect(await existing.findDuplicate(request)).toMatchObject({
      agreement: 'same transaction, same amount, since 2026-06-01 00:30 America/New_York',
    });
  });

  test("an existing record doesn't count if it is older than the period", async () => {
    const request = refunding('1', { ...returning, since });
    const { existing } = runOf([request], answering(refunded('1', { tran_time: '2026-05-31 12:00:00' })));
    expect(await existing.findDuplicate(request)).toBeUndefined();
  });

  test("an invoice doesn't count if it is older than the period in every time zone", async () => {
    const body = { customer_id: 'C1', line_items: [{ quantity: 1, unit_cost: 50 }] };
    const request = write(createInvoice, { ...returning, since }, { body });
    const invoice = { invoice_id: '9', customer_id: 'C1', amt_tran: 50, status: 'SAVED' };
    const find = async (db_timestamp: string) =>
      await runOf([request], answering({ ...invoice, db_timestamp })).existing.findDuplicate(request);
    expect(await find('2026-05-31 16:29:59')).toBeUndefined();
    expect(await find('2026-05-31 16:30:00')).toMatchObject({
      failure: { message: expect.stringContaining('may already exist') as string },
    });
    expect(await find('2026-06-01 18:30:00')).toMatchObject({ kind: 'existed' });
  });

  test('an existing record is returned for one of two equal items, and the other is sent', async () => {
    const [one, other] = [refunding('1'), refunding('1')];
    const { existing } = runOf([one, other], answering(refunded('1')));
    expect(await existing.findDuplicate(one)).toHaveProperty('record');
    expect(await existing.findDuplicate(other)).toBeUndefined();
  });

  test('an existing record fails the item with its ID if the user chose it', async () => {
    const request = refunding('1', failing);
    const { existing } = runOf([request], answering(refunded('1')));
    expect(await existing.findDuplicate(request)).toEqual({
      failure: {
        outcome: 'invalid',
        message:
          'A matching record already exists: pg_id r1 is in the transaction report (same transaction, same amount)',
        advice: 'To send this request anyway, a person can set the option "If It Already Exists" to "Skip the Check".',
        pgId: 'r1',
      },
    });
  });

  test('an existing record adds no transaction ID to the failure unless the record is a transaction', async () => {
    const body = { customer_id: 'C1', invoice_number: 'N-1', line_items: [{ quantity: 1, unit_cost: 50 }] };
    const request = write(createInvoice, failing, { body });
    const record = { invoice_id: '9', customer_id: 'C1', invoice_number: 'N-1', amt_tran: 50 };
    const found = await runOf([request], answering(record)).existing.findDuplicate(request);
    expect(found).toMatchObject({ failure: { message: expect.stringContaining('invoice_id 9') as string } });
    expect(found).not.toHaveProperty('failure.pgId');
  });
});

describe('a record that may belong to the write', () => {
  const unsure = refunded('1', { tran_status: 'H' });

  const untyped = refunded('1', { request_type: undefined });

  test.each([
    [returning, unsure],
    [failing, unsure],
    [returning, untyped],
    [failing, untyped],
  ])('a record that may belong to the write prevents sending the item: %j, %j', async (option, record) => {
    const request = refunding('1', option);
    const { existing } = runOf([request], answering(record));
    expect(await existing.findDuplicate(request)).toMatchObject({
      failure: {
        message:
          'A matching record may already exist: pg_id r1 is in the transaction report (same transaction, same amount)',
      },
    });
  });

  test.each([
    [returning, 'may already exist'],
    [failing, 'already exists'],
  ])(
    'a record that may belong to an equal write of a later loop iteration prevents sending the item: %j',
    async (option, state) => {
      const request = refunding('1', option);
      const { existing } = runOf([request], answering(refunded('1')), undefined, {}, true);
      expect(await existing.findDuplicate(request)).toMatchObject({
        failure: { message: expect.stringContaining(`A matching record ${state}: pg_id r1`) as string },
      });
    },
  );

  test('a failure names the matching fields of a record that may belong to the write', async () => {
    const resembling = { ...refund, footprint: { ...refund.footprint, resemblance: 'same transaction' } };
    const doubted = refunding('1', failing, resembling);
    expect(await runOf([doubted], answering(unsure)).existing.findDuplicate(doubted)).toMatchObject({
      failure: { message: expect.stringMatching(/\(same transaction\)$/) as string },
    });
    const sure = refunding('1', failing, resembling);
    expect(await runOf([sure], answering(refunded('1'))).existing.findDuplicate(sure)).toMatchObject({
      failure: { message: expect.stringMatching(/\(same transaction, same amount\)$/) as string },
    });
  });
});

describe('a record that uses the number or code of the write', () => {
  const numbered = { customer_id: 'C1', invoice_number: 'N-1', line_items: [{ quantity: 1, unit_cost: 50 }] };
  const invoice = { invoice_id: '9', customer_id: 'C1', invoice_number: 'N-1', amt_tran: 60, status: 'SAVED' };
  const terms = { plan_code: 'GOLD', plan_name: 'Gold', plan_frequency: 3, plan_duration: 12, amt_tran: 10 };
  const plan = { ...terms, plan_id: 1, amt_tran: 11, status: 'E' };
  const find = async (operation: unknown, body: object, option: IfExists, record: IDataObject) => {
    const request = write(operation, option, { body });
    return await runOf([request], answering(record)).existing.findDuplicate(request);
  };

  test.each([returning, failing])(
    'a record with the same number or code but other terms fails the item: %j',
    async (option) => {
      expect(await find(createInvoice, numbered, option, invoice)).toMatchObject({
        failure: {
          outcome: 'invalid',
          message:
            'A matching record may already exist: invoice_id 9 is in the list of invoices (same customer and invoice number)',
        },
      });
      expect(await find(createPlan, terms, option, plan)).toMatchObject({
        failure: { message: 'A matching record may already exist: plan_id 1 is in the list of plans (same code)' },
      });
    },
  );

  test.each<[string, unknown, object, IDataObject]>([
    ['an invoice in another currency', createInvoice, numbered, { ...invoice, amt_tran: 50, tran_currency: '124' }],
    ['an invoice without a readable total', createInvoice, numbered, { ...invoice, amt_tran: undefined }],
    ['an invoice without a customer', createInvoice, numbered, { ...invoice, customer_id: undefined }],
  ])('%s with the same number fails the item too', async (_, operation, body, record) => {
    expect(await find(operation, body, returning, record)).toMatchObject({
      failure: { message: expect.stringContaining('may already exist') as string },
    });
  });

  test.each<[string, unknown, object, IDataObject]>([
    ['a canceled invoice', createInvoice, numbered, { ...invoice, status: 'CANCELED' }],
    ['an archived plan', createPlan, terms, { ...plan, status: 'A' }],
    ['an invoice of another customer', createInvoice, numbered, { ...invoice, customer_id: 'C2' }],
    ['an invoice with another number', createInvoice, numbered, { ...invoice, invoice_number: 'N-2' }],
    ['a plan with another code', createPlan, terms, { ...plan, plan_code: 'SILVER' }],
  ])('%s leaves the number or code free', async (_, operation, body, record) => {
    expect(await find(operation, body, failing, record)).toBeUndefined();
  });
});

describe('the duplicate search for one item', () => {
  test("the duplicate search requests only the item's possible records", async () => {
    const request = refunding('1');
    const { existing, asked } = runOf([request], answering());
    await existing.findDuplicate(request);
    expect(asked).toEqual([
      { method: 'GET', path: REPORT, query: { filter: ['pg_id_linked,IS,1'], count: 100, page: 0 } },
    ]);
  });

  test("doesn't send the item if the list is incomplete", async () => {
    const request = refunding('1');
    const { existing } = runOf([request], () => ({ data: [refunded('2')], totalPages: 1, totalRecords: 2 }));
    expect(await existing.findDuplicate(request)).toMatchObject({
      failure: {
        message: expect.stringMatching(
          /^"If It Already Exists" could not read the records of the service, so nothing was sent: .*announced 2 records/,
        ) as string,
      },
    });
  });

  test("doesn't send the item if the service refuses the list", async () => {
    const request = refunding('1', failing);
    const { existing } = runOf([request], () => ({ status: 403, data: {} }));
    expect(await existing.findDuplicate(request)).toMatchObject({
      failure: {
        message: expect.stringContaining(
          '"If It Already Exists" could not read the records of the service, so nothing was sent: ',
        ) as string,
      },
    });
  });
});

describe('the duplicate search for several items', () => {
  const june = (day: number) => DateTime.fromISO(`2026-06-${String(day).padStart(2, '0')}T12:00:00Z`);
  const from = (day: number): IfExists => ({ ...returning, since: june(day) });

  test('reads the list once for all items, from two days before the earliest period', async () => {
    const all = [refunding('1', from(10)), refunding('2', from(8)), refunding('3', from(9))];
    const { existing, asked } = runOf(all, answering(refunded('2')));
    expect(await Promise.all(all.map(async (one) => await existing.findDuplicate(one)))).toEqual([
      undefined,
      expect.objectContaining({ record: refunded('2') }),
      undefined,
    ]);
    expect(asked.map(({ query }) => query)).toEqual([
      { filter: ['tran_time,GREATER,2026-06-06'], count: 100, page: 0 },
    ]);
  });

  test('reads the whole list if one item counts records of any age', async () => {
    const all = [refunding('1', from(10)), refunding('2')];
    const { existing, asked } = runOf(all, answering());
    await existing.findDuplicate(all[0] as PlannedRequest);
    expect(asked.map(({ path, query }) => ({ path, query }))).toEqual([
      { path: REPORT, query: { count: 100, page: 0 } },
    ]);
  });

  test('ignores items without the option', async () => {
    const request = refunding('1');
    const other = write(refund, undefined, { path: { pgIdOrig: '2' }, body: { amt_tran: 4 } });
    const { existing, asked } = runOf([request, other], answering());
    await existing.findDuplicate(request);
    expect(asked[0]?.query.filter).toEqual(['pg_id_linked,IS,1']);
  });

  test('reads all pages of a list with at most as many pages as items', async () => {
    const all = [refunding('1'), refunding('2')];
    const listed = [...others(100), refunded('1')];
    const { existing, asked } = runOf(all, ({ query }) => ({
      data: pageOf(listed, query),
      totalPages: 2,
      totalRecords: 101,
    }));
    expect(await existing.findDuplicate(all[0] as PlannedRequest)).toMatchObject({ record: refunded('1') });
    expect(await existing.findDuplicate(all[1] as PlannedRequest)).toBeUndefined();
    expect(asked.map(({ query }) => [query.filter, query.page])).toEqual([
      [undefined, 0],
      [undefined, 0],
      [undefined, 1],
      [undefined, 33],
    ]);
  });

  test.each([
    ['has more pages than there are items', { totalPages: 3, totalRecords: 250 }],
    ['does not say how many pages it has', {}],
  ])('searches for each item separately if the list %s', async (_, totals) => {
    const all = [refunding('1'), refunding('2')];
    const { existing, asked } = runOf(all, ({ query }) =>
      query.filter ? { data: [] } : { data: others(100), ...totals },
    );
    for (const one of all) expect(await existing.findDuplicate(one)).toBeUndefined();
    expect(asked.map(({ query }) => query.filter)).toEqual([undefined, ['pg_id_linked,IS,1'], ['pg_id_linked,IS,2']]);
  });

  test('sends no item if a short page contains fewer records than the service counted', async () => {
    const all = [refunding('1'), refunding('2')];
    const { existing } = runOf(all, () => ({ data: [refunded('3')], totalPages: 1, totalRecords: 2 }));
    expect(await existing.findDuplicate(all[0] as PlannedRequest)).toMatchObject({
      failure: { message: expect.stringContaining('announced 2 records') as string },
    });
  });

  test("sends no item if the shared list can't be read", async () => {
    const all = [refunding('1'), refunding('2')];
    const { existing, asked } = runOf(all, () => ({ status: 500, data: {} }));
    for (const found of await Promise.all(all.map(async (one) => await existing.findDuplicate(one))))
      expect(found).toMatchObject({
        failure: { outcome: 'notSent', message: expect.stringContaining('so nothing was sent') as string },
      });
    expect(asked).toHaveLength(1);
  });
});

describe('a list whose records moved between pages', () => {
  // The second page repeats the last record of the first page, so the list lacks one record.
  const pages = [others(100), [...others(1, 99), refunded('other100')]];
  const moved = ({ query }: Asked) => ({ data: pages[Number(query.page)], totalPages: 2, totalRecords: 102 });

  test.each([1, 2])('no item is sent if records moved between pages of the list: %s items', async (count) => {
    const all = Array.from({ length: count }, () => refunding('1'));
    expect(await runOf(all, moved).existing.findDuplicate(all[0] as PlannedRequest)).toMatchObject({
      failure: { message: expect.stringContaining('announced 102 records but returned 101') as string },
    });
  });
});

test.each([
  ['keeps an equal item of this round from being sent', failing, true],
  ['is not returned for an item of this round, which is sent', returning, false],
])('a record from an earlier loop iteration %s', async (_, option, isFound) => {
  const kept: IDataObject = {};
  const round = (number: number, writes: PlannedRequest[]) => {
    kept.paymentPlatformRounds = { number, itemsBefore: number, before: {}, own: {}, items: 1, runIndex: number };
    return runOf(writes, answering(refunded('1')), undefined, {
      getContext: () => kept,
      getInputData: () => [{ json: {} }],
      evaluateExpression: () => number,
    });
  };
  const [before, now] = [refunding('1', option), refunding('1', option)];
  round(0, [before]).claims.own(before, [refunded('1')]);
  expect((await round(1, [now]).existing.findDuplicate(now)) !== undefined).toBe(isFound);
});

describe('sharing a read', () => {
  beforeEach(() => jest.useFakeTimers({ now: 1_000_000, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());

  test('items use a list for 60 seconds, and then the node reads the list again', async () => {
    const all = [refunding('1'), refunding('2'), refunding('3')];
    const [one, two, three] = all as [PlannedRequest, PlannedRequest, PlannedRequest];
    const { existing, asked } = runOf(all, (_, number) => ({
      data: number === 1 ? [] : [refunded('2'), refunded('3')],
    }));
    expect(await existing.findDuplicate(one)).toBeUndefined();
    jest.setSystemTime(1_059_999);
    expect(await existing.findDuplicate(two)).toBeUndefined();
    expect(asked).toHaveLength(1);
    jest.setSystemTime(1_060_000);
    expect(await existing.findDuplicate(three)).toMatchObject({ record: refunded('3') });
    expect(asked).toHaveLength(2);
  });

  test("waits for an equal item's response, which may contain the record's ID", async () => {
    const [sent, waiting] = [refunding('1'), refunding('1')];
    const { existing, claims } = runOf([sent, waiting], answering(refunded('1')));
    claims.leaves(sent);
    let found: unknown = 'waits';
    void existing.findDuplicate(waiting).then((result) => (found = result));
    await jest.advanceTimersByTimeAsync(1000);
    expect(found).toBe('waits');
    claims.own(sent, [refunded('1')]);
    await jest.advanceTimersByTimeAsync(499);
    expect(found).toBe('waits');
    await jest.advanceTimersByTimeAsync(1);
    expect(found).toBeUndefined();
  });

  test("doesn't start a waiting item after the run stopped", async () => {
    let isStopped = false;
    const [sent, waiting] = [refunding('1'), refunding('1')];
    const { existing, claims } = runOf([sent, waiting], answering(refunded('1')), () => isStopped);
    claims.leaves(sent);
    const found = existing.findDuplicate(waiting).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(100);
    isStopped = true;
    await jest.advanceTimersByTimeAsync(500);
    expect(await found).toBeInstanceOf(NotStarted);
  });
});
