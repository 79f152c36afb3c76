import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { retriedByN8n1 } from '../../retried-by-n8n-1';
import { timeIsSimulated } from '../../simulated-time';
import { failedOf, goOn, refund, refundBench, refunding, sandboxForFile, toErrors } from '../bench';
import { addNodeType, PAYMENT_NODE, type RunOutput } from '../harness';
import { startRecorder } from '../recorder';

timeIsSimulated();

const sandbox = sandboxForFile({ seed: false });
const { run, sales, pathOf, sentTo, appliedTo, retry } = refundBench(sandbox);
const resolve = (finding: string, ...codes: unknown[]) =>
  refunding({ unknownOutcome: 'resolve', resolve: { item: codes.map((code) => ({ code, finding })) } });
const finishedOf = ({ error }: RunOutput) => (error?.context?.data as { finished: IDataObject[] }).finished;

/** Runs 20 refunds. The service applies all refunds, but the response to one refund is lost. */
async function oneUnknown() {
  const rows = sales(20);
  sandbox.control.addFault({ kind: 'reset_after_apply', path: pathOf(rows[7]), calls: [1] });
  const failed = await run(rows, refund, { onError: 'stopWorkflow' });
  expect(failedOf(failed).map(({ item, outcome }) => [item, outcome])).toEqual([[7, 'unknown']]);
  return { rows, failed };
}

test('sends an amount once even if a retry moves it from an extra field to its parameter', async () => {
  const rows = sales(3);
  const additionalFields = { extraBodyFields: '{"amt_tran":5}' };
  const asExtra = refunding({}, { amt_tran: "={{ '' }}", additionalFields });
  sandbox.control.addFault({ kind: 'reset_after_apply', path: pathOf(rows[1]), calls: [1] });
  const failed = await run(rows, asExtra);
  expect(failedOf(failed).map(({ item, outcome }) => [item, outcome])).toEqual([[1, 'unknown']]);
  const second = await retry(failed, rows, asExtra);
  await retry(second, rows, refunding({}, { amt_tran: 5 }));
  expect(rows.map(sentTo)).toEqual([1, 1, 1]);
});

describe('a retry whose expressions read the rows in another order', () => {
  const reversed = (count: number, parameters: INodeParameters): INodeParameters =>
    JSON.parse(
      JSON.stringify(parameters).replaceAll('$json.', `$input.all()[${count - 1} - $itemIndex].json.`),
    ) as INodeParameters;

  test('sends the other items after a person resolved the position of the completed item', async () => {
    const rows = sales(4);
    const serial = { sending: { maxParallelRequests: 1 } };
    sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: pathOf(rows[1]), calls: [1] });
    const failed = await run(rows, refunding(serial));
    expect(rows.map(appliedTo)).toEqual([1, 0, 0, 0]);
    const second = await retry(failed, rows, reversed(4, refunding(serial)));
    expect(rows.map(appliedTo)).toEqual([1, 1, 1, 0]);
    const [told] = failedOf(second);
    expect(told?.message).toMatch(/started to send an item with different content/);
    const { items, error } = await retry(second, rows, reversed(4, resolve('notApplied', told?.resolveCode)));
    expect(error).toBeUndefined();
    expect(rows.map(appliedTo)).toEqual([1, 1, 1, 1]);
    expect(items.map(({ json }) => json.pg_id_linked)).toEqual(rows.map(({ id }) => id).reverse());
  });

  test("doesn't send an item with a lost response again", async () => {
    const rows = sales(4);
    const refusing = refunding({ sending: { maxParallelRequests: 1 }, unknownOutcome: 'refuse' });
    sandbox.control.addFault({ kind: 'reset_after_apply', path: pathOf(rows[1]), calls: [1] });
    const failed = await run(rows, refusing);
    expect(rows.map(appliedTo)).toEqual([1, 1, 0, 0]);
    await retry(failed, rows, reversed(4, refusing), goOn);
    expect(rows.map(sentTo)).toEqual([1, 1, 0, 0]);
  });
});

