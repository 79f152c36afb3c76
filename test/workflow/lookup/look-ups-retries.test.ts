import type { IDataObject, INodeParameters, IRun } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { timeIsSimulated } from '../../simulated-time';
import { failedOf, goOn, outcomes, refund, refundBench, refunding, sandboxForFile } from '../bench';
import { crashedData, runWorkflow, type RunInput, type RunOutput } from '../harness';
import { toolOf } from '../tool/tool-harness';

timeIsSimulated();

const sandbox = sandboxForFile({ seed: false });
const { input, sales, pathOf, appliedTo, looks, lost } = refundBench(sandbox);
const first = async (rows: IDataObject[], more: Partial<RunInput> = {}) => await runWorkflow(input(rows, more));
const retry = async (rows: IDataObject[], failed: RunOutput | IRun, more: Partial<RunInput> = {}) =>
  await runWorkflow(input(rows, { looksUp: true, retryOf: 'run' in failed ? failed.run : failed, ...more }));

describe('a retry of an execution after n8n was killed', () => {
  test('finds completed writes with one report, sends the other writes and returns all records', async () => {
    const rows = sales(5);
    const crashed = crashedData(input(rows));
    lost(rows[3]);
    await first(rows, { parameters: refunding({ sending: { maxParallelRequests: 1 } }), from: crashed });
    expect(rows.map(appliedTo)).toEqual([1, 1, 1, 1, 0]);
    const retried = await retry(rows, crashed);
    expect(retried.error).toBeUndefined();
    expect(outcomes(retried)).toEqual(['found', 'found', 'found', 'found', 'done']);
    expect(retried.items[0]?.json).toMatchObject({
      pg_id: expect.any(String) as string,
      pg_id_linked: rows[0]?.id,
      found_at_service: expect.stringMatching(
        /^same transaction, same amount, since \d{4}-\d\d-\d\d \d\d:\d\d [\w/]+$/,
      ) as string,
    });
    expect(rows.map(appliedTo)).toEqual([1, 1, 1, 1, 1]);
    expect(looks()).toBe(1);
  });

  test("doesn't assign a record that may belong to an equal item", async () => {
    const [row] = sales(1);
    const rows = [row, row].map((one) => ({ ...one, amount: 2 }));
    const crashed = crashedData(input(rows));
    sandbox.control.addFault({ kind: 'reset_before_apply', path: pathOf(row), calls: [1] });
    await first(rows, { from: crashed, ...goOn });
    expect(appliedTo(row)).toBe(1);
    const retried = await retry(rows, crashed, goOn);
    // The record may belong to the second write, so the outcome of the first write stays unknown.
    expect(outcomes(retried)).toEqual(['unknown', 'done before']);
    expect(appliedTo(row)).toBe(1);
  });
});

