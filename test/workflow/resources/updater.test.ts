import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../../credential';
import { sandboxForFile } from '../bench';
import { runWorkflow, type RunInput } from '../harness';

const sandbox = sandboxForFile({ seed: false });

const credential = () => credentialFor(sandbox);

const NUMBER = '4111111111111111';
const card = (index: number) => ({ card_number: NUMBER, exp_date: '1230', card_id: `member${index}` });
const cards = (count: number, from = 0) => Array.from({ length: count }, (_, index) => card(from + index));

const byFields: INodeParameters = {
  resource: 'accountUpdater',
  operation: 'submit',
  data: {
    item: [
      { card_number: '={{ $json.card_number }}', exp_date: '={{ $json.exp_date }}', card_id: '={{ $json.card_id }}' },
    ],
  },
};
const byJson: INodeParameters = {
  resource: 'accountUpdater',
  operation: 'submit',
  dataMode: 'json',
  dataJson: '={{ $json.cards }}',
};

const run = async (rows: IDataObject[], parameters: INodeParameters, more: Partial<RunInput> = {}) =>
  await runWorkflow({ rows, parameters, credential: credential(), ...more });
const sent = () =>
  sandbox.control
    .journal()
    .map(({ body }) => ((body as IDataObject).data as IDataObject[]).map(({ card_id }) => card_id));
/** Returns the input items of the output items in order. */
const pairs = (items: Array<{ pairedItem?: unknown }>) => items.map(({ pairedItem }) => pairedItem);

test.each([
  [1, [1]],
  [100, [100]],
  [101, [100, 1]],
  [250, [100, 100, 50]],
])('submits %d cards of one item each in requests of %j and returns one item per card', async (count, sizes) => {
  const { items, error } = await run(cards(count), byFields);
  expect(error).toBeUndefined();
  expect(
    sent()
      .map(({ length }) => length)
      .sort(),
  ).toEqual([...sizes].sort());
  expect(sent().flat().sort()).toEqual(
    cards(count)
      .map(({ card_id }) => card_id)
      .sort(),
  );
  expect(items.map(({ json }) => json.cnt_request)).toEqual(sizes.flatMap((size) => Array<number>(size).fill(size)));
  expect(pairs(items)).toEqual(cards(count).map((_, item) => ({ item })));
  expect(items.flatMap(({ json }) => json.card_ids)).toEqual(cards(count).map(({ card_id }) => card_id));
  expect(new Set(items.map(({ json }) => json.request_id)).size).toBe(sizes.length);
  expect(items.every(({ json }) => /^\d+$/.test(json.request_id as string))).toBe(true);
});

test('shares requests between items with lists of cards and returns one item per request part', async () => {
  const rows = [{ cards: cards(60) }, { cards: JSON.stringify(cards(60, 60)) }, { cards: cards(150, 120) }];
  const { items, error } = await run(rows, byJson);
  expect(error).toBeUndefined();
  expect(pairs(items)).toEqual([0, 1, 1, 2, 2].map((item) => ({ item })));
  expect(items.map(({ json }) => json.cnt_request)).toEqual([100, 100, 100, 100, 70]);
  expect(items.map(({ json }) => (json.card_ids as string[]).length)).toEqual([60, 40, 20, 80, 70]);
  expect(items.flatMap(({ json }) => json.card_ids)).toEqual(cards(270).map(({ card_id }) => card_id));
});

test("reports the outcome of each item's own cards", async () => {
  const { items } = await run([{ cards: cards(1) }, { cards: cards(2, 1) }], byJson);
  expect(items.map(({ json }) => json.what_happened)).toEqual([
    'Submitted 1 card to the account updater.',
    'Submitted 2 cards to the account updater.',
  ]);
});

test('returns one item per input item from memory, too', async () => {
  sandbox.control.addFault({ kind: 'status', status: 400, body: { code: 2, message: 'Refused' }, calls: [2] });
  const failed = await run(cards(150), byFields);
  expect(failed.error).toBeDefined();
  const { items, error } = await run(cards(150), byFields, { retryOf: failed.run });
  expect(error).toBeUndefined();
  expect(pairs(items)).toEqual(cards(150).map((_, item) => ({ item })));
  expect(items.flatMap(({ json }) => json.card_ids)).toEqual(cards(150).map(({ card_id }) => card_id));
  expect(sandbox.control.journal()).toHaveLength(3);
});

test('fails exactly the items of a failed request', async () => {
  sandbox.control.addFault({ kind: 'status', status: 400, body: { code: 2, message: 'Refused' }, calls: [2] });
  const { items, errors } = await run(cards(250), byFields, { onError: 'continueErrorOutput' });
  expect(new Set(items.map(({ json }) => json.cnt_request))).toEqual(new Set([100, 50]));
  expect(items).toHaveLength(150);
  expect(errors).toHaveLength(100);
  expect(errors.map(({ json }) => json.card_id)).toEqual(cards(100, 100).map(({ card_id }) => card_id));
});

test('stops the run for an invalid card before any request and shows its number in no message', async () => {
  const rows: IDataObject[] = cards(120);
  rows[110] = { card_number: '41111111111111119999', exp_date: '1330' };
  const { error } = await run(rows, byFields);
  expect(error?.message).toMatch(/^Row 111 of 120: "Cards 1 > Card Number".*"Cards 1 > Expiration Date"/);
  expect(JSON.stringify([error?.message, error?.description, error?.context])).not.toContain('4111111111');
  expect(sandbox.control.journal()).toHaveLength(0);
});

test('leaves out an invalid card and submits the others if On Error is Continue', async () => {
  const rows: IDataObject[] = cards(5);
  rows[2] = { card_number: 'none', exp_date: '1230' };
  const { items } = await run(rows, byFields, { onError: 'continueRegularOutput' });
  expect(sent()).toEqual([['member0', 'member1', 'member3', 'member4']]);
  expect(pairs(items)).toEqual(rows.map((_, item) => ({ item })));
  expect(items.map(({ json }) => 'error' in json)).toEqual([false, false, true, false, false]);
});
