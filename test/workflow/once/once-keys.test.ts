import type { IDataObject } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { processedData } from '../../processed-data';
import { sandboxForFile } from '../bench';
import { crashedData, type RunOutput } from '../harness';
import { errorsOf, keyBench, keyed, link, outcomes, some } from './key-bench';

const sandbox = sandboxForFile();
const { input, run, sent, applied, fault } = keyBench(sandbox);

afterEach(() => delete processedData.failing);

test('a key that an earlier execution completed is refused with advice while other keys are sent', async () => {
  const [one, two, three] = some(3) as [IDataObject, IDataObject, IDataObject];
  expect(outcomes(await run([one, two]))).toEqual(['done', 'done']);
  const again = await run([two, three, one]);
  expect(outcomes(again)).toEqual(['doneBefore', 'done', 'doneBefore']);
  expect(errorsOf(again)[0]?.message).toBe(
    '"Once per Key": this workflow already completed an item with the same key in this or an earlier execution, so this item was not sent',
  );
  expect(sent()).toBe(3);
});

test('a key that an earlier execution completed stops the run with advice if On Error is Stop', async () => {
  const rows = some(1);
  await run(rows);
  const { error } = await run(rows, keyed(), { onError: undefined });
  expect(error?.message).toMatch(/^"Once per Key": this workflow already completed an item with the same key/);
  expect(error?.description).toMatch(/^To send this item too, use a different key\. This attempt sent nothing/);
  expect(sent()).toBe(1);
});

test('a completed key matches regardless of spaces, type and all other values of the item', async () => {
  const [{ deal }] = some(1) as [IDataObject];
  await run([{ deal: 4711 }]);
  expect(outcomes(await run([{ deal: ' 4711 ', other: deal }]))).toEqual(['doneBefore']);
});

test('a key that an earlier execution completed is separate for each operation and account', async () => {
  const rows = some(1);
  await run(rows);
  expect(outcomes(await run(rows, keyed({}, { path: '/platform/invoice', body: '{}' })))).toEqual(['declined']);
  const production = { credential: credentialFor(sandbox, 'production') };
  expect(outcomes(await run(rows, keyed(), production))).not.toEqual(['doneBefore']);
});

test('two rows of one run with the same key and different paths are both sent', async () => {
  const [{ deal }] = some(1) as [IDataObject];
  const rows = [
    { deal, path: '/platform/checkout', body: JSON.stringify(link) },
    { deal, path: '/platform/invoice', body: '{}' },
  ];
  const output = await run(rows, keyed({}, { path: '={{ $json.path }}', body: '={{ $json.body }}' }));
  expect([outcomes(output), sent()]).toEqual([['done', 'declined'], 2]);
});

test.each([
  ['declined', { kind: 'status', status: 400, code: 2 }, 'declined'],
  ['never sent', { kind: 'rate_limited', retryAfterSeconds: 3600 }, 'notSent'],
])('an item with the same key is sent after the first item was %s', async (_, how, outcome) => {
  const rows = some(1);
  fault(how);
  expect(outcomes(await run(rows))).toEqual([outcome]);
  expect(outcomes(await run(rows))).toEqual(['done']);
  expect(outcomes(await run(rows))).toEqual(['doneBefore']);
});

describe('two nodes of one execution with the same key', () => {
  const ofSecond = ({ run: { data } }: RunOutput) => {
    const [json = {}] =
      data.resultData.runData['Second Payment']?.at(-1)?.data?.main?.[0]?.map((item) => item.json) ?? [];
    return json.error ? (json.error as IDataObject) : json;
  };

  test('two nodes with the same key send the item once, and the second refers to another node of the execution', async () => {
    const output = await run(some(1), keyed(), { second: keyed() });
    expect(outcomes(output)).toEqual(['done']);
    expect(ofSecond(output)).toMatchObject({
      outcome: 'doneBefore',
      message: expect.stringContaining('in this or an earlier execution') as string,
    });
    expect(applied()).toBe(1);
  });

  test('two nodes with the same key never send an item with an unknown outcome again', async () => {
    fault({ kind: 'reset_after_apply' });
    const output = await run(some(1), keyed(), { second: keyed() });
    expect(outcomes(output)).toEqual(['unknown']);
    expect(ofSecond(output)).toMatchObject({
      outcome: 'unknown',
      message: expect.stringContaining('in this or another execution') as string,
    });
    expect(applied()).toBe(1);
  });

  test('two nodes send both items if their keys differ', async () => {
    const output = await run(some(1), keyed(), { second: keyed({ oncePerKey: '={{ $json.deal }} B' }) });
    expect(outcomes(output)).toEqual(['done']);
    expect(ofSecond(output)).not.toHaveProperty('outcome');
    expect(applied()).toBe(2);
  });
});

describe('two rows with the same key', () => {
  test('one of two rows is sent, and both return its record', async () => {
    const [row] = some(1) as [IDataObject];
    const output = await run([row, row]);
    expect(outcomes(output)).toEqual(['done', 'done']);
    expect(output.items[1]?.json).toMatchObject({ checkout_id: output.items[0]?.json.checkout_id });
    expect(sent()).toBe(1);
  });

  test.each([
    ['declined', { kind: 'status', status: 400, code: 2 }, ['declined', 'done']],
    ['lost', { kind: 'reset_after_apply' }, ['unknown', 'unknown']],
  ])('the second row is sent only if the first is known not to be applied: %s', async (_, how, expected) => {
    const [row] = some(1) as [IDataObject];
    fault(how);
    expect(outcomes(await run([row, row]))).toEqual(expected);
    expect(applied()).toBe(1);
  });

  test.each(['refuse', 'resend'])('sends one row of parallel executions with the option %s', async (unknownOutcome) => {
    const rows = some(5);
    const start = async () => await run(rows, keyed({ unknownOutcome }));
    const both = await Promise.all([start(), start(), start()]);
    expect(applied()).toBe(5);
    const told = both.flatMap(outcomes);
    expect(told.filter((one) => one === 'done')).toHaveLength(5);
    for (const one of new Set(told)) expect(['done', 'doneBefore', 'unknown']).toContain(one);
  });
});

