import { DateTime } from 'luxon';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import { credentialFor } from '../../credential';
import { timeIsSimulated } from '../../simulated-time';
import { benchOf, errorOf, sandboxForFile, toErrors } from '../bench';
import { StoredFiles } from '../stored-files';
import { toolOf } from '../tool/tool-harness';
import { idOf } from '../writes';

timeIsSimulated();

const sandbox = sandboxForFile();
const bench = benchOf(sandbox);
const { runOperation: run, sent } = benchOf(sandbox, { parameters: { resource: 'dispute' } });
const newDispute = async (reason_code = '13.1'): Promise<string> => {
  const { items } = await run('createTestData', { additionalFields: { reason_code } });
  return asText(items[0]?.json.rec_id);
};
const statusOf = (id: string) => sandbox.control.state().disputes.find(({ rec_id }) => String(rec_id) === id)?.status;
const accept = async (id: string, more: INodeParameters = {}) => await run('accept', { rec_id: idOf(id), ...more });

test('lists disputes with their possible actions and estimated due dates', async () => {
  const [first, second] = [await newDispute(), await newDispute('10.4')];
  await accept(second);
  const arrived = sandbox.control.now().slice(0, 10);
  const { items } = await run('getAll', { returnAll: true });
  const records = Object.fromEntries(items.map(({ json }) => [asText(json.rec_id), json]));
  expect(records[first]).toMatchObject({ status_text: 'new', possible_actions: 'Accept or respond' });
  const days = (Date.parse(asText(records[first]?.due_date_estimate)) - Date.parse(arrived)) / 86_400_000;
  expect(Math.abs(days - 20)).toBeLessThanOrEqual(1);
  expect(records[second]).toMatchObject({ status: 'Q', possible_actions: 'Wait or reset' });
  expect(records[second]).not.toHaveProperty('due_date_estimate');
  const filter = { item: [{ field: 'status', condition: 'IS', value: 'Under Review by the Service' }] };
  const filtered = await run('getAll', { returnAll: true, filter });
  expect(filtered.items.map(({ json }) => json.rec_id)).toEqual([second]);
});

describe('the customers of listed disputes', () => {
  const report = 'getTransactionRequests';
  const files = new StoredFiles();
  afterAll(() => files.remove());

  const newDisputes = async () => {
    sandbox.control.reset();
    await run('createTestData');
    return sandbox.control.state().transactions.filter(({ dispute_flag: isDisputed }) => isDisputed);
  };
  const nameOf = (sale: IDataObject) => `${asText(sale.cardholder_first_name)} ${asText(sale.cardholder_last_name)}`;

  test.each([true, false])('are read in one request (simplify: %s)', async (simplify) => {
    const sales = await newDisputes();
    const { items, error } = await run('getAll', { returnAll: true, simplify });
    expect(error).toBeUndefined();
    expect(items.length).toBeGreaterThan(1);
    for (const sale of sales) {
      const of = items.filter(({ json }) => json.purchase_id === sale.purchase_id);
      expect(of.map(({ json }) => json.customer_name)).toEqual(of.map(() => nameOf(sale)));
    }
    expect(sent(report)).toHaveLength(1);
  });

  test('are a column of a file', async () => {
    const [sale] = await newDisputes();
    const { items } = await run('getAll', { returnAs: 'file', fileFormat: 'ndjson' });
    expect(items[0]?.json.is_complete).toBe(true);
    const lines = String(await files.read(items[0] ?? {}))
      .trim()
      .split('\n');
    const disputes = lines.map((line) => JSON.parse(line) as IDataObject);
    expect(disputes).toContainEqual(expect.objectContaining({ customer_name: nameOf(sale ?? {}) }));
  });

  test.each(['items', 'file'])(
    'are missing from %s if the report is unreadable, and a hint shows the reason',
    async (returnAs) => {
      await newDisputes();
      sandbox.control.addFault({ kind: 'status', status: 403, code: 6, operationId: report, calls: 'all' });
      const { items, hints, error } = await run('getAll', { returnAll: true, returnAs, fileFormat: 'ndjson' });
      expect(error).toBeUndefined();
      expect(items.length).toBeGreaterThan(0);
      expect(items[0]?.json).not.toHaveProperty('customer_name');
      const reason = expect.stringContaining("The node could not read the customers' names: ") as string;
      expect(hints).toEqual([reason]);
      if (returnAs === 'file') expect(items[0]?.json).toMatchObject({ is_complete: true, hints: [reason] });
      expect(sent(report)).toHaveLength(1);
    },
  );

  test('are missing if the service limits the requests, although the list is returned', async () => {
    await newDisputes();
    sandbox.control.addFault({ kind: 'rate_limited', retryAfterSeconds: 3600, operationId: report, calls: 'all' });
    const { items, hints, error } = await run('getAll', { returnAll: true });
    expect(error).toBeUndefined();
    expect(items.length).toBeGreaterThan(1);
    expect(hints.join()).toContain("The node could not read the customers' names: ");
    expect(sent(report)).toHaveLength(1);
  });

  test('are missing if two payments with the purchase ID and card have different names', async () => {
    const [sale] = await newDisputes();
    const { purchase_id, card_number } = sale ?? {};
    const data = ['Eva', 'Ben'].map((cardholder_first_name, index) => ({
      ...{ pg_id: `${index}`, purchase_id, card_number, cardholder_first_name },
    }));
    const body = { code: 0, message: 'OK', totalRecords: 2, totalPages: 1, data };
    sandbox.control.addFault({ kind: 'status', status: 200, body, operationId: report, calls: 'all' });
    const { items } = await run('getAll', { returnAll: true });
    expect(items.filter(({ json }) => 'customer_name' in json)).toEqual([]);
  });
});

