import type { IDataObject } from 'n8n-workflow';

import { allDayWrites } from '../../../nodes/PaymentPlatform/limits/day-writes';
import { credentialFor } from '../../credential';
import { timeIsSimulated } from '../../simulated-time';
import { benchOf, capturedSales, refund, sandboxForFile } from '../bench';
import { crashedData, runWorkflow } from '../harness';
import { subscription } from '../writes';

timeIsSimulated();

const sandbox = sandboxForFile();
const { run, writes } = benchOf(sandbox, { looksUp: true });
const REPORT = '/platform/reporting/transaction-requests';
const lists = (path: string, data: unknown) =>
  sandbox.control.addFault({
    ...{ kind: 'status', status: 200, method: 'GET', path },
    body: { code: 0, message: 'Success', totalPages: 1, data },
  });

/** Refunds a sale. The report then shows a changed record of the refund. */
async function refunded(change: IDataObject): Promise<IDataObject[]> {
  const rows = capturedSales(sandbox, 1);
  await run(refund, rows);
  const made = sandbox.control.state().transactions.find(({ pg_id_linked: sale }) => sale === rows[0]?.id);
  lists(REPORT, [{ ...made, rec_id: 5, ...change }]);
  // The report, not the memory of this process, shows the refund.
  allDayWrites.clear();
  return rows;
}

const UNREADABLE_CODES: unknown[] = ['0000', 'APPROVED', 'ok', true, ['005'], { code: '005' }, 5.5, -5];

describe('a transaction whose response code is unreadable may have moved money', () => {
  test.each(UNREADABLE_CODES)('so If It Already Exists sends nothing: %j', async (rcode) => {
    const rows = await refunded({ rcode } as IDataObject);
    const { error } = await run({ ...refund, options: { ifExists: { then: 'return' } } }, rows);
    expect(error?.message).toMatch(/^A matching record may already exist: pg_id /);
    expect(writes()).toHaveLength(1);
  });

  test.each(UNREADABLE_CODES)('so it counts toward Limit per Day: %j', async (rcode) => {
    await refunded({ rcode } as IDataObject);
    const { error } = await run({ ...refund, options: { limitPerDay: 7 } }, capturedSales(sandbox, 1));
    expect(error?.message).toContain("Today's total is 4 (4 from 1 refunds");
    expect(writes()).toHaveLength(1);
  });
});

test.each(['0y1', ' 000 ', 0, '00', 8])(
  'a code of an approval in another notation is an approval: %j',
  async (rcode) => {
    await refunded({ rcode });
    const { error } = await run({ ...refund, options: { limitPerDay: 7 } }, capturedSales(sandbox, 1));
    expect(error?.message).toContain("Today's total is 4 (4 from 1 refunds");
  },
);

test.each(['005', '5', 5, ' 005 ', '0n7', 'P01'])('a declined transaction is no match: %j', async (rcode) => {
  const rows = await refunded({ rcode });
  expect(
    (await run({ ...refund, options: { ifExists: { then: 'return' }, limitPerDay: 7 } }, rows)).error,
  ).toBeUndefined();
  expect(writes()).toHaveLength(2);
});

test.each(['V', 'v'])('a refund that was voided is no match: %s', async (tran_status) => {
  const rows = await refunded({ tran_status });
  const { items } = await run({ ...refund, options: { ifExists: { then: 'return' } } }, rows);
  expect(items[0]?.json).not.toHaveProperty('found_at_service');
  expect(writes()).toHaveLength(2);
});

describe('a linked transaction whose type is unknown may be the refund', () => {
  test.each(['return', 'Refunded', 7, {}, null])('so If It Already Exists sends nothing: %j', async (request_type) => {
    const rows = await refunded({ request_type } as IDataObject);
    const { error } = await run({ ...refund, options: { ifExists: { then: 'return' } } }, rows);
    expect(error?.message).toMatch(/^A matching record may already exist: pg_id /);
    expect(writes()).toHaveLength(1);
  });

  test.each([7, {}, ['refund']])('so a type that is no text counts toward Limit per Day: %j', async (request_type) => {
    await refunded({ request_type } as unknown as IDataObject);
    const { error } = await run({ ...refund, options: { limitPerDay: 7 } }, capturedSales(sandbox, 1));
    expect(error?.message).toContain("Today's total is 4 (4 from 1 refunds");
  });
});

