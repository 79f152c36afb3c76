import type { IDataObject } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { timeIsSimulated } from '../../simulated-time';
import { goOn, refund, refundBench, sandboxForFile, toErrors } from '../bench';
import { isDeep, quantity } from '../../quantity';

timeIsSimulated();

const sandbox = sandboxForFile({ seed: false });

const credential = () => credentialFor(sandbox);
const retryOnFail = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
const { run, sales, pathOf, sentTo, appliedTo } = refundBench(sandbox);
const outcomes = (list: Array<{ json: IDataObject }>) =>
  list.flatMap(({ json }) => (json.error ? [(json.error as IDataObject).outcome] : []));

describe('retries by n8n', () => {
  test('applies each of 20 refunds once if one fails twice, and outputs all of them in order', async () => {
    const rows = sales(20);
    sandbox.control.addFault({
      kind: 'status',
      status: 402,
      code: '005',
      path: pathOf(rows[6]),
      calls: { from: 1, to: 2 },
    });
    const { items, error, hints } = await run(rows, refund, { settings: retryOnFail });
    expect(error).toBeUndefined();
    expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
    expect(new Set(items.map(({ json }) => json.pg_id)).size).toBe(20);
    expect(rows.map(appliedTo)).toEqual(rows.map(() => 1));
    expect(rows.map(sentTo)).toEqual(rows.map((_, index) => (index === 6 ? 3 : 1)));
    expect(hints.join()).toMatch(/An earlier attempt in this execution completed \d+ of 20 rows/);
  });

  test('refuses an item with an unknown outcome in every retry and completes the other items', async () => {
    const rows = sales(20);
    sandbox.control.addFault({ kind: 'reset_after_apply', path: pathOf(rows[3]) });
    const { error } = await run(rows, refund, { settings: retryOnFail });
    expect(rows.map(appliedTo)).toEqual(rows.map(() => 1));
    expect(rows.map(sentTo)).toEqual(rows.map(() => 1));
    expect(error?.message).toMatch(/^Row 4 of 20 \(\w+\): An earlier attempt sent this item with an unknown outcome/);
    expect(error?.description).toContain(`pg_id_linked is ${rows[3]?.id as string} and whose amount is 4`);
    expect((error?.context as { data: { finished: unknown[] } }).data.finished).toHaveLength(19);
  });

  test('sends an item with an unknown outcome again only if the user chose so', async () => {
    const rows = sales(3);
    sandbox.control.addFault({ kind: 'reset_before_apply', path: pathOf(rows[1]), calls: [1] });
    const parameters = { ...refund, options: { unknownOutcome: 'resend' } };
    const { items, error } = await run(rows, parameters, { settings: retryOnFail });
    expect(error).toBeUndefined();
    expect(items).toHaveLength(3);
    expect(rows.map(sentTo)).toEqual([1, 2, 1]);
    expect(rows.map(appliedTo)).toEqual([1, 1, 1]);
  });

  test('sends nothing twice if the first item fails and On Error is Continue', async () => {
    const rows = sales(5);
    sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: pathOf(rows[0]) });
    const { items } = await run(rows, refund, { settings: retryOnFail, onError: 'continueRegularOutput' });
    expect(rows.map(appliedTo)).toEqual([0, 1, 1, 1, 1]);
    expect(rows.map(sentTo).slice(1)).toEqual([1, 1, 1, 1]);
    expect(outcomes(items)).toEqual(['declined']);
  });

  test('treats items with equal content as separate items', async () => {
    const [row] = sales(1) as [IDataObject];
    const rows = [
      { ...row, amount: 1 },
      { ...row, amount: 1 },
      { ...row, amount: 1 },
    ];
    sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: pathOf(row), calls: [2] });
    const { items, error } = await run(rows, refund, { settings: retryOnFail });
    expect(error).toBeUndefined();
    expect(appliedTo(row)).toBe(3);
    expect(new Set(items.map(({ json }) => json.pg_id)).size).toBe(3);
  });

  test('recognizes a completed item although its expression returns another value in each attempt', async () => {
    sandbox.control.addCustomers(1);
    const rows = [{ ok: 1 }, { ok: 1 }, { ok: 1 }];
    sandbox.control.addFault({ kind: 'status', status: 400, code: 2, calls: [3, 4] });
    const parameters = {
      resource: 'invoice',
      operation: 'create',
      customer_id: { __rl: true, mode: 'id', value: sandbox.control.state().customers[0]?.customer_id },
      invoice_number: '={{ $itemIndex + "-" + $now.toMillis() }}',
      line_items: { item: [{ quantity: 1, description: 'Hour', unit_cost: 5 }] },
      options: { sending: { maxParallelRequests: 1 } },
    };
    const { items, error } = await run(rows, parameters, { settings: retryOnFail });
    expect(error).toBeUndefined();
    expect(items).toHaveLength(3);
    expect(sandbox.control.state().invoices).toHaveLength(3);
  });

  test("doesn't submit cards to the account updater again", async () => {
    const rows = Array.from({ length: 250 }, (_, index) => ({ id: `m${index}` }));
    sandbox.control.addFault({ kind: 'status', status: 400, code: 2, calls: [2] });
    const parameters = {
      resource: 'accountUpdater',
      operation: 'submit',
      data: { item: [{ card_number: '4111111111111111', exp_date: '1230', card_id: '={{ $json.id }}' }] },
    };
    const { items, error } = await run(rows, parameters, { settings: retryOnFail });
    expect(error).toBeUndefined();
    const sentCards = sandbox.control
      .journal()
      .filter(({ applied }) => applied !== null)
      .flatMap(({ body }) => ((body as IDataObject).data as IDataObject[]).map(({ card_id }) => card_id));
    expect(sentCards.sort()).toEqual(rows.map(({ id }) => id).sort());
    expect(items.flatMap(({ json }) => json.card_ids as string[])).toEqual(rows.map(({ id }) => id));
  });
});

