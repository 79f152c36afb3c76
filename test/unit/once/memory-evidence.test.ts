import type { IExecuteFunctions } from 'n8n-workflow';

import { currentRound } from '../../../nodes/PaymentPlatform/n8n/lineage';
import { isOpen, type Obstacle } from '../../../nodes/PaymentPlatform/model/write-memory';
import type { ExecutionMemory } from '../../../nodes/PaymentPlatform/once/execution-memory';
import { codeOf, edited, execution, leaveOpen, otherAmount, request, resolving, withOptions } from './memory-bench';

let open: ReturnType<typeof execution>;
beforeEach(() => void (open = execution()));

const resending = withOptions({ unknownOutcome: 'resend' });

describe('a write that another attempt is sending', () => {
  const underWay = { outcome: 'unknown', evidence: 'underWay' };

  test('is unknown without a code, and only its amount is stored', () => {
    const memory = open();
    const before = open.stored();
    expect(memory.addEvidence(request(), 'underWay')).toEqual(underWay);
    expect([memory.recall(request()), memory.recall(resending)]).toEqual([underWay, underWay]);
    expect(memory.recall(request({ items: [1] }))).toBeUndefined();
    expect(memory.addEvidence(request({ items: [1], values: { ...request().values, body: {} } }), 'underWay')).toEqual(
      underWay,
    );
    expect(memory.movedCents).toBe(200);
    expect(open.stored()).toEqual({ ...before, underWay: { 0: 200 } });
    expect(open().recall(request())).toBeUndefined();
  });

  test('counts in later loop iterations, until its own iteration runs again', () => {
    open().addEvidence(request(), 'underWay');
    open().addEvidence(request(), 'underWay');
    const later = open({ runIndex: 1 });
    later.followItems([request()]);
    expect(later.movedCents).toBe(400);
    const again = open();
    again.followItems([request()]);
    expect(again.movedCents).toBe(0);
  });

  test('counts once if the run sends it after the other attempt ended', () => {
    const memory = execution()();
    memory.addEvidence(request(), 'underWay');
    memory.addEvidence(request({ items: [1] }), 'underWay');
    expect(memory.movedCents).toBe(400);
    memory.sending(request());
    expect(memory.movedCents).toBe(400);
    expect(memory.recall(request())).toMatchObject({ outcome: 'unknown', code: expect.any(String) as string });
  });
});

test('a write that the run sends with another amount than the other attempt leaves no rest in the total', () => {
  const memory = open();
  memory.addEvidence(request(), 'underWay');
  memory.sending(request(otherAmount));
  expect(memory.movedCents).toBe(300);
  memory.notApplied(request(otherAmount));
  expect([memory.movedCents, memory.recall(request())]).toEqual([0, undefined]);
});

describe('a write at the position of another item', () => {
  const roundOf = (memory: ExecutionMemory) => currentRound(Reflect.get(memory, 'context') as IExecuteFunctions);
  const refused = () => {
    const memory = execution()();
    const known = memory.addEvidence(request(), 'otherContent');
    expect(known).toMatchObject({ outcome: 'unknown', evidence: 'otherContent', code: expect.any(String) as string });
    return memory;
  };

  test.each([
    [undefined, false],
    [1, false],
    [0, true],
  ])('is sent by Send Again only if no item is missing (%s missing)', (missing, isSent) => {
    const memory = refused();
    Object.assign(roundOf(memory), { missing });
    expect(memory.recall(request())).toMatchObject({ evidence: 'otherContent' });
    expect(memory.recall(resending) === undefined).toBe(isSent);
  });

  test.each<Obstacle>(['sameContent', 'otherCredential', 'otherValues'])(
    'is not sent by Send Again if an earlier attempt may have sent it, even if no item is missing (%s)',
    (evidence) => {
      const memory = execution()();
      const known = memory.addEvidence(request(), evidence);
      Object.assign(roundOf(memory), { missing: 0 });
      expect(memory.recall(resending)).toEqual(known);
    },
  );

  test('has the number of a first attempt at another place, and a new code once it was sent', () => {
    const memory = refused();
    const code = codeOf(memory);
    expect(memory.attempt(request())).toBe('0.0 elsewhere');
    memory.sending(request());
    expect(memory.attempt(request())).toBe('1.0 elsewhere');
    expect(codeOf(memory)).not.toBe(code);
    expect(memory.sentAt(request())).toBeGreaterThan(1000);
  });

  test('keeps its number after a person stated that it was not applied, because it was never sent', () => {
    const memory = refused();
    expect(memory.recall(resolving(codeOf(memory), 'notApplied'))).toBeUndefined();
    expect(memory.attempt(request())).toBe('0.0 elsewhere');
  });

  test('differs from a write that an earlier attempt began, which Send Again sends with the next number', () => {
    const memory = execution()();
    expect(memory.addEvidence(request(), 'begun')).toMatchObject({ evidence: 'begun' });
    expect(memory.attempt(request())).toBe('1.0');
    expect(memory.recall(resending)).toBeUndefined();
    const other = execution()();
    expect(other.addEvidence(request(), 'otherCredential')).toMatchObject({ outcome: 'unrecognisable' });
    expect(other.recall(resending)).toMatchObject({ outcome: 'unrecognisable' });
  });
});