describe('an item with an unknown outcome from the first attempt', () => {
  test('an unknown item is done and stays done if the report shows it in the retry', async () => {
    const rows = sales(3);
    lost(rows[1]);
    const failed = await first(rows, { parameters: refunding({ sending: { maxParallelRequests: 1 } }) });
    const retried = await retry(rows, failed);
    expect(outcomes(retried)).toEqual(['done', 'found', 'done']);
    expect(retried.hints.join()).toMatch(
      /Row 2 \(\w+\): no response arrived, but the node found a matching record at the service/,
    );
    expect(rows.map(appliedTo)).toEqual([1, 1, 1]);
  });

  test('an unknown item is refused with its code and the searched list if no record exists', async () => {
    const rows = sales(1);
    sandbox.control.addFault({ kind: 'reset_before_apply', path: pathOf(rows[0]), calls: [1] });
    const failed = await first(rows);
    const retried = await retry(rows, failed);
    expect(failedOf(retried)).toMatchObject([{ outcome: 'unknown', resolveCode: expect.any(String) as string }]);
    expect(retried.error?.description).toMatch(
      /the node had checked .* once .* without finding a match\. The record may still appear/,
    );
    expect(rows.map(appliedTo)).toEqual([0]);
  });

  test("an unknown item stays refused if the report can't be read", async () => {
    const rows = sales(1);
    lost(rows[0]);
    const failed = await first(rows);
    sandbox.control.addFault({ kind: 'status', status: 403, code: 6, method: 'GET' });
    const retried = await retry(rows, failed);
    expect(failedOf(retried)).toMatchObject([{ outcome: 'unknown' }]);
    expect(retried.error?.description).toMatch(/could not look up/);
  });

  test("an unknown item isn't sent with Send Again if its record exists", async () => {
    const rows = sales(1);
    lost(rows[0]);
    const failed = await first(rows);
    const retried = await retry(rows, failed, { parameters: refunding({ unknownOutcome: 'resend' }) });
    expect(outcomes(retried)).toEqual(['found']);
    expect(rows.map(appliedTo)).toEqual([1]);
  });

  test.each(['It was not applied', 'Send Again'])(
    'an unknown item isn\'t sent with "%s" if the report can\'t be read',
    async (word) => {
      const rows = sales(1);
      lost(rows[0]);
      const unseen = await retry(rows, await first(rows), { looksUp: false });
      const options: IDataObject =
        word === 'Send Again'
          ? { unknownOutcome: 'resend' }
          : { unknownOutcome: 'resolve', resolve: { item: [{ code: codeOf(unseen), finding: 'notApplied' }] } };
      sandbox.control.addFault({ kind: 'status', status: 403, code: 6, method: 'GET' });
      const unread = await retry(rows, unseen, { parameters: refunding(options) });
      expect(failedOf(unread)).toMatchObject([{ outcome: 'unknown', resolveCode: expect.any(String) as string }]);
      expect(unread.error?.description).toMatch(
        /could not look up the record in the transaction report.*so the node did not send the item again/,
      );
      expect(rows.map(appliedTo)).toEqual([1]);
    },
  );

  const codeOf = (output: RunOutput) => failedOf(output)[0]?.resolveCode as string;
  const released = (code: string) =>
    refunding(
      { unknownOutcome: 'resolve', resolve: { item: [{ code, finding: 'notApplied' }] } },
      { amt_tran: '={{ $json.amount }}' },
    );

  test("an unknown item isn't sent although the user states that it was not applied, because its record exists", async () => {
    const rows = sales(1);
    lost(rows[0]);
    const failed = await first(rows);
    sandbox.control.setListLag(60_000);
    const unseen = await retry(rows, failed);
    sandbox.control.setListLag(0);
    const retried = await retry(rows, unseen, { parameters: released(codeOf(unseen)) });
    expect(outcomes(retried)).toEqual(['found']);
    expect(retried.hints.join()).toMatch(/the node found a matching record at the service/);
    expect(rows.map(appliedTo)).toEqual([1]);
  });

  test('an unknown item is sent if the user states that it was not applied and no record exists', async () => {
    const rows = sales(1);
    sandbox.control.addFault({ kind: 'reset_before_apply', path: pathOf(rows[0]), calls: [1] });
    const unseen = await retry(rows, await first(rows));
    const before = looks();
    const retried = await retry(rows, unseen, { parameters: released(codeOf(unseen)) });
    expect(outcomes(retried)).toEqual(['done']);
    expect(rows.map(appliedTo)).toEqual([1]);
    expect(looks() - before).toBe(1);
  });

  test('an unknown item is searched for again after the attempt that the user allowed was declined', async () => {
    const rows = sales(1);
    lost(rows[0]);
    const failed = await first(rows);
    sandbox.control.setListLag(60_000);
    sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: pathOf(rows[0]), calls: [1] });
    const unseen = await retry(rows, failed);
    const declined = await retry(rows, unseen, { parameters: released(codeOf(unseen)) });
    expect(failedOf(declined)).toMatchObject([{ outcome: 'declined' }]);
    sandbox.control.setListLag(0);
    expect(outcomes(await retry(rows, declined))).toEqual(['found']);
    expect(rows.map(appliedTo)).toEqual([1]);
  });

  test('an unknown item sent again twice is found from the time of the first attempt', async () => {
    const rows = sales(1);
    sandbox.control.setListLag(20 * 60_000);
    lost(rows[0]);
    sandbox.control.addFault({ kind: 'reset_before_apply', path: pathOf(rows[0]), calls: [2] });
    const again = { parameters: refunding({ unknownOutcome: 'resend' }) };
    const failed = await first(rows, again);
    jest.setSystemTime(Date.now() + 10 * 60_000);
    const second = await retry(rows, failed, again);
    expect(failedOf(second)).toMatchObject([{ outcome: 'unknown' }]);
    // The report now contains the refund of the first attempt, which is 40 minutes old.
    jest.setSystemTime(Date.now() + 30 * 60_000);
    expect(outcomes(await retry(rows, second, again))).toEqual(['found']);
    expect(rows.map(appliedTo)).toEqual([1]);
  });

  test.each([
    ['It was not applied', released],
    ['Send Again', () => refunding({ unknownOutcome: 'resend' })],
  ])(
    'an unknown item is searched for from the beginning of the killed execution before %s sends it',
    async (_, anew) => {
      const rows = sales(1);
      const crashed = crashedData(input(rows));
      lost(rows[0]);
      await first(rows, { from: crashed });
      // The node tolerates a clock difference of two minutes.
      jest.setSystemTime(Date.now() + 10 * 60_000);
      sandbox.control.setListLag(3_600_000);
      const unseen = await retry(rows, crashed);
      sandbox.control.setListLag(0);
      const retried = await retry(rows, unseen, { parameters: anew(codeOf(unseen)) });
      expect(outcomes(retried)).toEqual(['found']);
      expect(rows.map(appliedTo)).toEqual([1]);
    },
  );

  test("an unknown item isn't searched for after an edit, because the sent content is unknown", async () => {
    const rows = sales(1);
    lost(rows[0]);
    const failed = await first(rows);
    const retried = await retry(rows, failed, { parameters: refunding({}, { amt_tran: 3 }) });
    expect(failedOf(retried)).toMatchObject([{ outcome: 'unknown' }]);
    expect(looks()).toBe(0);
  });
});