test.each(['01/01/2099', '2098-12-31T17:00:00.000-0700', '2099-01-01T08:00:00.000Z', 'Jan 1, 2099', 4070908800000, {}])(
  'a subscription whose start date has another format may be the same: %j',
  async (date_start) => {
    const parameters = subscription(sandbox);
    await run(parameters);
    lists('/platform/subscription', [{ ...sandbox.control.state().subscriptions[0], date_start }]);
    await run({ ...parameters, options: { ifExists: { then: 'return' } } });
    expect(writes()).toHaveLength(1);
  },
);

test.each<[string, IDataObject]>([
  ['the transaction', { pg_id_linked: ['other'] }],
  ['the transaction', { pg_id_linked: { pg_id: 'other' } }],
  ['the merchant', { merchant_id: { id: 1 } }],
])('a refund that does not show %s readably may be the same: %j', async (_, change) => {
  const rows = await refunded(change);
  const { error } = await run({ ...refund, options: { ifExists: { then: 'fail' } } }, rows);
  expect(error?.message).toMatch(/^A matching record (?:may already exist|already exists): pg_id /);
  expect(writes()).toHaveLength(1);
});

/** The service's day. */
const today = () => new Date().toLocaleDateString('en-CA', { timeZone: 'America/Los_Angeles' });

test.each<[string, () => unknown]>([
  ['text', () => 'soon'],
  ['nothing', () => ''],
  ['a number', () => 20300301],
  ['an object', () => ({})],
  ['a day', today],
  ['the beginning of a day', () => `${today()}T00:00:00.000Z`],
])('Send Again sends nothing if a record that may be the refund shows no exact time but %s', async (_, timeOf) => {
  const rows = capturedSales(sandbox, 1);
  const lost = sandbox.control.addFault({ kind: 'reset_after_apply', method: 'POST' });
  const input = { rows, parameters: refund, credential: credentialFor(sandbox) };
  const failed = await runWorkflow({ ...input, from: crashedData(input) });
  expect(failed.error).toBeDefined();
  sandbox.control.removeFault(lost.id);
  const made = sandbox.control.state().transactions.find(({ pg_id_linked: sale }) => sale === rows[0]?.id);
  lists(REPORT, [{ ...made, rec_id: 5, tran_time: timeOf() } as IDataObject]);
  await run({ ...refund, options: { unknownOutcome: 'resend' } }, rows, { retryOf: failed.run });
  expect(writes()).toHaveLength(1);
});

test('a charge whose reference the report shows as a number without its leading zeros may be the same', async () => {
  const card = { paymentMethod: 'card', card_number: '4111111111111111', exp_date: '1235' };
  const purchase_id = '0042';
  const charge = {
    resource: 'transaction',
    operation: 'sale',
    ...card,
    amt_tran: 25,
    additionalFields: { purchase_id },
  };
  await run(charge);
  const made = sandbox.control.state().transactions.find((one) => one.purchase_id === purchase_id);
  lists(REPORT, [{ ...made, rec_id: 5, purchase_id: 42 }]);
  const { error } = await run({ ...charge, options: { ifExists: { then: 'return' } } });
  expect(error?.message).toMatch(/^A matching record may already exist: pg_id /);
  expect(writes()).toHaveLength(1);
});

/** The report shows two refunds with the same ID. */
async function refundsWithId(rec_id: unknown) {
  await refunded({});
  sandbox.control.clearFaults();
  const made = sandbox.control.state().transactions.find(({ request_type: type }) => type === 'refund');
  lists(
    REPORT,
    ['a', 'b'].map((pg_id) => ({ ...made, pg_id, rec_id })),
  );
  return await run({ ...refund, options: { limitPerDay: 11 } }, capturedSales(sandbox, 1));
}

test.each([true, {}, 'null'])('Limit per Day counts no report whose records have the ID %j', async (rec_id) => {
  expect((await refundsWithId(rec_id)).error?.message).toContain('so nothing was sent');
  expect(writes()).toHaveLength(1);
});

test.each([0, 7])(
  'Limit per Day counts each transaction of a page that shows the same ID twice: %j',
  async (rec_id) => {
    expect((await refundsWithId(rec_id)).error?.message).toContain(' from 2 refunds');
    expect(writes()).toHaveLength(1);
  },
);
