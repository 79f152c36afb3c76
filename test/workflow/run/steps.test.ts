import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { CredentialData } from '../../credential';
import { addNodeType, runWorkflow, type RunInput, type RunOutput } from '../harness';
import { STEPPED_NODE } from './stepped/node';
import { SteppedService, type Arrived, type Fault } from './stepped/service';
import { toolOf } from '../tool/tool-harness';

for (const name of ['stepped', 'steppedTool']) addNodeType(name, STEPPED_NODE);
const service = new SteppedService();
beforeAll(async () => await service.start());
beforeEach(() => service.reset());
afterAll(async () => await service.stop());

const credential = (): CredentialData => ({
  environment: 'test',
  baseUrl: service.baseUrl,
  merchantId: '888000000000',
  authMethod: 'apiKey',
  apiKey: 'sk_stepped_0123456789',
});

const plan = (operation = 'upsert', options: IDataObject = {}): INodeParameters =>
  ({
    resource: 'stepped',
    operation,
    plan_code: '={{ $json.code }}',
    plan_name: '={{ $json.name }}',
    amt_tran: '={{ $json.amount }}',
    options,
  }) as INodeParameters;
const customer = (operation = 'update', more: IDataObject = {}): INodeParameters =>
  ({
    resource: 'stepped',
    operation,
    customer_id: '={{ $json.id ?? "C1" }}',
    customer_phone: '={{ $json.phone }}',
    ...more,
  }) as INodeParameters;
const withCard = (options: IDataObject = {}) => customer('updateWithCard', { card_id: 'CARD2', options });

const run = async (rows: IDataObject[], parameters: INodeParameters, more: Partial<RunInput> = {}) =>
  await runWorkflow({ rows, parameters, credential: credential(), type: 'stepped', looksUp: true, ...more });
const retry = async (failed: RunOutput, rows: IDataObject[], parameters: INodeParameters) =>
  await run(rows, parameters, { retryOf: failed.run });

const failedOf = ({ error }: RunOutput) => (error?.context?.data as { failed: IDataObject[] }).failed;
const finishedOf = ({ error }: RunOutput) => (error?.context?.data as { finished: IDataObject[] }).finished;
const errorOf = (item?: { json: IDataObject }) => item?.json.error as IDataObject;

function failNth(matches: (arrived: Arrived) => boolean, nth: number, fault: Fault) {
  let count = 0;
  service.onRequest = (arrived) => {
    if (matches(arrived)) count += 1;
    return matches(arrived) && count === nth ? fault : undefined;
  };
}
const isWrite = ({ method }: Arrived) => method !== 'GET';
const isLook = ({ method }: Arrived) => method === 'GET';

const GOLD = { code: 'GOLD', name: 'Gold', amount: 10 };

describe('creating or updating a plan by code', () => {
  test('creates a plan if none exists', async () => {
    const { items, error } = await run([GOLD], plan());
    expect(error).toBeUndefined();
    expect(service.sent).toEqual(['GET /platform/plan/GOLD', 'POST /platform/plan']);
    expect(items).toMatchObject([{ json: { plan_code: 'GOLD', plan_id: '100' }, pairedItem: { item: 0 } }]);
  });

  test('updates a plan that differs and sends nothing for an equal plan', async () => {
    service.plans.set('GOLD', { plan_code: 'GOLD', plan_id: 7, status: 'E', plan_name: 'Gold', amt_tran: 9 });
    const { items } = await run([GOLD], plan());
    expect(service.writes).toEqual(['PUT /platform/plan/GOLD']);
    expect(service.journal.at(-1)?.body).toEqual({ plan_name: 'Gold', amt_tran: 10 });
    expect(items).toMatchObject([{ json: { plan_id: '7', amt_tran: 10 } }]);

    const again = await run([GOLD], plan());
    expect(service.writes).toHaveLength(1);
    expect(again.items).toMatchObject([{ json: { plan_id: '7', amt_tran: 10 } }]);
  });

  test("sends nothing for a refused decision and reports the operation's reason", async () => {
    service.plans.set('GOLD', { plan_code: 'GOLD', plan_id: 7, status: 'A' });
    const { error } = await run([GOLD], plan());
    expect(error?.message).toBe('The plan GOLD is archived');
    expect(error?.description).toContain('Nothing was sent.');
    expect(service.writes).toEqual([]);
  });

  test('creates a plan once for two items and updates it with the second', async () => {
    const { items, error } = await run([GOLD, { ...GOLD, amount: 12 }], plan());
    expect(error).toBeUndefined();
    expect(service.writes).toEqual(['POST /platform/plan', 'PUT /platform/plan/GOLD']);
    expect(service.overlap).toBe(1);
    expect(items).toMatchObject([{ json: { amt_tran: 10 } }, { json: { plan_id: '100', amt_tran: 12 } }]);
  });

  test('sends requests for different codes in parallel', async () => {
    const rows = ['A', 'B', 'C', 'D'].map((code) => ({ ...GOLD, code }));
    const { items } = await run(rows, plan());
    expect(items.map(({ json }) => json.plan_code)).toEqual(['A', 'B', 'C', 'D']);
    expect([...service.plans.keys()].sort()).toEqual(['A', 'B', 'C', 'D']);
  });
});

