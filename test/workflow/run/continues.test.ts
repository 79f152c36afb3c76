import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import * as reports from '../../../nodes/PaymentPlatform/output/output-items';
import * as parameters from '../../../nodes/PaymentPlatform/n8n/read-parameter';
import * as processes from '../../../nodes/PaymentPlatform/run/process-write';
import { credentialFor, type CredentialData } from '../../credential';
import { benchOf, capturedSales, refund, sandboxForFile } from '../bench';
import type { RunOutput } from '../harness';
import { startRecorder } from '../recorder';

/** Makes the exports of three modules replaceable, so that tests can simulate defects. */
jest.mock('../../../nodes/PaymentPlatform/output/output-items', () => ({
  __esModule: true,
  ...jest.requireActual<object>('../../../nodes/PaymentPlatform/output/output-items'),
}));
jest.mock('../../../nodes/PaymentPlatform/run/plan-item', () => ({
  __esModule: true,
  ...jest.requireActual<object>('../../../nodes/PaymentPlatform/run/plan-item'),
}));
jest.mock('../../../nodes/PaymentPlatform/run/process-write', () => ({
  __esModule: true,
  ...jest.requireActual<object>('../../../nodes/PaymentPlatform/run/process-write'),
}));

const sandbox = sandboxForFile({ seed: false });
afterEach(() => jest.restoreAllMocks());

const MODES = ['continueRegularOutput', 'continueErrorOutput'] as const;
const applied = () => sandbox.control.journal().filter((entry) => entry.applied !== null);
const { run } = benchOf(sandbox);

const failedOf = ({ items, errors }: RunOutput, onError: (typeof MODES)[number]): INodeExecutionData[] =>
  onError === 'continueErrorOutput' ? errors : items.filter(({ json }) => json.error);
const placesOf = (items: INodeExecutionData[]) => items.map(({ pairedItem }) => pairedItem);
const messagesOf = (items: INodeExecutionData[]) => items.map(({ json }) => (json.error as IDataObject).message);

function unreadable(): CredentialData {
  const credential = credentialFor(sandbox);
  const get = () => {
    throw new Error('Credentials could not be decrypted');
  };
  return Object.defineProperty(credential, 'apiKey', { enumerable: true, get });
}

