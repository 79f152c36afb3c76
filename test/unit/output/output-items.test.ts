import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';

import {
  failedHint,
  hints as hintsOf,
  outputItems,
  stoppingError,
} from '../../../nodes/PaymentPlatform/output/output-items';
import { invalidFailure } from '../../../nodes/PaymentPlatform/output/node-error';
import type { RequestResult } from '../../../nodes/PaymentPlatform/model/results';
import { ranges, type Rows } from '../../../nodes/PaymentPlatform/messages/name-rows';
import type { Effect, Operation } from '../../../nodes/PaymentPlatform/model/types';
import type { Failure } from '../../../nodes/PaymentPlatform/model/failure';

const node = { name: 'Payment Platform', type: 'paymentPlatform', typeVersion: 1 } as INode;
const failure = (changes: Partial<Failure> = {}): Failure => ({
  outcome: 'declined',
  message: 'Insufficient funds',
  advice: 'Use another card.',
  ...changes,
});
const done = (items: number[], changes: object = {}): RequestResult => ({
  items,
  kind: 'done',
  records: [{ pg_id: `p${items[0]}` }],
  ...changes,
});
const failed = (items: number[], changes: Partial<Failure> = {}): RequestResult => ({
  items,
  kind: 'failed',
  failure: failure(changes),
});
const notStarted = (items: number[], reason?: string): RequestResult => ({ items, kind: 'notStarted', reason });
const rows = (names: Array<[number, string]> = [], count = 6): Rows => ({ count, names: new Map(names) });
const hints = (results: RequestResult[]) => hintsOf(results, rows());
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => index + from);

describe('output items', () => {
  test('output items are in input order and paired to their items', () => {
    const results = [done([2]), done([0], { records: [{ a: 1 }, { a: 2 }] }), done([1], { records: [] })];
    expect(outputItems(results)).toEqual([
      { json: { a: 1 }, pairedItem: { item: 0 } },
      { json: { a: 2 }, pairedItem: { item: 0 } },
      { json: { pg_id: 'p2' }, pairedItem: { item: 2 } },
    ]);
    expect(results[0]?.items).toEqual([2]);
  });

  test("output items contain each item's own records for a shared request", () => {
    const shared = done([0, 2], { records: [{ a: 0 }, { a: 2 }] });
    expect(outputItems([shared, done([1])])).toEqual([
      { json: { a: 0 }, pairedItem: { item: 0 } },
      { json: { pg_id: 'p1' }, pairedItem: { item: 1 } },
      { json: { a: 2 }, pairedItem: { item: 2 } },
    ]);
    const several = done([3, 5], { records: [{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4 }] });
    expect(outputItems([several]).map(({ json, pairedItem }) => [json.a, pairedItem])).toEqual([
      [1, { item: 3 }],
      [2, { item: 3 }],
      [3, { item: 5 }],
      [4, { item: 5 }],
    ]);
  });

  test('output items contain the whole record for each item if the record was stored for all items', () => {
    expect(outputItems([done([3, 5])])).toEqual([
      { json: { pg_id: 'p3' }, pairedItem: { item: 3 } },
      { json: { pg_id: 'p3' }, pairedItem: { item: 5 } },
    ]);
  });

  test("the error output contains only a failure's properties and advice", () => {
    const error = {
      message: 'Insufficient funds. Use another card.',
      outcome: 'declined',
      rcode: '051',
      description: 'Or ask the bank. The service said: Decline (code 051).',
    };
    const changes = { rcode: '051', advice: 'Use another card. Or ask the bank.', said: 'Decline (code 051)' };
    expect(outputItems([failed([4, 6], changes)], true)).toEqual([
      { json: { error }, pairedItem: { item: 4 } },
      { json: { error }, pairedItem: { item: 6 } },
    ]);
  });

  test.each([
    ['declined', 'Failed: Insufficient funds. Use another card.'],
    ['invalid', 'Not sent: Insufficient funds'],
    ['notSent', 'Not sent: Insufficient funds'],
    ['unknown', 'Outcome unknown: Insufficient funds'],
    ['doneBefore', 'Not sent again: Insufficient funds'],
  ] as Array<[Failure['outcome'], string]>)(
    'a failed item (%s) among other output items begins with the failure in words',
    (outcome, words) => {
      const [item] = outputItems([failed([0], { outcome })]);
      expect(Object.entries(item?.json ?? {})[0]).toEqual(['what_happened', words]);
      expect(item?.json.error).toMatchObject({ outcome });
    },
  );

  test('a refused item states how many other items may have been sent', () => {
    const refused = {
      ...failed([9]),
      failure: invalidFailure([{ label: 'Amount', found: '"x"', allowed: 'must be a number' }]),
    };
    const advice = (results: RequestResult[], effect: Effect = 'writesOnce') =>
      (
        outputItems([...results, refused], true, { request: { effect }, fields: [] } as unknown as Operation).at(-1)
          ?.json.error as IDataObject
      ).description;
    const alone = 'Correct the value, and then run the node again. Nothing was sent.';
    const many = [done([0, 1]), failed([2], { outcome: 'unknown' }), failed([3], { outcome: 'doneBefore' })];
    const unsent = [failed([4]), failed([5], { outcome: 'notSent' }), notStarted([6])];
    expect(advice(unsent)).toBe(alone);
    expect(advice([...many, ...unsent])).toBe('Correct the value. 4 other rows were sent, so run only this row again.');
    expect(advice([done([0])])).toBe('Correct the value. 1 other row was sent, so run only this row again.');
    expect(advice(many, 'reads')).toBe(alone);
  });

  test('an output item has its file', () => {
    const binary = { data: { data: 'x', mimeType: 'text/csv' } };
    expect(outputItems([done([0], { binary }), done([1])])).toEqual([
      { json: { pg_id: 'p0' }, binary, pairedItem: { item: 0 } },
      { json: { pg_id: 'p1' }, pairedItem: { item: 1 } },
    ]);
  });

  test("the output says why an item wasn't started", () => {
    const [other, canceled] = outputItems([notStarted([0], 'The service asks to wait.'), notStarted([1])]);
    expect(other?.json.error).toEqual({
      message: 'Not started. The service asks to wait.',
      outcome: 'notSent',
      description: 'Run this item again. This request was not applied.',
    });
    expect(canceled?.json.error).toMatchObject({ message: 'Not started, because the run stopped' });
  });
});