describe('a look-up that fails before a write', () => {
  test.each([
    ['with a cut connection', 'cutBefore'],
    ['with an answer of a failing service', { status: 500 }],
    ['with a refusal', { status: 403, code: 6 }],
  ] as Array<[string, Fault]>)('sends nothing after a look-up %s and reports the failure', async (_, fault) => {
    service.onRequest = (arrived) => (isLook(arrived) ? fault : undefined);
    const { error } = await run([GOLD], plan('upsert', { sending: { maxTries: 1 } }));
    expect(service.writes).toEqual([]);
    expect(error?.message).toMatch(/could not read the current records of the service, so nothing was sent/);
    expect(failedOf({ error } as RunOutput)[0]?.outcome).not.toBe('unknown');
  });

  test('retries the look-up, because it only reads', async () => {
    failNth(isLook, 1, { status: 503, retryAfter: 0 });
    const { items } = await run([GOLD], plan());
    expect(items).toHaveLength(1);
    expect(service.sent).toEqual(['GET /platform/plan/GOLD', 'GET /platform/plan/GOLD', 'POST /platform/plan']);
  });

  test('treats a refusal for a missing record as a result', async () => {
    const { error } = await run([{ id: 'C9', phone: '1' }], customer());
    expect(error?.message).toContain('There is no such customer');
    expect(service.writes).toEqual([]);
  });
});

describe('requests that a step may send', () => {
  test.each([
    ['more than the item says', 'greedy', /exceeds the maximum for this item \(10\)/],
    ['what the operation does not name', 'stray', /does not support/],
  ])('refuses to send %s', async (_, operation, message) => {
    const { error } = await run([GOLD], plan(operation));
    expect(error?.message).toMatch(message);
    expect(service.writes).toEqual([]);
  });

  test("refuses a sum of all steps above the item's amount", async () => {
    const failed = await run([GOLD], plan('twice'));
    expect(failed.error?.message).toMatch(/exceeds the maximum for this item \(10\)/);
    expect(failed.error?.description).toContain('Nothing more was sent.');
    expect(failedOf(failed)).toMatchObject([{ outcome: 'invalid', applied: true }]);
    const again = await retry(failed, [GOLD], plan('twice'));
    expect(again.error?.message).toMatch(/exceeds the maximum for this item \(10\)/);
    expect(service.writes).toEqual(['POST /platform/plan']);
  });

  test('sends nothing if the look-up returned the wrong record', async () => {
    const { error } = await run([GOLD], plan('broken'));
    expect(service.writes).toEqual([]);
    expect(failedOf({ error } as RunOutput)).toMatchObject([{ outcome: 'invalid' }]);
  });

  test('checks the limits before any look-up', async () => {
    const { error } = await run([GOLD], plan('upsert', { limitPerItem: 5 }));
    expect(error?.message).toContain('allows at most 5');
    const { error: total } = await run([GOLD, { ...GOLD, code: 'B' }], plan('upsert', { limitPerExecution: 15 }));
    expect(total?.message).toContain('allows 15 in total');
    expect(service.sent).toEqual([]);
  });
});

