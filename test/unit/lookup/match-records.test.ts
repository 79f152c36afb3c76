import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Looked } from '../../../nodes/PaymentPlatform/lookup/found-record';
import { RecordMatcher } from '../../../nodes/PaymentPlatform/lookup/match-records';
import type { Footprint, WriteValues } from '../../../nodes/PaymentPlatform/model/footprint';
import type { Operation, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { submit } from '../../../nodes/PaymentPlatform/resources/account-updater/submit';
import { create as createInvoice } from '../../../nodes/PaymentPlatform/resources/invoice/create';
import { copy } from '../../../nodes/PaymentPlatform/resources/invoice/copy';
import { create as createSubscription } from '../../../nodes/PaymentPlatform/resources/subscription/create';
import { sale } from '../../../nodes/PaymentPlatform/resources/transaction/sale';
import { refund } from '../../../nodes/PaymentPlatform/resources/transaction/refund';

const context = {
  getNode: () => ({ type: 'paymentPlatform', parameters: {} }),
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
    ['waits for its turn, and an earlier try may have sent it', () => undefined, 'earlier', false],
    ['is in flight', (claims, other) => claims.leaves(other), 'lost', false],
    ['was not applied', (claims, other) => claims.notApplied(other), 'lost', true],
    ['is looked for as well', (claims, other) => claims.loses(other), 'lost', true],
    ['is looked for, while this one is not sent yet', (claims, other) => claims.loses(other), 'existed', false],
    ['is unknown', (claims, other) => claims.leaveOpen(other), 'lost', false],
    ['is done without a record', (claims, other) => claims.own(other, [{}]), 'lost', false],
    ['has a record of its own', (claims, other) => claims.own(other, [given('other')]), 'lost', true],
    [
      'has a record, and its earlier try is unknown',
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

test.each([
  ['lost', []],
  ['existed', ['a']],
  ['earlier', ['a']],
] as const)(
  'a record that changed after its write matches no write that just lost its response: %s',
  (kind, expected) => {
    const request = give();
    const footprint: Footprint = { ...(refund.footprint as Footprint), changedSince: ({ pg_id: id }) => id === 'a' };
    const looked = { values: request.values, footprint, records: [given('a')], kind };
    const claim = () => claimsOf(request).claim(request, looked);
    expect([claim().record].flatMap((record) => (record ? [record.pg_id] : []))).toEqual(expected);
    expect(claimsOf(request).claim(request, { ...looked, records: [given('a'), given('b')] }).record?.pg_id).toBe(
      kind === 'lost' ? 'b' : 'a',
    );
  },
);

test('assigns no record if only one of several records can also belong to another write', () => {
  const footprint = {
    ...(refund.footprint as Footprint),
    mayMatch: ({ pg_id: id }: IDataObject, { body }: WriteValues) => body.only === undefined || body.only === id,
  };
  const [one, other] = [give(), give({ only: 'b' })];
  const claims = claimsOf(one, other);
  claims.leaveOpen(other);
  const looked = { values: one.values, footprint, records: [given('a'), given('b')] };
  expect(claims.claim(one, { ...looked, kind: 'lost' }).record).toBeUndefined();
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
    const looked = { values: one.values, footprint, records: [given('a')], hasEqualLater: true };
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
  const footprint = { list: { identity: 'id' }, key: () => 'k', filter: () => [], matches: () => true };
  const one = write({ footprint }, {});
  const looked = { values: one.values, footprint: footprint as never, records: [{ id: 'a' }], hasEqualLater: true };
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
      getNode: () => ({ type: 'paymentPlatform', parameters: {} }),
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
    const charge = (references: IDataObject) => write(sale, { amt_tran: 4, ...references });
    const [purchase, reference] = [{ purchase_id: 'P' }, { merch_ref_num: 'R' }];
    const record = { pg_id: 'a', request_type: 'sale', rcode: '000', tran_status: 'C', amt_tran: 4 };
    const kept: IDataObject = {};
    const [one, other] = [charge({ ...purchase, ...reference }), charge(purchase)];
    inRound(kept, 0, one).leaveOpen(one);
    const shown = { ...record, ...purchase, ...reference };
    expect(lookFor(inRound(kept, 1, other), other, [shown])).toMatchObject({ unclear: [shown], isDoubtful: false });
    const unlike = { ...record, ...purchase, merch_ref_num: 'S' };
    expect(lookFor(inRound(kept, 1, other), other, [unlike]).record).toBe(unlike);
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
      matches: () => true,
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
