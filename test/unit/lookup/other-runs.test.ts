import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Looked } from '../../../nodes/PaymentPlatform/lookup/found-record';
import { RecordMatcher } from '../../../nodes/PaymentPlatform/lookup/match-records';
import { OtherRuns, type Run, type Write } from '../../../nodes/PaymentPlatform/lookup/record-owners';
import type { Footprint } from '../../../nodes/PaymentPlatform/model/footprint';
import type { Account, Operation, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { request as apiRequest } from '../../../nodes/PaymentPlatform/resources/api/request';
import { refund } from '../../../nodes/PaymentPlatform/resources/transaction/refund';
import { create as createSubscription } from '../../../nodes/PaymentPlatform/resources/subscription/create';
import { DateTime } from 'luxon';

const NOON = Date.parse('2026-06-15T16:00:00Z');
const DAY_MS = 86_400_000;
beforeEach(() => jest.useFakeTimers({ now: NOON }));
afterEach(() => jest.useRealTimers());

interface Execution {
  id?: string;
  node?: string;
  /** Start of an execution that n8n 2 stores. */
  started?: number;
  mode?: string;
  workflow?: string;
  /** Call of a tool outside an execution. */
  isCall?: boolean;
}

const contextOf = ({ id = '1', node = 'Pay', started, mode = 'manual', workflow = 'W', isCall }: Execution = {}) =>
  ({
    getWorkflow: () => ({ id: workflow }),
    getMode: () => mode,
    getExecutionId: () => (isCall ? undefined : id),
    getExecutionContext: () => started && { establishedAt: started, triggerNode: { name: 'Form' } },
    getNode: () => ({ name: node, type: 'paymentPlatform', parameters: {} }),
    getContext: () => ({}),
    getInputData: () => [],
    evaluateExpression: () => 0,
  }) as unknown as IExecuteFunctions;

let items = 0;
const write = (operation: Operation, body: IDataObject, path: IDataObject = {}) =>
  ({
    operation,
    items: [(items += 1)],
    part: 0,
    options: {},
    values: { path, query: {}, body, node: {} },
  }) as unknown as PlannedRequest;
const refunding = (more: IDataObject = {}) => write(refund, { amt_tran: 4, ...more }, { pgIdOrig: '42' });
const refunded = (pg_id: string) => ({
  ...{ pg_id, pg_id_linked: '42', amt_tran: 4, request_type: 'refund', rcode: '000', tran_status: 'P' },
  tran_time: '2026-06-15T16:00:00.000Z',
});

/** Creates the matchers of several executions of one n8n process, each with its own write. */
function executions(all: Execution[], writes = all.map(() => refunding())) {
  const others = new OtherRuns();
  return all.map((one, index) => {
    const request = writes[index] ?? refunding();
    const matcher = new RecordMatcher(contextOf(one), [request], others);
    const claim = (records: IDataObject[], kind: Looked['kind'] = 'lost', more: Partial<Looked> = {}) =>
      matcher.claim(request, {
        values: request.values,
        footprint: request.operation.footprint as Footprint,
        records,
        kind,
        ...more,
      });
    return { request, matcher, claim };
  });
}
type One = ReturnType<typeof executions>[number];
const pair = (one: Execution = {}, other: Execution = {}, writes?: PlannedRequest[]) =>
  executions([one, other], writes) as [One, One];
const [here, there] = [{ id: '1' }, { id: '2' }];

const sends = ({ matcher, request }: One) => matcher.leaves(request);
const loses = (one: One) => {
  sends(one);
  one.matcher.loses(one.request);
};
const staysOpen = (one: One) => {
  sends(one);
  one.matcher.leaveOpen(one.request);
};

describe('a record that another execution in the same process may have created', () => {
  const states: Array<[string, (other: One) => void, 'assigned' | 'pending' | 'unclear' | 'taken']> = [
    ['sent nothing', () => undefined, 'assigned'],
    ['is sending', sends, 'pending'],
    ['lost its response', loses, 'pending'],
    ['has an unknown outcome', staysOpen, 'unclear'],
    ['is done without a record', (other) => other.matcher.own(other.request, [{}]), 'assigned'],
    [
      'was sent and is done without a record',
      (other) => {
        sends(other);
        other.matcher.own(other.request, [{}]);
      },
      'unclear',
    ],
    [
      'owns another record',
      (other) => {
        sends(other);
        other.matcher.own(other.request, [refunded('b')]);
      },
      'assigned',
    ],
    [
      'was refused',
      (other) => {
        sends(other);
        other.matcher.notApplied(other.request);
      },
      'assigned',
    ],
    ['owns the record', (other) => other.matcher.own(other.request, [refunded('a')]), 'taken'],
  ];

  test.each(states)(
    'a record of another execution is assigned only if no other write can own it: an equal write %s',
    (_, happens, expected) => {
      const [one, other] = pair(here, there);
      happens(other);
      loses(one);
      const { record, unclear, isPending } = one.claim([refunded('a')]);
      expect(record?.pg_id).toBe(expected === 'assigned' ? 'a' : undefined);
      expect(unclear.map(({ pg_id: id }) => id)).toEqual(expected === 'pending' || expected === 'unclear' ? ['a'] : []);
      expect(isPending).toBe(expected === 'pending');
    },
  );

  test('two executions with equal writes get no record until it is known which execution created it', () => {
    const [one, other] = pair(here, there);
    [one, other].forEach(loses);
    const both = [refunded('a'), refunded('b')];
    for (const records of [[refunded('a')], both])
      for (const each of [one, other])
        expect(each.claim(records)).toMatchObject({ unclear: records, isDoubtful: true });
    other.matcher.own(other.request, [refunded('a')]);
    expect(one.claim(both).record?.pg_id).toBe('b');
  });

  test('a record that an execution found belongs to no other execution, even before its item ends', () => {
    const [one, other] = pair(here, there);
    loses(one);
    expect(one.claim([refunded('a')]).record?.pg_id).toBe('a');
    loses(other);
    expect(other.claim([refunded('a')])).toEqual({ unclear: [], isDoubtful: false, isPending: false });
  });
});

describe.each<[string, (matcher: RecordMatcher, first: PlannedRequest) => void]>([
  ['has the record', (matcher, first) => matcher.own(first, [refunded('a')])],
  ['has an equal write of unknown outcome', (matcher, first) => matcher.leaveOpen(first)],
])('after a restart of n8n, another node of the execution that %s', (_, ends) => {
  test.each<[Looked['kind'], string | undefined]>([
    ['lost', undefined],
    ['earlier', undefined],
    ['existed', 'a'],
  ])('may own the record of a write: %s', (kind, assigned) => {
    const ofAllNodes: IDataObject = {};
    const matcherOf = (node: string, request: PlannedRequest) => {
      const getContext = (type: string) => (type === 'flow' ? ofAllNodes : {});
      return new RecordMatcher({ ...contextOf({ node }), getContext } as IExecuteFunctions, [request], new OtherRuns());
    };
    const [first, second] = [refunding(), refunding()];
    ends(matcherOf('Pay', first), first);
    const match = matcherOf('Pay Again', second).claim(second, {
      values: second.values,
      footprint: refund.footprint as Footprint,
      records: [refunded('a')],
      kind,
    });
    expect(match.record?.pg_id).toBe(assigned);
  });
});

describe('the runs that can own a record', () => {
  const context = 1_790_000_000_000;

  test.each<[string, Execution, Execution, boolean]>([
    ['another execution', here, there, true],
    ['another node of the same execution', here, { ...here, node: 'Pay Again' }, true],
    ['another run of the node in the same execution', here, here, false],
    [
      'another run of the node in an execution that n8n 2 stores',
      { id: '1', started: context },
      { id: '1', started: context },
      false,
    ],
    [
      'an attempt before this retry',
      { id: '3', mode: 'retry', started: context },
      { id: '1', started: context },
      false,
    ],
    [
      'another node before this retry',
      { id: '3', mode: 'retry', started: context },
      { id: '1', started: context, node: 'B' },
      true,
    ],
    [
      'an execution that began in the same millisecond',
      { id: '1', started: context },
      { id: '2', started: context },
      true,
    ],
    [
      'a retry of another execution',
      { id: '3', mode: 'retry', started: context },
      { id: '1', started: context + 1 },
      true,
    ],
  ])('%s is another run: %s', (_, own, owner, isOther) => {
    const [one, other] = pair(own, owner);
    staysOpen(other);
    loses(one);
    expect(one.claim([refunded('a')]).record?.pg_id).toBe(isOther ? undefined : 'a');
    const [two, owning] = pair(own, owner);
    owning.matcher.own(owning.request, [refunded('a')]);
    loses(two);
    expect(two.claim([refunded('a')]).record?.pg_id).toBe(isOther ? undefined : 'a');
  });

  test('calls without an execution are one run for one or two days', () => {
    const called = OtherRuns.runOf(contextOf({ isCall: true }));
    expect(called).not.toHaveProperty('execution');
    const days = [Math.floor(NOON / DAY_MS), Math.floor(NOON / DAY_MS) - 1].map((day) => `day ${day}`);
    expect(called).toEqual({ node: 'Pay', names: days, asked: new Set(days) });
    const others = new OtherRuns();
    others.owns(called, 'pg_id', 'a');
    const isOwnedAfter = [0, 1, 2].map((daysLater) => {
      jest.setSystemTime(NOON + daysLater * DAY_MS);
      return others.isOwned(OtherRuns.runOf(contextOf({ isCall: true })), 'pg_id', 'a');
    });
    expect(isOwnedAfter).toEqual([false, false, true]);
  });

  test('a run is named by its node, its execution and the start of its execution', () => {
    expect(OtherRuns.runOf(contextOf({ started: context, mode: 'retry' }))).toEqual({
      ...{ node: 'Pay', execution: '1', names: [`context ${context}`] },
      asked: new Set([`context ${context}`]),
    });
  });

  test('executions with the same account share their writes, and other accounts have their own', () => {
    const account = { environment: 'test', baseUrl: 'https://example.com', merchantId: '1' } as Account;
    const shared = OtherRuns.of(account);
    expect(OtherRuns.of({ ...account, digestKey: 'other' })).toBe(shared);
    for (const more of [
      { environment: 'production' as const },
      { baseUrl: 'https://example.org' },
      { merchantId: '2' },
    ])
      expect(OtherRuns.of({ ...account, ...more })).not.toBe(shared);
  });
});

describe('a record that already belongs to an item', () => {
  const isOfOther = (owner: Execution, own: Execution, without = {}) => {
    const [one, other] = pair(own, owner);
    other.matcher.own(other.request, [refunded('a')]);
    const request = { ...one.request, operation: { ...one.request.operation, ...without } };
    return one.matcher.isOfOther(request, 'a');
  };

  test('a record belongs to another item if a node of the execution owns it', () => {
    const [one] = pair();
    expect(one.matcher.isOfOther(one.request, 'a')).toBe(false);
    one.matcher.own(one.request, [refunded('a')]);
    expect([one.matcher.isOfOther(one.request, 'a'), one.matcher.isOfOther(one.request, 'b')]).toEqual([true, false]);
    expect(isOfOther({ id: '1', node: 'Pay 2' }, here)).toBe(true);
  });

  test('the service may repeat an ID in another execution, for a call without an execution, and in another list', () => {
    expect(isOfOther(there, here)).toBe(false);
    expect(isOfOther({ id: '2', node: 'Pay 2' }, here)).toBe(false);
    const none = { isCall: true };
    expect(isOfOther({ ...none, node: 'Pay 2' }, none)).toBe(false);
    expect(isOfOther({ id: '1', node: 'Pay 2' }, here, { footprint: undefined })).toBe(false);
    const footprint = { ...refund.footprint, list: { ...refund.footprint?.list, identity: 'invoice_id' } };
    expect(isOfOther({ id: '1', node: 'Pay 2' }, here, { footprint })).toBe(false);
  });
});

describe('a write that another execution sent with a key of Once per Key', () => {
  test.each<[string, string | undefined, string | undefined, string, boolean]>([
    ['the same key', 'k', 'k', 'W', true],
    ['another key', 'k', 'l', 'W', false],
    ['no key', 'k', undefined, 'W', false],
    ['a key, and the own write has none', undefined, 'k', 'W', false],
    ['the same key in another workflow', 'k', 'k', 'V', false],
  ])('competes unless it is an attempt at the same payment: %s', (_, own, key, workflow, isAssigned) => {
    const keyed = (oncePerKey?: string) => ({ ...refunding(), options: { oncePerKey } }) as unknown as PlannedRequest;
    const [one, other] = pair(here, { ...there, workflow }, [keyed(own), keyed(key)]);
    staysOpen(other);
    loses(one);
    expect(one.claim([refunded('a')]).record?.pg_id).toBe(isAssigned ? 'a' : undefined);
  });

  test('a write with the same key and other content does not compete', () => {
    const keyed = (more: IDataObject) =>
      ({ ...refunding(more), options: { oncePerKey: 'k' } }) as unknown as PlannedRequest;
    const [one, other] = pair(here, there, [keyed({}), keyed({ memo: 'x' })]);
    staysOpen(other);
    loses(one);
    expect(one.claim([refunded('a')]).record?.pg_id).toBe('a');
  });
});

describe('an API Request of another execution', () => {
  const sending = (operation: Operation, path: string): PlannedRequest => ({
    ...refunding(),
    operation,
    method: 'POST',
    path,
  });
  const custom = (path: string) => {
    const request = sending(apiRequest, path);
    return { ...request, values: { ...request.values, path: {}, node: { path, method: 'POST' } } };
  };

  test.each([
    ['/pg/refund/42', undefined],
    ['/pg/refund/43', 'a'],
  ])('competes for the record of a request with the same method and path: %s', (path, pgId) => {
    const [one, other] = pair(here, there, [sending(refund, '/pg/refund/42'), custom(path)]);
    staysOpen(other);
    loses(one);
    expect(one.claim([refunded('a')]).record?.pg_id).toBe(pgId);
  });

  test('owns the transaction in its response', () => {
    const [one, other] = pair(here, { id: '1', node: 'Pay 2' }, [
      sending(refund, '/pg/refund/42'),
      custom('/pg/refund/42'),
    ]);
    other.matcher.own(other.request, [{ pg_id: 'a' }]);
    expect(one.matcher.isOfOther(one.request, 'a')).toBe(true);
  });
});

describe('a write that another execution sent', () => {
  test('a write of another execution competes only if its operation is the same and the record may belong to it', () => {
    for (const other of [
      { ...refunding(), operation: { ...refund, request: { ...refund.request, operationId: 'another' } } },
      { ...refunding(), operation: { ...refund, request: { ...refund.request, operationId: undefined }, value: 'a' } },
      write(refund, { amt_tran: 4 }, { pgIdOrig: '43' }),
      write(refund, { amt_tran: 5 }, { pgIdOrig: '42' }),
    ] as PlannedRequest[]) {
      const [one, two] = pair(here, there, [refunding(), other]);
      staysOpen(two);
      loses(one);
      expect(one.claim([refunded('a')]).record?.pg_id).toBe('a');
    }
  });

  test('a write of another execution with other content keeps the record from being assigned even if there are enough records', () => {
    const [one, other] = pair(here, there, [refunding(), refunding({ memo: 'x' })]);
    loses(other);
    loses(one);
    expect(one.claim([refunded('a'), refunded('b')])).toMatchObject({ isPending: true, isDoubtful: true });
  });

  test.each([
    [10 * 60 * 1000, undefined],
    [10 * 60 * 1000 + 1, 'a'],
  ])(
    'a write of another execution, sent %d milliseconds before the search, leaves the record to: %s',
    (age, expected) => {
      const [one, other] = pair(here, there);
      staysOpen(other);
      jest.setSystemTime(NOON + age);
      loses(one);
      const record = { ...refunded('a'), tran_time: DateTime.fromMillis(NOON + age).toISO() };
      const since = { at: DateTime.fromMillis(NOON + age), above: undefined };
      expect(one.claim([record], 'lost', { since }).record?.pg_id).toBe(expected);
    },
  );

  test('an existing record of another execution is returned as soon as no response is awaited', () => {
    const [one, other] = pair(here, there);
    other.matcher.own(other.request, [refunded('a')]);
    expect(one.claim([refunded('a')], 'existed').record?.pg_id).toBe('a');
    const [two, sending] = pair(here, there);
    sends(sending);
    expect(two.claim([refunded('a')], 'existed')).toMatchObject({ isPending: true });
  });

  test('an existing record is returned although another execution awaits a response, if there are enough records', () => {
    const [one, other] = pair(here, there);
    sends(other);
    const both = [refunded('b'), refunded('a')];
    expect(one.claim(both, 'existed').record?.pg_id).toBe('b');
    const [two, sending] = pair(here, there);
    sends(sending);
    expect(two.claim(both, 'lost')).toMatchObject({ unclear: both, isPending: true });
  });

  test('an existing record that an execution returned is not its own', () => {
    const [one, other] = pair(here, there);
    one.claim([refunded('a')], 'existed');
    loses(other);
    expect(other.claim([refunded('a')]).record?.pg_id).toBe('a');
  });

  test("a write of another execution doesn't compete for a record that shows the item's own reference", () => {
    const [one, other] = pair(here, there);
    const record = { ...refunded('a'), merch_ref_num: 'OWN' };
    other.matcher.own(other.request, [record]);
    staysOpen(other);
    const values = { ...one.request.values, reference: { name: 'merch_ref_num', value: 'OWN', isLasting: true } };
    expect(one.claim([record], 'earlier', { values }).record?.pg_id).toBe('a');
  });

  test("a write of another execution doesn't compete for a record with a fixed path", () => {
    const footprint = { list: { identity: 'id' }, key: () => 'k', filter: () => [], compare: () => [] };
    const own = () => write({ footprint, request: {} } as never, {});
    const [one, other] = pair(here, there, [own(), own()]);
    other.matcher.own(other.request, [{ id: '7' }]);
    staysOpen(other);
    loses(one);
    expect(one.claim([{ id: '7' }]).record).toEqual({ id: '7' });
  });

  test('a record with a fixed path belongs to no single node of an execution', () => {
    const footprint = { list: { identity: 'id' }, key: () => 'k', filter: () => [], compare: () => [] };
    const own = () => write({ footprint, request: {} } as never, {});
    const [one, other] = pair(here, { ...here, node: 'Pay 2' }, [own(), own()]);
    expect(one.claim([{ id: '7' }]).record).toEqual({ id: '7' });
    one.matcher.own(one.request, [{ id: '7' }]);
    expect(other.matcher.isOfOther(other.request, '7')).toBe(false);
  });

  test('a write of another execution competes by each key that the record can have', () => {
    const terms = { plan_code: 'P', date_start: '2030-03-01' };
    const customer = { customer_first_name: 'Ana', customer_last_name: 'Silva', customer_email: 'ana@example.com' };
    const record = { subscription_id: '1', ...terms, customer_id: 'C1', ...customer, status: 'A' };
    const writes = [{ customer_id: 'C1' }, { customer }].map((who) => write(createSubscription, { ...who, ...terms }));
    const [one, other] = pair(here, there, writes);
    staysOpen(other);
    loses(one);
    expect(one.claim([record])).toMatchObject({ unclear: [record] });
    expect(one.claim([{ ...record, customer_first_name: 'Bo' }]).record).toBeDefined();
  });
});

describe('the number of writes and records to remember', () => {
  const run = (node: string): Run => ({ node, names: [], asked: new Set() });
  const [mine, yours] = [run('a'), run('b')];
  const sent = (shared: string): Write => ({ values: { path: {}, body: {} }, key: '', shared, state: 'inFlight' });
  const rivalsOf = (others: OtherRuns, key: string) => others.rivals(mine, key, 0);

  test('20,000 writes are remembered, and a later write replaces the oldest', () => {
    const others = new OtherRuns();
    const all = Array.from({ length: 20_000 }, (_, index) => sent(`k${index}`));
    for (const one of all) others.sends(yours, one);
    for (const one of all.slice(0, 10)) others.sends(yours, one);
    expect(rivalsOf(others, 'k0')).toEqual([all[0]]);
    others.sends(yours, sent('more'));
    expect([rivalsOf(others, 'k0'), rivalsOf(others, 'k1').length, rivalsOf(others, 'more').length]).toEqual([
      [],
      1,
      1,
    ]);
  });

  test('a forgotten write makes room for another', () => {
    const others = new OtherRuns();
    const all = Array.from({ length: 20_000 }, (_, index) => sent(`k${index}`));
    for (const one of all) others.sends(yours, one);
    others.forget(sent('k0'));
    others.forget(all[5] as Write);
    others.forget(all[5] as Write);
    others.sends(yours, sent('more'));
    expect([rivalsOf(others, 'k0').length, rivalsOf(others, 'k5').length]).toEqual([1, 0]);
    others.sends(yours, sent('again'));
    expect(rivalsOf(others, 'k0')).toEqual([]);
    others.forget(all[1] as Write);
    for (const shared of ['second', 'third']) others.sends(yours, sent(shared));
    expect(rivalsOf(others, 'k2')).toEqual([]);
  });

  test('equal writes are remembered and forgotten one by one', () => {
    const others = new OtherRuns();
    const [one, two] = [sent('k'), sent('k')];
    others.sends(yours, one);
    others.sends(mine, two);
    expect(rivalsOf(others, 'k')).toEqual([one]);
    others.forget(one);
    expect(rivalsOf(others, 'k')).toEqual([]);
    expect(others.rivals(yours, 'k', 0)).toEqual([two]);
    expect(others.rivals(yours, 'other', 0)).toEqual([]);
  });

  test('20,000 records are remembered', () => {
    const others = new OtherRuns();
    for (let index = 0; index < 20_000; index += 1) others.owns(yours, 'pg_id', `r${index}`);
    expect([others.isOwned(mine, 'pg_id', 'r0'), others.isOwned(yours, 'pg_id', 'r0')]).toEqual([true, false]);
    others.owns(yours, 'pg_id', 'more');
    expect(['r0', 'r1', 'more'].map((id) => others.isOwned(mine, 'pg_id', id))).toEqual([false, true, true]);
  });

  test('records of different kinds can have the same ID', () => {
    const others = new OtherRuns();
    others.owns(yours, 'invoice_id', '7');
    expect(['invoice_id', 'payee_id'].map((identity) => others.isOwned(mine, identity, '7'))).toEqual([true, false]);
  });

  test('a copy has the same writes and records, and keeps its changes', () => {
    const others = new OtherRuns();
    const all = Array.from({ length: 20_000 }, (_, index) => sent(`k${index}`));
    for (const one of all) others.sends(yours, one);
    for (let index = 0; index < 20_000; index += 1) others.owns(yours, 'pg_id', `r${index}`);
    const copy = others.copy();
    const seenBy = (runs: OtherRuns) => [
      ...['k0', 'k1', 'more'].map((key) => rivalsOf(runs, key).length),
      ...['r0', 'r1', 'more'].map((id) => runs.isOwned(mine, 'pg_id', id)),
    ];
    const before = [1, 1, 0, true, true, false];
    expect([seenBy(others), seenBy(copy)]).toEqual([before, before]);
    copy.sends(yours, sent('more'));
    copy.owns(yours, 'pg_id', 'more');
    expect([seenBy(others), seenBy(copy)]).toEqual([before, [0, 1, 1, false, true, true]]);
    copy.sends(yours, { ...sent('k1'), key: 'another' });
    copy.forget(all[1] as Write);
    expect([rivalsOf(others, 'k1'), rivalsOf(copy, 'k1').length]).toEqual([[all[1]], 1]);
  });
});