describe('records that are completed before sending', () => {
  test('keeps fields that the user left empty', async () => {
    await run([{ phone: '5550199' }], customer());
    expect(service.customers.get('C1')).toEqual({
      customer_id: 'C1',
      customer_phone: '5550199',
      customer_email: 'a@example.com',
    });
  });

  test('sends nothing if the record changed since it was read', async () => {
    let looks = 0;
    service.onRequest = (arrived) => {
      if (isLook(arrived) && (looks += 1) === 2)
        service.customers.set('C1', { customer_id: 'C1', customer_email: 'new@example.com' });
      return undefined;
    };
    const { error } = await run([{ phone: '5550199' }], customer());
    expect(error?.message).toMatch(/record changed after/);
    expect(service.writes).toEqual([]);
  });

  test('compares the record again before a rejected request is repeated', async () => {
    service.onRequest = (arrived) => {
      if (!isWrite(arrived)) return undefined;
      service.customers.set('C1', { customer_id: 'C1', customer_email: 'new@example.com' });
      return { status: 429, retryAfter: 0 };
    };
    const { error } = await run([{ phone: '5550199' }], customer());
    expect(error?.message).toMatch(/record changed after/);
    expect(service.writes).toHaveLength(1);
    expect(service.customers.get('C1')).not.toHaveProperty('customer_phone');
  });
});