describe('hints of a run', () => {
  test('a run without anything to report has no hints', () => {
    expect(
      hints([done([0]), failed([1]), notStarted([2]), done([3], { note: '', openAttempts: 0, withoutSecrets: [] })]),
    ).toEqual([]);
  });

  test('hints of a run contain a notice about a list once', () => {
    expect(hints([done([0], { note: 'n' }), done([1], { note: 'n' }), done([2], { note: 'm' })])).toEqual(['n', 'm']);
  });

  test('hints of a run name lists that the limit cut', () => {
    const list = (item: number, count: number, total?: number, note?: string) =>
      done([item], { records: Array.from({ length: count }, () => ({})), list: { total }, ...(note && { note }) });
    const results = [list(0, 50, 1204), list(1, 2, 2), list(2, 50), list(3, 3, 2), list(4, 1, 2, 'The list changed.')];
    const told = '50 of 1,204 records. To get more, turn on "Return All" or raise "Limit".';
    expect(hints(results)).toEqual(['The list changed.', `Row 1: ${told}`]);
    expect(hintsOf(results.slice(0, 1), { count: 1, names: new Map() })).toEqual([told]);
  });

  test('hints of a run count items that were returned from memory', () => {
    const results = [
      done([0, 1], { remembered: true }),
      done([2]),
      { ...failed([3]), remembered: true },
      done([4], { remembered: true }),
    ];
    expect(hints(results)).toEqual([
      'An earlier attempt in this execution completed 3 of 5 rows. The node returned the saved results and did not send these rows again.',
    ]);
  });

  test('hints of a run name items whose secret is shown only once', () => {
    const results = [
      done([5], { remembered: true, withoutSecrets: ['security_key'] }),
      done([2], { remembered: true, withoutSecrets: ['security_key', 'user_password'] }),
      done([3], { remembered: true, withoutSecrets: ['security_key'] }),
      done([7]),
    ];
    expect(hints(results).slice(1)).toEqual([
      'Row 3, row 4, row 6: the saved result does not contain security_key, user_password, because the service returns this value only once and the node never stores it. If you need the value, create a new value.',
    ]);
  });

  test('hints of a run name the option that adds omitted secrets to the output', () => {
    const results = [done([1], { withoutSecrets: ['security_key'] }), done([0])];
    const operation = { fields: [], additional: [{ name: 'returnSecurityKey', label: 'Return It' }] } as never;
    expect(hintsOf(results, rows(), operation)).toEqual([
      'Row 2: the output does not contain security_key, because n8n stores every output. To get the value, turn on "Return It". If the service returns the value only once, create a new value.',
    ]);
  });

  test("hints of a run name items completed by the user's statement", () => {
    expect(hints([done([1], { byWord: true, remembered: true }), done([2])])).toEqual([
      'Row 2: not sent, because "Resolve Items" confirms that the request was applied.',
    ]);
  });

  test("hints of a run name items whose only evidence is n8n's database", () => {
    expect(hints([done([4], { byDatabase: true, remembered: true }), done([5])])).toEqual([
      "Row 5: not sent again, because n8n's database shows that an earlier attempt of this execution completed the request. n8n kept no result, so the output contains only values of the item itself. Look up the full record at the service.",
    ]);
  });

  test('hints of a run name items whose records were found after a lost response', () => {
    const found = [
      done([2], { found: 'same sale' }),
      done([0], { found: 'same sale', remembered: true }),
      done([1], { found: 'same customer' }),
      done([3]),
    ];
    expect(hints(found)).toEqual([
      'Row 1, row 2, row 3: no response arrived, but the node found a matching record at the service (same sale; same customer), so nothing was sent again. A record from another source with the same values would also match.',
    ]);
  });

  test('hints of a run name items whose records already existed', () => {
    expect(hints([done([3], { found: 'same sale', existed: true }), failed([4])])).toEqual([
      'Row 4: not sent, because a matching record already exists (same sale).',
    ]);
  });

  test('hints of a run name completed items with an unknown earlier attempt', () => {
    expect(hints([done([11], { openAttempts: 2 }), done([2], { openAttempts: 1 }), done([1])])).toEqual([
      'Row 3, row 12: completed. An earlier attempt with an unknown outcome may have been applied too, so check the service for a duplicate.',
    ]);
  });

  describe('about partial failures', () => {
    const remark = (about: string, text = 'The fee was declined:') => ({
      partialFailure: { text, about, failure: failure() },
    });

    test('hints about partial failures combine equal partial failures with their count and names', () => {
      const results = [
        done([0], remark('S1')),
        done([1], remark('S2', 'Canceled:')),
        done([2, 3], remark('S3')),
        failed([4]),
        done([5]),
      ];
      expect(hints(results)).toEqual([
        'The fee was declined: 2 of 5: row 1 (S1), row 4, row 3 (S3).',
        'Canceled: 1 of 5: row 2 (S2).',
      ]);
    });

    test('hints about partial failures name at most twenty items', () => {
      const [text = ''] = hints(numbers(21).map((item) => done([item], remark(`S${item}`))));
      expect(text).toContain('21 of 21: row 1 (S0)');
      expect(text).toMatch(/row 20 \(S19\), \.\.\.\.$/);
      const [twenty] = hints(numbers(20).map((item) => done([item], remark(`S${item}`))));
      expect(twenty).toMatch(/row 20 \(S19\)\.$/);
    });
  });
});

