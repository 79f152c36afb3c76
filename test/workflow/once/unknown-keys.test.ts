import { sleep, type IDataObject, type INodeParameters } from 'n8n-workflow';
import { timeIsSimulated } from '../../simulated-time';
import { charging, sandboxForFile } from '../bench';
import { crashedData, runWorkflow, type RunInput, type RunOutput } from '../harness';
import { checkout, errorsOf, keyBench, keyed, link, outcomes, some } from './key-bench';

timeIsSimulated();
const sandbox = sandboxForFile();
const { input, run, sent, applied, fault } = keyBench(sandbox);
const lost = { kind: 'reset_after_apply' };
const stop: Partial<RunInput> = { onError: undefined };
const neverArrived = { kind: 'reset_before_apply' };
const declined = { kind: 'status', status: 400, code: 2 };
const again = keyed({ unknownOutcome: 'resend' });
/** Charge with a key. Unlike a link by API Request, the transaction report shows its record. */
const charge = (options: IDataObject = {}) => keyed(options, charging());
const chargeAgain = () => charge({ unknownOutcome: 'resend' });
const OF_KEY = /^"Once per Key": this workflow already started an item with the same key/;

/** Returns the error of the first item in a run that stopped. */
const failureOf = ({ error }: RunOutput) =>
  (error?.context?.data as { failed: IDataObject[] } | undefined)?.failed[0] ?? {};
/** Returns the option that states that the service didn't apply the earlier attempt with this code. */
const notApplied = (code: unknown): IDataObject => ({
  unknownOutcome: 'resolve',
  resolve: { item: [{ code, finding: 'notApplied' }] },
});

describe('a key with an unknown outcome', () => {
  const unknown = async (more: object = {}) => {
    const rows = some(1);
    fault({ kind: 'reset_after_apply', ...more });
    expect(outcomes(await run(rows))).toEqual(['unknown']);
    return rows;
  };

  test('a key with an unknown outcome is refused as unknown with a code', async () => {
    const rows = await unknown();
    const [error] = errorsOf(await run(rows));
    expect(error).toMatchObject({ outcome: 'unknown', resolveCode: expect.stringMatching(/^key-/) as string });
    expect(error?.message).toMatch(/^"Once per Key": this workflow already started an item with the same key/);
    expect(sent()).toBe(1);
  });

  test.each([
    ['applied', 'done', 1],
    ['notApplied', 'done', 2],
  ])(
    "a key with an unknown outcome follows the user's statement in all later executions: %s",
    async (finding, outcome, times) => {
      const rows = await unknown({ kind: finding === 'applied' ? 'reset_after_apply' : 'reset_before_apply' });
      const code = errorsOf(await run(rows))[0]?.resolveCode;
      const word = keyed({ unknownOutcome: 'resolve', resolve: { item: [{ code, finding }] } });
      expect(outcomes(await run(rows, word))).toEqual([outcome]);
      expect(outcomes(await run(rows))).toEqual(['doneBefore']);
      expect(sent()).toBe(times);
    },
  );

  test("a key with an unknown outcome is not sent by Send Again if the node can't read its records", async () => {
    const rows = some(1);
    fault(lost);
    const failed = await run(rows, keyed(), stop);
    expect(outcomes(await run(rows, again, { retryOf: failed.run }))).toEqual(['unknown']);
    expect(outcomes(await run(rows, again))).toEqual(['unknown']);
    expect(sent()).toBe(1);
  });

  test('a key with an unknown outcome is sent by Send Again if the list shows no record', async () => {
    const rows = some(1);
    fault(neverArrived);
    expect(outcomes(await run(rows, charge()))).toEqual(['unknown']);
    expect(outcomes(await run(rows, chargeAgain()))).toEqual(['done']);
    expect(outcomes(await run(rows, charge()))).toEqual(['done']);
    expect(sent()).toBe(2);
  });

  test('a key with an unknown outcome stays unknown if a later attempt is declined', async () => {
    const rows = some(1);
    fault(neverArrived);
    const failed = await run(rows, charge(), stop);
    const retry = async () => await run(rows, chargeAgain(), { retryOf: failed.run });
    fault(declined);
    expect(outcomes(await retry())).toEqual(['unknown']);
    expect(outcomes(await run(rows, charge()))).toEqual(['unknown']);
    expect(outcomes(await retry())).toEqual(['done']);
    expect(sent()).toBe(3);
  });

  test('a key with an unknown outcome returns the record if the service shows it', async () => {
    const customer_id = sandbox.control.state().customers[0]?.customer_id ?? '';
    const rows = some(1);
    const invoice = keyed(
      {},
      {
        resource: 'invoice',
        operation: 'create',
        customer_id: { __rl: true, mode: 'id', value: customer_id },
        invoice_number: '={{ $json.deal }}',
        line_items: { item: [{ quantity: 1, description: 'Service', unit_cost: 5 }] },
      },
    );
    fault({ kind: 'reset_after_apply' });
    expect(outcomes(await run(rows, invoice, { looksUp: true }))).toEqual(['done']);
    expect(outcomes(await run(rows, invoice))).toEqual(['done']);
    expect(sent()).toBe(1);
  }, 20_000);
});