describe('a retry of a run with steps', () => {
  test('searches for a step with a lost response and sends nothing if all is done', async () => {
    failNth(isWrite, 2, 'cutAfter');
    const rows = [{ phone: '5550199' }];
    const failed = await run(rows, withCard());
    const { items, error, hints } = await retry(failed, rows, withCard());
    expect(error).toBeUndefined();
    expect(items).toMatchObject([
      { json: { card_id: 'CARD2', found_at_service: 'the service already has the requested values' } },
    ]);
    expect(hints.join()).toMatch(/the node found a matching record at the service/);
    expect(service.writes).toHaveLength(2);
  });

  test('reads nothing for a step with a lost response if the user chose Fail Immediately', async () => {
    failNth(isWrite, 1, 'cutAfter');
    const failed = await run([GOLD], plan('upsert', { unknownOutcome: 'refuse' }));
    const sent = ['GET /platform/plan/GOLD', 'POST /platform/plan'];
    expect(service.sent).toEqual(sent);
    const second = await retry(failed, [GOLD], plan('upsert', { unknownOutcome: 'refuse' }));
    expect(failedOf(second)).toMatchObject([{ outcome: 'unknown' }]);
    expect(service.sent).toEqual(sent);
    const third = await retry(second, [GOLD], plan());
    expect(third.items).toMatchObject([{ json: { plan_code: 'GOLD' } }]);
  });

  test('sends no write twice after the second connection broke, and names the unknown step', async () => {
    failNth(isWrite, 2, 'cutAfter');
    const rows = [{ phone: '5550199' }];
    const failed = await run(rows, withCard());
    const writes = ['PUT /platform/vault/customer/C1', 'PUT /platform/vault/customer/C1/billing/primary'];
    expect(service.writes).toEqual(writes);
    expect(failedOf(failed)).toMatchObject([
      {
        outcome: 'unknown',
        message: expect.stringMatching(/^Completed 1 of 2 steps/) as string,
        references: { customer_id: 'C1' },
      },
    ]);
    service.onRequest = (arrived) => (isLook(arrived) ? { status: 403, code: 6 } : undefined);
    const second = await retry(failed, rows, withCard());
    expect(service.writes).toEqual(writes);
    expect(failedOf(second)).toMatchObject([
      { outcome: 'unknown', resolveCode: expect.stringMatching(/^0\.1-/) as string },
    ]);
    expect(second.error?.description).toContain('Look for the customer C1.');

    service.onRequest = () => undefined;
    const code = failedOf(second)[0]?.resolveCode;
    const third = await retry(
      second,
      rows,
      withCard({ unknownOutcome: 'resolve', resolve: { item: [{ code, finding: 'notApplied' }] } }),
    );
    expect(third.error).toBeUndefined();
    // The node finds out that the service applied the earlier attempt.
    expect(service.writes).toEqual(writes);
    expect(third.items).toMatchObject([{ json: { card_id: 'CARD2' } }]);
  });

  test('recalls the first write and continues with the second write', async () => {
    failNth(isWrite, 2, { status: 400, code: 2 });
    const failed = await run([{ phone: '5550199' }], withCard());
    expect(failedOf(failed)).toMatchObject([{ outcome: 'declined', applied: true }]);
    service.onRequest = () => undefined;
    const { items } = await retry(failed, [{ phone: '5550199' }], withCard());
    expect(service.writes).toEqual([
      'PUT /platform/vault/customer/C1',
      'PUT /platform/vault/customer/C1/billing/primary',
      'PUT /platform/vault/customer/C1/billing/primary',
    ]);
    expect(items).toHaveLength(1);
  });

  test('reports the completed part of an item that is now refused', async () => {
    failNth(isWrite, 2, { status: 400, code: 2 });
    const failed = await run([{ phone: '5550199' }], withCard());
    const again = await retry(failed, [{ phone: '5550199' }], { ...withCard(), card_id: '={{ "" }}' });
    expect(failedOf(again)).toMatchObject([
      {
        outcome: 'doneBefore',
        message: expect.stringMatching(/completed part of this item\. This attempt was refused/) as string,
      },
    ]);
  });

  test('reports the completed part of each item if another item is refused', async () => {
    const rows = [{ phone: '5550199' }, { phone: '5550100', id: 'C2' }];
    service.customers.set('C2', { customer_id: 'C2' });
    failNth(isWrite, 2, 'cutAfter');
    const failed = await run(rows, withCard({ sending: { maxParallelRequests: 1 } }));
    const again = await retry(failed, rows, { ...withCard(), card_id: '={{ $itemIndex === 1 ? "" : "CARD2" }}' });
    expect(failedOf(again)).toMatchObject([
      { item: 0, outcome: 'unknown', message: expect.stringMatching(/^Completed 1 of 2 steps/) as string },
      { item: 1, outcome: 'invalid' },
    ]);
    expect(service.writes).toHaveLength(2);
  });

  test('recalls completed items without a look-up and completes the failed item', async () => {
    const rows = [GOLD, { ...GOLD, code: 'SILVER' }];
    failNth(isWrite, 2, { status: 400, code: 2 });
    const failed = await run(rows, plan('upsert', { sending: { maxParallelRequests: 1 } }));
    expect(finishedOf(failed)).toMatchObject([{ item: 0 }]);
    service.onRequest = () => undefined;
    service.journal = [];
    const { items, hints } = await retry(failed, rows, plan('upsert', { sending: { maxParallelRequests: 1 } }));
    expect(service.sent).toEqual(['GET /platform/plan/SILVER', 'POST /platform/plan']);
    expect(items).toMatchObject([{ json: { plan_code: 'GOLD' } }, { json: { plan_code: 'SILVER' } }]);
    expect(hints.join()).toContain('An earlier attempt in this execution completed 1 of 2 rows');
  });

  test('recalls an item that needed no request', async () => {
    service.plans.set('GOLD', { plan_code: 'GOLD', plan_id: 7, status: 'E', plan_name: 'Gold', amt_tran: 10 });
    const rows = [GOLD, { ...GOLD, code: 'SILVER' }];
    failNth(isWrite, 1, { status: 400, code: 2 });
    const failed = await run(rows, plan('upsert', { sending: { maxParallelRequests: 1 } }));
    service.plans.set('GOLD', { plan_code: 'GOLD', plan_id: 7, status: 'E', plan_name: 'Gold', amt_tran: 11 });
    const { items } = await retry(failed, rows, plan('upsert', { sending: { maxParallelRequests: 1 } }));
    expect(service.writes.filter((line) => line.includes('GOLD'))).toEqual([]);
    expect(items).toHaveLength(2);
  });

  test('refuses an item that changed after its write, without a look-up', async () => {
    const rows = [GOLD, { ...GOLD, code: 'SILVER' }];
    failNth(isWrite, 2, 'cutAfter');
    const failed = await run(rows, plan());
    service.journal = [];
    const again = await retry(failed, rows, { ...plan(), amt_tran: 11 });
    expect(failedOf(again).map(({ outcome }) => outcome)).toEqual(['doneBefore', 'unknown']);
    expect(failedOf(again)[0]?.message).toContain('"Amount"');
    expect(service.sent).toEqual([]);
  });
});