describe('the hint of a run that continued', () => {
  const named = rows([[1, 'X-2']], 9);

  test('the hint of a run that continued is missing without failures', () => {
    expect(failedHint([done([0])], named)).toBeUndefined();
  });

  test('the hint of a run that continued counts failures and lists the rows of each reason', () => {
    const results = [failed([1]), done([0]), failed([3], { outcome: 'unknown', message: 'It broke' }), failed([2])];
    expect(failedHint(results, named)).toBe(
      '3 of 9 failed. Row 2 (X-2), row 3: Insufficient funds. Use another card. Row 4: It broke.',
    );
  });

  test('the hint of a run that continued names unstarted rows or counts them if many', () => {
    expect(failedHint([notStarted([0, 1, 2, 3, 5])], named)).toBe('5 of 9 failed. Rows 1-4, 6: Not started.');
  });

  test('the hint of a run that continued names no row if there is only one', () => {
    expect(failedHint([failed([0])], rows([], 1))).toBe('1 of 1 failed. Insufficient funds. Use another card.');
  });

  test('the hint of a run that continued has a maximum length', () => {
    const many = numbers(9).map((item) => failed([item], { message: `Reason ${item}`, advice: '' }));
    expect(failedHint(many, named)).toMatch(/Row 5: Reason 4\. There are 4 more reasons\.$/);
    expect(failedHint(many.slice(0, 6), named)).toMatch(/Row 5: Reason 4\. There is 1 more reason\.$/);
    expect(failedHint(many.slice(0, 5), named)).toMatch(/Row 5: Reason 4\.$/);
  });
});