const BROKEN = Array.from({ length: 20 }, (_, item) => item).filter((item) => isDeep || [0, 4, 13, 19].includes(item));

describe('a connection that breaks after the service applied the refund', () => {
  const modes = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
  test.each(modes.flatMap((onError) => [1, 5, 20].map((parallel) => ({ onError, parallel }))))(
    'names the unknown item of 20 and applies none twice: $onError, $parallel in parallel',
    async ({ onError, parallel }) => {
      for (const broken of BROKEN) {
        sandbox.control.reset();
        const rows = sales(20);
        sandbox.control.addFault({ kind: 'reset_after_apply', path: pathOf(rows[broken]) });
        const parameters = { ...refund, options: { sending: { maxParallelRequests: parallel } } };
        const { items, errors, error } = await run(rows, parameters, { onError, settings: retryOnFail });
        expect(Math.max(...rows.map(sentTo))).toBe(1);
        expect(rows.map(appliedTo)).toEqual(rows.map(() => 1));
        if (onError === 'stopWorkflow') expect(error?.message).toMatch(new RegExp(`^Row ${broken + 1} of 20 \\(`));
        else {
          const failed = onError === 'continueErrorOutput' ? errors : items.filter(({ json }) => json.error);
          expect(failed.map(({ json }) => (json.error as IDataObject).outcome)).toEqual(['unknown']);
          expect(failed[0]?.pairedItem).toEqual({ item: broken });
        }
      }
    },
  );
});

const INVOICES = quantity(200, 1000);

