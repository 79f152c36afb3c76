import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { OtherRuns } from '../../../nodes/PaymentPlatform/lookup/record-owners';
import { timeIsSimulated } from '../../simulated-time';
import { benchOf, goOn, sandboxForFile } from '../bench';
import type { RunOutput } from '../harness';
import { idOf, subscription } from '../writes';

timeIsSimulated();
const sandbox = sandboxForFile();
const { run } = benchOf(sandbox, { looksUp: true });
const idOfCustomer = (index: number) => sandbox.control.state().customers[index]?.customer_id;
const appliedBy = (operationId: string) =>
  sandbox.control.journal({ operationId }).filter(({ applied }) => applied !== null);
const outcomeOf = ({ error, items }: RunOutput) =>
  error ? (error.context?.data as IDataObject).outcome : `done: ${items[0]?.json.what_happened as string}`;
const bodiesOf = (operationId: string) => appliedBy(operationId).map(({ body }) => body as IDataObject);

async function payee(name: string, dda_number: string) {
  const payee_account = { item: { tr_number: '021000021', dda_number, type_id: 'K', accountholder_name: name } };
  const { items } = await run({ resource: 'payee', operation: 'create', payee_name: name, payee_account });
  return items[0]?.json.payee_id;
}

const money = (operation: string, more: IDataObject): IDataObject => ({
  resource: 'transaction',
  operation,
  amt_tran: 25,
  additionalFields: { purchase_id: 'ORDER-1' },
  ...more,
});
const typedCard = { paymentMethod: 'card', card_number: '={{ $json.card }}', exp_date: '12/35' };
const customerCard = { paymentMethod: 'customerCard', customer_id: '={{ $json.customer }}' };
const currency = {
  ...customerCard,
  additionalFields: { purchase_id: 'ORDER-1', tran_currency: '={{ $json.currency }}' },
};
const forced = { auth_code: 'T12345' };
const invoice = {
  resource: 'invoice',
  operation: 'create',
  customer_id: '={{ $json.customer }}',
  invoice_number: '={{ $json.number ?? "N-1" }}',
  additionalFields: { tran_currency: '={{ $json.currency }}' },
  line_items: { item: [{ description: 'Hour', quantity: 1, unit_cost: 25 }] },
};
const newPayee = {
  resource: 'payee',
  operation: 'create',
  payee_name: 'Silva Bakery',
  payee_account: { item: { tr_number: '021000021', dda_number: '={{ $json.account }}' } },
};

const cards = () => [{ card: '4111111111111111' }, { card: '5555555555554444' }];
const customers = () => [0, 1].map((index) => ({ customer: idOfCustomer(index) }));
const currencies = () => ['USD', 'EUR'].map((name) => ({ customer: idOfCustomer(0), currency: name }));
const payees = async () => [{ payee: await payee('Ana', '111111111') }, { payee: await payee('Ben', '222222222') }];

interface Case {
  /** The value in which the two payments differ. */
  other: string;
  operationId: string;
  parameters: () => IDataObject;
  rows: () => IDataObject[] | Promise<IDataObject[]>;
}

const MONEY_BY = { sale: {}, authorize: {}, credit: {}, force: forced };
const CASES: Case[] = [
  ...Object.entries(MONEY_BY).flatMap(([operation, more]): Case[] => [
    {
      other: 'card',
      operationId: operation,
      parameters: () => money(operation, { ...typedCard, ...more }),
      rows: cards,
    },
    {
      other: 'customer',
      operationId: operation,
      parameters: () => money(operation, { ...customerCard, ...more }),
      rows: customers,
    },
    {
      other: 'currency',
      operationId: operation,
      parameters: () => money(operation, { ...currency, ...more }),
      rows: currencies,
    },
  ]),
  {
    other: 'payee',
    operationId: 'payPayee',
    parameters: () =>
      money('payout', { payee_id: '={{ $json.payee }}', additionalFields: { merch_ref_num: 'PAYROLL' } }),
    rows: payees,
  },
  {
    other: 'original sale',
    operationId: 'recharge',
    parameters: () => money('recharge', { pg_id: '={{ $json.sale }}', additionalFields: {} }),
    rows: () => sandbox.control.addCapturedSales({ count: 2, amountCents: 2500 }).map((sale) => ({ sale })),
  },
  { other: 'customer', operationId: 'createInvoice', parameters: () => invoice, rows: customers },
  { other: 'currency', operationId: 'createInvoice', parameters: () => invoice, rows: currencies },
  {
    other: 'customer',
    operationId: 'addSubscription',
    parameters: () => subscription(sandbox, { customer_id: idOf('={{ $json.customer }}') }) as IDataObject,
    rows: customers,
  },
  {
    other: 'account',
    operationId: 'addPayee',
    parameters: () => newPayee,
    rows: () => [{ account: '000987653541' }, { account: '000987651111' }],
  },
];
const named = CASES.map((one) => ({ ...one, named: `${one.operationId} with another ${one.other}` }));

