import { sleep, type IDataObject } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { timeIsSimulated } from '../../simulated-time';
import { refund, refundBench, sandboxForFile, toErrors } from '../bench';

timeIsSimulated();

const sandbox = sandboxForFile({ seed: false });

const credential = () => credentialFor(sandbox);
const { run, sales } = refundBench(sandbox);

const requests = () => sandbox.control.journal();
const applied = () => requests().filter((entry) => entry.applied !== null);

test('returns one paired result per item in input order, with its own expressions', async () => {
  const rows = sales(30);
  rows.forEach((row, index) => (row.amount = (index + 1) / 10));
  sandbox.control.addLatency({ path: `/pg/refund/${rows[0]?.id as string}`, milliseconds: 150 });
  const { items, error } = await run(rows, refund);
  expect(error).toBeUndefined();
  expect(items).toHaveLength(30);
  expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
  expect(items.every(({ json }) => json.rcode === '000')).toBe(true);
  const refunded = sandbox.control.state().transactions.filter(({ request_type }) => request_type === 'refund');
  for (const [index, { json }] of items.entries())
    expect(Math.abs(Number(refunded.find(({ pg_id }) => pg_id === json.pg_id)?.amt_tran))).toBe((index + 1) / 10);
});

test('names an invalid item and stops the run before anything is sent', async () => {
  const rows = sales(10);
  (rows[6] as IDataObject).amount = 10.005;
  const { error } = await run(rows, refund);
  expect(error?.message).toMatch(
    new RegExp(`^Row 7 of 10 \\(${rows[6]?.id as string}\\): "Amount" must be .*\\(found 10.005\\)$`),
  );
  expect(requests()).toHaveLength(0);
});

test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
  'turns an invalid item into an error item with %s and completes the other items',
  async (onError) => {
    const rows = sales(5);
    (rows[2] as IDataObject).amount = 'four';
    const { items, errors, error } = await run(rows, refund, { onError });
    expect(error).toBeUndefined();
    expect(applied()).toHaveLength(4);
    const failed = onError === 'continueErrorOutput' ? errors : items.filter(({ json }) => json.error);
    expect(failed).toHaveLength(1);
    expect(failed[0]?.json).toMatchObject({
      error: { outcome: 'invalid', message: expect.stringContaining('"Amount"') as string },
    });
    expect(failed[0]?.pairedItem).toEqual({ item: 2 });
  },
);

test('keeps the input, error and code of a declined item on the error output', async () => {
  const rows = sales(6);
  (rows[1] as IDataObject).amount = 99;
  const { items, errors } = await run(rows, refund, toErrors);
  expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 2, 3, 4, 5].map((item) => ({ item })));
  expect(errors).toHaveLength(1);
  expect(errors[0]?.json).toMatchObject({
    row: 1,
    error: { outcome: 'declined', rcode: expect.stringMatching(/^\d\d\d$/) as string },
  });
});

