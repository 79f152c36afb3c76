import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { timeIsSimulated } from '../../simulated-time';
import { benchOf, goOn, outcomes, sandboxForFile } from '../bench';
import type { RunInput } from '../harness';
import { cards, draft, idOf, listedWrites, payment, recordWrites, savedCard, subscription } from '../writes';

timeIsSimulated();

const sandbox = sandboxForFile();
const MINUTES = 60_000;

const run = async (parameters: INodeParameters, more: Partial<RunInput> = {}, after = 0) => {
  jest.setSystemTime(Date.now() + after * MINUTES);
  return await runNow(parameters, undefined, more);
};
const { requests, run: runNow } = benchOf(sandbox, { looksUp: true });
const LISTED = listedWrites(sandbox);
const RECORDS = recordWrites(sandbox);

describe.each([...LISTED, ...RECORDS])(
  'a lost response to $operationId',
  ({ operationId, parameters, agreement, where, shows, unseen, apart }) => {
    const posts = () => sandbox.control.journal().filter((entry) => entry.operationId === operationId).length;
    const cut = (kind: 'reset_after_apply' | 'reset_before_apply') => sandbox.control.addFault({ kind, operationId });

    test('returns the found record and the fields that matched', async () => {
      const given = await parameters();
      cut('reset_after_apply');
      const { items, error, hints } = await run(given);
      expect(error).toBeUndefined();
      expect(items[0]?.json).toMatchObject({ ...shows, found_at_service: agreement });
      expect(hints.join()).toMatch(/the node found a matching record at the service/);
      expect(posts()).toBe(1);
    });

    test('a write with a lost response stays unknown and names the searched list if the write was not applied', async () => {
      const given = await parameters();
      cut('reset_before_apply');
      const output = await run(given, goOn);
      expect(outcomes(output)).toEqual(['unknown']);
      expect(JSON.stringify(output.items)).toContain(
        unseen ?? `checked ${where} 3 times (${agreement}) without finding a match. The record may still appear`,
      );
      expect(posts()).toBe(1);
    });

    test('a write with a lost response stays unknown if only an older record matches', async () => {
      const given = await parameters();
      expect(outcomes(await run(given))).toEqual(['done']);
      cut('reset_before_apply');
      expect(outcomes(await run(given, goOn, apart ?? 3))).toEqual(['unknown']);
      expect(posts()).toBe(2);
    });

    test("a write with a lost response stays unknown and says so if the service doesn't respond", async () => {
      const given = await parameters();
      cut('reset_after_apply');
      sandbox.control.addFault({ kind: 'status', status: 403, code: 6, method: 'GET' });
      const output = await run(given, goOn);
      expect(outcomes(output)).toEqual(['unknown']);
      expect(JSON.stringify(output.items)).toMatch(/(could|did) not look up the record in/);
    });
  },
);

describe.each(LISTED)('a lost response to $operationId with a lagging list', ({ operationId, parameters }) => {
  test('finds the record in a later search', async () => {
    const given = await parameters();
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId });
    sandbox.control.setListLag(4000);
    expect(outcomes(await run(given, goOn))).toEqual(['found']);
  });

  test('a write with a lagging list stays unknown without a record and is not resent', async () => {
    const given = await parameters();
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId });
    sandbox.control.setListLag(60_000);
    expect(outcomes(await run(given, goOn))).toEqual(['unknown']);
    expect(sandbox.control.journal().filter((entry) => entry.operationId === operationId)).toHaveLength(1);
  });
});

/** Operations that send one request for several items. */
const SHARED = ['submitAccountUpdater', 'createAusRequest'];
test.each(LISTED.filter(({ operationId }) => !SHARED.includes(operationId)))(
  'completes one of three equal items of $operationId if one was applied',
  async ({ operationId, parameters }) => {
    const given = await parameters();
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId, calls: [1] });
    sandbox.control.addFault({ kind: 'reset_before_apply', operationId, calls: [2, 3] });
    const output = await run(given, { ...goOn, rows: [{}, {}, {}] });
    expect(outcomes(output).sort()).toEqual(['found', 'unknown', 'unknown']);
  },
);

test('the state before a write is read once for all items within two minutes, and never without look-ups', async () => {
  const given = await payment(sandbox, { amt_paid: 1 });
  sandbox.control.clearJournal();
  const rows = Array.from({ length: 20 }, () => ({}));
  expect(outcomes(await run(given, { rows }))).toEqual(rows.map(() => 'done'));
  expect(requests('GET').map(({ path, query }) => [path, query])).toEqual([
    ['/platform/invoice/payments', expect.objectContaining({ order_on: 'payment_id', order_by: 'desc' })],
  ]);
  sandbox.control.clearJournal();
  await run(given, { rows, looksUp: false });
  expect(requests('GET')).toEqual([]);
});

test("the state before a write doesn't prevent sending if it can't be read", async () => {
  const given = await payment(sandbox);
  sandbox.control.addFault({ kind: 'status', status: 500, method: 'GET' });
  expect(outcomes(await run(given))).toEqual(['done']);
});

test('looks up payments on many invoices together', async () => {
  const rows: IDataObject[] = [];
  for (let row = 0; row < 30; row += 1) rows.push({ id: await draft(sandbox) });
  const given = await payment(sandbox, { invoice_id: idOf('={{ $json.id }}') });
  sandbox.control.clearJournal();
  sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'addInvoicePayment' });
  const output = await run(given, { ...goOn, rows });
  expect(outcomes(output)).toEqual(rows.map(() => 'found'));
  expect(output.items.map(({ json }) => json.invoice_id)).toEqual(rows.map(({ id }) => id));
  expect(requests('GET').length).toBeLessThan(12);
});

test('assigns cards of one request to their items after a lost response', async () => {
  sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'submitAccountUpdater' });
  const rows = Array.from({ length: 150 }, (_, row) => ({ id: `member-${row}` }));
  const data = { item: [{ card_number: '4111111111111111', exp_date: '1230', card_id: '={{ $json.id }}' }] };
  const { items, error } = await run({ ...cards, data }, { rows });
  expect(error).toBeUndefined();
  expect(items.map(({ json }) => json.card_ids)).toEqual(rows.map(({ id }) => [id]));
  expect(new Set(items.map(({ json }) => json.request_id)).size).toBe(2);
  expect(sandbox.control.state().updaterRequests).toHaveLength(2);
});

test('assigns saved cards of one request to their items after a lost response', async () => {
  const ids = sandbox.control.state().customers.map(({ billing_cards: [card] }) => card?.card_id);
  sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'createAusRequest' });
  const rows = ids.map((id) => ({ id }));
  const given = { ...savedCard(sandbox), card_id: idOf('={{ $json.id }}') };
  const { items, error } = await run(given, { rows });
  expect(error).toBeUndefined();
  expect(items.map(({ json }) => json.card_ids)).toEqual(ids.map((id) => [id]));
  expect(new Set(items.map(({ json }) => json.request_id)).size).toBe(1);
  expect(items.map(({ json }) => json.found_at_service)).toEqual(ids.map(() => 'same cards, not there before'));
  expect(sandbox.control.journal().filter(({ operationId }) => operationId === 'createAusRequest')).toHaveLength(1);
});

test('says to check the one-time fee after a lost response', async () => {
  sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'addSubscription' });
  const { items } = await run(subscription(sandbox, { amt_setup: 25 }));
  expect(items[0]?.json.what_happened).toMatch(
    /^Created subscription(?: \d+)? for \w+ at \d+\.\d\d USD .*; check the fee(?: of 25\.00 USD)?\.$/,
  );
});