describe('a key that another execution began', () => {
  const ofKey = { outcome: 'unknown', message: expect.stringMatching(OF_KEY) as string };

  /** Returns rows whose key has an unknown outcome, and another execution that sent the rows without this key. */
  const begunByAnother = async (own: INodeParameters = checkout) => {
    const rows = some(1);
    fault(lost);
    expect(outcomes(await run(rows))).toEqual(['unknown']);
    fault(lost);
    const { run: retryOf } = await run(rows, own, stop);
    expect(sent()).toBe(2);
    return { rows, retryOf };
  };

  test.each<[string, INodeParameters]>([
    ['without a key', checkout],
    ['with another key', keyed({ oncePerKey: '={{ $json.deal }} B' })],
  ])('is not sent by a retry with Send Again if the retried execution sent the item %s', async (_, own) => {
    const { rows, retryOf } = await begunByAnother(own);
    expect(outcomes(await run(rows, again, { retryOf }))).toEqual(['unknown']);
    expect(sent()).toBe(2);
  });

  test('is sent only after a person resolves the item with the code of the key', async () => {
    const { rows, retryOf } = await begunByAnother();
    const own = failureOf(await run(rows, keyed(), { ...stop, retryOf }));
    const refused = await run(rows, keyed(notApplied(own.resolveCode)), { ...stop, retryOf });
    expect(failureOf(refused)).toMatchObject(ofKey);
    expect(sent()).toBe(2);
    const resolved = keyed(notApplied(failureOf(refused).resolveCode));
    expect(outcomes(await run(rows, resolved, { retryOf: refused.run }))).toEqual(['done']);
    expect(outcomes(await run(rows))).toEqual(['doneBefore']);
    expect(sent()).toBe(3);
  });

  test('is not sent after a person resolved the item for another key', async () => {
    const [one, two] = some(2) as [IDataObject, IDataObject];
    for (const row of [one, two]) {
      fault(lost);
      expect(outcomes(await run([row]))).toEqual(['unknown']);
    }
    const rows = [{ ...one, other: two.deal }];
    const refused = await run(rows, keyed(), stop);
    const resolved = { ...notApplied(failureOf(refused).resolveCode), oncePerKey: '={{ $json.other }}' };
    const told = failureOf(await run(rows, keyed(resolved), { ...stop, retryOf: refused.run }));
    expect(told).toMatchObject(ofKey);
    expect(sent()).toBe(2);
  });

  test('is not sent while the other execution sends it', async () => {
    const rows = some(1);
    fault(declined);
    const { run: retryOf } = await run(rows, checkout, stop);
    fault({ kind: 'timeout' });
    let cancel = () => {};
    const sending = run(rows, keyed(), { onStart: (stopIt) => void (cancel = stopIt) });
    while (sent() === 1) await new Promise((resolve) => setImmediate(resolve));
    const [error] = errorsOf(await run(rows, again, { retryOf }));
    expect(error).toMatchObject({ outcome: 'unknown' });
    expect(error?.message).toMatch(/^Another attempt in n8n is sending this item now/);
    expect(error).not.toHaveProperty('resolveCode');
    expect(sent()).toBe(2);
    cancel();
    await sending;
  });
});

