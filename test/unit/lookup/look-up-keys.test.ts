import type { IDataObject } from 'n8n-workflow';

import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { tokenize } from '../../../nodes/PaymentPlatform/resources/card/tokenize';
import { refund } from '../../../nodes/PaymentPlatform/resources/transaction/refund';
import { sale } from '../../../nodes/PaymentPlatform/resources/transaction/sale';
import { create as createWebhook } from '../../../nodes/PaymentPlatform/resources/webhook/create';
import type { Reply } from '../fake-service';
import { lost, runOf, write } from './looking-run';

/** Charge with a key, which determines the reference of every attempt. */
function charging(options: object = {}, more: IDataObject = {}): PlannedRequest {
  const body = { amt_tran: 4, customer_id: 'C1', merch_ref_num: 'KEY', ...more };
  const request = write(sale, { body }, { oncePerKey: 'k', ...options });
  request.values.reference = { name: 'merch_ref_num', value: 'KEY', isLasting: true };
  return request;
}
const sold = (more: IDataObject = {}) => ({
  ...{ pg_id: 'p1', request_type: 'sale', rcode: '000', tran_status: 'C', amt_tran: 4, merch_ref_num: 'KEY' },
  ...{ tran_time: '2020-01-01T00:00:00.000Z', ...more },
});
const refunding = (options: object = {}, body: IDataObject = {}) =>
  write(refund, { path: { pgIdOrig: '1' }, body: { amt_tran: 4, ...body } }, { oncePerKey: 'k', ...options });
const refunded = {
  pg_id: 'r1',
  pg_id_linked: '1',
  amt_tran: 4,
  request_type: 'refund',
  rcode: '000',
  tran_status: 'P',
};

const resend = { unknownOutcome: 'resend' };
const lookUp = { unknownOutcome: 'lookUp' };
const refuse = { unknownOutcome: 'refuse' };
const empty: Reply = { data: [] };
const down: Reply = { status: 500 };
const cut: Reply = { data: [], totalPages: 1, totalRecords: 5 };

