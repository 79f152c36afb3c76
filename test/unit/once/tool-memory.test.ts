import type { IExecuteFunctions } from 'n8n-workflow';
import { sendWithinLimit } from './send-within-limit';

import { ToolMemory } from '../../../nodes/PaymentPlatform/once/tool-memory';
import type { ItemOptions } from '../../../nodes/PaymentPlatform/model/option-types';
import type { Account, PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';
import { account } from '../requests';

function execution() {
  let kept = {};
  const open = ({ name = 'Refund', account: changes = {} }: { name?: string; account?: Partial<Account> } = {}) => {
    kept = JSON.parse(JSON.stringify(kept)) as object;
    const context = {
      getContext: (type: string) => {
        if (type !== 'flow') throw new Error(`The context "${type}" ends with the call`);
        return kept;
      },
      getNode: () => ({ name, parameters: {} }),
      getExecuteData: () => ({ source: { main: [{ previousNode: 'Start' }] } }),
    };
    return ToolMemory.open(context as unknown as IExecuteFunctions, { ...account, ...changes });
  };
  return Object.assign(open, { text: () => JSON.stringify(kept), keys: () => Object.keys(kept) });
}

let open: ReturnType<typeof execution>;
beforeEach(() => void (open = execution()));

const request = (amt_tran: unknown = 10, options: Partial<ItemOptions> = {}, changes: object = {}): PlannedRequest =>
  ({
    items: [0],
    part: 0,
    operation: {
      value: 'refund',
      request: { effect: 'writesOnce' },
      fields: [{ name: 'amt_tran', place: 'body', money: true }],
    },
    options: { unknownOutcome: 'lookUp', testEnvironmentOnly: false, ...options },
    method: 'POST',
    path: '/pg/refund/1',
    effect: 'writesOnce',
    values: { path: { pgIdOrig: '1' }, query: {}, body: { amt_tran, memo: 'words' }, node: {} },
    ...changes,
  }) as unknown as PlannedRequest;
const worded = (memo: string) =>
  request(10, {}, { values: { path: {}, query: {}, body: { amt_tran: 10, memo }, node: {} } });

describe('an equal call in the same execution', () => {
  test('an equal call returns the result of the first call, even with different wording', () => {
    expect(open().recall(request())).toBeUndefined();
    expect(open().sending(request())).toBeUndefined();
    open().done(request(), [{ pg_id: 'a' }]);
    expect(open().recall(worded('other words'))).toEqual({ outcome: 'done', records: [{ pg_id: 'a' }] });
  });

  test('an equal call is unknown while the first call is unknown, even if equal calls are allowed', () => {
    open().sending(request());
    expect(open().recall(request())).toEqual({ outcome: 'unknown' });
    expect(open().recall(request(10, { allowEqual: true }))).toEqual({ outcome: 'unknown' });
    expect(open().openAttempts(request())).toBe(1);
  });

  test('an equal call reports a partial failure and missing secrets of the first call', () => {
    const partialFailure = {
      text: 't',
      about: 'a',
      failure: { outcome: 'declined' as const, message: '', advice: '' },
    };
    open().sending(request());
    open().done(request(), [{ id: 1, security_key: 'S1' }], partialFailure);
    expect(open().recall(request())).toEqual({
      outcome: 'done',
      records: [{ id: 1 }],
      partialFailure,
      withoutSecrets: ['security_key'],
    });
    expect(open.text()).not.toContain('S1');
  });

  test('the limit per execution counts only the approved part of a call', () => {
    const failure = { outcome: 'declined' as const, message: '', advice: '' };
    open().sending(request(10));
    open().done(request(10), [{}], { text: 't', about: 'a', failure, unmovedCents: 600 });
    expect(open().moved(request(10))).toBe(400);
  });

  test('an equal call reports secrets that the output of the first call omitted', () => {
    open().sending(request());
    open().done(request(), [{ id: 1 }], undefined, ['secret']);
    expect(open().recall(request())).toMatchObject({ withoutSecrets: ['secret'] });
  });

  test('an equal call is sent and stored if the user allows equal payments', () => {
    const allowed = request(10, { allowEqual: true });
    for (const pg_id of ['a', 'b']) {
      expect(open().recall(allowed)).toBeUndefined();
      expect(open().sending(allowed)).toBeUndefined();
      open().done(allowed, [{ pg_id }]);
    }
    expect(open().made()).toEqual([{ pg_id: 'a' }, { pg_id: 'b' }]);
    expect(open().recall(request())).toEqual({ outcome: 'done', records: [{ pg_id: 'b' }] });
  });

  test("an equal call isn't sent if the first call started after the search", () => {
    open().sending(request());
    expect(open().sending(request())).toEqual({
      outcome: 'unknown',
      message:
        'An earlier call for the same record and the same amount is still in progress or has an unknown outcome, so this call was not sent',
      advice: '',
    });
    expect(open().openAttempts(request())).toBe(1);
  });

  test('an equal call is sent if the first call was not applied', () => {
    open().sending(request());
    open().notApplied(request());
    expect(open().openAttempts(request())).toBe(0);
    expect(open().recall(request())).toBeUndefined();
    expect(open().sending(request())).toBeUndefined();
  });

  test("a rejected equal call doesn't change the result of the applied call", () => {
    const allowed = request(10, { allowEqual: true });
    open().sending(allowed);
    open().done(allowed, [{ pg_id: 'a' }]);
    open().notApplied(allowed);
    expect(open().made()).toEqual([{ pg_id: 'a' }]);
    open().sending(allowed);
    open().notApplied(allowed);
    expect(open().recall(request())).toEqual({ outcome: 'done', records: [{ pg_id: 'a' }] });
  });

  test("an equal call is recognized after the tool's run ended", () => {
    open().sending(request());
    open().done(request(), [{}]);
    open().end();
    expect(open().recall(request())).toMatchObject({ outcome: 'done' });
  });
});

test('treats another amount as another payment', () => {
  open().sending(request());
  expect(open().recall(request(11))).toBeUndefined();
  expect(open().openAttempts(request(11))).toBe(0);
});

test("a call that was never recorded isn't stored", () => {
  open().done(request(), [{ pg_id: 'a' }]);
  open().notApplied(request());
  expect(open().made()).toEqual([]);
});

describe('tools with other names or accounts', () => {
  test('recognizes an equal call by another tool of the same account', () => {
    open({ name: 'A' }).sending(request());
    expect(open({ name: 'B' }).recall(request())).toEqual({ outcome: 'unknown' });
    open({ name: 'A' }).done(request(), [{ pg_id: 'a' }]);
    expect(open({ name: 'B' }).made()).toEqual([]);
    expect(open({ name: 'A' }).made()).toEqual([{ pg_id: 'a' }]);
  });

  test("refuses calls after the credential changed, because earlier calls can't be compared", () => {
    const other = { account: { digestKey: 'other' } };
    open().sending(request());
    open().done(request(), [{}]);
    expect(open(other).recall(request(99))).toEqual({ outcome: 'unrecognisable' });
    expect(open(other).sending(request(99))).toMatchObject({ outcome: 'unknown' });
    expect(open({ name: 'B', ...other }).recall(request(99))).toBeUndefined();
  });
});

describe('the limit per execution of a tool', () => {
  const limited = (amount: number, limitPerExecution = 30) => request(amount, { limitPerExecution });

  test('the limit per execution of a tool counts moved and possibly moved amounts', () => {
    expect(sendWithinLimit(open(), limited(10))).toBeUndefined();
    open().done(limited(10), [{}]);
    expect(sendWithinLimit(open(), limited(15.5))).toBeUndefined();
    expect(sendWithinLimit(open(), limited(5))).toEqual({
      outcome: 'invalid',
      message: '"Limit per Execution" allows 30 in total. The total so far is 25.5, and this request would add 5',
      advice: 'A person who can edit the workflow can raise the limit in the parameters of the node.',
    });
    expect(open().openAttempts(limited(5))).toBe(0);
    expect(sendWithinLimit(open(), limited(4.5))).toBeUndefined();
    expect(sendWithinLimit(open(), limited(0.01))).toMatchObject({ outcome: 'invalid' });
  });

  test('the limit per execution of a tool is exact despite binary fractions', () => {
    for (const amount of [0.1, 0.2]) expect(sendWithinLimit(open(), limited(amount, 0.3))).toBeUndefined();
  });

  test('the limit per execution of a tool includes other tools, but not calls that were not applied', () => {
    open().sending(limited(30));
    open().notApplied(limited(30));
    open({ name: 'B' }).sending(limited(28));
    expect(sendWithinLimit(open(), limited(3))).toMatchObject({ outcome: 'invalid' });
    expect(sendWithinLimit(open(), limited(2))).toBeUndefined();
  });

  test('the limit per execution of a tool allows a request that moves nothing', () => {
    open().sending(limited(30));
    const noAmount = { values: { path: {}, query: {}, body: { plan_code: 'a' }, node: {} } };
    expect(sendWithinLimit(open(), request(0, { limitPerExecution: 30 }, noAmount))).toBeUndefined();
    expect(sendWithinLimit(open(), request(0, { limitPerExecution: 30 }))).toBeUndefined();
  });

  test('the limit per execution of a tool allows a request that moves nothing even above the limit', () => {
    open().sending(request(30));
    expect(sendWithinLimit(open(), request(0, { limitPerExecution: 20 }))).toBeUndefined();
  });

  test("the limit per execution of a tool allows everything if it isn't set", () => {
    expect(sendWithinLimit(open(), request(1_000_000))).toBeUndefined();
  });
});

test('remembers only calls with an unknown outcome and successful calls', () => {
  open().sending(request());
  expect(open().made()).toEqual([]);
  open().done(request(), [{ pg_id: 'a' }]);
  expect(open().openAttempts(request())).toBe(0);
  expect(open().made()).toEqual([{ pg_id: 'a' }]);
});

test.each(['otherAccount', 'otherCredential'] as const)(
  'a call with another account or credential is not recognized or recorded: %s',
  (evidence) => {
    expect(open().addEvidence(request(), evidence)).toEqual({ outcome: 'unrecognisable' });
    expect(open().recall(request())).toBeUndefined();
  },
);

test('a call is unknown while an equal call is in progress, and is not recorded', () => {
  expect(open().addEvidence(request(), 'underWay')).toEqual({ outcome: 'unknown' });
  expect(open().recall(request())).toBeUndefined();
});

test('a call that an earlier attempt completed is not repeated, even if equal calls are allowed', () => {
  const records = [{ done_by_earlier_try: true, pgIdOrig: '1', amt_tran: '10' }];
  const allowed = request(10, { allowEqual: true });
  expect(open().addEvidence(allowed, 'done')).toEqual({ outcome: 'done', records, byDatabase: true });
  expect(open().recall(request())).toEqual({ outcome: 'done', records });
  expect(open().moved(request())).toBe(1000);
  expect(open().recall(allowed)).toBeUndefined();
});

test.each(['begun', 'sameContent', 'forgotten'] as const)(
  'a call stays unknown if it may have started: %s',
  (evidence) => {
    expect(open().addEvidence(request(), evidence)).toEqual({ outcome: 'unknown' });
    expect(open().recall(request())).toEqual({ outcome: 'unknown' });
    expect(open().openAttempts(request())).toBe(1);
  },
);

test('a call has the number of equal earlier calls, and the time and amount of the unknown call', () => {
  const stateOf = () => [open().attempt(request()), open().sentAt(request()), open().moved(request())];
  jest.useFakeTimers({ now: 5000 });
  expect(stateOf()).toEqual(['0', undefined, 0]);
  open().sending(request());
  expect(stateOf()).toEqual(['1', 5000, 1000]);
  expect(open().sentAt(request(10, { allowEqual: true }))).toBeUndefined();
  open().done(request(), [{}]);
  expect(stateOf()).toEqual(['1', undefined, 1000]);
  jest.useRealTimers();
});

test('a call finds an equal call that ran at the same time', () => {
  expect(open().recallConcurrentCall(request())).toBeUndefined();
  open().sending(request());
  expect(open().recallConcurrentCall(request())).toEqual({ outcome: 'unknown' });
});

test('keeps its name in every version, because waiting executions store it', () => {
  open().sending(request());
  expect(open.keys()).toEqual(['paymentPlatformToolWrites']);
});

describe('calls outside of executions', () => {
  const hours = (count: number) => count * 60 * 60 * 1000;
  const open = (workflow: string) =>
    ToolMemory.open(
      {
        // Outside an execution, n8n creates a new context for each call.
        getContext: () => ({}),
        getExecuteData: () => ({ source: null }),
        getWorkflow: () => ({ id: workflow }),
        getNode: () => ({ name: 'Refund', parameters: {} }),
      } as unknown as IExecuteFunctions,
      account,
    );

  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('calls outside of executions are remembered by the process for each workflow', () => {
    open('A').sending(request());
    expect(open('A').recall(request())).toEqual({ outcome: 'unknown' });
    expect(open('B').recall(request())).toBeUndefined();
    open('A').done(request(), [{ pg_id: 'a' }]);
    expect(open('A').recall(request())).toEqual({ outcome: 'done', records: [{ pg_id: 'a' }] });
  });

  test('calls outside of executions are remembered for one day', () => {
    open('C').sending(request());
    jest.setSystemTime(Date.now() + hours(24) - 1);
    open('C').sending(request(11));
    expect(open('C').recall(request())).toEqual({ outcome: 'unknown' });
    jest.setSystemTime(Date.now() + 1);
    expect(open('C').recall(request())).toBeUndefined();
    expect(open('C').recall(request(11))).toEqual({ outcome: 'unknown' });
  });
});

test('stores nothing that was sent', () => {
  open().sending(worded('4111111111111111'));
  expect(open.text()).not.toMatch(/4111|words|pay\.example|"key"/);
});