describe('requests that the service rejects unread', () => {
  test('retries after the time that the service asked for, in seconds or as a date', async () => {
    for (const retryAfterAsDate of [false, true]) {
      sandbox.control.reset();
      const rows = sales(1);
      sandbox.control.addFault({ kind: 'rate_limited', retryAfterSeconds: 2, retryAfterAsDate, calls: [1] });
      const { items, error } = await run(rows);
      expect(error).toBeUndefined();
      expect(items).toHaveLength(1);
      const [first, second] = sandbox.control.journal().map(({ received }) => Date.parse(received));
      const waitedMs = (second ?? 0) - (first ?? 0);
      // A date in Retry-After has a precision of one second. The node adds up to half a second.
      expect(waitedMs).toBeGreaterThanOrEqual(retryAfterAsDate ? 1000 : 2000);
      expect(waitedMs).toBeLessThanOrEqual(2500);
      expect(appliedTo(rows[0])).toBe(1);
    }
  });

  test('fails after the last attempt and states the number of attempts', async () => {
    const rows = sales(1);
    sandbox.control.addFault({ kind: 'rate_limited', retryAfterSeconds: 0 });
    const { error } = await run(rows, { ...refund, options: { sending: { maxTries: 3 } } });
    expect(error?.context?.data).toMatchObject({ outcome: 'notSent', tries: 3 });
    expect(error?.description).toContain('The node sent the request 3 times.');
    expect(sentTo(rows[0])).toBe(3);
  });

  test("doesn't wait if the service asks for more than the longest retry time", async () => {
    const rows = sales(1);
    sandbox.control.addFault({ kind: 'rate_limited', retryAfterSeconds: 3600 });
    const { error } = await run(rows);
    expect(error?.context?.data).toMatchObject({ outcome: 'notSent' });
    expect(sentTo(rows[0])).toBe(1);
  });

  test('retries a refused connection and reports it as not sent', async () => {
    const parameters = { ...refund, pg_id: 'abc', amt_tran: 1, options: { sending: { maxTries: 2 } } };
    const { error } = await run([{}], parameters, { credential: { ...credential(), baseUrl: 'http://127.0.0.1:9' } });
    expect(error?.context?.data).toMatchObject({ outcome: 'notSent', tries: 2 });
  });

  test(`creates ${INVOICES} invoices once each at a service that allows 50 requests a second`, async () => {
    sandbox.control.addCustomers(1);
    const customer_id = sandbox.control.state().customers[0]?.customer_id;
    sandbox.control.setRateLimit(50);
    const rows = Array.from({ length: INVOICES }, (_, index) => ({ number: `R${index}` }));
    const parameters = {
      resource: 'invoice',
      operation: 'create',
      customer_id: { __rl: true, mode: 'id', value: customer_id },
      invoice_number: '={{ $json.number }}',
      line_items: { item: [{ quantity: 1, description: 'Service', unit_cost: 5 }] },
      options: { sending: { retryTime: 600 } },
    };
    const { items, error } = await run(rows, parameters);
    expect(error).toBeUndefined();
    expect(items.map(({ json }) => json.invoice_number)).toEqual(rows.map(({ number }) => number));
    expect(sandbox.control.state().invoices).toHaveLength(INVOICES);
  });
});

describe("the node's memory", () => {
  const memoryOf = ({ run: execution }: Awaited<ReturnType<typeof run>>) =>
    JSON.stringify(execution.data.executionData?.contextData?.['node:Payment Platform'] ?? {});

  test("the node's memory is empty after a run without failures", async () => {
    expect(memoryOf(await run(sales(3)))).not.toContain('entries');
  });

  test("the node's memory contains no card number, security code or sent amount", async () => {
    const rows = ['4111111111111111', 'wrong'].map((number) => ({ number }));
    const parameters = {
      resource: 'card',
      operation: 'tokenize',
      card_number: '={{ $json.number }}',
      exp_date: '1230',
      cvv2: '987',
      options: { sending: { maxParallelRequests: 1 } },
    };
    sandbox.control.addFault({ kind: 'status', status: 402, code: '005', calls: [2] });
    rows[1] = { number: '5555555555554444' };
    const kept = memoryOf(await run(rows, parameters, goOn));
    expect(kept).toContain('411111xxxxxx1111');
    for (const secret of ['4111111111111111', '5555555555554444', '"987"']) expect(kept).not.toContain(secret);
  });

  test("the node's memory stays small for many refunds with one failure", async () => {
    const count = quantity(200, 1000);
    const rows = sales(count);
    sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: pathOf(rows.at(-1)) });
    const parameters = { ...refund, options: { sending: { maxParallelRequests: 100 } } };
    const bytes = memoryOf(await run(rows, parameters, goOn)).length;
    // A measurement showed 431 bytes per refund.
    expect(bytes / count).toBeLessThan(450);
  });
});