test('accepts a dispute once and never accepts it again', async () => {
  const id = await newDispute();
  const { items, error } = await accept(id);
  expect(error).toBeUndefined();
  expect(items[0]?.json).toMatchObject({ rec_id: id, accepted: true });
  expect(items[0]?.json.what_happened).toMatch(new RegExp(`^Accepted dispute ${id} for [\\d.]+[.]$`));
  expect(statusOf(id)).toBe('Q');
  const again = await accept(id);
  expect(again.error?.message).toContain('The dispute is already under review, so nothing was sent');
  expect(sent('acceptDispute')).toHaveLength(1);
});

test('fails only the items that it must not accept and sends nothing for them', async () => {
  const [answered, open] = [await newDispute(), await newDispute()];
  await accept(answered);
  const rows = [answered, open, '99999'].map((id) => ({ id }));
  const { items, errors } = await run('accept', { rec_id: idOf('={{ $json.id }}') }, rows, toErrors);
  expect(items.map(({ json }) => json.rec_id)).toEqual([open]);
  expect(errors.map((item) => errorOf(item).message)).toEqual([
    expect.stringContaining('already under review'),
    expect.stringContaining('No dispute has this ID'),
  ]);
  expect(sent('acceptDispute')).toHaveLength(2);
});

test('accepts only a dispute with the expected amount', async () => {
  const id = await newDispute();
  const wrong = await accept(id, { expectedAmount: '1' });
  expect(wrong.error?.message).toMatch(
    /"Expected Amount" is 1[.]00, but the disputed amount is [\d.]+, so nothing was sent/,
  );
  expect(sent('acceptDispute')).toEqual([]);
});

test.each(['acceptDispute', 'resetDispute'])('finds the result of %s after a lost response', async (operationId) => {
  const id = await newDispute();
  if (operationId === 'resetDispute') await accept(id);
  sandbox.control.addFault({ kind: 'reset_after_apply', operationId, calls: [1] });
  const operation = operationId.replace('Dispute', '');
  const { items, error } = await run(operation, { rec_id: idOf(id), options: { unknownOutcome: 'lookUp' } });
  expect(error).toBeUndefined();
  expect(items[0]?.json).toMatchObject({ rec_id: id });
  expect(items[0]?.json.found_at_service).toContain('the dispute is');
  expect(sent(operationId)).toHaveLength(1);
});