describe.each(MODES)('On Error set to %s', (onError) => {
  test.each<[string, (credential: CredentialData) => CredentialData, RegExp]>([
    ['without a key', (one) => ({ ...one, apiKey: '' }), /^Payment Platform API credential: the API Key is empty$/],
    ['without a merchant', (one) => ({ ...one, merchantId: '' }), /the Merchant ID must be a number/],
    ['with http://', (one) => ({ ...one, baseUrl: 'http://api.example.com' }), /the Base URL must start with https/],
    ['that n8n can not read', unreadable, /^Credentials could not be decrypted$/],
  ])('fails every item with the reason for a credential %s', async (_, change, reason) => {
    const rows = capturedSales(sandbox, 2);
    const output = await run(refund, rows, { onError, credential: change(credentialFor(sandbox)) });
    const failed = failedOf(output, onError);
    expect(output.error).toBeUndefined();
    expect(output.items.length + output.errors.length).toBe(2);
    expect(placesOf(failed)).toEqual([{ item: 0 }, { item: 1 }]);
    for (const message of messagesOf(failed)) expect(message).toMatch(reason);
    for (const { json } of failed)
      expect((json.error as IDataObject).description).toMatch(/^(?!.*sent.*sent).*Nothing was sent\./);
    expect(output.hints).toEqual([expect.stringMatching(/^2 of 2 failed\. Rows? 1/) as string]);
    expect(sandbox.control.journal()).toHaveLength(0);
  });

  test('advises running only the refused row again if other rows were sent', async () => {
    const advice = async (amounts: Array<number | string>) => {
      const rows = capturedSales(sandbox, amounts.length).map((row, index) => ({ ...row, amount: amounts[index] }));
      const output = await run({ ...refund, amt_tran: '={{ $json.amount }}' }, rows, { onError, by: ['CRM'] });
      return failedOf(output, onError).map(({ json }) => (json.error as IDataObject).description);
    };
    const from = 'The value comes from the node "CRM" ({{ $json.amount }}). Correct the value there';
    expect(await advice([1, 'a lot', 2])).toEqual([`${from}. 2 other rows were sent, so run only this row again.`]);
    expect(await advice([1, 'a lot'])).toEqual([`${from}. 1 other row was sent, so run only this row again.`]);
    expect(await advice(['a lot'])).toEqual([`${from}, and then run the node again. Nothing was sent.`]);
  });

  test("reports the outcomes of the first attempt if a retry can't use the credential", async () => {
    const rows = capturedSales(sandbox, 2);
    (rows[1] as IDataObject).id = 'unknown';
    const first = await run(refund, rows);
    expect(first.error).toBeDefined();
    const credential = { ...credentialFor(sandbox), apiKey: '' };
    const output = await run(refund, rows, { onError, credential, retryOf: first.run });
    const outcomes = failedOf(output, onError).map(({ json }) => (json.error as IDataObject).outcome);
    expect(outcomes).toEqual(['doneBefore', 'invalid']);
    expect(applied()).toHaveLength(1);
  });

  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const api = (more: INodeParameters): INodeParameters => ({
    resource: 'api',
    operation: 'request',
    path: '/platform/plan',
    ...more,
  });
  const invoice = {
    resource: 'invoice',
    operation: 'create',
    line_itemsMode: 'json',
    line_itemsJson: '={{ $json.lines }}',
  };
  const lines = (cost: number) => JSON.stringify([{ quantity: 1, description: 'Hour', unit_cost: cost }]);
  const plan = (code: string) =>
    `{"plan_code":"${code}","plan_name":"x","plan_desc":"d","plan_frequency":3,"plan_duration":-1,"amt_tran":10}`;
  const ofPlan = (more: INodeParameters) => api({ method: 'POST', body: '={{ $json.body }}', ...more });
  const customer = '={{ $json.customer }}';
  const [saleId, customerId] = ['the ID of a sale', 'the ID of a customer'];

  const booked = {
    reads: () => sandbox.control.journal().map(({ path }) => path.split('/').at(-1)),
    invoices: () => sandbox.control.state().invoices.map(({ amt_tran: amount }) => Number(amount)),
    plans: () => sandbox.control.state().plans.map(({ plan_code: code }) => code),
  };

  interface Items {
    parameters: INodeParameters;
    good: [IDataObject, IDataObject];
    bad: IDataObject;
    books: keyof typeof booked;
    shown: [unknown, unknown];
  }

  test.each<[string, Items, RegExp]>([
    [
      'half a character in an ID',
      {
        parameters: { resource: 'transaction', operation: 'get', pg_id: '={{ $json.id }}' },
        good: [{ id: saleId }, { id: saleId }],
        bad: { id: 'Order 😀'.slice(0, 7) },
        books: 'reads',
        shown: [saleId, saleId],
      },
      /^"Transaction" must not contain half a character/,
    ],
    [
      '150,000 invalid lines',
      {
        parameters: { ...invoice, customer_id: customer },
        good: [
          { customer: customerId, lines: lines(5) },
          { customer: customerId, lines: lines(7) },
        ],
        bad: { customer: customerId, lines: JSON.stringify(Array.from({ length: 150_000 }, () => ({ a: 1 }))) },
        books: 'invoices',
        shown: [5, 7],
      },
      /^"Line Items 1" can contain only these fields: .* There are \d+ more problems$/,
    ],
    [
      'lines nested 20,000 levels deep',
      {
        parameters: { ...invoice, customer_id: customer },
        good: [
          { customer: customerId, lines: lines(5) },
          { customer: customerId, lines: lines(7) },
        ],
        bad: { customer: customerId, lines: `[{"quantity":${deep(20_000)}}]` },
        books: 'invoices',
        shown: [5, 7],
      },
      /^"Line Items \(JSON\)" must not be nested deeper than 100 levels/,
    ],
    [
      'a body nested 20,000 levels deep',
      {
        parameters: ofPlan({}),
        good: [{ body: plan('ONE') }, { body: plan('TWO') }],
        bad: { body: `{"a":${deep(20_000)}}` },
        books: 'plans',
        shown: ['ONE', 'TWO'],
      },
      /^"Body" must not be nested deeper than 100 levels/,
    ],
    [
      'a body that holds itself',
      {
        parameters: ofPlan({
          body: '={{ (() => { const a = JSON.parse($json.body); if ($json.bad) a.self = a; return a; })() }}',
        }),
        good: [{ body: plan('ONE') }, { body: plan('TWO') }],
        bad: { body: plan('BAD'), bad: true },
        books: 'plans',
        shown: ['ONE', 'TWO'],
      },
      /^"Body" must be an expression that returns a value .*Maximum call stack size exceeded/,
    ],
    [
      'an option nested 20,000 levels deep',
      {
        parameters: ofPlan({ options: { limitPerItem: '={{ JSON.parse($json.most) }}' } }),
        good: [
          { body: plan('ONE'), most: '50' },
          { body: plan('TWO'), most: '50' },
        ],
        bad: { body: plan('BAD'), most: deep(20_000) },
        books: 'plans',
        shown: ['ONE', 'TWO'],
      },
      /^"Limit per Item" must be an expression that returns a value/,
    ],
  ])('fails only the item with %s', async (_, { parameters, good, bad, books, shown }, reason) => {
    const [first, second] = capturedSales(sandbox, 2).map(({ id }) => id);
    const customer = sandbox.control.state().customers[0]?.customer_id;
    const known = new Map<unknown, unknown[]>([
      [saleId, [first, second]],
      [customerId, [customer, customer]],
    ]);
    const real = (value: unknown, index: number) => known.get(value)?.[index] ?? value;
    const rows = good.map((row, index) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, real(value, index)])),
    ) as IDataObject[];
    const [one = {}, other = {}] = rows;
    const customerOfBad = bad.customer && { customer: real(bad.customer, 0) };
    const output = await run(parameters, [one, { ...bad, ...customerOfBad } as IDataObject, other], { onError });
    const failed = failedOf(output, onError);
    const succeeded = output.items.filter((item) => !failed.includes(item));
    expect(output.error).toBeUndefined();
    expect(placesOf(failed)).toEqual([{ item: 1 }]);
    expect(messagesOf(failed)).toEqual([expect.stringMatching(reason) as string]);
    expect(placesOf(succeeded)).toEqual([{ item: 0 }, { item: 2 }]);
    expect(succeeded.filter(({ json }) => json.error !== undefined)).toEqual([]);
    expect([...booked[books]()].sort()).toEqual(shown.map(real).sort());
  });

  test.each([
    ['toString', undefined],
    ['hasOwnProperty', undefined],
    [
      'constructor',
      /^"Query Parameters 1 > Name" must be a different name, because n8n omits a parameter with this name/,
    ],
    ['__proto__', /^"Query Parameters 1 > Name" must be a different name/],
  ])('sends or refuses a query parameter named %s', async (name, reason) => {
    const recorder = await startRecorder();
    const queryParameters = {
      item: [
        { name, value: '1' },
        { name, value: '2' },
      ],
    };
    const { credential } = recorder;
    const output = await run(api({ method: 'GET', queryParameters }), [{}, {}], { onError, credential });
    await recorder.stop();
    expect(output.error).toBeUndefined();
    const urls = recorder.requests.map(({ url }) => url);
    const url = `/base/platform/plan?${name}=1&${name}=2`;
    expect(urls).toEqual(reason ? [] : [url, url]);
    const matching = expect.stringMatching(reason ?? '') as string;
    expect(messagesOf(failedOf(output, onError))).toEqual(reason ? [matching, matching] : []);
  });

  test.each<[reason: string, mistake: () => Error]>([
    ['a value is nested too deeply', () => new RangeError('Maximum call stack size exceeded')],
    ['TypeError', () => new TypeError("Cannot use 'in' operator to search for 'x' in 4111")],
    ['no such account as x6789', () => new Error('no such account as 123456789')],
  ])('fails only the item that throws while it is read: %s', async (reason, mistake) => {
    const rows = capturedSales(sandbox, 3);
    const { readParameter } = parameters;
    jest.spyOn(parameters, 'readParameter').mockImplementation((...given) => {
      if (given[3] === 1) throw mistake();
      return readParameter(...given);
    });
    const output = await run(refund, rows, { onError });
    const failed = failedOf(output, onError);
    expect(placesOf(failed)).toEqual([{ item: 1 }]);
    expect(messagesOf(failed)).toEqual([`The node could not read this item: ${reason}`]);
    expect(applied()).toHaveLength(2);
  });

  test('reports an unknown outcome if processing an item throws, and completes the other items', async () => {
    const rows = capturedSales(sandbox, 3);
    const { processWrite } = processes;
    jest.spyOn(processes, 'processWrite').mockImplementation(async (shared, request) => {
      if (request.items[0] === 1) throw new TypeError('a mistake of the node');
      return await processWrite(shared, request);
    });
    const output = await run(refund, rows, { onError });
    const failed = failedOf(output, onError);
    expect(placesOf(failed)).toEqual([{ item: 1 }]);
    expect(failed[0]?.json.error).toMatchObject({
      outcome: 'unknown',
      message: 'The node could not process this item',
    });
    expect(output.items.filter(({ json }) => json.rcode === '000')).toHaveLength(2);
  });
});