describe('runs with steps that continue or stop', () => {
  test('returns the error of the failed item and the records of the other items with On Error set to Continue', async () => {
    failNth(isWrite, 1, 'cutAfter');
    const rows = [GOLD, { ...GOLD, code: 'SILVER' }];
    const { items, errors, error } = await run(rows, plan('upsert', { sending: { maxParallelRequests: 1 } }), {
      onError: 'continueErrorOutput',
    });
    expect(error).toBeUndefined();
    expect(items).toMatchObject([{ json: { plan_code: 'SILVER' }, pairedItem: { item: 1 } }]);
    expect(errorOf(errors[0])).toMatchObject({ outcome: 'unknown' });
  });

  test('never sends a write with an unknown outcome again with Retry On Fail', async () => {
    failNth(isWrite, 1, 'cutBefore');
    const { error } = await run([GOLD], plan(), {
      settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
    });
    const look = 'GET /platform/plan/GOLD';
    expect(service.sent).toEqual([look, 'POST /platform/plan', look, look]);
    expect(failedOf({ error } as RunOutput)).toMatchObject([{ outcome: 'unknown' }]);
  });

  test('finds an applied write with an unknown outcome with Retry On Fail', async () => {
    failNth(isWrite, 1, 'cutAfter');
    const { items, error } = await run([GOLD], plan(), {
      settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
    });
    expect(error).toBeUndefined();
    expect(items).toMatchObject([{ json: { plan_code: 'GOLD', amt_tran: 10 } }]);
    expect(service.writes).toEqual(['POST /platform/plan']);
  });

  test('names the completed step and sends nothing more if the run is canceled between two steps', async () => {
    let cancel: () => void = () => undefined;
    service.onRequest = ({ path, method }) => {
      if (path.endsWith('/primary') && method === 'GET') cancel();
      return undefined;
    };
    const { error } = await run([{ phone: '5550199' }], withCard(), { onStart: (stop) => (cancel = stop) });
    expect(error?.message).toMatch(/^Completed 1 of 2 steps/);
    expect(service.writes).toEqual(['PUT /platform/vault/customer/C1']);
  });
});

describe("steps in an agent's tool", () => {
  const LIMITS = { limitPerItem: 50, limitPerExecution: 100 };
  const upsert = (amount: number, options: IDataObject = LIMITS) => ({
    ...plan('upsert', options),
    plan_code: 'GOLD',
    plan_name: 'Gold',
    amt_tran: amount,
  });
  const tool = (parameters: INodeParameters) =>
    toolOf({ parameters, credential: credential(), type: 'steppedTool', looksUp: true });

  test('returns the remembered result of a second equal call without a look-up', async () => {
    const pay = tool(upsert(10));
    const first = await pay.call();
    expect(first.items).toMatchObject([{ plan_code: 'GOLD', plan_id: '100' }]);
    const second = await pay.call();
    expect(second.items[0]?.result).toMatch(/^DONE BEFORE/);
    expect(service.sent).toEqual(['GET /platform/plan/GOLD', 'POST /platform/plan']);
  });

  test.each([
    ['cutBefore', /^OUTCOME UNKNOWN/],
    ['cutAfter', /^DONE BEFORE/],
  ] as Array<[Fault, RegExp]>)(
    'looks up a write with an unknown outcome without sending it again and reports this to the model (%s)',
    async (fault, answer) => {
      failNth(isWrite, 1, fault);
      const pay = tool(upsert(10));
      expect((await pay.call()).items[0]?.result).toMatch(/^OUTCOME UNKNOWN/);
      expect((await pay.call()).items[0]?.result).toMatch(answer);
      const look = 'GET /platform/plan/GOLD';
      expect(service.sent).toEqual([look, 'POST /platform/plan', look]);
    },
  );

  test('refuses a tool without limits before any look-up', async () => {
    expect((await tool(upsert(10, {})).call()).items[0]?.result).toMatch(/^REFUSED/);
    expect(service.sent).toEqual([]);
  });

  test('the tool response says that a part was completed, never that nothing was sent', async () => {
    failNth(isWrite, 2, { status: 400, code: 2 });
    const { items } = await tool({ ...withCard(), customer_id: 'C1', customer_phone: '5550199' }).call();
    expect(items[0]?.result).toMatch(/^DONE IN PART\./);
    expect(items[0]?.result).not.toMatch(/Nothing was (sent|changed)/);
    expect(items[0]).toMatchObject({ applied: true, references: { customer_id: 'C1' } });
  });
});