describe('an empty or invalid key', () => {
  test.each(['', ' ', '={{ $json.missing }}', '={{ null }}', '={{ [] }}', '={{ 12345678901234567890 }}'])(
    'refuses the key %j before anything is sent',
    async (oncePerKey) => {
      const { error } = await run(some(2), keyed({ oncePerKey }), { onError: undefined });
      expect(error?.message).toMatch(
        /^2 of 2 rows have errors. Nothing was sent. Row 1.*, row 2.*: "Once per Key" must be text that is not empty/,
      );
      expect(sent()).toBe(0);
    },
  );

  test('refuses only the row with the empty key', async () => {
    const rows = [...some(1), { deal: '' }];
    expect(outcomes(await run(rows))).toEqual(['done', 'invalid']);
  });
});

describe('a retry of the same execution with keys', () => {
  test('returns completed items from memory despite their keys', async () => {
    const rows = some(3);
    fault({ kind: 'status', status: 400, code: 2, calls: [3] });
    const parameters = keyed({ sending: { maxParallelRequests: 1 } });
    const failed = await run(rows, parameters, { onError: undefined });
    expect(failed.error).toBeDefined();
    const retried = await run(rows, parameters, { onError: undefined, retryOf: failed.run });
    expect(outcomes(retried)).toEqual(['done', 'done', 'done']);
    expect(applied()).toBe(3);
  });

  test('a retry after n8n was killed and a new execution recognize completed and unknown keys', async () => {
    const rows = some(4);
    const parameters = keyed({ sending: { maxParallelRequests: 1 } });
    const crashed = crashedData(input(rows));
    fault({ kind: 'reset_after_apply', calls: [3] });
    await run(rows, parameters, { onError: undefined, from: crashed });
    expect(applied()).toBe(3);
    const anew = await run(rows);
    expect(outcomes(anew)).toEqual(['doneBefore', 'doneBefore', 'unknown', 'done']);
    const retried = await run(rows, parameters, { retryOf: crashed });
    expect(outcomes(retried)).toEqual(['done by journal', 'done by journal', 'unknown', 'doneBefore']);
    expect(applied()).toBe(4);
  });

  test('sends an unknown item with Send Again', async () => {
    const rows = some(1);
    fault({ kind: 'reset_before_apply' });
    const failed = await run(rows, keyed(), { onError: undefined });
    const [told] = errorsOf(await run(rows, keyed(), { retryOf: failed.run }));
    expect(told?.message).toMatch(/^An earlier attempt sent this item with an unknown outcome/);
    const word = { unknownOutcome: 'resolve', resolve: { item: [{ code: told?.resolveCode, finding: 'notApplied' }] } };
    const retried = await run(rows, keyed(word), { retryOf: failed.run });
    expect(errorsOf(retried)).toEqual([]);
    expect(outcomes(retried)).toEqual(['done']);
    expect(outcomes(await run(rows))).toEqual(['doneBefore']);
    expect(applied()).toBe(1);
  });
});

test('a kill between recording and sending leaves the key unknown', async () => {
  const rows = some(1);
  // The requests never finish, as if the process had died after it recorded the keys.
  fault({ kind: 'timeout' });
  let cancel = () => {};
  const dying = run(rows, keyed({ sending: { timeout: 1 } }), { onStart: (stop) => void (cancel = stop) });
  while (sent() === 0) await new Promise((resolve) => setImmediate(resolve));
  sandbox.control.clearFaults();
  expect(outcomes(await run(rows))).toEqual(['unknown']);
  cancel();
  await dying;
});

describe("keys in n8n's database", () => {
  test("sends nothing if the database doesn't store the key, so that the item can run again", async () => {
    const rows = some(1);
    processedData.failing = new Error('Connection terminated');
    expect(outcomes(await run(rows, keyed({ sending: { maxTries: 1 } })))).toEqual(['notSent']);
    delete processedData.failing;
    expect(outcomes(await run(rows))).toEqual(['done']);
  });

  test('sends nothing if the database has no row for the workflow', async () => {
    processedData.failing = new Error('FOREIGN KEY constraint failed');
    const output = await run(some(2));
    expect(outcomes(output)).toEqual(['invalid', 'invalid']);
    expect(errorsOf(output)[0]?.message).toBe('"Once per Key" works only in a saved workflow');
    expect(sent()).toBe(0);
  });
});

test('stores keys and journals in separate rows', async () => {
  processedData.clear();
  const rows = some(2);
  await run(rows);
  const lengths = [...processedData.rows].map(([row, keys]) => [row, keys.length]);
  expect(lengths).toEqual([
    ['test n:Payment Platform', expect.any(Number)],
    ['test ', 6],
  ]);
  for (const { deal } of rows) expect(JSON.stringify([...processedData.rows])).not.toContain(deal);
});

test('accesses the database only a few times for many items', async () => {
  const callsOf = async (...input: Parameters<typeof run>) => {
    const before = processedData.calls;
    await run(...input);
    return processedData.calls - before;
  };
  const calls = [];
  // The number of calls depends on how many responses arrive at almost the same time.
  for (let round = 0; round < 3; round += 1) calls.push(await callsOf(some(100)));
  const alone = await callsOf(some(1));
  expect(Math.min(...calls) / 100).toBeLessThan(alone / 6);
});
