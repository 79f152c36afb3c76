import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { benchOf, goOn, sandboxForFile, toErrors } from '../bench';

const sandbox = sandboxForFile({ seed: false });

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
const { run } = benchOf(sandbox);
const sent = () =>
  sandbox.control
    .journal()
    .map(({ body }) => ((body as IDataObject).data as IDataObject[]).map(({ card_id }) => card_id));
const pairs = (items: Array<{ pairedItem?: unknown }>) => items.map(({ pairedItem }) => pairedItem);

test.each([
  [1, [1]],
  [100, [100]],
  [101, [100, 1]],
  [250, [100, 100, 50]],
])('submits %d cards of one item each in requests of %j and returns one item per card', async (count, sizes) => {
  const { items, error } = await run(byFields, cards(count));
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
  const { items, error } = await run(byJson, rows);
  expect(error).toBeUndefined();
  expect(pairs(items)).toEqual([0, 1, 1, 2, 2].map((item) => ({ item })));
  expect(items.map(({ json }) => json.cnt_request)).toEqual([100, 100, 100, 100, 70]);
  expect(items.map(({ json }) => (json.card_ids as string[]).length)).toEqual([60, 40, 20, 80, 70]);
  expect(items.flatMap(({ json }) => json.card_ids)).toEqual(cards(270).map(({ card_id }) => card_id));
});

test("reports the outcome of each item's own cards", async () => {
  const { items } = await run(byJson, [{ cards: cards(1) }, { cards: cards(2, 1) }]);
  expect(items.map(({ json }) => json.what_happened)).toEqual([
    'Submitted 1 card to the account updater, in a request of 3 cards.',
    'Submitted 2 cards to the account updater, in a request of 3 cards.',
  ]);
});

test('returns one item per input item from memory', async () => {
  sandbox.control.addFault({ kind: 'status', status: 400, body: { code: 2, message: 'Refused' }, calls: [2] });
  const failed = await run(byFields, cards(150));
  expect(failed.error).toBeDefined();
  const { items, error } = await run(byFields, cards(150), { retryOf: failed.run });
  expect(error).toBeUndefined();
  expect(pairs(items)).toEqual(cards(150).map((_, item) => ({ item })));
  expect(items.flatMap(({ json }) => json.card_ids)).toEqual(cards(150).map(({ card_id }) => card_id));
  expect(sandbox.control.journal()).toHaveLength(3);
});

test('fails exactly the items of a failed request', async () => {
  sandbox.control.addFault({ kind: 'status', status: 400, body: { code: 2, message: 'Refused' }, calls: [2] });
  const { items, errors } = await run(byFields, cards(250), toErrors);
  expect(new Set(items.map(({ json }) => json.cnt_request))).toEqual(new Set([100, 50]));
  expect(items).toHaveLength(150);
  expect(errors).toHaveLength(100);
  expect(errors.map(({ json }) => json.card_id)).toEqual(cards(100, 100).map(({ card_id }) => card_id));
});

test('stops the run for an invalid card before any request and shows its number in no message', async () => {
  const rows: IDataObject[] = cards(120);
  rows[110] = { card_number: '41111111111111119999', exp_date: '1330' };
  const { error } = await run(byFields, rows);
  expect(error?.message).toMatch(/^Row 111 of 120: "Cards 1 > Card Number".*"Cards 1 > Expiration Date"/);
  expect(JSON.stringify([error?.message, error?.description, error?.context])).not.toContain('4111111111');
  expect(sandbox.control.journal()).toHaveLength(0);
});

test('omits an invalid card and submits the other cards if On Error is Continue', async () => {
  const rows: IDataObject[] = cards(5);
  rows[2] = { card_number: 'none', exp_date: '1230' };
  const { items } = await run(byFields, rows, goOn);
  expect(sent()).toEqual([['member0', 'member1', 'member3', 'member4']]);
  expect(pairs(items)).toEqual(rows.map((_, item) => ({ item })));
  expect(items.map(({ json }) => 'error' in json)).toEqual([false, false, true, false, false]);
});