describe('following the advice of a message', () => {
  test('resends no completed item after an option is set, even with $now in the body', async () => {
    sandbox.control.addCustomers(1);
    const invoice = (options: IDataObject) => ({
      resource: 'invoice',
      operation: 'create',
      customer_id: { __rl: true, mode: 'id', value: sandbox.control.state().customers[0]?.customer_id },
      invoice_number: '={{ $itemIndex + "-" + $now.toMillis() }}',
      line_items: { item: [{ quantity: 1, description: 'Hour', unit_cost: 5 }] },
      options,
    });
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'createInvoice', calls: [3] });
    const rows = [{}, {}, {}];
    const failed = await run(rows, invoice({ sending: { maxParallelRequests: 1 } }) as INodeParameters);
    expect(sandbox.control.state().invoices).toHaveLength(3);
    const second = await retry(failed, rows, invoice({ sending: { timeout: 30 } }) as INodeParameters);
    const [{ resolveCode } = {}] = failedOf(second);
    const options = {
      sending: { maxTries: 3 },
      unknownOutcome: 'resolve',
      resolve: { item: [{ code: resolveCode, finding: 'applied' }] },
    };
    const { items, error } = await retry(second, rows, invoice(options) as INodeParameters);
    expect(error).toBeUndefined();
    expect(items).toHaveLength(3);
    expect(items[2]?.json).toMatchObject({ confirmed_by_person: true });
    expect(sandbox.control.state().invoices).toHaveLength(3);
  });

  test('sends only the unknown item with Send Again', async () => {
    const { rows, failed } = await oneUnknown();
    // Hides the first refund from all lists.
    sandbox.control.setListLag(3_600_000);
    const { items, hints } = await retry(failed, rows, refunding({ unknownOutcome: 'resend' }));
    sandbox.control.setListLag(0);
    expect(items).toHaveLength(20);
    expect(rows.map(sentTo)).toEqual(rows.map((_, index) => (index === 7 ? 2 : 1)));
    expect(hints.join()).toMatch(
      /Row 8 \(\w+\): completed\. An earlier attempt with an unknown outcome may have been applied too/,
    );
  });

  test('completes the unknown item without sending it if the user states that it was applied', async () => {
    const { rows, failed } = await oneUnknown();
    const second = await retry(failed, rows);
    const [{ resolveCode } = {}] = failedOf(second);
    const { items, hints } = await retry(second, rows, resolve('applied', resolveCode));
    expect(items[7]?.json).toEqual({ confirmed_by_person: true, pg_id_linked: rows[7]?.id, amt_tran: 4 });
    expect(rows.map(sentTo)).toEqual(rows.map(() => 1));
    expect(hints.join()).toMatch(
      /Row 8 \(\w+\): not sent, because "Resolve Items" confirms that the request was applied/,
    );
  });

  test('sends only the unknown item once if the user states that it was not applied', async () => {
    const rows = sales(3);
    sandbox.control.addFault({ kind: 'reset_before_apply', path: pathOf(rows[1]) });
    const failed = await run(rows);
    const second = await retry(failed, rows);
    const [{ resolveCode } = {}] = failedOf(second);
    const again = await retry(second, rows, resolve('notApplied', resolveCode), {
      settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
    });
    expect(again.error?.context?.data).toMatchObject({ outcome: 'unknown' });
    expect(rows.map(sentTo)).toEqual([1, 2, 1]);
  });
});

describe('an item that was edited before the retry', () => {
  test("an item that was edited before the retry isn't sent again if it was done, and the message names the difference", async () => {
    const { rows, failed } = await oneUnknown();
    const done = finishedOf(failed)[0] as IDataObject;
    const edited = refunding({}, { amt_tran: '={{ $json.amount - ($itemIndex === 0 ? 1 : 0) }}' });
    const again = await retry(failed, rows, edited);
    expect(rows.map(sentTo)).toEqual(rows.map(() => 1));
    expect(failedOf(again)[0]).toMatchObject({
      item: 0,
      outcome: 'doneBefore',
      message: expect.stringContaining(
        'completed this item. "Amount" changed after that attempt, so the item',
      ) as string,
      references: { pg_id: done.pg_id },
    });
  });

  test('pays none of 99 completed items again after a field was added', async () => {
    const rows = sales(100);
    sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: pathOf(rows[99]) });
    const failed = await run(rows, refunding({ sending: { maxParallelRequests: 20 } }));
    const edited = refunding({}, { additionalFields: { session_id: 'S1' } });
    const again = await retry(failed, rows, edited);
    expect(rows.map(appliedTo)).toEqual(rows.map((_, index) => (index === 99 ? 0 : 1)));
    expect(failedOf(again).filter(({ outcome }) => outcome === 'doneBefore')).toHaveLength(99);
    expect(again.error?.description?.length).toBeLessThan(8000);
  });

  test('an edited item is sent if the user resolves it as not applied, and the other items stay refused', async () => {
    const { rows, failed } = await oneUnknown();
    const edited = { amt_tran: '={{ $json.amount - 1 }}' };
    const second = await retry(failed, rows, refunding({}, edited));
    const [first] = failedOf(second);
    await retry(second, rows, {
      ...refunding(
        { unknownOutcome: 'resolve', resolve: { item: [{ code: first?.resolveCode, finding: 'notApplied' }] } },
        edited,
      ),
    });
    expect(rows.map(sentTo)).toEqual(rows.map((_, index) => (index === 0 ? 2 : 1)));
  });

  test('an item that was edited before the retry is sent if it was declined before', async () => {
    const rows = sales(2);
    sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: pathOf(rows[1]), calls: [1] });
    const failed = await run(rows);
    const { error } = await retry(failed, rows, refunding({}, { amt_tran: '={{ $itemIndex === 1 ? 3 : 4 }}' }));
    expect(error).toBeUndefined();
    expect(rows.map(appliedTo)).toEqual([1, 1]);
  });
});