test.each(named)('a record of $named does not prove a lost write', async ({ operationId, parameters, rows }) => {
  const [first = {}, second = {}] = await rows();
  expect(outcomeOf(await run(parameters(), [first]))).toMatch(/^done/);
  sandbox.control.addFault({ operationId, kind: 'reset_before_apply' });
  expect(outcomeOf(await run(parameters(), [second]))).toBe('unknown');
});

test.each(named)('a record of $named is not the existing record', async ({ operationId, parameters, rows }) => {
  const [first = {}, second = {}] = await rows();
  const before = appliedBy(operationId).length;
  const all = { ...parameters(), options: { ifExists: { then: 'return' } } };
  await run(all, [first]);
  const { error, items } = await run(all, [second]);
  const made = appliedBy(operationId).length - before;
  // The node either sends the second item or refuses it with the reason, but doesn't report it as done.
  if (error) expect([made, items]).toEqual([1, []]);
  else expect(made).toBe(2);
});

test('a new member in the list of dues does not make another member pay twice', async () => {
  const dues = { ...money('sale', customerCard), options: { ifExists: { then: 'return' } } };
  const [one, two, three] = [0, 1, 2].map((index) => ({ customer: idOfCustomer(index) }));
  await run(dues, [one, two] as IDataObject[]);
  await run(dues, [three, one, two] as IDataObject[], goOn);
  expect(bodiesOf('sale').map(({ customer_id: id }) => id)).toEqual([one, two, three].map((row) => row?.customer));
});

test('a second payroll run pays each payee once', async () => {
  const rows = await payees();
  const payroll = {
    ...money('payout', { payee_id: '={{ $json.payee }}', additionalFields: { merch_ref_num: 'PAYROLL' } }),
    options: { ifExists: { then: 'return' } },
  };
  await run(payroll, rows.slice(1));
  await run(payroll, rows, goOn);
  expect(bodiesOf('payPayee').filter(({ payee_id: id }) => id === rows[1]?.payee)).toHaveLength(1);
});

test('a record that two payees of the same name and account could own is the existing record of neither', async () => {
  const rows = [{ payee: await payee('Ana', '111111111') }, { payee: await payee('Ana', '111111111') }];
  const payroll = {
    ...money('payout', { payee_id: '={{ $json.payee }}', additionalFields: { merch_ref_num: 'PAYROLL' } }),
    options: { ifExists: { then: 'return' } },
  };
  const before = appliedBy('payPayee').length;
  await run(payroll, rows.slice(1));
  const { items } = await run(payroll, rows, goOn);
  const refused = expect.stringMatching(/^Not sent: A matching record may already exist/) as string;
  expect(items.map(({ json }) => json.what_happened)).toEqual([refused, refused]);
  expect(appliedBy('payPayee').length - before).toBe(1);
});

test("a later charge of another customer with the same reference doesn't prove a lost charge in a retry", async () => {
  const [first = {}, second = {}] = customers();
  const dues = money('sale', customerCard);
  sandbox.control.addFault({ operationId: 'sale', kind: 'reset_before_apply', calls: [1] });
  const failed = await run(dues, [first]);
  await sandbox.control.advanceClock({ hours: 1 });
  await run(dues, [second]);
  expect(outcomeOf(await run(dues, [first], { retryOf: failed.run }))).toBe('unknown');
});

const apiRequest = (path: string, body: IDataObject): IDataObject => ({
  resource: 'api',
  operation: 'request',
  method: 'POST',
  path,
  body: JSON.stringify({ merchant_id: '100000000001', amt_tran: 25, ...body }),
});
const references = { purchase_id: 'ORDER-1', merch_ref_num: 'PAYROLL' };
const sold = () => sandbox.control.addCapturedSales({ count: 1, amountCents: 2500 })[0];
const ofSale = (operation: string) => () => {
  const pg_id = sold();
  return [money(operation, { pg_id, additionalFields: {} }), apiRequest(`/pg/${operation}/${pg_id}`, {})] as const;
};
/** Payments of the node and of API Request that are equal, by the ID of their operation. */
const EQUAL: Array<[string, () => readonly [IDataObject, IDataObject]]> = [
  [
    'sale',
    () => [
      money('sale', { ...typedCard, card_number: '4111111111111111', additionalFields: references }),
      apiRequest('/pg/sale', { card_number: '4111111111111111', exp_date: '1235', ...references }),
    ],
  ],
  [
    'payPayee',
    () => [
      money('payout', { payee_id: '9001', additionalFields: { merch_ref_num: 'PAYROLL' } }),
      apiRequest('/pg/payment', { payee_id: '9001', merch_ref_num: 'PAYROLL' }),
    ],
  ],
  ['refund', ofSale('refund')],
  ['recharge', ofSale('recharge')],
];