describe('the message about an item with wrong values', () => {
  const problems = (count: number) =>
    numbers(count).map((number) => ({
      label: `L${number}`,
      found: number === 0 ? '"x"' : 'nothing',
      allowed: 'is required',
    }));
  const messageOf = (count: number) => invalidFailure(problems(count)).message;

  test('the message has one sentence for each of five problems, and counts the other problems', () => {
    expect(messageOf(2)).toBe('"L0" is required (found "x"). "L1" is required');
    expect(messageOf(5)).toMatch(/"L4" is required$/);
    expect(messageOf(6)).toMatch(/"L4" is required\. There is 1 more problem$/);
    expect(messageOf(8)).toMatch(/"L4" is required\. There are 3 more problems$/);
  });

  test('the message keeps a question mark', () => {
    const question = { label: 'Amount', found: '"1,00"', allowed: 'must be a number. Did you mean 1.00?' };
    const { message } = invalidFailure([{ ...question, found: 'nothing' }, ...problems(1)]);
    expect(message).toBe('"Amount" must be a number. Did you mean 1.00? "L0" is required (found "x")');
  });
});

describe('the error of a run that stops', () => {
  const operation = (effect: Effect = 'writesOnce') => ({ request: { effect } }) as Operation;
  const error = (results: RequestResult[], effect?: Effect) =>
    stoppingError(node, operation(effect), results, rows([[1, 'X-2']]));

  test('the error of a run that stops describes the first failed item and the state of the others', () => {
    const thrown = error([
      notStarted([5, 4]),
      failed([3], { outcome: 'unknown', message: 'It broke', resolveCode: '3-abcde' }),
      done([2]),
      failed([1], { rcode: '051' }),
      done([0], { records: [{ amt: 1 }] }),
      notStarted([7]),
    ]);
    expect(thrown).toBeInstanceOf(NodeApiError);
    expect(thrown.message).toBe('Row 2 of 6 (X-2): Insufficient funds. Use another card.');
    expect(thrown.context.itemIndex).toBe(1);
    expect(thrown.description).toBe(
      '2 rows were completed: row 1, row 3 (pg_id p2). If you retry this execution, the node does not send completed rows again. A new execution can send these rows again. Also failed: row 4 (unknown, code 3-abcde): It broke. Not started: row 5, row 6, row 8.',
    );
    expect(thrown.context.data).toEqual({
      message: 'Insufficient funds',
      outcome: 'declined',
      rcode: '051',
      finished: [{ item: 0 }, { item: 2, pg_id: 'p2' }],
      failed: [
        { item: 1, message: 'Insufficient funds', outcome: 'declined', rcode: '051' },
        { item: 3, message: 'It broke', outcome: 'unknown', resolveCode: '3-abcde' },
      ],
      notStarted: [4, 5, 7],
    });
  });

  test('the error of a run that stops hides the index from the stored error, because the editor would count from 0', () => {
    const { context } = error([done([0]), failed([1])]);
    expect(context.itemIndex).toBe(1);
    expect(JSON.parse(JSON.stringify(context))).not.toHaveProperty('itemIndex');
  });

  test('the error of a run that stops counts no rows if there is only one', () => {
    const only = stoppingError(node, operation(), [failed([0])], rows([[0, 'X-1']], 1));
    expect(only.message).toBe('Insufficient funds. Use another card.');
  });

  test("the error of a run that stops doesn't mention other rows if there are none", () => {
    expect(error([failed([0])]).description).toBe('');
  });

  test('the error of a run that stops says that no row was done', () => {
    expect(error([failed([0]), notStarted([1])]).description).toBe('No row was completed. Not started: row 2 (X-2).');
    expect(error([failed([0]), failed([1], { outcome: 'invalid' })]).description).toBe(
      'No row was completed. Also failed: row 2 (X-2, invalid): Insufficient funds.',
    );
  });

  test('the error of a run without a valid row begins with the number of rows with errors', () => {
    const invalid = (item: number, message = 'Wrong') => failed([item], { outcome: 'invalid', message, advice: '' });
    const thrown = error([invalid(0), invalid(2), invalid(4, 'Missing'), invalid(5), notStarted([1]), notStarted([3])]);
    expect(thrown.message).toBe('4 of 6 rows have errors. Nothing was sent. Row 1, row 3, row 6: Wrong');
    expect(thrown.description).toBe(
      'Row 5: Missing. To send the other 2 rows, set "On Error" to "Continue" under Settings.',
    );
    const one = error([invalid(0), notStarted([1])]);
    expect(one.message).toBe('Row 1 of 6: Wrong');
    expect(one.description).toBe(
      'Nothing was sent. To send the other row, set "On Error" to "Continue" under Settings.',
    );
    const reads = error([invalid(0), invalid(2, 'Missing'), notStarted([1])], 'reads');
    expect(reads.message).toBe('2 of 6 rows have errors. Nothing was sent. Row 1 of 6: Wrong');
    expect(reads.description).toBe(
      'Row 3: Missing. To continue with the other row, set "On Error" to "Continue" under Settings.',
    );
    const many = error(numbers(7).map((item) => invalid(item, `Wrong ${item}`))).description ?? '';
    expect(many).toMatch(/: Wrong 1; .*: Wrong 5; and more\.$/);
    expect(error([invalid(0), failed([2], { outcome: 'invalid', applied: true })]).message).toBe('Row 1 of 6: Wrong');
  });

  test("the error of a run that stops doesn't mention applied writes if the run only read", () => {
    expect(error([failed([0]), done([1], { records: [] })], 'reads').description).toBe(
      '1 row was completed: row 2 (X-2).',
    );
  });

  test('the error of a run that stops names the first ID of a record', () => {
    const records = [{ amt: 1, card_id: 'c', invoice_id: 9, pg_id: undefined }];
    expect(error([failed([0]), done([1], { records })]).description).toContain('row 2 (X-2, invoice_id 9).');
  });

  test('the error of a run that stops says that the run was canceled', () => {
    const thrown = error([notStarted([0]), done([1])]);
    expect(thrown).toBeInstanceOf(NodeOperationError);
    expect(thrown.message).toBe('The execution was canceled');
    expect(thrown.description).toMatch(/^1 row was completed: row 2 \(X-2, pg_id p1\)\. .* Not started: row 1\.$/);
    expect(thrown.context.data).toEqual({ finished: [{ item: 1, pg_id: 'p1' }], failed: [], notStarted: [0] });
  });

  test('the error of a run that stops has a message of limited length and all details in its data', () => {
    const results = (count: number) => [
      ...numbers(count).map((item) => failed([item])),
      ...numbers(count, count).map((item) => done([item])),
      ...numbers(count, 2 * count).map((item) => notStarted([item])),
    ];
    const text = error(results(300)).description ?? '';
    expect(text.length).toBeLessThan(5000);
    expect(text).toContain('300 rows were completed: row 301 (pg_id p300)');
    expect(text).toContain(' row 320 (pg_id p319), .... If you retry');
    expect(text).not.toContain('321');
    expect(text).toContain('row 21 (declined): Insufficient funds; and 279 more. Not started: rows 601-900.');
    expect(text).not.toContain('row 22 ');
    const { finished, failed: allFailed } = error(results(300)).context.data as Record<string, unknown[]>;
    expect([finished?.length, allFailed?.length]).toEqual([300, 300]);
  });

  test('the error of a run that stops names up to twenty rows completely', () => {
    const text = error([
      failed([0]),
      ...numbers(20, 1).map((item) => failed([item])),
      ...numbers(20, 30).map((item) => done([item])),
    ]).description;
    expect(text).toContain(', row 50 (pg_id p49). If you retry');
    expect(text).toMatch(
      /row 2 \(X-2, declined\): Insufficient funds; row 3 .* row 21 \(declined\): Insufficient funds\.$/,
    );
  });
});

test("limits the text for rows that aren't consecutive", () => {
  const even = numbers(300).map((item) => 2 * item);
  const results = even.flatMap((item) => [failed([item + 1]), notStarted([item])]);
  expect(stoppingError(node, { request: { effect: 'writesOnce' } } as Operation, results, rows()).description).toMatch(
    / Not started: rows 1, 3, .*, 37, 39, \.\.\.\.$/,
  );
  const [hint] = hints(even.map((item) => done([item], { byWord: true })));
  expect(hint).toMatch(/^Rows 1, 3, .*, 37, 39, \.\.\.: not sent/);
});

test.each([
  [[], ''],
  [[3], '3'],
  [[3, 4, 5, 9], '3-5, 9'],
  [[0, 1, 3, 5, 6], '0-1, 3, 5-6'],
  [
    numbers(20).map((number) => 2 * number),
    numbers(20)
      .map((number) => 2 * number)
      .join(', '),
  ],
])('formats the numbers %j as "%s"', (given, wanted) => {
  expect(ranges(given)).toBe(wanted);
});