describe('a key whose outcome is unknown', () => {
  const isSent = { mayBeSent: true };
  const isRefused = { mayBeSent: false };
  const isFound = { found: 'p1' };
  type Result = { mayBeSent?: boolean; found?: string };

  test.each<[string, PlannedRequest, Reply, boolean, Result]>([
    ['its record is there', charging(resend), { data: [sold()] }, false, isFound],
    ['its record is there, and the node only looks', charging(lookUp), { data: [sold()] }, false, isFound],
    ['its record is there, and a person approved', charging(lookUp), { data: [sold()] }, true, isFound],
    ['its record is not there, with Send Again', charging(resend), empty, false, isSent],
    ['its record is not there, without Send Again', charging(lookUp), empty, false, isRefused],
    ['its record is not there, and a person approved', charging(lookUp), empty, true, isSent],
    ['the list is unreadable, with Send Again', charging(resend), down, false, isRefused],
    ['the list is unreadable, with Send Again and an approval', charging(resend), down, true, isRefused],
    ['the list is unreadable, and a person approved', charging(lookUp), down, true, isSent],
    ['the list is not whole, with Send Again', charging(resend), cut, false, isRefused],
    [
      'a record has the reference and another amount',
      charging(resend),
      { data: [sold({ amt_tran: 5 })] },
      false,
      isRefused,
    ],
    [
      'a record has the reference and another purchase ID',
      charging(resend, { purchase_id: 'A1' }),
      { data: [sold({ purchase_id: 'B2' })] },
      false,
      isRefused,
    ],
    ['the same, and a person approved', charging(lookUp), { data: [sold({ amt_tran: 5 })] }, true, isRefused],
    ['the records have other references', charging(resend), { data: [sold({ merch_ref_num: 'X' })] }, false, isSent],
    ['an equal record has no reference', refunding(resend), { data: [refunded] }, false, isRefused],
    ['no record resembles it', refunding(resend), empty, false, isSent],
    ['no record resembles it, without Send Again', refunding(lookUp), empty, false, isRefused],
  ])(
    'a key whose outcome is unknown is resolved by the records: %s',
    async (_, request, reply, isApproved, expected) => {
      const customer: Reply = { data: { customer_id: 'C1' } };
      const { lookUps, asked } = runOf([request], {
        reply: ({ path }) => (path.includes('/customer') ? customer : reply),
      });
      const answer = await lookUps.ofKey(request, isApproved);
      if (expected.found !== undefined) expect(answer).toEqual({ ok: true, record: sold() });
      else if (expected.mayBeSent) expect(answer).toBeUndefined();
      else expect(answer).toMatchObject({ ok: false, failure: { outcome: 'unknown' } });
      expect(asked).not.toEqual([]);
      const agreement = 'same key, same generated reference';
      const seen = lookUps.sighting(request);
      expect(seen).toEqual(expected.found === undefined ? undefined : { record: sold(), agreement, kind: 'earlier' });
    },
  );

  const several = { ...refund, steps: { each: [{}, {}] } };
  const others = (options: object): Array<[string, PlannedRequest]> => {
    const merchant = charging(options);
    merchant.values.merchant = '200';
    return [
      ['of another merchant', merchant],
      [
        'without a list',
        write(tokenize, { body: { card_number: '4111111111111111' } }, { oncePerKey: 'k', ...options }),
      ],
      [
        'whose records show it only for minutes',
        write(createWebhook, { body: { label: 'L' } }, { oncePerKey: 'k', ...options }),
      ],
      [
        'with several steps',
        write(several, { path: { pgIdOrig: '1' }, body: { amt_tran: 4 } }, { oncePerKey: 'k', ...options }),
      ],
      ['that nothing tells from others', refunding(options, { amt_tran: undefined })],
    ];
  };

  test.each(others(resend))('a write %s is never sent again by the option Send Again', async (_, request) => {
    const { lookUps, asked } = runOf([request], { reply: () => empty });
    for (const isApproved of [false, true])
      expect(await lookUps.ofKey(request, isApproved)).toMatchObject({ ok: false, failure: { outcome: 'unknown' } });
    expect(asked).toEqual([]);
  });

  test.each(others(lookUp))('a write %s is sent again if a person approved it', async (_, request) => {
    const { lookUps } = runOf([request], { reply: () => empty });
    expect(await lookUps.ofKey(request, false)).toMatchObject({ ok: false });
    expect(await lookUps.ofKey(request, true)).toBeUndefined();
  });

  test('the option Refuse looks nothing up', async () => {
    const { lookUps, asked } = runOf([charging(refuse)], { reply: () => ({ data: [sold()] }) });
    const request = charging(refuse);
    expect(await lookUps.ofKey(request, false)).toMatchObject({ ok: false });
    expect(await lookUps.ofKey(request, true)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  test('the failure says why the node could not read the records', async () => {
    const request = charging(resend);
    const { lookUps } = runOf([request], { reply: () => down });
    await lookUps.ofKey(request, false);
    expect(lookUps.told(request, lost).advice).toMatch(/could not look up the record in the transaction report: /);
  });

  test('an equal record may belong to another item of the run', async () => {
    const [one, other] = [refunding(resend), refunding(resend, { memo: 'x' })];
    const { lookUps, claims } = runOf([one, other], { reply: () => ({ data: [refunded] }) });
    claims.leaves(other);
    expect(await lookUps.ofKey(one, false)).toMatchObject({ ok: false });
  });
});

describe('a key whose payment is done', () => {
  test('the record of the payment is returned', async () => {
    const request = charging();
    const { lookUps, asked } = runOf([request], { reply: () => ({ data: [sold()] }) });
    expect(await lookUps.doneWithKey(request)).toEqual({ ok: true, record: sold() });
    expect(lookUps.sighting(request)).toEqual({
      record: sold(),
      agreement: 'same key, same generated reference',
      kind: 'existed',
    });
    expect(asked.map(({ query }) => query.filter)).toEqual([['merch_ref_num,IS,KEY']]);
  });

  test('without a reference, an equal record is returned in the form of the response', async () => {
    const footprint = { ...refund.footprint, answer: ({ pg_id }: IDataObject) => ({ id: pg_id }) };
    const request = write({ ...refund, footprint }, { path: { pgIdOrig: '1' }, body: { amt_tran: 4 } });
    const { lookUps } = runOf([request], { reply: () => ({ data: [refunded] }) });
    expect(await lookUps.doneWithKey(request)).toEqual({ ok: true, record: { id: 'r1' } });
    expect(lookUps.sighting(request)?.agreement).toBe('same key, same transaction, same amount');
  });

  const other = (more: object) => ({ ...refunded, pg_id: 'r2', ...more });
  test.each<[string, object, string | undefined]>([
    ['an equal one', {}, undefined],
    ['one that was voided', { tran_status: 'V' }, undefined],
    ['one of another amount', { amt_tran: 5 }, 'r1'],
    ['one of another sale', { pg_id_linked: '2' }, 'r1'],
  ])('without a reference, a record is returned only if no other may be the payment: %s', async (_, more, pgId) => {
    const request = refunding();
    const { lookUps } = runOf([request], { reply: () => ({ data: [refunded, other(more)] }) });
    const answer = await lookUps.doneWithKey(request);
    expect(answer).toEqual(
      pgId === undefined ? undefined : { ok: true, record: expect.objectContaining({ pg_id: pgId }) as object },
    );
  });

  test('a record with the reference is returned although another record may be the payment', async () => {
    const request = charging();
    const open = sold({ pg_id: 'p2', merch_ref_num: undefined, card_number: undefined });
    const { lookUps } = runOf([request], { reply: () => ({ data: [sold(), open] }) });
    expect(await lookUps.doneWithKey(request)).toMatchObject({ record: { pg_id: 'p1' } });
  });

  test.each<[string, Reply]>([
    ['there is no record', empty],
    ['the list shows the record but is not whole', { data: [sold()], totalPages: 1, totalRecords: 5 }],
    ['the list is unreadable', down],
    ['the list is not whole', cut],
    ['the record shows another amount', { data: [sold({ amt_tran: 5 })] }],
  ])('nothing is returned if %s', async (_, reply) => {
    const request = charging();
    const { lookUps } = runOf([request], { reply: () => reply });
    expect(await lookUps.doneWithKey(request)).toBeUndefined();
    expect(lookUps.sighting(request)).toBeUndefined();
  });
});