describe('a retry in which an item is refused before anything is sent', () => {
  test('reports the outcomes of earlier attempts for the refused item and the other items', async () => {
    const { rows, failed } = await oneUnknown();
    const limited = refunding({ limitPerItem: '={{ $itemIndex === 0 ? 1 : 100 }}' });
    const again = await retry(failed, rows, limited);
    expect(rows.map(sentTo).filter((sent) => sent > 1)).toEqual([]);
    const before = finishedOf(failed).map(({ item }) => item);
    expect(before).toContain(0);
    expect(finishedOf(again).map(({ item }) => item)).toEqual(before.filter((item) => item !== 0));
    expect(failedOf(again)).toMatchObject([
      {
        item: 0,
        outcome: 'doneBefore',
        message: expect.stringMatching(/completed this item\. This attempt was refused: .*at most 1/) as string,
      },
      { item: 7, outcome: 'unknown' },
    ]);
  });

  test('reports the outcome of earlier attempts for an item on the error output', async () => {
    const { rows, failed } = await oneUnknown();
    const { errors } = await retry(failed, rows, refunding({ limitPerItem: 1 }), toErrors);
    const outcomes = errors.map(({ json }) => (json.error as IDataObject).outcome);
    expect(outcomes.slice(0, 8)).toEqual([...Array<string>(7).fill('doneBefore'), 'unknown']);
  });
});

describe('Limit per Execution', () => {
  test('refuses items above the limit before anything is sent', async () => {
    const rows = sales(6);
    const { error } = await run(rows, refunding({ limitPerExecution: 20 }));
    expect(error?.message).toContain('"Limit per Execution" allows 20 in total. The total so far is 20');
    expect(sandbox.control.journal()).toHaveLength(0);
  });

  test('counts earlier attempts once and ignores those that were not applied', async () => {
    const rows = sales(5);
    sandbox.control.addFault({
      kind: 'status',
      status: 402,
      code: '005',
      path: pathOf(rows[4]),
      calls: { from: 1, to: 2 },
    });
    const { items, error } = await run(rows, refunding({ limitPerExecution: 20 }), {
      settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
    });
    expect(error).toBeUndefined();
    expect(items).toHaveLength(5);
  });

  test('sends the first items up to the limit if On Error is Continue', async () => {
    const rows = sales(6);
    const { items, errors } = await run(rows, refunding({ limitPerExecution: 20 }), toErrors);
    expect([items.length, errors.length]).toEqual([5, 1]);
  });
});

describe('the account in a retry', () => {
  const retryAt = async (spell: (url: string) => string) => {
    const { rows, failed } = await oneUnknown();
    const credential = credentialFor(sandbox);
    const baseUrl = spell(credential.baseUrl ?? '');
    const before = rows.map(sentTo);
    const again = await retry(failed, rows, refund, { credential: { ...credential, baseUrl } });
    return { rows, before, outcomes: new Set(failedOf(again).map(({ outcome }) => outcome)) };
  };

  test('sends only remaining items if the base URL differs by a trailing slash', async () => {
    const { rows, outcomes } = await retryAt((url) => `${url}/`);
    expect(rows.map(sentTo)).toEqual(rows.map(() => 1));
    expect(outcomes).toEqual(new Set(['unknown']));
  });

  test('sends nothing with another host name', async () => {
    const { rows, before, outcomes } = await retryAt((url) => url.replace('127.0.0.1', 'localhost'));
    expect(rows.map(sentTo)).toEqual(before);
    expect(outcomes).toEqual(new Set(['unknown', 'invalid']));
  });

  test('refuses every sent item as unknown with another secret, even with Send Again', async () => {
    const { rows, failed } = await oneUnknown();
    const credential = { ...credentialFor(sandbox), apiKey: 'sk_changed_0123456789' };
    const again = await retry(failed, rows, refunding({ unknownOutcome: 'resend' }), { credential });
    expect(rows.map(sentTo)).toEqual(rows.map(() => 1));
    expect(failedOf(again)).toHaveLength(20);
  });
});