describe('two equal items with unknown outcomes and one record', () => {
  const equal = () => {
    const [row] = sales(1);
    return [row, row].map((one) => ({ ...one, amount: 2 }));
  };
  const codesOf = (output: RunOutput) => failedOf(output).map(({ resolveCode }) => resolveCode as string);
  const words = (...given: Array<[string | undefined, string]>) => ({
    parameters: refunding({
      unknownOutcome: 'resolve',
      resolve: { item: given.map(([code, finding]) => ({ code, finding })) },
    }),
  });

  test.each(['notApplied', 'resend'])(
    "two equal unknown items are not sent again while their record can't be assigned (%s)",
    async (word) => {
      const rows = equal();
      sandbox.control.addFault({ kind: 'reset_before_apply', path: pathOf(rows[0]), calls: [1] });
      sandbox.control.addFault({ kind: 'reset_after_apply', path: pathOf(rows[0]), calls: [2] });
      const crashed = crashedData(input(rows));
      await first(rows, { from: crashed, ...goOn });
      const unseen = await retry(rows, crashed, { looksUp: false });
      const [one, other] = codesOf(unseen);
      const anew =
        word === 'resend'
          ? { parameters: refunding({ unknownOutcome: 'resend' }) }
          : words([one, 'notApplied'], [other, 'notApplied']);
      const doubtful = await retry(rows, unseen, anew);
      expect(failedOf(doubtful).map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown']);
      expect(doubtful.error?.description).toMatch(/The node found pg_id \w+ in the transaction report/);
      expect(appliedTo(rows[0])).toBe(1);

      const [first_, second] = codesOf(doubtful);
      const told = words([first_, 'notApplied'], [second, 'applied']);
      expect(outcomes(await retry(rows, doubtful, told))).toEqual(['done', 'done']);
      expect(appliedTo(rows[0])).toBe(2);
    },
  );
});

test('searches for a key of another execution before sending it if the user stated that it was not applied', async () => {
  const rows = sales(1);
  const keyed = (options: IDataObject) => ({
    parameters: refunding({ oncePerKey: 'Refund of another execution', ...options }),
  });
  lost(rows[0]);
  sandbox.control.setListLag(60_000);
  await first(rows, { ...keyed({}), looksUp: true });
  const refused = await first(rows, keyed({}));
  sandbox.control.setListLag(0);
  const [failure] = failedOf(refused);
  const finding = (is: string) => ({ resolve: { item: [{ code: failure?.resolveCode, finding: is }] } });
  // The node doesn't know when the other execution sent the refund, so the record may belong to an older refund.
  const again = await first(rows, { ...keyed({ unknownOutcome: 'resolve', ...finding('notApplied') }), looksUp: true });
  expect(failedOf(again)).toMatchObject([{ outcome: 'unknown', resolveCode: failure?.resolveCode }]);
  expect(rows.map(appliedTo)).toEqual([1]);
  const { items } = await first(rows, keyed({ unknownOutcome: 'resolve', ...finding('applied') }));
  expect(items[0]?.json).toHaveProperty('confirmed_by_person');
  const [existing] = (await first(rows, keyed({}))).items;
  expect(existing?.json.found_at_service).toMatch(/^same key, same transaction, same amount/);
  expect(rows.map(appliedTo)).toEqual([1]);
});

test("returns the first call's record for a second call of a tool after a lost response", async () => {
  const [row] = sales(1);
  lost(row);
  const parameters = {
    ...refund,
    pg_id: row?.id,
    amt_tran: 4,
    limitPerItem: 50,
    limitPerExecution: 20,
    options: { ifExists: { then: 'skip' } },
  } as INodeParameters;
  const credential = credentialFor(sandbox);
  const before = toolOf({ parameters, credential });
  expect((await before.call()).items[0]?.outcome).toBe('unknown');
  const again = toolOf({ parameters, credential, looksUp: true, data: before.data });
  const { items } = await again.call();
  expect(items[0]).toMatchObject({ outcome: 'doneBefore', pg_id: expect.any(String) as string });
  expect(appliedTo(row)).toBe(1);
});