describe('a write that sends other values than an earlier attempt', () => {
  const paying = (customer_id: string) =>
    request({ values: { ...request().values, body: { amt_tran: 2, customer_id } } });

  test.each([
    ['C1', undefined],
    ['C2', 'otherValues'],
  ])('has its own references: %s instead of C1 gives the evidence %s', (customer, evidence) => {
    leaveOpen(open(), paying('C1'));
    const known = open().recall(paying(customer));
    expect(known).toMatchObject({ outcome: 'unknown', sent: { customer_id: 'C1' } });
    expect(known).toHaveProperty('evidence', evidence);
  });

  test("names no values if only n8n's database has the evidence", () => {
    const known = execution()().addEvidence(paying('C2'), 'otherValues');
    expect(known).toMatchObject({ outcome: 'unknown', evidence: 'otherValues' });
    expect(known).toHaveProperty('sent', undefined);
  });
});

describe('the reference that an earlier attempt sent', () => {
  const sent = (more: object = {}) =>
    request({ values: { ...request().values, body: { amt_tran: 2, merch_ref_num: 'REF' } }, ...more });

  test('is returned for the same item and field', () => {
    leaveOpen(open(), sent());
    const memory = open();
    expect(memory.referenceOf(sent(), 'merch_ref_num')).toBe('REF');
    expect(memory.referenceOf(sent(), 'purchase_id')).toBeUndefined();
    expect(memory.referenceOf(sent({ items: [1] }), 'merch_ref_num')).toBeUndefined();
    expect(open(edited).referenceOf(request(otherAmount), 'merch_ref_num')).toBeUndefined();
  });

  test('is not returned for an item that is done or was never sent', () => {
    const memory = execution()();
    expect(memory.referenceOf(sent(), 'merch_ref_num')).toBeUndefined();
    memory.sending(sent());
    memory.done(sent(), [{ pg_id: 'a' }]);
    expect(memory.referenceOf(sent(), 'merch_ref_num')).toBeUndefined();
  });
});

test('a code of Resolve Items had an effect if it resolved an attempt of any item or confirmed the account', () => {
  const memory = execution()();
  leaveOpen(memory);
  leaveOpen(memory, request({ items: [1] }));
  const code = codeOf(memory);
  expect(memory.hasResolved(code)).toBe(false);
  memory.recall(resolving(code, 'notApplied'));
  expect([memory.hasResolved(code), memory.hasResolved('0-other')]).toEqual([true, false]);
  const { code: ofAccount } = Reflect.get(memory, 'account') as { code: string };
  expect(memory.hasResolved(ofAccount)).toBe(true);
  expect(execution()().hasResolved(code)).toBe(false);
});

describe('a write that an earlier attempt sent with other values', () => {
  const limited = (limitPerExecution?: number) =>
    withOptions(limitPerExecution === undefined ? {} : { limitPerExecution });

  test.each(['otherValues', 'doneOther'] as const)('counts as the whole limit: %s', (evidence) => {
    const moved = (limit?: number) => {
      const memory = execution()();
      memory.addEvidence(limited(limit), evidence);
      return memory.movedCents;
    };
    expect([moved(), moved(1), moved(50)]).toEqual([200, 200, 5000]);
  });

  test.each(['begun', 'done', 'sameContent', 'otherContent', 'forgotten'] as const)(
    'unlike other evidence, which counts as the amount: %s',
    (evidence) => {
      const memory = execution()();
      memory.addEvidence(limited(50), evidence);
      expect(memory.movedCents).toBe(200);
    },
  );

  test('is done without values of the item, and no look-up can find its record', () => {
    const done = execution()().addEvidence(request(), 'doneOther');
    expect(done).toMatchObject({
      ...{ outcome: 'done', byDatabase: true, isOtherPayment: true, records: [{ done_by_earlier_try: true }] },
    });
    expect(done?.outcome === 'done' && Object.keys(done.records[0] ?? {})).toEqual(['done_by_earlier_try']);
    expect(isOpen(done)).toBe(false);
    const same = execution()().addEvidence(request(), 'done');
    expect(same?.outcome === 'done' && Object.keys(same.records[0] ?? {}).length).toBeGreaterThan(1);
    expect(isOpen(same)).toBe(true);
  });
});