test.each([
  ['turned away', { kind: 'rate_limited', retryAfterSeconds: 0 }],
  ['declined', { kind: 'status', status: 402, code: '005' }],
] as const)(
  'an earlier unknown outcome after Send Again stays unknown if the applied write is sent again and %s',
  async (_, fault) => {
    const rows = sales(1);
    sandbox.control.addFault({ kind: 'reset_after_apply', path: pathOf(rows[0]), calls: [1] });
    const failed = await run(rows);
    sandbox.control.addFault({ ...fault, path: pathOf(rows[0]) });
    const options = { unknownOutcome: 'resend', sending: { maxTries: 2 } };
    // Hides the first refund from all lists.
    sandbox.control.setListLag(3_600_000);
    const again = await retry(failed, rows, refunding(options));
    sandbox.control.setListLag(0);
    expect(failedOf(again)).toMatchObject([{ outcome: 'unknown' }]);
    expect(again.error?.message).toMatch(
      /This attempt was not applied .*The outcome of the earlier attempt is still unknown/,
    );
    sandbox.control.clearFaults();
    const third = await retry(again, rows);
    expect(failedOf(third)).toMatchObject([{ outcome: 'unknown' }]);
    expect(appliedTo(rows[0])).toBe(1);
  },
);

const nodeInN8n1: INodeType = {
  description: PAYMENT_NODE.description,
  async execute(this: IExecuteFunctions) {
    return retriedByN8n1((await PAYMENT_NODE.execute?.call(this)) as INodeExecutionData[][]);
  },
};
addNodeType('paymentPlatformInN8n1', nodeInN8n1);

describe('a record whose "error" field makes n8n run the node again', () => {
  const attempts = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
  let runs: jest.SpyInstance;
  beforeEach(() => (runs = jest.spyOn(PAYMENT_NODE as Required<INodeType>, 'execute')));
  afterEach(() => runs.mockRestore());

  test.each([
    ['n8n 2', 'paymentPlatform', 'none'],
    ['n8n 1', 'paymentPlatformInN8n1', null],
    ['n8n 1', 'paymentPlatformInN8n1', false],
  ])('the node in %s (%s) resends nothing if the field is %j', async (_, type, error) => {
    let refunds = 0;
    const recorder = await startRecorder(() => ({ rcode: '000', pg_id: `${(refunds += 1)}`, error }));
    try {
      const { items } = await run(sales(2), refund, {
        credential: { ...credentialFor(sandbox), baseUrl: recorder.baseUrl },
        settings: attempts,
        type,
      });
      expect(items.map(({ json }) => json.pg_id)).toEqual(['1', '2']);
      expect(runs).toHaveBeenCalledTimes(3);
      expect(recorder.requests).toHaveLength(2);
    } finally {
      await recorder.stop();
    }
  });

  test('a tool that allows identical payments pays once', async () => {
    const recorder = await startRecorder({ rcode: '000', pg_id: '1', error: 'none' });
    try {
      const limits = { limitPerItem: 100, limitPerExecution: 1000, allowEqual: true };
      const { items } = await run(sales(1), refunding({ ifExists: { then: 'skip' } }, limits), {
        credential: { ...credentialFor(sandbox), baseUrl: recorder.baseUrl },
        settings: attempts,
        type: 'paymentPlatformTool',
      });
      expect(recorder.requests).toHaveLength(1);
      expect(items).toMatchObject([{ json: { record: { pg_id: '1', error: 'none' } } }]);
    } finally {
      await recorder.stop();
    }
  });
});

test.each([
  ['nothing', {}],
  ['an empty list', []],
  ['a bare value', 'ok'],
  ['a list of bare values', ['ok']],
])('returns an item for a write if the service responds with %s', async (_, data) => {
  const recorder = await startRecorder({ code: 0, message: 'Success', data });
  try {
    const parameters = { resource: 'api', operation: 'request', method: 'POST', path: '/platform/plan', body: '{}' };
    const { items, error } = await run([{}], parameters, {
      credential: { ...credentialFor(sandbox), baseUrl: recorder.baseUrl },
    });
    expect(error).toBeUndefined();
    expect(items).toHaveLength(1);
    expect(items[0]?.pairedItem).toEqual({ item: 0 });
  } finally {
    await recorder.stop();
  }
});

test('says that a result from memory lacks its security key', async () => {
  const parameters = (label: string): INodeParameters => ({
    resource: 'webhook',
    operation: 'create',
    notification_url: 'https://n8n.example.com/webhook/x',
    label,
    additionalFields: { returnSecurityKey: true },
  });
  sandbox.control.addFault({ kind: 'status', status: 400, code: 2, calls: [2] });
  const { items, hints } = await run([{}, {}], parameters('={{ "hook " + $itemIndex }}'), {
    settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
  });
  expect(items.map(({ json }) => json.security_key !== undefined).sort()).toEqual([false, true]);
  expect(hints.join()).toMatch(
    /Row \d \(hook \d\): the saved result does not contain security_key, because the service returns this value only once/,
  );
});