describe('saved cards', () => {
  const saved = (count: number): string[] => {
    sandbox.control.addCustomers(count);
    return sandbox.control
      .state()
      .customers.slice(-count)
      .map(({ billing_cards: [card] }) => card?.card_id ?? '');
  };
  const submitting: INodeParameters = {
    resource: 'accountUpdater',
    operation: 'submitSaved',
    card_id: { __rl: true, mode: 'id', value: '={{ $json.card_id }}' },
  };
  const reading = (operation: string): INodeParameters => ({
    resource: 'accountUpdater',
    operation,
    request_id: { __rl: true, mode: 'id', value: '={{ $json.request_id }}' },
    simplify: true,
  });
  const bodies = () =>
    sandbox.control.journal({ operationId: 'createAusRequest' }).map(({ body }) => (body as IDataObject).card_id);

  test('submits saved cards of many items in requests of 100 and returns one item per card', async () => {
    const ids = saved(150);
    const { items, error } = await run(
      submitting,
      ids.map((card_id) => ({ card_id })),
    );
    expect(error).toBeUndefined();
    expect(bodies()).toEqual([ids.slice(0, 100), ids.slice(100)]);
    expect(items.map(({ json }) => json.card_ids)).toEqual(ids.map((id) => [id]));
    expect(new Set(items.map(({ json }) => json.request_id)).size).toBe(2);
    expect(pairs(items)).toEqual(ids.map((_, item) => ({ item })));
  });

  test('submits a card once if several items contain it, and reads lists of card IDs', async () => {
    const [a = '', b = '', c = ''] = saved(3);
    const rows = [{ card_id: `${a}, ${b}` }, { card_id: [b, c, c] }, { card_id: a }];
    const { items } = await run(submitting, rows);
    expect(bodies()).toEqual([[a, b, c]]);
    expect(items.map(({ json }) => [json.card_ids, json.cnt_request, json.what_happened])).toEqual([
      [[a, b], 3, 'Submitted 2 saved cards to the account updater, in a request of 3 cards.'],
      [[b, c], 3, 'Submitted 2 saved cards to the account updater, in a request of 3 cards.'],
      [[a], 3, 'Submitted 1 saved card to the account updater, in a request of 3 cards.'],
    ]);
  });

  test('sends nothing if an item contains an invalid card ID', async () => {
    const [a = ''] = saved(1);
    const cases: Array<[unknown, RegExp]> = [
      [`${a}, not-an-id`, /^Row 2 of 2: "Saved Card" must be at most 32 letters and digits.* \(found "not-an-id"\)$/],
      [' , ', /^Row 2 of 2: "Saved Card" is required$/],
    ];
    for (const [card_id, message] of cases) {
      const { error } = await run(submitting, [{ card_id: a }, { card_id: card_id as string }]);
      expect(error?.message).toMatch(message);
    }
    expect(bodies()).toEqual([]);
  });

  test('returns one item per card with the change in words', async () => {
    const ids = saved(5);
    const { items } = await run(
      submitting,
      ids.map((card_id) => ({ card_id })),
    );
    const row = { request_id: items[0]?.json.request_id };
    const waiting = await run(reading('getDetails'), [row]);
    expect(new Set(waiting.items.map(({ json }) => json.what_changed))).toEqual(new Set(['No response yet']));
    await sandbox.control.advanceClock({ days: 4 });
    const details = await run(reading('getDetails'), [row]);
    expect(Object.fromEntries(details.items.map(({ json }) => [json.card_number, json.what_changed]))).toEqual({
      '411111xxxxxx1111': 'New expiration date 12/33',
      '555555xxxxxx4444': 'New card number ending in 5100, expires 12/33',
      '601111xxxxxx1117': 'Account closed',
      '371449xxxxx2376': 'Contact the cardholder',
      '353014xxxxxx5809': 'No change',
    });
    expect(details.items.map(({ json }) => json.card_id).sort()).toEqual([...ids].sort());
    const all = await run({ ...reading('getAllDetails'), returnAll: true }, [{}]);
    expect(all.items.map(({ json }) => json)).toEqual(details.items.map(({ json }) => json));
  });

  test('reports requests and their cards for an inclusive day range or one day', async () => {
    const submittedOn = async (card_id: string | string[]) => {
      const { items } = await run(submitting, [{ card_id }]);
      const summary = await run(reading('getSummary'), [{ request_id: items[0]?.json.request_id }]);
      return summary.items[0]?.json.request_date as string;
    };
    const [first = '', ...others] = saved(3);
    const report = async (operation: string, dateFrom: string, dateTo: string) => {
      const { items, error } = await run(
        {
          resource: 'report',
          operation,
          returnAll: true,
          period: 'dates',
          dateFrom,
          dateTo,
        },
        [{}],
      );
      expect(error).toBeUndefined();
      return items.map(({ json }) => json);
    };
    const began = await submittedOn(first);
    await sandbox.control.advanceClock({ days: 5 });
    const ended = await submittedOn(others);
    expect(await report('getUpdaterDetails', began, began)).toMatchObject([{ card_id: first, request_date: began }]);
    const all = await report('getUpdaterDetails', began, ended);
    expect(all.map(({ card_id, what_changed }) => [card_id, what_changed])).toEqual([
      ...others.map((id) => [id, 'No response yet']),
      [first, expect.stringMatching(/^(New|Account|Contact|No change)/)],
    ]);
    expect(await report('getUpdaterSummaries', began, ended)).toMatchObject([
      { status: 'INPROGRESS', cnt_request: 2, request_date: ended },
      { status: 'COMPLETED', cnt_request: 1, request_date: began },
    ]);
    expect(await report('getUpdaterSummaries', ended, ended)).toHaveLength(1);
  });

  test('returns the results of cards that were submitted by number with their references', async () => {
    const { items } = await run(byFields, cards(2));
    await sandbox.control.advanceClock({ days: 4 });
    const results = await run(reading('getResults'), [{ request_id: items[0]?.json.request_id }]);
    expect(results.items.map(({ json }) => json)).toMatchObject([
      { card_id: 'member0', what_changed: 'New expiration date 12/33', reason_code: '201', exp_date_new: '1233' },
      { card_id: 'member1', what_changed: 'New expiration date 12/33' },
    ]);
  });

  test('cancels a request that is in progress once, and refuses any other request before sending', async () => {
    const submitted = await run(
      submitting,
      saved(1).map((card_id) => ({ card_id })),
    );
    const row = { request_id: submitted.items[0]?.json.request_id as string };
    const { items } = await run(reading('cancel'), [row]);
    expect(items[0]?.json).toMatchObject({
      what_happened: `Account updater request ${row.request_id} is canceled.`,
      ...row,
      status: 'CANCELED',
    });
    const numbers = await run(byFields, cards(1));
    const queued = { request_id: numbers.items[0]?.json.request_id };
    const { items: refused } = await run(reading('cancel'), [row, queued, { request_id: '1' }], {
      onError: 'continueRegularOutput',
    });
    expect(refused.map(({ json }) => (json.error as IDataObject).message)).toEqual([
      expect.stringMatching(/Nothing was sent, because the request is canceled\. Only a request that is in progress/),
      expect.stringMatching(/Nothing was sent, because the request is queued\./),
      expect.stringMatching(/No account updater request has this ID, so nothing was sent/),
    ]);
    expect(sandbox.control.journal({ operationId: 'cancelAusRequest' })).toHaveLength(1);
    await sandbox.control.advanceClock({ days: 5 });
    const { items: after } = await run(reading('getSummary'), [row]);
    expect(after[0]?.json).toMatchObject({ status: 'CANCELED', cnt_response: 0 });
  });

  test('omits a held card and the cards of a held customer from requests until the hold ends', async () => {
    const [first = '', second = '', third = ''] = saved(3);
    const owner = sandbox.control.state().customers.at(-1)?.customer_id;
    const change = (operation: string): INodeParameters => ({
      resource: 'accountUpdater',
      operation,
      applyTo: '={{ $json.card_id ? "card" : "customer" }}',
      card_id: { __rl: true, mode: 'id', value: '={{ $json.card_id }}' },
      customer_id: { __rl: true, mode: 'id', value: '={{ $json.customer_id }}' },
    });
    const rows = [{ card_id: first, customer_id: 'IGNORED' }, { customer_id: owner }];
    const held = await run(change('hold'), rows);
    expect(held.items.map(({ json }) => json)).toEqual([
      { what_happened: 'Put the saved card on hold for the account updater.', card_id: first, on_hold: true },
      {
        what_happened: `Put the cards of customer ${owner} on hold for the account updater.`,
        customer_id: owner,
        on_hold: true,
      },
    ]);
    const rejected = async () => {
      const { items } = await run(submitting, [{ card_id: [first, second, third] }]);
      const summary = await run(reading('getSummary'), [{ request_id: items[0]?.json.request_id }]);
      return summary.items[0]?.json.rejected_cards;
    };
    expect(await rejected()).toEqual([first, third].map((card_id) => ({ card_id, reject_reason: 'Card is on hold' })));
    const released = await run(change('release'), rows);
    expect(released.items.map(({ json }) => [json.on_hold, json.what_happened])).toEqual([
      [false, 'Released the saved card for the account updater.'],
      [false, `Released the cards of customer ${owner} for the account updater.`],
    ]);
    expect(await rejected()).toEqual([]);
    const bodies = ['putOnAusHold', 'releaseFromAusHold'].flatMap((operationId) =>
      sandbox.control.journal({ operationId }).map(({ body }) => body),
    );
    expect(bodies).toEqual([{ card_id: first }, { customer_id: owner }, { card_id: first }, { customer_id: owner }]);
  });

  test('asks which card or customer to hold', async () => {
    for (const [applyTo, label] of [
      ['card', 'Saved Card'],
      ['customer', 'Customer'],
    ]) {
      const { error } = await run({ resource: 'accountUpdater', operation: 'hold', applyTo }, [{}]);
      expect(error?.message).toContain(`"${label}" is required`);
    }
  });
});