describe('a key that the retried execution began', () => {
  test('is sent by a retry with Send Again after n8n was killed', async () => {
    const rows = some(2);
    const crashed = crashedData(input(rows));
    fault({ ...neverArrived, calls: [2] });
    await run(rows, charge({ sending: { maxParallelRequests: 1 } }), { ...stop, from: crashed });
    expect(outcomes(await run(rows, chargeAgain(), { retryOf: crashed }))).toEqual(['done', 'done']);
    expect(sent()).toBe(3);
  });

  test('is sent after a person resolves the item and the key if n8n 1 was killed and lost the execution', async () => {
    const rows = some(1);
    const crashed = crashedData(input(rows));
    const { runtimeData } = crashed.data.executionData ?? {};
    if (!runtimeData) throw new Error('The execution has a context');
    delete runtimeData.triggerNode;
    fault(lost);
    await run(rows, keyed(), { ...stop, from: crashed });
    Object.assign(runtimeData, { establishedAt: Date.now(), source: 'retry' });
    const ofContent = await run(rows, again, { ...stop, retryOf: crashed });
    expect(failureOf(ofContent).message).toMatch(/^n8n didn't save the data of the stopped execution/);
    const resolve = async (told: RunOutput) =>
      await run(rows, keyed(notApplied(failureOf(told).resolveCode)), { ...stop, retryOf: told.run });
    const ofKey = await resolve(ofContent);
    expect(failureOf(ofKey).message).toMatch(OF_KEY);
    expect(sent()).toBe(1);
    expect(outcomes(await resolve(ofKey))).toEqual(['done']);
    expect(sent()).toBe(2);
  });

  test('is sent again by Retry On Fail with Send Again', async () => {
    fault({ ...neverArrived, calls: [1, 2] });
    const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
    expect(outcomes(await run(some(1), chargeAgain(), { ...stop, settings }))).toEqual(['done']);
    expect(sent()).toBe(3);
  });

  test('is refused after a person edits and resolves the item, because the key belongs to the first payment', async () => {
    const rows = some(1);
    fault(lost);
    const { run: retryOf } = await run(rows, keyed(), stop);
    const edited = (options: IDataObject) => keyed(options, { body: JSON.stringify({ ...link, amt_tran: 13 }) });
    const [error] = errorsOf(await run(rows, edited({}), { retryOf }));
    expect(error?.message).toMatch(/changed after that attempt/);
    expect(outcomes(await run(rows, edited(notApplied(error?.resolveCode)), { retryOf }))).toEqual(['invalid']);
    expect(sent()).toBe(1);
  });

  test('is sent by a retry with Send Again after the service refused two retries', async () => {
    const rows = some(1);
    fault(neverArrived);
    let { run: retryOf } = await run(rows, charge(), stop);
    for (let times = 0; times < 2; times += 1) {
      fault(declined);
      const refused = await run(rows, chargeAgain(), { ...stop, retryOf });
      expect(failureOf(refused).outcome).toBe('unknown');
      retryOf = refused.run;
    }
    expect(outcomes(await run(rows, chargeAgain(), { retryOf }))).toEqual(['done']);
    expect(sent()).toBe(4);
  });
});

test("an approval of a row does not approve another row's attempt with the same key", async () => {
  const [row = {}] = some(1);
  const codesOf = ({ error }: RunOutput) =>
    (error?.context?.data as { failed: IDataObject[] } | undefined)?.failed.map(({ resolveCode }) => resolveCode);
  fault(neverArrived);
  const first = await run([row, row], keyed(), stop);
  const second = await run([row, row], keyed(), { ...stop, retryOf: first.run });
  const codes = codesOf(second);
  expect(codes).toEqual([expect.stringMatching(/^0-/), expect.stringMatching(/^key-/)]);
  // The service applies the second row's attempt, and its response is lost.
  fault(lost);
  const third = await run([row, row], keyed(notApplied(codes?.[1])), { ...stop, retryOf: second.run });
  await run([row, row], keyed(notApplied(codes?.[0])), { ...stop, retryOf: third.run });
  expect(applied()).toBe(1);
});

test('a retry after a kill completes no key for an amount that was never sent', async () => {
  const exchanged = { resource: 'checkout', operation: 'create', amt_tran: '={{ 10 + $now.hour }}' };
  const parameters = { ...exchanged, options: { oncePerKey: '={{ $json.deal }}' } } as INodeParameters;
  const given = input(some(1), parameters);
  const started = crashedData(given);
  // n8n loses the result of the completed item.
  await runWorkflow({ ...given, from: started });
  await sleep(3_600_000);
  const { items } = await runWorkflow({ ...given, retryOf: started });
  // The retry computes another amount.
  expect(items.map(({ json }) => json)).toEqual([{ done_by_earlier_try: true }]);
  expect(outcomes(await runWorkflow(given))).toEqual(['invalid']);
  expect(applied()).toBe(1);
});

test.each<[string, IDataObject]>([
  ['added', {}],
  ['changed', { oncePerKey: '={{ "old " + $json.deal }}' }],
])('a key that is %s before the retry of a killed execution is done if the item is done', async (_, options) => {
  const own = { additionalFields: { merch_ref_num: '={{ $json.deal }}' } };
  const rows = some(1);
  const given = input(rows, charging(options, own));
  const started = crashedData(given);
  await runWorkflow({ ...given, from: started });
  const withKey = input(rows, keyed({}, charging({}, own)));
  expect(outcomes(await runWorkflow({ ...withKey, retryOf: started }))).toEqual(['done by journal']);
  await runWorkflow(withKey);
  expect(applied()).toBe(1);
});
