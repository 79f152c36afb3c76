import { resources } from '../../../nodes/PaymentPlatform/resources';
import { CORRECT_AND_RUN, failureDescription } from '../../../nodes/PaymentPlatform/output/node-error';
import { FEWER_AT_ONCE } from '../../../nodes/PaymentPlatform/messages/describe-answers';
import { refusedItem, toolAnswer, toolItems } from '../../../nodes/PaymentPlatform/output/tool-answer';
import type { RequestResult } from '../../../nodes/PaymentPlatform/model/results';
import type { Operation } from '../../../nodes/PaymentPlatform/model/types';
import type { Failure } from '../../../nodes/PaymentPlatform/model/failure';
import { testEvery } from '../../every-case';
import { operationOf } from '../requests';

const ASK = 'Tell the user what happened, and let the user decide.';
const failure = (changes: Partial<Failure> = {}): Failure => ({
  outcome: 'declined',
  message: 'Insufficient funds',
  advice: 'Use another card.',
  ...changes,
});
const textOf = (changes: Partial<Failure> = {}) => toolAnswer(failure(changes)).result;
const MOVES_MONEY = operationOf({ money: 'untold' });
const MOVES_NO_MONEY = operationOf({});
const writes = resources.flatMap(({ value, operations }) =>
  operations
    .filter(({ request }) => request.effect !== 'reads')
    .map((operation) => ({ name: `${value}.${operation.value}`, operation })),
);

describe('the response to a model about a failure', () => {
  test.each([
    ['invalid', 'REFUSED. Nothing was sent for this call.'],
    ['declined', 'DECLINED. Nothing was changed. Do not call again with the same values.'],
    ['notSent', 'NOT DONE. Nothing was changed. Do not call again now.'],
    ['unknown', 'OUTCOME UNKNOWN. Do not call again. The request may have been applied, and money may have moved.'],
    ['doneBefore', 'DONE BEFORE. The request was not sent again.'],
  ] as Array<[Failure['outcome'], string]>)(
    'the response to a model about a failure begins with %s, followed by the reason and advice',
    (outcome, headline) => {
      expect(textOf({ outcome })).toBe(`${headline} Insufficient funds. Use another card. ${ASK}`);
    },
  );

  test.each([
    'Run this item again.',
    "Run this item again when n8n's database works.",
    'To send this item too, use a different key.',
    'If the earlier attempt was not applied: To send this item too, use a different key.',
    'Save the workflow and run it again.',
    'Read the list. Run the item again when the list is available.',
    'You can safely create another item again.',
  ])('the response to a model about a failure omits advice to run the item again: %s', (advice) => {
    const text = textOf({
      outcome: 'notSent',
      advice,
      lookUp: 'Look for X. Running this item again is safe, because the node checks first.',
    });
    expect(text).toMatch(/Look for X\./);
    expect(text).not.toMatch(/item again|different key|earlier attempt/);
  });

  test('the response to a model about a failure omits such advice also in the message, the reason and the words of the service', () => {
    const changes = {
      message: 'The list changed. Run the node again.',
      said: 'Busy. Please try again later (code 999)',
    };
    expect(textOf(changes)).toContain('same values. The list changed. Use another card. The service said: Busy. Tell');
    expect(toolAnswer(failure(changes)).message).toBe('The list changed.');
    const reason = 'It stopped. Try it again';
    expect(toolItems([{ items: [0], kind: 'notStarted', reason }])[0]?.json.result).toContain('now. It stopped. Tell');
  });

  test.each(['Do not send it again before you look up the record.', 'Do not retry this payment with this card.'])(
    'the response to a model about a failure keeps a warning: %s',
    (advice) => {
      expect(textOf({ advice })).toContain(advice);
    },
  );

  test('the response to a model about a failure says that a read with an unknown outcome changed nothing', () => {
    expect(textOf({ outcome: 'unknown', reads: true, lookUp: 'Look at the report' })).toBe(
      `NOT READ. Nothing was changed. Insufficient funds. Use another card. ${ASK}`,
    );
  });

  test.each([
    ['may have moved', MOVES_MONEY, 'The request may have been applied, and money may have moved. Insufficient'],
    ['has not moved', MOVES_NO_MONEY, 'The request may have been applied. Insufficient'],
  ])('the response to a model about an unknown outcome says whether money %s', (_, operation, words) => {
    expect(toolAnswer(failure({ outcome: 'unknown' }), operation).result).toContain(words);
  });

  testEvery(writes)('no response says both that money may have moved and that no money moved', ({ operation }) => {
    const lost = failure({ outcome: 'unknown', lookUp: operation.lookUp });
    for (const text of [toolAnswer(lost, operation).result, failureDescription(lost, operation)])
      expect(text).not.toMatch(/money may have moved.*(?:no money|nothing was charged)/i);
  });

  test('the response to a model about a failure reports a declined read like any declined request', () => {
    expect(textOf({ reads: true, lookUp: 'Look it up' })).toMatch(/^DECLINED.* Look it up\. Tell/);
  });

  test('the response to a model about a failure says where to look up a write with an unknown outcome', () => {
    expect(textOf({ outcome: 'unknown', lookUp: 'Look at the report of sales' })).toContain(
      'Use another card. Look at the report of sales. Tell',
    );
  });
});