/** Runs both payments at the same time. The first is never applied. Returns its outcome. */
async function outcomeBeside(operationId: string, own: IDataObject, other: IDataObject) {
  sandbox.control.addFault({ operationId, kind: 'reset_before_apply', calls: [1] });
  const lost = run(own);
  while (sandbox.control.journal({ operationId }).length === 0) await new Promise((resolve) => setImmediate(resolve));
  await run(other);
  return outcomeOf(await lost);
}

test.each(EQUAL)('the record of an API Request does not prove a lost %s', async (operationId, parameters) => {
  expect(await outcomeBeside(operationId, ...parameters())).toBe('unknown');
});

test.each(EQUAL)('the record of a lost API Request does not prove a lost %s', async (operationId, parameters) => {
  sandbox.control.addFault({ operationId, kind: 'reset_after_apply', calls: [2] });
  expect(await outcomeBeside(operationId, ...parameters())).toBe('unknown');
});

test('two nodes of an execution do not get the same transaction', async () => {
  const body = { rcode: '000', rmsg: 'Approved', pg_id: '777' };
  sandbox.control.addFault({ operationId: 'sale', kind: 'status', status: 200, body, applied: true });
  const charge = money('sale', { ...typedCard, card_number: '4111111111111111' });
  const { run: ended } = await run(charge, [{}], {
    second: { ...charge, amt_tran: 26 } as INodeParameters,
    onError: 'continueRegularOutput',
  });
  const { runData } = ended.data.resultData;
  const outputs = ['Payment Platform', 'Second Payment'].map((name) => runData[name]?.[0]?.data?.main?.[0]?.[0]?.json);
  expect(outputs).toMatchObject([{ pg_id: '777' }, { error: { outcome: 'unknown' } }]);
});

const EQUAL_IN_NODES: Array<[string, () => IDataObject]> = [
  ['refund', () => money('refund', { pg_id: sold(), additionalFields: {} })],
  ['recharge', () => money('recharge', { pg_id: sold(), additionalFields: {} })],
  ['createInvoice', () => ({ ...invoice, customer_id: idOfCustomer(0), invoice_number: 'N-2', additionalFields: {} })],
  ['payPayee', () => money('payout', { payee_id: '9001', additionalFields: { merch_ref_num: 'PAYROLL' } })],
];

describe.each(EQUAL_IN_NODES)(
  'after a restart of n8n, a %s of another node of the execution',
  (operationId, parameters) => {
    /** @param first how the other node's equal payment ends. This node's payment is never applied. */
    async function retryAfter(first: 'known' | 'lost') {
      const equal = parameters() as INodeParameters;
      if (first === 'lost') sandbox.control.addFault({ operationId, kind: 'reset_after_apply', calls: [1] });
      sandbox.control.addFault({ operationId, kind: 'reset_before_apply', calls: [2] });
      const more = { second: { ...equal, options: { unknownOutcome: 'lookUp' } }, settings: goOn };
      const own = { ...equal, options: { unknownOutcome: first === 'lost' ? 'refuse' : 'lookUp' } };
      const failed = await run(own, [{}], more);
      OtherRuns.byAccount.clear();
      const { run: ended } = await run(own, [{}], { ...more, retryOf: failed.run });
      return ended.data.resultData.error as RunOutput['error'];
    }

    test.each(['known', 'lost'] as const)('does not prove a lost one: %s', async (first) => {
      const before = appliedBy(operationId).length;
      expect((await retryAfter(first))?.context?.data).toMatchObject({ outcome: 'unknown' });
      expect(appliedBy(operationId).length - before).toBe(1);
    });
  },
);

test.each(['approved', 'voided'])('a key that is done does not return one of several records: %s', async (state) => {
  const charge = money('sale', { ...typedCard, card_number: '4111111111111111', additionalFields: references });
  const once = { ...charge, options: { oncePerKey: `deal ${state}` } };
  const first = await run(once);
  const pg_id = first.items[0]?.json.pg_id;
  expect((await run(once)).items[0]?.json.pg_id).toBe(pg_id);
  if (state === 'voided') await run({ resource: 'transaction', operation: 'void', pg_id });
  await run(charge);
  expect(outcomeOf(await run(once))).toBe('doneBefore');
});