test('reports completed, failed and unstarted items and starts nothing more in a run that stops', async () => {
  const rows = sales(40);
  (rows[6] as IDataObject).amount = 99;
  sandbox.control.addLatency({ milliseconds: 20 });
  const { error, run: execution } = await run(rows, refund, {});
  expect(execution.status).toBe('error');
  expect(error?.message).toMatch(/^Row 7 of 40 \(/);
  const data = (error?.context as IDataObject).data as {
    finished: IDataObject[];
    notStarted: number[];
    failed: IDataObject[];
  };
  expect(data.finished.length + data.failed.length + data.notStarted.length).toBe(40);
  expect(data.finished).toHaveLength(applied().length);
  expect(data.finished.every(({ pg_id }) => typeof pg_id === 'string')).toBe(true);
  expect(data.notStarted.length).toBeGreaterThan(10);
  expect(error?.description).toContain(`${data.finished.length} rows were completed: row 1 (`);
  expect(error?.description).toMatch(/ Not started: rows \d+-\d+/);
  const sentBefore = requests().length;
  await sleep(100);
  expect(requests()).toHaveLength(sentBefore);
});

test.each([1, 7, 20])('sends up to %d requests in parallel and no more', async (maxParallelRequests) => {
  const rows = sales(60);
  sandbox.control.addLatency({ milliseconds: 40 });
  await run(rows, { ...refund, options: { sending: { maxParallelRequests } } });
  const { maxInFlight } = sandbox.control.concurrency();
  expect(maxInFlight).toBe(maxParallelRequests);
  expect(applied()).toHaveLength(60);
});

test('never overlaps requests for the same transaction and keeps their order', async () => {
  const [first, second] = sales(2) as [IDataObject, IDataObject];
  const rows = Array.from({ length: 20 }, (_, index) => ({
    ...(index % 2 ? first : second),
    amount: (index + 1) / 100,
  }));
  sandbox.control.addLatency({ milliseconds: 5 });
  await run(rows, refund);
  expect(Object.values(sandbox.control.concurrency().maxInFlightPerObject)).toEqual([1, 1]);
  for (const { id } of [first, second]) {
    const amounts = requests()
      .filter(({ path }) => path.endsWith(id as string))
      .map(({ body }) => (body as IDataObject).amt_tran);
    expect(amounts).toHaveLength(10);
    expect(amounts).toEqual([...amounts].sort((a, b) => Number(a) - Number(b)));
  }
});

test.each([
  ['reset_before_apply', 'unknown'],
  ['reset_after_apply', 'unknown'],
  ['truncated_json', 'unknown'],
  ['html_error_page', 'unknown'],
  ['status', 'unknown'],
  ['timeout', 'unknown'],
] as const)('reports the fault %s as %s and sends nothing again', async (kind, outcome) => {
  const rows = sales(3);
  sandbox.control.addFault({ kind, path: `/pg/refund/${rows[1]?.id as string}`, retryAfterSeconds: 0 });
  const { errors, items } = await run(rows, { ...refund, options: { sending: { timeout: 1 } } }, toErrors);
  expect(items).toHaveLength(2);
  expect(errors[0]?.json).toMatchObject({ row: 1, error: { outcome } });
  expect(requests().filter(({ path }) => path.endsWith(rows[1]?.id as string))).toHaveLength(1);
});

test('warns that money may have moved after an unknown outcome and names the record to look up', async () => {
  const rows = sales(1);
  sandbox.control.addFault({ kind: 'reset_after_apply' });
  const { error } = await run(rows, refund);
  expect(error?.description).toMatch(
    /outcome is unknown.*money may have moved.*A retry does not send the request again unless you chose "Send Again"/,
  );
  expect(applied()).toHaveLength(1);
});

test.each([
  [{ authMethod: 'apiKey', apiKey: 'wrong' }, 'API Key'],
  [{ authMethod: 'apiToken', apiToken: 'wrong' }, 'API Token'],
])('names the refused secret by its label in the credential: %j', async (more, name) => {
  const [row] = sales(1) as [IDataObject];
  const { error } = await run([row], refund, { credential: { ...credential(), ...more } });
  expect(error?.message).toBe(
    `The Merchant ID does not match the ${name}. Check the Environment, Base URL, Merchant ID and ${name} in the credential.`,
  );
  expect(`${error?.message} ${error?.description}`).not.toContain(name === 'API Key' ? 'API Token' : 'API Key');
});

test('explains a wrong key and a key of the other environment', async () => {
  const [row] = sales(1) as [IDataObject];
  for (const apiKey of ['wrong', sandbox.credentials.production.apiKey]) {
    const { error } = await run([row], refund, { credential: { ...credential(), apiKey } });
    expect(error?.message).toMatch(/^The Merchant ID does not match the API Key\. Check the Environment, /);
    expect(error?.description).toMatch(/The service said: .*\(code 101\)\./);
    expect(JSON.stringify(error)).not.toContain(
      apiKey === 'wrong' ? Buffer.from(`${credential().merchantId}:wrong`).toString('base64') : apiKey,
    );
  }
});

test('includes no token, key or card number in any part of an error', async () => {
  const { apiKey, token } = sandbox.credentials.test;
  const number = '4111111111111111';
  for (const kind of ['reset_after_apply', 'html_error_page', 'status'] as const) {
    sandbox.control.addFault({ kind, calls: [1], body: { rcode: '108', rmsg: `Bad card ${number}`, echo: number } });
    const { error } = await run([{ number }], {
      resource: 'card',
      operation: 'tokenize',
      card_number: '={{ $json.number }}',
    });
    const parts = JSON.stringify([
      error,
      error?.message,
      error?.description,
      error?.stack,
      error?.context,
      (error as Error).cause,
    ]);
    for (const secret of [apiKey, token, number]) expect(parts).not.toContain(secret);
    sandbox.control.clearFaults();
  }
});