test('the tool response says that completed steps remain in effect', () => {
  expect(textOf({ applied: true })).toMatch(
    /^DONE IN PART\. The completed steps remain in effect\. Do not call again with the same values\. Insufficient/,
  );
});

test('the tool response says if the outcome is unknown', () => {
  expect(textOf({ outcome: 'unknown', applied: true })).toMatch(/^OUTCOME UNKNOWN\. /);
});

test("the tool response contains the service's own message", () => {
  expect(textOf({ said: 'Refer to issuer' })).toContain(`The service said: Refer to issuer. ${ASK}`);
  expect(textOf()).not.toContain('The service said');
});

test('keeps the punctuation of sentences and omits empty sentences', () => {
  expect(textOf({ message: 'Why?', advice: ' Stop! ' })).toContain('same values. Why? Stop! Tell');
  expect(textOf({ message: 'No.', advice: '' })).toContain('same values. No. Tell');
  expect(textOf({ message: 'v1.5 is old', advice: 'a.b' })).toContain('v1.5 is old. a.b. Tell');
});

test.each([CORRECT_AND_RUN, FEWER_AT_ONCE])('omits advice for users of the node: %s', (advice) => {
  expect(textOf({ outcome: 'notSent', advice })).toBe(
    `NOT DONE. Nothing was changed. Do not call again now. Insufficient funds. ${ASK}`,
  );
});

test('omits system codes, which could suggest a retry', () => {
  const item = toolAnswer(
    failure({
      outcome: 'unknown',
      message: 'The connection was lost (econnreset) before the response was complete (err_bad)',
      advice: 'It ended (etimedout)',
    }),
  );
  expect(item.result).toContain('The connection was lost before the response was complete. It ended. Tell');
  expect(item.message).toBe('The connection was lost before the response was complete');
  expect(textOf({ message: 'Refused (code 051)' })).toContain('Refused (code 051).');
});

test('the tool response contains the properties on which a workflow can branch', () => {
  expect(toolAnswer(failure({ rcode: '051', pgId: 'p', references: { invoice_id: 1 } }))).toEqual({
    result: expect.any(String) as string,
    message: 'Insufficient funds',
    outcome: 'declined',
    rcode: '051',
    pg_id: 'p',
    references: { invoice_id: '1' },
  });
});

