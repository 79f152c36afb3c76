import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { DateTime } from 'luxon';

import type { Looked } from '../../../nodes/PaymentPlatform/lookup/found-record';
import { RecordMatcher } from '../../../nodes/PaymentPlatform/lookup/match-records';
import type { Footprint } from '../../../nodes/PaymentPlatform/model/footprint';
import { endRound } from '../../../nodes/PaymentPlatform/n8n/lineage';
import { likeText } from '../../../nodes/PaymentPlatform/model/likeness';
import type { Operation, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { submit } from '../../../nodes/PaymentPlatform/resources/account-updater/submit';
import { create as createInvoice } from '../../../nodes/PaymentPlatform/resources/invoice/create';
import { copy } from '../../../nodes/PaymentPlatform/resources/invoice/copy';
import { create as createSubscription } from '../../../nodes/PaymentPlatform/resources/subscription/create';
import { sale } from '../../../nodes/PaymentPlatform/resources/transaction/sale';
import { refund } from '../../../nodes/PaymentPlatform/resources/transaction/refund';

const context = {
  getWorkflow: () => ({ id: 'workflow' }),
  getMode: () => 'manual',
  getExecutionId: () => '1',
  getNode: () => ({ name: 'Payment Platform', type: 'paymentPlatform', parameters: {} }),
  getContext: () => ({}),
  getInputData: () => [],
  evaluateExpression: () => 0,
} as unknown as IExecuteFunctions;

let items = 0;
const write = (operation: unknown, body: IDataObject, path: IDataObject = {}) =>
  ({
    operation: operation as Operation,
    items: [(items += 1)],
    part: 0,
    options: {},
    values: { path, query: {}, body, node: {} },
  }) as unknown as PlannedRequest;
const claimsOf = (...writes: PlannedRequest[]) => new RecordMatcher(context, writes);
const lookFor = (
  claims: RecordMatcher,
  request: PlannedRequest,
  records: IDataObject[],
  kind: Looked['kind'] = 'lost',
  values = request.values,
) => claims.claim(request, { values, footprint: request.operation.footprint as Footprint, records, kind });

const give = (more: IDataObject = {}) => write(refund, { amt_tran: 4, ...more }, { pgIdOrig: '42' });
const given = (pg_id: string) => ({
  ...{ pg_id, pg_id_linked: '42', amt_tran: 4, request_type: 'refund', rcode: '000', tran_status: 'P' },
});

describe('a record that matches two equal writes', () => {
  const cases: Array<[string, (claims: RecordMatcher, other: PlannedRequest) => void, Looked['kind'], boolean]> = [
    ['waits for its turn', () => undefined, 'lost', true],
    ['waits for its turn, and an earlier attempt may have sent it', () => undefined, 'earlier', false],
    ['is in flight', (claims, other) => claims.leaves(other), 'lost', false],
    ['was not applied', (claims, other) => claims.notApplied(other), 'lost', true],
    [
      'was not applied, and an earlier attempt may have sent it',
      (claims, other) => claims.notApplied(other),
      'earlier',
      false,
    ],
    ['is looked for as well', (claims, other) => claims.loses(other), 'lost', true],
    ['is looked for, while this one is not sent yet', (claims, other) => claims.loses(other), 'existed', false],
    ['is unknown', (claims, other) => claims.leaveOpen(other), 'lost', false],
    ['is done without a record', (claims, other) => claims.own(other, [{}]), 'lost', false],
    ['has a record of its own', (claims, other) => claims.own(other, [given('other')]), 'lost', true],
    [
      'has a record, and its earlier attempt is unknown',
      (claims, other) => claims.own(other, [given('other')], 1),
      'lost',
      false,
    ],
  ];
  test.each(cases)(
    'a record that matches two equal writes is assigned correctly if the other write %s',
    (_, happens, kind, isAssigned) => {
      const [one, other] = [give(), give()];
      const claims = claimsOf(one, other);
      happens(claims, other);
      const match = lookFor(claims, one, [given('a')], kind);
      expect(match.record?.pg_id).toBe(isAssigned ? 'a' : undefined);
      expect(match.unclear.map(({ pg_id: id }) => id)).toEqual(isAssigned ? [] : ['a']);
    },
  );

  test('a record that matches two equal writes is assigned to one write only', () => {
    const [one, other] = [give(), give()];
    const claims = claimsOf(one, other);
    expect(lookFor(claims, one, [given('a')]).record).toBeDefined();
    expect(lookFor(claims, other, [given('a')])).toMatchObject({ unclear: [] });
  });
});

test.each(['lost', 'earlier'] as const)(
  'no record is assigned if another client may have created one of them: %s',
  (kind) => {
    const one = give();
    const records = [given('b'), given('a')];
    const [none] = [lookFor(claimsOf(one), one, records, kind)];
    expect(none).toEqual({ unclear: records, isDoubtful: true, isPending: false });
    expect(lookFor(claimsOf(one), one, [given('a')], kind).record?.pg_id).toBe('a');
  },
);

test('an existing record is assigned, although another one matches too', () => {
  const one = give();
  expect(lookFor(claimsOf(one), one, [given('b'), given('a')], 'existed').record?.pg_id).toBe('b');
});

describe('a record that neither proves nor excludes a write', () => {
  const open = (pg_id: string) => ({ ...given(pg_id), tran_status: 'H' });

  test.each(['lost', 'existed', 'earlier'] as const)(
    'an open record leaves the match unclear and doubtful: %s',
    (kind) => {
      const request = give();
      expect(lookFor(claimsOf(request), request, [open('a')], kind)).toEqual({
        unclear: [open('a')],
        isDoubtful: true,
        isPending: false,
      });
      expect(lookFor(claimsOf(request), request, [open('a'), given('b')], kind).record?.pg_id).toBe('b');
    },
  );

  test('an open record that belongs to another item leaves nothing open', () => {
    const [one, other] = [give(), give()];
    const claims = claimsOf(one, other);
    claims.own(other, [open('a')]);
    expect(lookFor(claims, one, [open('a')])).toEqual({ unclear: [], isDoubtful: false, isPending: false });
  });

  test('an open record leaves nothing open only if it is certainly older than the search', () => {
    const request = give();
    const looked = { values: request.values, footprint: refund.footprint as Footprint, kind: 'lost' as const };
    const since = { at: DateTime.fromISO('2030-01-02T00:00:00Z'), above: undefined };
    const claim = (tran_time?: string) =>
      claimsOf(request).claim(request, { ...looked, since, records: [{ ...open('a'), tran_time }] });
    expect(claim('2030-01-01T23:59:59Z')).toMatchObject({ unclear: [], isDoubtful: false });
    expect(claim()).toMatchObject({ unclear: [{ pg_id: 'a' }], isDoubtful: true });
    expect(claim('2030-01-02T00:00:00Z')).toMatchObject({ unclear: [{ pg_id: 'a' }], isDoubtful: true });
  });
});

describe("a record with the item's own reference", () => {
  const reference = (value: string) => ({ name: 'merch_ref_num', value, isLasting: true });
  const charge = (value: string) => {
    const request = write(sale, { amt_tran: 4, customer_id: 'C1', purchase_id: 'DUES', merch_ref_num: value });
    request.values.reference = reference(value);
    return request;
  };
  const sold = (pg_id: string, merch_ref_num: string, more: IDataObject = {}) => ({
    ...{ pg_id, merch_ref_num, request_type: 'sale', rcode: '000', tran_status: 'C', amt_tran: 4, purchase_id: 'DUES' },
    ...more,
  });

  test.each(['lost', 'existed', 'earlier'] as const)(
    'a record with the own reference is assigned at once, although equal writes wait, are sent or are unknown: %s',
    (kind) => {
      const [one, two, three, four] = [charge('A'), charge('B'), charge('C'), charge('D')];
      const claims = claimsOf(one, two, three, four);
      claims.leaves(two);
      claims.leaveOpen(three);
      const looked = { values: one.values, footprint: sale.footprint as Footprint, hasEqualElsewhere: true, kind };
      const records = [sold('b', 'B'), sold('a', 'A')];
      expect(claims.claim(one, { ...looked, records })).toEqual({
        record: records[1],
        unclear: [],
        isDoubtful: false,
        isPending: false,
      });
    },
  );

  test('a record with another or no reference is not assigned', () => {
    const one = charge('A');
    expect(lookFor(claimsOf(one), one, [sold('b', 'B')])).toMatchObject({ unclear: [], isDoubtful: false });
    const match = lookFor(claimsOf(one), one, [sold('c', '')]);
    // The service's filter leaves out records without the reference, so they are no candidates.
    expect(match).toMatchObject({ unclear: [], isDoubtful: false });
  });

  test('a record with the own reference but another value leaves the match unclear, even if another item has it', () => {
    const [one, other] = [charge('A'), charge('B')];
    const claims = claimsOf(one, other);
    const wrong = sold('a', 'A', { amt_tran: 5 });
    expect(lookFor(claims, one, [wrong])).toEqual({ unclear: [wrong], isDoubtful: true, isPending: false });
    claims.own(other, [wrong]);
    expect(lookFor(claims, one, [wrong])).toMatchObject({ unclear: [wrong], isDoubtful: true });
  });

  test('a record with the own reference that another item already has leaves the match unclear', () => {
    const [one, other] = [charge('A'), charge('B')];
    const claims = claimsOf(one, other);
    claims.own(other, [sold('a', 'A')]);
    expect(lookFor(claims, one, [sold('a', 'A')])).toEqual({
      unclear: [sold('a', 'A')],
      isDoubtful: true,
      isPending: false,
    });
  });

  test('a record with the own reference is assigned although the execution could not store all records', () => {
    const one = charge('A');
    const kept = { paymentPlatformMadeCut: true };
    const cut = { ...context, getContext: () => kept } as unknown as IExecuteFunctions;
    expect(lookFor(new RecordMatcher(cut, [one]), one, [sold('a', 'A')]).record).toBeDefined();
  });
});

describe('an execution that could not store all of its records', () => {
  const cut = { ...context, getContext: () => ({ paymentPlatformMadeCut: true }) } as unknown as IExecuteFunctions;

  test.each(['lost', 'existed', 'earlier'] as const)(
    'a record may belong to an earlier item whose record was not stored: %s',
    (kind) => {
      const one = give();
      expect(lookFor(new RecordMatcher(cut, [one]), one, [given('a')], kind)).toEqual({
        unclear: [given('a')],
        isDoubtful: true,
        isPending: false,
      });
    },
  );

  test('a guard counts a record of any item, and several writes can share a record with a fixed path', () => {
    const one = give();
    const looked = { values: one.values, footprint: refund.footprint as Footprint, records: [given('a')] };
    const guard = new RecordMatcher(cut, [one]).claim(one, { ...looked, isGuard: true, kind: 'existed' });
    expect(guard.record).toBeDefined();
    const footprint = { list: { identity: 'id' }, key: () => 'k', filter: () => [], compare: () => [] };
    const shared = write({ footprint }, {});
    expect(lookFor(new RecordMatcher(cut, [shared]), shared, [{ id: 'a' }]).record).toBeDefined();
  });
});

test('only for a guard, a record counts although it may belong to an equal write of another loop iteration', () => {
  const kept = {};
  const inIteration = (runIndex: number) =>
    ({ ...context, getContext: () => kept, evaluateExpression: () => runIndex }) as unknown as IExecuteFunctions;
  const [earlier, one] = [give(), give()];
  new RecordMatcher(inIteration(0), [earlier]).leaveOpen(earlier);
  endRound(inIteration(0));
  const looked = { values: one.values, footprint: refund.footprint as Footprint, records: [given('a')] };
  const claims = new RecordMatcher(inIteration(1), [one]);
  const found = (isGuard: boolean) => claims.claim(one, { ...looked, isGuard, kind: 'existed' }).record;
  expect([found(false), found(true)]).toEqual([undefined, given('a')]);
});

test('only for a guard, a record counts although an item of another loop iteration has it', () => {
  const kept = {};
  const inIteration = (runIndex: number) =>
    ({ ...context, getContext: () => kept, evaluateExpression: () => runIndex }) as unknown as IExecuteFunctions;
  const [earlier, one] = [give(), give()];
  new RecordMatcher(inIteration(0), [earlier]).own(earlier, [given('a')]);
  endRound(inIteration(0));
  const looked = { values: one.values, footprint: refund.footprint as Footprint, records: [given('a')] };
  const claims = new RecordMatcher(inIteration(1), [one]);
  expect([claims.isTaken('a'), claims.isOfOther(one, 'a')]).toEqual([true, true]);
  expect([false, true].map((isGuard) => claims.doubtful({ ...looked, isGuard }))).toEqual([undefined, given('a')]);
  const found = (isGuard: boolean) => claims.claim(one, { ...looked, isGuard, kind: 'existed' }).record;
  expect([found(false), found(true)]).toEqual([undefined, given('a')]);
});

test("a record that occupies the place of a write may match it, unless the service didn't apply it", () => {
  const one = give();
  const footprint = (more: Partial<Footprint>): Footprint => ({
    ...(refund.footprint as Footprint),
    compare: () => ['different'],
    applied: undefined,
    ...more,
  });
  const doubtful = (more: Partial<Footprint>) =>
    claimsOf(one).doubtful({ values: one.values, footprint: footprint(more), records: [given('a')] });
  expect(doubtful({})).toBeUndefined();
  expect(doubtful({ occupies: () => true })).toEqual(given('a'));
  expect(doubtful({ occupies: () => true, applied: () => 'different' })).toBeUndefined();
});

test('assigns no record if only one of several records can also belong to another write', () => {
  const footprint: Footprint = {
    ...(refund.footprint as Footprint),
    compare: ({ pg_id: id }, { body }) => [body.only === undefined ? 'equal' : likeText(id, body.only)],
  };
  const [one, other] = [give(), give({ only: 'b' })];
  const claims = claimsOf(one, other);
  claims.leaveOpen(other);
  const looked = { values: one.values, footprint, records: [given('a'), given('b')] };
  expect(claims.claim(one, { ...looked, kind: 'lost' }).record).toBeUndefined();
  claims.loses(other);
  expect(claims.claim(one, { ...looked, kind: 'lost' })).toMatchObject({ unclear: looked.records, isPending: true });
});

test('assigns records to equal writes if there is one for each', () => {
  const [one, other] = [give(), give()];
  const claims = claimsOf(one, other);
  claims.leaveOpen(other);
  expect(lookFor(claims, one, [given('b'), given('a')]).record?.pg_id).toBe('b');
});

test('assigns no records to writes with other content', () => {
  const [one, other] = [give({ memo: 'x' }), give({ memo: 'y' })];
  const claims = claimsOf(one, other);
  claims.loses(other);
  const match = lookFor(claims, one, [given('b'), given('a')]);
  expect(match.record).toBeUndefined();
  expect(match.isPending).toBe(true);
});

test.each([
  ['is open', (claims: RecordMatcher, other: PlannedRequest) => claims.leaveOpen(other), true],
  ['is done without a record', (claims: RecordMatcher, other: PlannedRequest) => claims.own(other, [{}]), false],
])('a record may belong to a write if the other equal write %s: %s', (_, happens, isDoubtful) => {
  const [one, other] = [give(), give()];
  const claims = claimsOf(one, other);
  happens(claims, other);
  expect(lookFor(claims, one, [given('a')]).isDoubtful).toBe(isDoubtful);
});

test.each([
  ['lookUp', false],
  ['resend', true],
] as const)(
  'a record of an equal write in a later loop iteration may belong to a write: %s',
  (unknownOutcome, isDoubtful) => {
    const one = { ...give(), options: { unknownOutcome } } as PlannedRequest;
    const footprint = refund.footprint as Footprint;
    const looked = { values: one.values, footprint, records: [given('a')], hasEqualElsewhere: true };
    for (const kind of ['lost', 'earlier', 'existed'] as const)
      expect(claimsOf(one).claim(one, { ...looked, kind })).toEqual({
        unclear: [given('a')],
        isDoubtful,
        isPending: false,
      });
    expect(claimsOf(one).claim(one, { ...looked, records: [], kind: 'lost' }).isDoubtful).toBe(false);
  },
);

test('a record that several writes can share is assigned despite an equal write in a later loop iteration', () => {
  const footprint = { list: { identity: 'id' }, key: () => 'k', filter: () => [], compare: () => [] };
  const one = write({ footprint }, {});
  const looked = { values: one.values, footprint: footprint as never, records: [{ id: 'a' }], hasEqualElsewhere: true };
  expect(claimsOf(one).claim(one, { ...looked, kind: 'lost' }).record).toEqual({ id: 'a' });
});

describe('values besides the key that distinguish writes', () => {
  const cards = (...ids: string[]) => write(submit, { data: ids.map((card_id) => ({ card_id })) });

  test('values besides the key that distinguish writes include the number of cards of an account updater request', () => {
    const [one, other] = [cards('a', 'b'), cards('c')];
    const claims = claimsOf(one, other);
    claims.loses(other);
    expect(lookFor(claims, one, [{ request_id: '7', cnt_request: 2 }]).record).toBeDefined();
  });

  test('values besides the key that distinguish writes include the references of rejected cards of an account updater request', () => {
    const [one, other] = [cards('a', 'b'), cards('c', 'd')];
    const claims = claimsOf(one, other);
    claims.loses(other);
    const refusing = (card_id: string) => ({ request_id: card_id, cnt_request: 2, rejected_cards: [{ card_id }] });
    expect(lookFor(claims, one, [refusing('d')])).toMatchObject({ unclear: [] });
    expect(lookFor(claims, one, [refusing('b'), refusing('d')]).record?.request_id).toBe('b');
    expect(lookFor(claims, other, [refusing('b'), refusing('d')]).record?.request_id).toBe('d');
  });
});

describe('different requests that one record can match', () => {
  const terms = { plan_code: 'P', date_start: '2030-03-01' };
  const subscribed = { subscription_id: '1', ...terms, customer_id: 'C1', status: 'A' };
  const invoice = (invoice_number?: string) =>
    write(createInvoice, {
      customer_id: 'C1',
      ...(invoice_number !== undefined && { invoice_number }),
      line_items: [{ quantity: 1, unit_cost: 50 }],
    });

  test.each<[string, PlannedRequest, PlannedRequest, IDataObject]>([
    [
      'a subscription by a saved card and one that names none',
      write(createSubscription, { customer_id: 'C1', ...terms }),
      write(createSubscription, { customer_id: 'C1', card_id: 'a', ...terms }),
      { ...subscribed, card_id: 'a' },
    ],
    [
      'a subscription of a customer by ID and one of a new customer with this name',
      write(createSubscription, { customer_id: 'C1', ...terms }),
      write(createSubscription, {
        customer: { customer_first_name: 'Ana', customer_last_name: 'Silva', customer_email: 'ana@example.com' },
        ...terms,
      }),
      {
        ...subscribed,
        ...{ customer_first_name: 'Ana', customer_last_name: 'Silva', customer_email: 'ana@example.com' },
      },
    ],
    [
      'an invoice with a number and one without',
      invoice('N-1'),
      invoice(),
      { invoice_id: '1', customer_id: 'C1', invoice_number: 'N-1', amt_tran: 50 },
    ],
    [
      'copies of two invoices with one number',
      write(copy, { invoice_number: 'N-1' }, { invoice_id: '7' }),
      write(copy, { invoice_number: 'N-1' }, { invoice_id: '8' }),
      { invoice_id: '9', customer_id: 'C1', invoice_number: 'N-1', amt_tran: 50 },
    ],
  ])('two different requests match one record: %s', (_, one, other, record) => {
    const values = { ...one.values, source: { customer_id: 'C1', amt_tran: 50 } };
    expect(lookFor(claimsOf(one, other), one, [record], 'lost', values).record).toBeDefined();
    const claims = claimsOf(one, other);
    claims.leaves(other);
    expect(lookFor(claims, one, [record], 'lost', values)).toMatchObject({ unclear: [record], isPending: true });
  });
});

describe('records in a loop', () => {
  const inRound = (kept: IDataObject, round: number, ...writes: PlannedRequest[]) => {
    kept.paymentPlatformRounds = { number: round, itemsBefore: round, before: {}, own: {}, items: 1, runIndex: round };
    const looping = {
      ...context,
      getContext: () => kept,
      getInputData: () => [{ json: {} }],
      evaluateExpression: () => round,
    } as unknown as IExecuteFunctions;
    return new RecordMatcher(looping, writes);
  };

  test.each<[string, (claims: RecordMatcher, one: PlannedRequest) => void]>([
    ['is done without a record', (claims, one) => claims.own(one, [{}])],
    ['is unknown', (claims, one) => claims.leaveOpen(one)],
  ])("a record isn't assigned in this loop iteration if an equal write of an earlier iteration %s", (_, becomes) => {
    const kept: IDataObject = {};
    const [one, other] = [give(), give()];
    becomes(inRound(kept, 0, one), one);
    const claims = inRound(kept, 1, other);
    for (const kind of ['existed', 'lost', 'earlier'] as const)
      expect(lookFor(claims, other, [given('a')], kind)).toMatchObject({ unclear: [given('a')], isDoubtful: false });
    expect(lookFor(claims, other, [given('b'), given('a')])).toMatchObject({ isDoubtful: true });
  });

  test('a record of an earlier iteration is recognized by each of its references', () => {
    const card = { card_number: '4111111111111111' };
    const charge = (references: IDataObject) => write(sale, { amt_tran: 4, ...card, ...references });
    const [purchase, reference] = [{ purchase_id: 'P' }, { merch_ref_num: 'R' }];
    const record = { pg_id: 'a', request_type: 'sale', rcode: '000', tran_status: 'C', amt_tran: 4, ...card };
    const kept: IDataObject = {};
    const [one, other] = [charge(reference), charge({ ...purchase, ...reference })];
    inRound(kept, 0, one).leaveOpen(one);
    const shown = { ...record, ...purchase, ...reference };
    expect(lookFor(inRound(kept, 1, other), other, [shown])).toMatchObject({ unclear: [shown], isDoubtful: false });
    const again = charge({ ...purchase, merch_ref_num: 'S' });
    const unlike = { ...record, ...purchase, merch_ref_num: 'S' };
    expect(lookFor(inRound(kept, 1, again), again, [unlike]).record).toBe(unlike);
  });

  test("records are assigned in a loop iteration once the earlier iteration's record is known", () => {
    const kept: IDataObject = {};
    const [one, other] = [give(), give()];
    const first = inRound(kept, 0, one);
    first.leaveOpen(one);
    first.own(one, [given('a')]);
    expect(lookFor(inRound(kept, 1, other), other, [given('b'), given('a')]).record).toEqual(given('b'));
  });
});

describe('a record without an ID', () => {
  const footprint = (more: object) =>
    ({
      list: { identity: 'id', ...more },
      key: () => 'k',
      filter: () => [],
      compare: () => [],
    }) as unknown as Footprint;
  const both = (own: Footprint) => [write({ footprint: own }, { n: 1 }), write({ footprint: own }, { n: 1 })] as const;

  test('a record without an ID belongs to one write if the path returns one record', () => {
    const [first, second] = both(footprint({}));
    const claims = claimsOf(first, second);
    const record = { status: 'done' };
    expect(lookFor(claims, first, [record])).toEqual({ record, unclear: [], isDoubtful: false, isPending: false });
    expect(lookFor(claims, second, [record]).record).toBeUndefined();
  });

  test('a record without an ID belongs to no write if its list shows the newest records', () => {
    const [first] = both(footprint({ newestBy: 'id' }));
    expect(lookFor(claimsOf(first), first, [{ status: 'done' }])).toEqual({
      unclear: [],
      isDoubtful: false,
      isPending: false,
    });
  });
});

test('a write that creates no record is ignored', () => {
  const unseen = write({}, { n: 1 });
  const claims = claimsOf(unseen);
  expect(() => claims.own(unseen, [{ id: '1' }], 1)).not.toThrow();
});