test('never sends a lost acceptance again in a retry', async () => {
  const id = await newDispute();
  sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'acceptDispute', calls: [1] });
  const parameters = {
    resource: 'dispute',
    operation: 'accept',
    rec_id: idOf(id),
    options: { unknownOutcome: 'refuse' },
  };
  const failed = await bench.run(parameters);
  expect(failed.error).toBeDefined();
  const again = await bench.run(parameters, [{}], { retryOf: failed.run });
  expect(again.error?.message).toMatch(/earlier attempt|already under review/i);
  expect(sent('acceptDispute')).toHaveLength(1);
});

test('resets an accepted dispute, and sends nothing for a new dispute', async () => {
  const id = await newDispute();
  const unchanged = await run('reset', { rec_id: idOf(id) });
  expect(unchanged.items[0]?.json.what_happened).toBe(`Nothing was sent, because dispute ${id} is already new.`);
  expect(sent('resetDispute')).toEqual([]);
  await accept(id);
  const { items } = await run('reset', { rec_id: idOf(id) });
  expect(items[0]?.json).toMatchObject({ rec_id: id, what_happened: `Set dispute ${id} back to new.` });
  expect(statusOf(id)).toBe('N');
});

test('returns the response, the credited and the undisputed transactions of a dispute', async () => {
  const id = await newDispute();
  const read = async (operation: string) => (await run(operation, { rec_id: idOf(id) })).items.map(({ json }) => json);
  expect(await read('getResponse')).toEqual([]);
  await accept(id);
  expect(await read('getResponse')).toMatchObject([{ rec_id: id }]);
  expect(await read('getCreditedTransactions')).toEqual([]);
  const [undisputed] = await read('getNonDisputedTransactions');
  expect(undisputed?.card_number).toBe(
    sandbox.control.state().disputes.find(({ rec_id }) => String(rec_id) === id)?.card_number,
  );
});

describe('an agent', () => {
  const call = async (parameters: INodeParameters) =>
    await toolOf({ parameters: { resource: 'dispute', ...parameters }, credential: credentialFor(sandbox) }).call();

  test('an agent can accept a dispute only within limits that a person set', async () => {
    const rec_id = idOf(await newDispute());
    const { text } = await call({ operation: 'accept', rec_id });
    expect(text).toContain('Limit per Item');
    const limits = { limitPerItem: '0.01', limitPerExecution: '0.01', expectedAmount: '12' };
    expect((await call({ operation: 'accept', rec_id, ...limits })).text).toContain('12');
    expect(sent('acceptDispute')).toEqual([]);
  });

  test('an agent reads why a response without a file is refused', async () => {
    const rec_id = idOf(await newDispute());
    const { text } = await call({ operation: 'respond', rec_id, dispute_response: { message: 'Delivered' } });
    expect(text).toContain('must be the name of an input field with the PDF, e.g. from a form');
    expect(sent('submitDisputesResponse')).toEqual([]);
  });
});

test.each([
  ['getDisputes', 'incoming_date', 'amt_dispute'],
  ['getDisputeAdjustments', 'batch_date', 'amt_return'],
])('the report %s lists a dispute by its day', async (operation, day, amount) => {
  const id = await newDispute();
  const disputed = sandbox.control.state().disputes.find(({ rec_id }) => String(rec_id) === id);
  const report = async (parameters: INodeParameters) =>
    (await run(operation, { resource: 'report', returnAll: true, period: 'dates', ...parameters })).items.map(
      ({ json }) => json,
    );
  const [record] = await report({});
  expect(record?.[amount]).toBe(disputed?.amt_dispute);
  const arrived = DateTime.fromISO(asText(record?.[day]), { zone: 'America/New_York' }).toISODate();
  expect(await report({ dateFrom: arrived, dateTo: arrived })).toHaveLength(1);
  expect(await report({ dateFrom: '2031-01-01' })).toEqual([]);
});