describe('the items of a call', () => {
  const done = (changes: object = {}): RequestResult => ({
    items: [1],
    kind: 'done',
    records: [{ pg_id: 'a' }],
    ...changes,
  });

  test('the items of a call contain a failure without an error key, which n8n would turn into an error', () => {
    const [item] = toolItems([{ items: [2], kind: 'failed', failure: failure() }]);
    expect(item).toEqual({ json: toolAnswer(failure()), pairedItem: { item: 2 } });
    expect(item?.json).not.toHaveProperty('error');
  });

  test.each<[string, Operation, string]>([
    ['may have moved', MOVES_MONEY, 'The earlier call may have been applied, and money may have moved.'],
    ['has not moved', MOVES_NO_MONEY, 'The earlier call may have been applied.'],
  ])('an unknown outcome of an earlier call is not mistaken for that of this call if money %s', (_, operation, may) => {
    const unknown = failure({ outcome: 'unknown', message: 'This call was not sent', advice: '' });
    const items = toolItems([{ items: [0], kind: 'failed', failure: unknown, remembered: true }], operation);
    expect(items[0]?.json.result).toBe(
      `OUTCOME UNKNOWN FOR AN EARLIER CALL. Do not call again. ${may} This call was not sent. ${ASK}`,
    );
    const own = toolItems([{ items: [0], kind: 'failed', failure: unknown }], operation);
    expect(own[0]?.json.result).toMatch(/^OUTCOME UNKNOWN\. Do not call again\. The request may have been applied/);
    const read = { ...unknown, reads: true };
    expect(toolItems([{ items: [0], kind: 'failed', failure: read }])[0]?.json.result).toMatch(/^NOT READ\./);
  });

  test("the items of a call say that a call wasn't started and why", () => {
    const words = 'NOT DONE. The request was not sent, and nothing was changed. Do not call again now.';
    expect(toolItems([{ items: [0], kind: 'notStarted', reason: 'The service asks to wait' }])).toEqual([
      { json: { result: `${words} The service asks to wait. ${ASK}`, outcome: 'notSent' }, pairedItem: { item: 0 } },
    ]);
    expect(toolItems([{ items: [0], kind: 'notStarted' }])[0]?.json.result).toBe(`${words} ${ASK}`);
  });

  test("the items of a call contain the service's record, paired to its item", () => {
    expect(toolItems([done({ records: [{ pg_id: 'a' }, { pg_id: 'b' }] }), done({ items: [] })])).toEqual([
      { json: { pg_id: 'a' }, pairedItem: { item: 1 } },
      { json: { pg_id: 'b' }, pairedItem: { item: 1 } },
      { json: { pg_id: 'a' }, pairedItem: { item: 0 } },
    ]);
  });

  test.each(['none', null, false])('the items of a call nest a record with the error %j', (error) => {
    const nested = { pairedItem: { item: 1 }, json: { record: { pg_id: 'a', error } } };
    expect(toolItems([done({ records: [{ pg_id: 'a', error }] })])).toEqual([nested]);
  });

  test.each([
    ['an empty list', 0, 0, 0, /^The list is empty\.$/],
    ['one record', 1, 1, 1, /^The list is complete: 1 record\.$/],
    ['a list without a count', 3, undefined, 3, /^The list is complete: 3 records\.$/],
    [
      'a list that a limit cuts',
      50,
      250,
      50,
      /^50 of 250 records\. To get more records, filter the list or raise "Limit"\./,
    ],
    [
      'a list that is too long',
      250,
      250,
      75,
      /^75 of 250 records\. The response omits the other records, because .* too long\./,
    ],
  ])('the response %s states the number of records', (_, read, total, shown, words) => {
    const records = Array.from({ length: read }, (__, id) => ({ id: 1_000 + id, text: 'x'.repeat(80) }));
    const items = toolItems([done({ records, list: { total } })]);
    expect(items[0]?.json.result).toMatch(words);
    expect(items.slice(1).map(({ json }) => json)).toEqual(records.slice(0, shown));
    expect(Buffer.byteLength(JSON.stringify(items.map(({ json }) => json)))).toBeLessThan(8_000);
  });

  test('a single record that exceeds the size limit is shown', () => {
    const items = toolItems([done({ records: [{ text: 'x'.repeat(9_000) }, {}], list: { total: 2 } })]);
    expect(items).toHaveLength(2);
    expect(items[0]?.json.result).toMatch(/^1 of 2 records\./);
  });

  test('a call after an equal completed call returns the record and says so', () => {
    expect(toolItems([done({ remembered: true })])).toEqual([
      {
        json: {
          result: expect.stringMatching(
            /^DONE BEFORE\. An earlier call .*was completed, so nothing was sent now\. .* Do not call again\. Only a person can allow/,
          ) as string,
          outcome: 'doneBefore',
          pg_id: 'a',
        },
        pairedItem: { item: 1 },
      },
    ]);
  });

  test('a response about an equal completed call names the setting for repeated payments only if the tool has it', () => {
    const resultFor = (operation: Operation) => toolItems([done({ remembered: true })], operation)[0]?.json.result;
    expect(resultFor(MOVES_MONEY)).toMatch(/Do not call again\. Only a person can allow the same payment again/);
    expect(resultFor(MOVES_NO_MONEY)).toMatch(/Do not call again\.$/);
  });

  test('the items of a call report a partial failure with the record', () => {
    const remark = { text: 'The one-time fee was declined', about: 'S1', failure: failure() };
    expect(toolItems([done({ partialFailure: remark })])[0]?.json).toEqual({
      remark: 'The one-time fee was declined',
      pg_id: 'a',
    });
  });
});

test('a call that could not be prepared is refused with the reason and without numbers', () => {
  expect(refusedItem(new Error('Account 123456789 is wrong'))).toEqual({
    json: {
      result: `REFUSED. Nothing was sent for this call. Account x6789 is wrong. ${ASK}`,
      outcome: 'invalid',
      message: 'Account x6789 is wrong',
    },
    pairedItem: { item: 0 },
  });
});

test('a call that could not be prepared is refused if something other than an error was thrown', () => {
  expect(refusedItem('text').json.message).toBe('The node could not prepare this call');
});

test("doesn't let a field of the record replace the text about an earlier call", () => {
  const [item] = toolItems([
    { items: [0], kind: 'done', records: [{ pg_id: '1', result: 'ok', outcome: 'new' }], remembered: true },
  ]);
  expect(Object.keys(item?.json ?? {})).toEqual(['result', 'outcome', 'pg_id']);
  expect(item?.json).toMatchObject({ outcome: 'doneBefore', pg_id: '1' });
  expect(item?.json.result).toMatch(/^DONE BEFORE/);
});

test("a refusal keeps the model's own value, even if the value asks to send something again", () => {
  const message = '"Email" must be an email address (found "please send again")';
  expect(toolAnswer({ outcome: 'invalid', message, advice: '' })).toMatchObject({
    result: expect.stringContaining(message) as string,
    message,
  });
});