test.each(['stopWorkflow', ...MODES] as const)(
  "returns all results if a hint can't be created with %s",
  async (onError) => {
    for (const name of ['hints', 'failedHint'] as const)
      jest.spyOn(reports, name).mockImplementation(() => {
        throw new Error('a mistake in hints');
      });
    const { items, error } = await run(refund, capturedSales(sandbox, 2), { onError });
    expect(error).toBeUndefined();
    expect(items.map(({ json }) => json.rcode)).toEqual(['000', '000']);
  },
);

test('names an unreadable item and sends nothing if On Error is Stop', async () => {
  const rows = [...capturedSales(sandbox, 2), { id: 'Order 😀'.slice(0, 7), amount: 4 }];
  const { error } = await run(refund, rows);
  expect(error?.message).toMatch(/^Row 3 of 3: "Transaction" must not contain half a character/);
  expect(sandbox.control.journal()).toHaveLength(0);
});

/** Values of `billing_cards` that the interface doesn't allow. */
const ODD_CARDS = [
  null,
  5,
  'x',
  {},
  [null],
  [['x']],
  { card_id: 'c1', card_number: '411111xxxxxx1111', exp_date: '1230' },
];

test.each(ODD_CARDS.map((cards) => [cards]))(
  'reports an added card as done if the service returns billing_cards %j',
  async (cards) => {
    const recorder = await startRecorder({
      code: 0,
      message: 'Success',
      data: { customer_id: 'C1', billing_cards: cards },
    });
    const parameters = {
      resource: 'customerCard',
      operation: 'create',
      customer_id: 'C1',
      paymentMethod: 'card',
      card_number: '4111111111111111',
      exp_date: '12/30',
      billing_zip: '97477',
    };
    const { credential } = recorder;
    const { items, error } = await run(parameters, [{}], { credential, onError: 'continueRegularOutput' });
    await recorder.stop();
    expect(error).toBeUndefined();
    expect(items).toHaveLength(1);
    expect(items[0]?.json).toMatchObject({
      what_happened: expect.stringMatching(/^Saved a card/) as string,
      customer_id: 'C1',
    });
    expect(items[0]?.json).not.toHaveProperty('error');
  },
);