describe('Limit per Item and Test Environment Only', () => {
  test('stops the run before anything is sent if an amount exceeds the limit', async () => {
    const rows = sales(5);
    (rows[4] as IDataObject).amount = 5.01;
    const { error } = await run(rows, { ...refund, options: { limitPerItem: 5 } });
    expect(error?.message).toBe(
      `Row 5 of 5 (${rows[4]?.id as string}): "Limit per Item" allows at most 5 (found "Amount" 5.01)`,
    );
    expect(sandbox.control.journal()).toHaveLength(0);
    expect((await run(sales(1), { ...refund, options: { limitPerItem: 4 } })).error).toBeUndefined();
  });

  test('compares the total of an invoice including tax with the limit', async () => {
    const invoice = {
      resource: 'invoice',
      operation: 'create',
      customer_id: { __rl: true, mode: 'id', value: 'C1' },
      invoice_number: 'A1',
      line_items: { item: [{ quantity: 10, description: 'Hours', unit_cost: 95 }] },
      additionalFields: { sales_tax: { item: { type: 'RATE', value: 10 } } },
      options: { limitPerItem: 1000 },
    };
    const { error } = await run([{}], invoice);
    expect(error?.message).toBe('"Limit per Item" allows at most 1000 (found invoice total 1045)');
  });

  test("refuses every item if the limit isn't a number", async () => {
    const { error } = await run(sales(1), { ...refund, options: { limitPerItem: 'five' } });
    expect(error?.message).toMatch(/"Limit per Item" must be a number/);
    expect(sandbox.control.journal()).toHaveLength(0);
  });

  test('refuses a production credential if the test environment is required', async () => {
    const { merchantId, apiKey } = sandbox.credentials.production;
    const production = {
      ...credential(),
      environment: 'production',
      baseUrl: sandbox.productionBaseUrl,
      merchantId,
      apiKey,
    };
    const parameters = { ...refund, pg_id: 'abc', amt_tran: 1, options: { testEnvironmentOnly: true } };
    const { error } = await run([{}], parameters, { credential: production });
    expect(error?.message).toMatch(/"Test Environment Only" allows only the test environment/);
    expect(sandbox.control.journal()).toHaveLength(0);
  });
});

describe('duplicates in the report', () => {
  const since = '2020-01-01T00:00:00Z';
  const checked = { ...refund, options: { ifExists: { then: 'fail', since } } };

  test("doesn't repeat a refund of the same transaction and amount in the report", async () => {
    const rows = sales(2);
    await run(rows.slice(0, 1));
    const { items, errors } = await run(rows, checked, toErrors);
    expect(items).toHaveLength(1);
    expect(errors[0]?.json.error).toMatchObject({
      outcome: 'invalid',
      message: expect.stringMatching(/A matching record already exists: pg_id \w+/) as string,
    });
    expect(rows.map(appliedTo)).toEqual([1, 1]);
  });

  test('sends another amount, a repetition of an old refund, and a second equal refund of the run', async () => {
    const [row] = sales(1) as [IDataObject];
    await run([{ ...row, amount: 1 }]);
    expect((await run([{ ...row, amount: 2 }], checked)).error).toBeUndefined();
    const future = { ...refund, options: { ifExists: { then: 'fail', since: new Date().toISOString() } } };
    expect((await run([{ ...row, amount: 1 }], future)).error).toBeUndefined();
    const twice = [
      { ...row, amount: 0.5 },
      { ...row, amount: 0.5 },
    ];
    expect((await run(twice, checked)).error).toBeUndefined();
    expect(appliedTo(row)).toBe(5);
  });

  test('sends an equal refund although an earlier attempt of the execution refunded the same amount', async () => {
    const [row] = sales(1) as [IDataObject];
    sandbox.control.addFault({ kind: 'status', status: 402, code: '005', path: pathOf(row), calls: [2] });
    const equal = [
      { ...row, amount: 0.5 },
      { ...row, amount: 0.5 },
    ];
    expect((await run(equal, checked, { settings: retryOnFail })).error).toBeUndefined();
    expect(appliedTo(row)).toBe(2);
  });

  test('counts voids and reduced captures before batch close as refunds', async () => {
    sandbox.control.addCustomers(1);
    const [whole, part] = sandbox.control.addCapturedSales({ count: 2, amountCents: 1000 });
    const rows = [
      { id: whole, amount: 10 },
      { id: part, amount: 3 },
    ] as IDataObject[];
    expect((await run(rows)).items).toHaveLength(2);
    const { errors } = await run(rows, checked, toErrors);
    expect(outcomes(errors)).toEqual(['invalid', 'invalid']);
    expect(rows.map(appliedTo)).toEqual([1, 1]);
  });

  test("sends nothing if the report can't be read", async () => {
    const rows = sales(1);
    sandbox.control.addFault({ kind: 'status', status: 403, operationId: 'getTransactionRequests' });
    const { error } = await run(rows, checked);
    expect(error?.message).toMatch(
      /"If It Already Exists" could not read the records of the service, so nothing was sent/,
    );
    expect(sentTo(rows[0])).toBe(0);
  });
});
