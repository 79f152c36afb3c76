import type { IDataObject } from 'n8n-workflow';

import type { Remembered } from '../../../nodes/PaymentPlatform/model/write-memory';
import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import type { Answer } from '../../../nodes/PaymentPlatform/model/failure';
import { create as createSubscription } from '../../../nodes/PaymentPlatform/resources/subscription/create';
import { refund } from '../../../nodes/PaymentPlatform/resources/transaction/refund';
import { sale } from '../../../nodes/PaymentPlatform/resources/transaction/sale';
import { create as createWebhook } from '../../../nodes/PaymentPlatform/resources/webhook/create';
import { ended } from '../ended';
import type { Asked, Reply } from '../fake-service';
import { adviceOf, lost, lostAnswer, NOON, runOf, showing, write } from './looking-run';

beforeEach(() => jest.useFakeTimers({ now: NOON, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

const refunding = (more: object = {}, sale = '1', options: object = {}) =>
  write({ ...refund, ...more }, { path: { pgIdOrig: sale }, body: { amt_tran: 4 } }, options);
const refusing = () => refunding({}, '1', { unknownOutcome: 'refuse' });
const ofMerchant = (merchant: string, options: object = {}) => {
  const request = refunding({}, '1', options);
  request.values.merchant = merchant;
  return request;
};
const withAmount = (amt_tran: number, options: object) =>
  write({ ...refund, footprint: undefined, money: 'named' }, { path: { pgIdOrig: '1' }, body: { amt_tran } }, options);
const withReference = (isLasting: boolean, options: object = {}) => {
  const request = write(sale, { body: { amt_tran: 4, customer_id: 'C1', merch_ref_num: 'OWN' } }, options);
  request.values.reference = { name: 'merch_ref_num', value: 'OWN', isLasting };
  return request;
};
const refunded = (pg_id: string, more: IDataObject = {}): IDataObject => ({
  ...{ pg_id, pg_id_linked: '1', amt_tran: 4, request_type: 'refund', rcode: '000', tran_status: 'P' },
  ...{ tran_time: '2026-06-15T16:00:00.000Z', ...more },
});
const withFootprint = (more: object) => ({ footprint: { ...refund.footprint, ...more } });
const hook = { label: 'Mine', notification_url: 'https://example.com/a' };
const hooking = (options: object = {}) => write(createWebhook, { body: hook }, options);
const terms = { customer_id: 'C1', plan_code: 'P', date_start: '2030-03-01' };
const subscribing = () => write(createSubscription, { body: terms });

describe('requests without a look-up', () => {
  const refused: Answer = { ok: false, failure: { ...lost, outcome: 'declined' } };
  test.each<[string, PlannedRequest, Answer, object]>([
    ['for an answer that says that it was done', refunding(), { ok: true, record: {} }, {}],
    ['for an answer that says that it was not done', refunding(), refused, {}],
    ['if the option says to refuse at once', refusing(), lostAnswer, {}],
    ['for a write that leaves no footprint', refunding({ footprint: undefined }), lostAnswer, {}],
    ['for a write that nothing tells from others', refunding({}, ''), lostAnswer, {}],
    ['for an item of many steps', refunding({ steps: { each: [{}, {}] } }), lostAnswer, {}],
    ['for another merchant', ofMerchant('200'), lostAnswer, {}],
  ])('sends no look-up request %s', async (_, request, answer, setting) => {
    const { lookUps, asked } = runOf([request], { reply: showing(refunded('r1')), ...setting });
    await lookUps.begins(request);
    lookUps.leaves(request);
    expect(await lookUps.settle(request, answer)).toBe(answer);
    expect(asked).toEqual([]);
  });

  test("doesn't look up a request not sent in its latest attempt", async () => {
    const request = refunding();
    const { lookUps, asked } = runOf([request], { reply: showing(refunded('r1')) });
    lookUps.leaves(request);
    await lookUps.begins(request);
    expect(await lookUps.settle(request, lostAnswer)).toBe(lostAnswer);
    expect(asked).toEqual([]);
  });
});

describe('a request with a lost response', () => {
  test('a request with a lost response is completed if its record is found two seconds later', async () => {
    const request = refunding();
    const { loses, lookUps, moments, asked } = runOf([request], { reply: showing(refunded('r1')) });
    expect(await loses(request)).toEqual({ ok: true, record: refunded('r1') });
    expect(lookUps.sighting(request)).toEqual({
      record: refunded('r1'),
      agreement: 'same transaction, same amount, within 2 minutes',
      kind: 'lost',
    });
    expect(moments).toEqual([2000]);
    expect(asked[0]?.query.filter).toEqual(['pg_id_linked,IS,1']);
  });

  test('a request with a lost response is looked up for an item with one step, too', async () => {
    const request = refunding({ steps: { each: [{}] } });
    expect(await runOf([request], { reply: showing(refunded('r1')) }).loses(request)).toHaveProperty('record');
  });

  test('a lost request is looked up three times, and the search time, place and content are stated', async () => {
    const request = refunding();
    const { loses, lookUps, moments } = runOf([request]);
    const sentence =
      'By 2026-06-15 12:00 America/New_York, the node had checked the transaction report 3 times (same transaction, same amount, within 2 minutes) without finding a match. The record may still appear.';
    expect(await loses(request)).toEqual({ ok: false, failure: { ...lost, advice: `Look first. ${sentence}` } });
    expect(moments).toEqual([2000, 6000, 14_000]);
    expect(lookUps.sighting(request)).toBeUndefined();
    expect(lookUps.told(request, { ...lost, advice: '' }).advice).toBe(sentence);
    expect(lookUps.told(refunding(), lost)).toBe(lost);
  });

  test.each([
    ['two minutes before it left', '2026-06-15T15:58:00.000Z', true],
    ['more than two minutes before it left', '2026-06-15T15:57:59.999Z', false],
  ])('a record of %s belongs to a request with a lost response: %s', async (_, tran_time, isOwn) => {
    const request = refunding();
    const { ok } = await runOf([request], { reply: showing(refunded('r1', { tran_time })) }).loses(request);
    expect(ok).toBe(isOwn);
  });

  test('a request with a lost response is found by a later look-up after a failed look-up', async () => {
    const request = refunding();
    const reply = (_: Asked, number: number) => (number === 1 ? { status: 500, data: {} } : { data: [refunded('r1')] });
    expect(await runOf([request], { reply }).loses(request)).toHaveProperty('record', refunded('r1'));
  });

  test("a request with a lost response stays unknown with the reason if the list can't be read", async () => {
    const request = refunding();
    const answer = await runOf([request], { reply: () => ({ status: 403, data: {} }) }).loses(request);
    expect(adviceOf(answer)).toMatch(/The node could not look up the record in the transaction report: .+/);
  });

  test("a request with a lost response isn't looked up after the user stopped the run", async () => {
    const request = refunding();
    const { loses, asked } = runOf([request], { context: { getExecutionCancelSignal: () => ({ aborted: true }) } });
    expect(adviceOf(await loses(request))).toContain(
      'The node did not look up the record, because the run was stopped.',
    );
    expect(asked).toEqual([]);
  });

  test('a request with a lost response is looked up once more without waiting when the run ends', async () => {
    const request = refunding();
    const { loses, gate, moments } = runOf([request]);
    const losing = loses(request);
    await jest.advanceTimersByTimeAsync(500);
    gate.close();
    expect(adviceOf(await losing)).toMatch(/the node had checked .* once/);
    expect(moments).toHaveLength(1);
    expect(moments[0]).toBeLessThan(2000);
  });

  test('the message about a lost response names the searched period and type of record', async () => {
    const request = refunding(
      withFootprint({ when: 'on the same day', answer: ({ pg_id }: IDataObject) => ({ id: pg_id }) }),
    );
    const { loses, lookUps } = runOf([request], { reply: showing(refunded('r1')) });
    expect(await loses(request)).toEqual({ ok: true, record: { id: 'r1' } });
    expect(lookUps.sighting(request)?.agreement).toBe('same transaction, same amount, on the same day');
  });
});

describe('several requests with lost responses', () => {
  test('several requests with lost responses share a list that is read every two seconds and never get the same record', async () => {
    const [one, other] = [refunding(), refunding()];
    const { lookUps, moments } = runOf([one, other], { reply: showing(refunded('r1'), refunded('r2')) });
    const answers = [one, other].map(async (request) => {
      lookUps.leaves(request);
      return await lookUps.settle(request, lostAnswer);
    });
    const found = await ended(Promise.all(answers));
    expect(found.map((answer) => answer.ok && (answer.record as IDataObject).pg_id).sort()).toEqual(['r1', 'r2']);
    expect(moments).toEqual([2000, 4000]);
  });

  test("several requests with lost responses aren't matched with a record of a request in flight, and the failure names the record", async () => {
    const [one, other] = [refunding(), refunding()];
    const { loses, lookUps } = runOf([one, other], { reply: showing(refunded('r1')) });
    lookUps.leaves(other);
    expect(adviceOf(await loses(one))).toContain('The node found pg_id r1 in the transaction report');
  });

  test("several requests with lost responses aren't matched with a record that this run created", async () => {
    const [one, other] = [refunding(), refunding()];
    const { loses, claims } = runOf([one, other], { reply: showing(refunded('r1')) });
    claims.own(other, [refunded('r1')]);
    expect(await loses(one)).toHaveProperty('ok', false);
  });

  test('several requests with lost responses start during a look-up if the run continues after failures', async () => {
    const request = refunding();
    const { gate, lookUps } = runOf([request], { most: 1 });
    const started: number[] = [];
    lookUps.leaves(request);
    const losing = gate.run(undefined, async () => await lookUps.settle(request, lostAnswer));
    void gate.run(undefined, async () => await Promise.resolve(started.push(Date.now() - NOON)));
    await ended(losing);
    expect(started).toEqual([0]);
  });

  test('several requests with lost responses start after the outcome is final if a failure ends the run', async () => {
    const request = refunding();
    const { gate, lookUps } = runOf([request], { goOn: false, reply: showing(refunded('r1')) });
    let isFree = false;
    lookUps.leaves(request);
    const losing = lookUps.settle(request, lostAnswer);
    void gate.waitUntilUnblocked().then(() => (isFree = true));
    await ended(losing);
    expect(isFree).toBe(false);
    lookUps.stands(request);
    await jest.advanceTimersByTimeAsync(0);
    expect(isFree).toBe(true);
    const answered = refunding();
    lookUps.leaves(answered);
    for (const one of [answered, refunding()]) expect(() => lookUps.stands(one)).not.toThrow();
  });
});

describe('a lost request without a time in its record', () => {
  const hooks = (...ids: number[]) => ids.map((webhook_id) => ({ webhook_id, ...hook }));
  const before = (ids: number[], after: number[]) => (_: Asked, number: number) => ({
    data: hooks(...(number === 1 ? ids : after)),
  });

  test('a lost request without a time in its record is completed if a new record exists', async () => {
    const request = hooking();
    const { loses, lookUps, moments } = runOf([request], { reply: before([7], [8, 7]) });
    expect(await loses(request)).toHaveProperty('record.webhook_id', 8);
    expect(lookUps.sighting(request)?.agreement).toMatch(/, not there before$/);
    expect(moments).toEqual([0, 2000]);
  });

  test("a lost request without a time in its record isn't completed by an older record", async () => {
    const request = hooking();
    expect(await runOf([request], { reply: before([7], [7]) }).loses(request)).toHaveProperty('ok', false);
  });

  test('a lost request without a time in its record is compared with the records that an earlier step read', async () => {
    const request = hooking();
    const { lookUps, asked } = runOf([request], { reply: showing(...hooks(8)) });
    await lookUps.begins(request, hooks(7));
    expect(asked).toEqual([]);
    lookUps.leaves(request);
    expect(await ended(lookUps.settle(request, lostAnswer))).toHaveProperty('record.webhook_id', 8);
  });

  test("a lost request isn't looked up if nothing distinguishes new records", async () => {
    const request = hooking();
    const { loses, asked } = runOf([request], { reply: showing(...hooks(7, 8)) });
    expect(await loses(request)).toMatchObject({ ok: false, failure: { message: lost.message } });
    expect(asked).toHaveLength(1);
    const again = await runOf([request], { reply: showing(...hooks(7, 8)) }).loses(request);
    expect(adviceOf(again)).toBe(
      "Look first. The node did not look up the record in the list of webhooks, because it can't tell which records are new: the list is not sorted by ID.",
    );
  });
});

test.each([
  ['shows times', {}, 3 + 1],
  ['shows no times', { time: undefined }, 1 + 3],
])("reads a list whose path has the write's values if the list %s", async (_, more, reads) => {
  const list = { ...refund.footprint?.list, path: '/platform/sale/{pgIdOrig}/refund' };
  const request = refunding(withFootprint({ list, ...more }), 'S1');
  const { loses, lookUps, asked } = runOf([request]);
  await loses(request);
  await ended(lookUps.earlier(request, { outcome: 'unknown' }, NOON));
  expect(asked.map(({ path }) => path)).toEqual(Array.from({ length: reads }, () => '/platform/sale/S1/refund'));
});

describe('a lost request that removes a record', () => {
  const removing = () =>
    refunding(
      withFootprint({
        time: undefined,
        list: { path: '/platform/a/payments', identity: 'pg_id', removesRecord: true },
      }),
    );
  const reply = (after: Reply) => (_: Asked, number: number) => (number === 1 ? { data: [refunded('r1')] } : after);

  test('a lost removal is completed when the list no longer contains the record', async () => {
    const request = removing();
    const { loses } = runOf([request], { reply: reply({ data: [refunded('r2', { amt_tran: 5 })] }) });
    expect(await loses(request)).toEqual({ ok: true, record: {} });
  });

  test("a lost removal isn't looked up if the list didn't contain the record before", async () => {
    const request = removing();
    const { loses, asked } = runOf([request], { reply: showing(refunded('r2', { amt_tran: 5 })) });
    expect(await loses(request)).toMatchObject({ ok: false, failure: { message: lost.message } });
    expect(asked).toHaveLength(1);
  });

  test.each<[string, Reply]>([
    ['still has the record', { data: [refunded('r1')] }],
    ['still has the record among others', { data: [refunded('r2', { amt_tran: 5 }), refunded('r1')] }],
    ['could not be read whole', { data: [refunded('r2', { amt_tran: 5 })], totalPages: 1, totalRecords: 2 }],
  ])('a lost removal stays unknown if the list %s', async (_, after) => {
    const request = removing();
    const answer = await runOf([request], { reply: reply(after) }).loses(request);
    expect(adviceOf(answer)).toContain('The service may still remove it.');
  });
});

describe('an earlier attempt with an unknown outcome', () => {
  const open: Remembered = { outcome: 'unknown' };
  const sentAt = NOON - 3_600_000;
  const earlierThat = (more: IDataObject = {}) => refunded('r1', { tran_time: '2026-06-15T15:00:00.000Z', ...more });

  test('an earlier unknown attempt is looked up once without waiting', async () => {
    const request = refunding();
    const { lookUps, moments, asked } = runOf([request], { reply: showing(earlierThat()) });
    expect(await ended(lookUps.earlier(request, open, sentAt))).toEqual({ ok: true, record: earlierThat() });
    expect(lookUps.sighting(request)).toMatchObject({
      agreement: 'same transaction, same amount, since 2026-06-15 10:58 America/New_York',
      kind: 'earlier',
    });
    expect(moments).toEqual([0]);
    expect(asked[0]?.query.filter).toEqual(['pg_id_linked,IS,1']);
  });

  test("an item stays unknown if its earlier attempt isn't found, and the failure says so", async () => {
    const request = refunding();
    const { lookUps, asked } = runOf([request]);
    expect(await ended(lookUps.earlier(request, open, sentAt))).toBeUndefined();
    expect(lookUps.told(request, lost).advice).toMatch(
      /By 2026-06-15 12:00 America\/New_York, the node had checked .* once/,
    );
    expect(asked).toHaveLength(1);
  });

  test("an earlier unknown attempt isn't completed by a record from more than two minutes earlier", async () => {
    const request = refunding();
    const { lookUps } = runOf([request], { reply: showing(earlierThat({ tran_time: '2026-06-15T14:57:59.999Z' })) });
    expect(await ended(lookUps.earlier(request, open, sentAt))).toBeUndefined();
  });

  test('an earlier unknown attempt is looked up at any time if a reference identifies the record', async () => {
    const request = subscribing();
    const record = { subscription_id: '1', ...terms, status: 'A' };
    const { lookUps } = runOf([request], { reply: showing(record) });
    expect(await ended(lookUps.earlier(request, open, sentAt))).toEqual({ ok: true, record });
    expect(lookUps.sighting(request)?.agreement).toMatch(/, at any time$/);
  });

  test('an earlier unknown attempt blocks a write that the user sends again if a record may match', async () => {
    const [request, other] = [refunding(), refunding()];
    const { lookUps, claims } = runOf([request, other], { reply: showing(earlierThat()) });
    claims.leaves(other);
    expect(await ended(lookUps.earlier(request, undefined, sentAt))).toMatchObject({
      ok: false,
      failure: { outcome: 'unknown' },
    });
    expect(await ended(lookUps.earlier(request, open, sentAt))).toBeUndefined();
  });

  test('an earlier unknown attempt blocks a write that the user sends again if the list has more pages than the node reads', async () => {
    const request = refunding();
    const page = ({ query }: Asked) => ({
      data: Array.from({ length: 100 }, (_, index) =>
        earlierThat({
          pg_id: `${Number(query.page)}-${index}`,
          pg_id_linked: 'another',
          tran_time: '2026-06-15T15:30:00.000Z',
        }),
      ),
    });
    const { lookUps, asked } = runOf([request], { reply: page });
    expect(await ended(lookUps.earlier(request, undefined, sentAt))).toMatchObject({
      ok: false,
      failure: { outcome: 'unknown' },
    });
    expect(asked).toHaveLength(50);
    expect(lookUps.told(request, lost).advice).toMatch(
      /without finding a match\. .*The list contains more records than the node could read\. .*the node did not send the item again/,
    );
  });

  test.each<[string, Remembered | undefined, Reply, boolean]>([
    ["a write that the user sends again if the list can't be read", undefined, { status: 500 }, true],
    ['a write that the user sends again if the list has no record', undefined, {}, false],
    ["another write if the list can't be read", open, { status: 500 }, false],
  ])('an earlier unknown attempt blocks or allows %s', async (_, known, reply, blocks) => {
    const request = refunding();
    const { lookUps } = runOf([request], { reply: () => reply });
    expect((await ended(lookUps.earlier(request, known, sentAt))) !== undefined).toBe(blocks);
    expect(lookUps.told(request, lost).advice.includes('did not send the item again')).toBe(blocks);
  });

  test("an earlier unknown attempt doesn't block a write that the user sends again if no record exists", async () => {
    const request = refunding();
    expect(await ended(runOf([request]).lookUps.earlier(request, undefined, sentAt))).toBeUndefined();
  });

  test.each<[string, PlannedRequest['options'], Remembered | undefined, boolean]>([
    ['a lost response', {}, open, false],
    ['a write that a person sends again', { unknownOutcome: 'resend' }, undefined, true],
    ['a write that a person resolves', { unknownOutcome: 'lookUp' }, undefined, false],
  ] as never)(
    'the record may belong to an equal write of a later loop iteration, which blocks or allows %s',
    async (_, options, known, blocks) => {
      const request = { ...refunding(), options };
      const { lookUps, loses } = runOf([request], { reply: showing(earlierThat()), hasEqualElsewhere: true });
      expect((await ended(lookUps.earlier(request, known, sentAt))) !== undefined).toBe(blocks);
      expect(lookUps.told(request, lost).advice).toContain('The record may belong to another item');
      expect(await loses(request)).toMatchObject({ failure: { outcome: 'unknown' } });
    },
  );

  test('a record may belong to an equal write that another process begins during the look-up', async () => {
    let hasBegun = false;
    const reply = () => {
      hasBegun = true;
      return { data: [refunded('r1')] };
    };
    const request = refunding();
    const { loses } = runOf([request], { reply, hasEqualElsewhere: () => hasBegun });
    expect(await loses(request)).toMatchObject({ failure: { outcome: 'unknown' } });
  });

  test('earlier unknown attempts of all items share one reading, repeated only for an earlier time', async () => {
    const all = [refunding(), refunding(), refunding()];
    const [one, two, three] = all as [PlannedRequest, PlannedRequest, PlannedRequest];
    const { lookUps, asked } = runOf(all);
    await ended(lookUps.earlier(one, open, sentAt));
    await ended(lookUps.earlier(two, open, sentAt + 1));
    expect(asked).toHaveLength(1);
    await ended(lookUps.earlier(three, open, sentAt - 1));
    expect(asked).toHaveLength(2);
    expect(asked[0]?.query).not.toHaveProperty('filter');
  });

  test("an earlier unknown attempt is looked up from the beginning of the execution if only n8n's database contains it", async () => {
    const request = refunding();
    const context = { getMode: () => 'retry', getExecutionContext: () => ({ establishedAt: sentAt - 3_600_000 }) };
    const { lookUps } = runOf([request], { reply: showing(earlierThat()), context });
    expect(await ended(lookUps.earlier(request, { outcome: 'unknown', evidence: 'begun' }))).toHaveProperty('ok', true);
    expect(lookUps.sighting(request)?.agreement).toContain('since 2026-06-15 09:58');
  });

  test.each<[string, PlannedRequest, Remembered | undefined, number | undefined, boolean]>([
    ['an open attempt whose moment is known', refunding(), open, sentAt, true],
    ['a try that a person had sent again', refunding(), undefined, sentAt, true],
    ['an open attempt whose moment no one knows', refunding(), open, undefined, false],
    ['a try of other content', refunding(), { outcome: 'edited', code: 'a', differs: [] }, sentAt, false],
    ['a try that is done with its result', refunding(), { outcome: 'done', records: [] }, sentAt, false],
    ['a write without a footprint', refunding({ footprint: undefined }), open, sentAt, false],
    ['a write that is recognized only for minutes', hooking(), open, sentAt, false],
    ['a write of a day whose record shows no time', refunding(withFootprint({ time: undefined })), open, sentAt, false],
    ['a write that a reference tells at any time', subscribing(), open, sentAt, true],
    ["a write of the credential's own merchant", ofMerchant('100'), open, sentAt, true],
    ['a write of another merchant', ofMerchant('200'), open, sentAt, false],
    ['a write whose reference every try sent', withReference(true), open, sentAt, true],
    ['a write whose earlier attempt may have sent another reference', withReference(false), open, sentAt, false],
    ['a write that the option refuses', refusing(), open, sentAt, false],
    ['a write with a record of several steps', refunding({ steps: { each: [{}, {}] } }), open, sentAt, false],
  ])('an earlier unknown attempt can be looked up: %s', async (_, request, known, at, isFindable) => {
    const { lookUps, asked } = runOf([request]);
    expect(lookUps.canFind(request, known, at)).toBe(isFindable);
    await ended(lookUps.earlier(request, known, at));
    expect(asked).toHaveLength(isFindable ? 1 : 0);
  });
});

describe("a request with the item's own reference", () => {
  const sold = (more: IDataObject) => ({
    ...{ pg_id: 'p1', request_type: 'sale', rcode: '000', tran_status: 'C', amt_tran: 4, merch_ref_num: 'OWN' },
    ...{ tran_time: '2026-06-15T16:00:00.000Z', ...more },
  });

  test('the reference alone proves that a lost request was applied, even if it is not lasting', async () => {
    const request = withReference(false);
    const { loses, lookUps } = runOf([request], {
      reply: showing(sold({ pg_id: 'p0', merch_ref_num: 'OTHER' }), sold({})),
    });
    expect(await loses(request)).toEqual({ ok: true, record: sold({}) });
    expect(lookUps.sighting(request)?.agreement).toBe('same generated reference, within 2 minutes');
  });

  test('a record with the reference and another amount leaves a lost request unknown, and blocks Send Again', async () => {
    const request = withReference(true);
    const reply = ({ path }: Asked) => ({
      data: path.includes('/customer') ? { customer_id: 'C1' } : [sold({ amt_tran: 5 })],
    });
    const { loses, lookUps } = runOf([request], { reply });
    expect(adviceOf(await loses(request))).toContain('The node found pg_id p1 in the transaction report');
    expect(await ended(lookUps.earlier(request, undefined, NOON))).toMatchObject({ failure: { outcome: 'unknown' } });
  });
});

describe("an earlier attempt that the node can't look up", () => {
  const resend = { unknownOutcome: 'resend' };
  const unreadable = 'did not send the payment again. Look up the record, and enter the outcome in "Resolve Items".';
  const again = async (request: PlannedRequest, known?: Remembered) => {
    const { lookUps, asked } = runOf([request], { reply: showing(refunded('r1')) });
    const answer = await ended(lookUps.earlier(request, known, NOON));
    expect(asked).toEqual([]);
    return { answer, advice: lookUps.told(request, lost).advice };
  };

  test.each<[string, PlannedRequest]>([
    ['of another merchant', ofMerchant('200', resend)],
    ['without a record', refunding({ footprint: undefined }, '1', resend)],
    ['of a named amount', withAmount(1, resend)],
    ['of an unknown amount', refunding({ footprint: undefined, money: 'untold' }, '1', resend)],
    ['that nothing tells from others', refunding({}, '', resend)],
    ['whose reference is unknown', withReference(false, resend)],
    ['with a key, although it moves no money', hooking({ ...resend, oncePerKey: 'k' })],
  ])('a payment %s is not sent again by the option Send Again', async (_, request) => {
    const { answer, advice } = await again(request);
    expect(answer).toMatchObject({ ok: false, failure: { outcome: 'unknown' } });
    expect(advice).toContain(unreadable);
  });

  test.each<[string, PlannedRequest, Remembered | undefined]>([
    ['a write that moves no money', hooking(resend), undefined],
    ['a payment of nothing', withAmount(0, resend), undefined],
    ['a payment that a person released by its code', ofMerchant('200', { unknownOutcome: 'lookUp' }), undefined],
    ['an attempt that is still unknown', ofMerchant('200', resend), { outcome: 'unknown' }],
  ])('%s keeps its own rule', async (_, request, known) => {
    const { answer, advice } = await again(request, known);
    expect(answer).toBeUndefined();
    expect(advice).toBe(lost.advice);
  });

  test('a payment whose moment of sending is unknown is not sent again by the option Send Again', async () => {
    const request = refunding({}, '1', resend);
    const { lookUps, asked } = runOf([request], { reply: showing() });
    expect(await ended(lookUps.earlier(request, undefined))).toMatchObject({ ok: false });
    expect(asked).toEqual([]);
  });
});

test("the failure says that the service's record differs from the item", () => {
  const request = refunding();
  const { lookUps } = runOf([request]);
  lookUps.notAsAsked(request);
  expect(lookUps.told(request, lost).advice).toBe(
    'Look first. At 2026-06-15 12:00 America/New_York, the service did not show the requested change. The request may still be applied.',
  );
});

test("the failure says why the service didn't respond", () => {
  const request = refunding();
  const { lookUps } = runOf([request]);
  lookUps.notAsAsked(request, { outcome: 'unknown', message: 'No answer came', advice: '' });
  expect(lookUps.told(request, lost).advice).toBe('Look first. No answer came.');
});
