import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { allDayWrites } from '../../../nodes/PaymentPlatform/limits/day-writes';
import { DECLINE_CARD } from '../../../sandbox/core/cards';
import { credentialFor } from '../../credential';
import { timeIsSimulated } from '../../simulated-time';
import { benchOf, goOn, sandboxForFile, toErrors } from '../bench';
import { startRecorder } from '../recorder';
import type { RunOutput } from '../harness';
import { toolOf } from '../tool/tool-harness';

timeIsSimulated();

const sandbox = sandboxForFile();
const customer = (index = 0) => sandbox.control.state().customers[index];
const charging = (more: object = {}, options: IDataObject = {}): INodeParameters =>
  ({
    resource: 'transaction',
    operation: 'sale',
    paymentMethod: 'customerCard',
    customer_id: customer()?.customer_id ?? '',
    amt_tran: '={{ $json.amount ?? 25 }}',
    ...more,
    options,
  }) as INodeParameters;
const { run, bodies, applied } = benchOf(sandbox, { looksUp: true });
const typed = (more: IDataObject = {}) => ({
  paymentMethod: 'card',
  card_number: '4111 1111 1111 1111',
  exp_date: '12/35',
  ...more,
});
const typedRows = { card_number: '={{ $json.card ?? "4111111111111111" }}' };
const told = ({ items }: RunOutput) => items.map(({ json }) => json.what_happened);
const reason = async (parameters: INodeParameters) => (await run(parameters)).error?.message;

describe('the payment method of a charge', () => {
  test('charges the primary card of a customer', async () => {
    const output = await run(charging());
    expect(bodies('sale')).toMatchObject([{ customer_id: customer()?.customer_id, amt_tran: 25 }]);
    expect(told(output)).toEqual([
      `Charged 25.00 USD to customer ${customer()?.customer_id}, voidable until the batch closes.`,
    ]);
    expect(output.items[0]?.json).toMatchObject({ rcode: '000', amt_tran: 25, customer_id: customer()?.customer_id });
  });

  test('sends the chosen card of the customer as the only account', async () => {
    const card_id = customer()?.billing_cards[0]?.card_id;
    await run(charging({ card_id }));
    expect(bodies('sale')).toMatchObject([{ card_id }]);
    expect(bodies('sale')[0]).not.toHaveProperty('customer_id');
  });

  test('charges a typed card and names only its last digits', async () => {
    const output = await run(charging(typed({ cvv2: '999' })));
    expect(told(output)).toEqual(['Charged 25.00 USD to the card ending in 1111, voidable until the batch closes.']);
    expect(JSON.stringify(output.run)).not.toContain('41111111111');
  });

  test('charges a bank account', async () => {
    const account = { paymentMethod: 'bankAccount', tr_number: '011000015', dda_number: '1234567890' };
    expect(told(await run(charging(account)))[0]).toMatch(/^Charged 25.00 USD to the bank account/);
  });

  test.each([
    ['no account', { customer_id: '' }, /"Payment Method" must be exactly one of: Customer, Saved Card, Card Number/],
    ['a card without a date', typed({ exp_date: '' }), /"Expiration Date" is required/],
    [
      'a street without a ZIP code',
      { additionalFields: { billingAddress: { avs_address: '1 Mill Road' } } },
      /"Billing ZIP Code" is required with a Billing Street/,
    ],
    [
      'more tax than the amount',
      { additionalFields: { levelData: { amt_tax: '30' } } },
      /"Sales Tax Included" must not exceed the Amount \(25\)/,
    ],
    ['a saved card to save', { additionalFields: { tokenize: true } }, /"Save Card" applies only to a card/],
    [
      'a prepaid amount without its account',
      { additionalFields: { fees: { amt_fbo: '5' } } },
      /"Prepaid Account ID" is required/,
    ],
    [
      'level 3 lines without a tax',
      { additionalFields: { purchase_id: 'A', levelData: { level3_lines: '[{}]' } } },
      /"Sales Tax Included" is required with Level 3 Lines/,
    ],
    [
      'level 3 lines that are no list',
      { additionalFields: { purchase_id: 'A', levelData: { amt_tax: '1', level3_lines: '{}' } } },
      /"Level 3 Lines" must be a JSON array/,
    ],
  ])('refuses %s before anything is sent', async (_, more, message) => {
    expect(await reason(charging(more))).toMatch(message);
    expect(bodies('sale')).toEqual([]);
  });
});

describe('outcomes of a charge', () => {
  const cards = { card: DECLINE_CARD };

  test('declined charges go to the error output, and the other items are charged', async () => {
    const rows = [{}, cards, { amount: 30 }, { amount: 0.51 }];
    const output = await run(charging({ ...typed(), ...typedRows }), rows, toErrors);
    expect(output.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
    expect(output.errors.map(({ json }) => json.error)).toMatchObject([
      {
        outcome: 'declined',
        rcode: '005',
        message: expect.stringMatching(/^The issuer declined the payment without giving a reason/) as string,
      },
      { outcome: 'declined', rcode: '051' },
    ]);
    expect(output.errors.every(({ json }) => (json.error as IDataObject).pg_id !== undefined)).toBe(true);
  });

  test('completes a partly approved item and states the charged amount', async () => {
    const output = await run(charging(typed(), {}), [{ amount: 0.1 }]);
    expect(output.error).toBeUndefined();
    expect(told(output)).toEqual(['Charged only 0.05 USD of 0.10 USD to the card ending in 1111.']);
    expect(output.items[0]?.json).toMatchObject({ rcode: '010', amt_tran: 0.05 });
    expect(output.hints.join()).toContain('approved only part of the amount');
  });

  test.each([undefined, 0.1])('shows no amount for a partly approved item if the response shows %p', async (shown) => {
    const recorder = await startRecorder({ rcode: '010', rmsg: 'Partial', pg_id: 'p', amt_tran: shown });
    for (const operation of ['sale', 'authorize', 'force']) {
      const parameters = charging({ ...typed(), operation, amt_tran: 0.1, auth_code: 'T53680' });
      const { items, hints } = await run(parameters, [{}], { credential: recorder.credential as never });
      expect(items[0]?.json).not.toHaveProperty('amt_tran');
      expect(items[0]?.json).not.toHaveProperty('amt_refundable');
      expect(items[0]?.json.what_happened).toMatch(/^(Charged|Authorized) only a part of 0.10 USD /);
      expect(hints.join()).toContain('approved only part of the amount');
    }
    await recorder.stop();
  });

  test.each([0.08, 0.11])('completes an item that the issuer approved with another code (%s)', async (amount) => {
    const output = await run(charging(typed()), [{ amount }]);
    expect(output.error).toBeUndefined();
    expect(told(output)[0]).toMatch(/^Charged 0\.\d\d USD/);
  });

  test.each([0.04, 0.85])('an unclear code makes the outcome unknown (%s)', async (amount) => {
    const output = await run(charging(typed()), [{ amount }], toErrors);
    expect(output.items).toEqual([]);
    expect(output.errors[0]?.json.error).toMatchObject({ outcome: 'unknown' });
    expect(bodies('sale')).toHaveLength(1);
  });

  test('explains the decline of an expired card', async () => {
    const { error } = await run(charging(typed({ exp_date: '01/20' })));
    expect(error?.message).toMatch(/The card has expired/);
  });

  test.each([
    ['', 'Charged 25.00 USD to Visa ending in 1111, voidable until the batch closes.'],
    ['purchase', 'Charged 25.00 USD to Visa ending in 1111, voidable until the batch closes.'],
  ])('finds a charge with a lost response by its reference (%s)', async (own, sentence) => {
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'sale', calls: [1] });
    const additionalFields = own === '' ? {} : { purchase_id: 'ORDER-1' };
    const output = await run(charging({ ...typed(), additionalFields }));
    expect(output.error).toBeUndefined();
    expect(applied('sale')).toBe(1);
    expect(told(output)).toEqual([sentence]);
    expect(output.items[0]?.json.found_at_service).toBe('same generated reference, within 2 minutes');
  });

  test('a lost charge that the service did not apply keeps an unknown outcome', async () => {
    sandbox.control.addFault({ kind: 'reset_before_apply', operationId: 'sale' });
    const output = await run(charging(typed()), [{}], toErrors);
    expect(output.errors[0]?.json.error).toMatchObject({ outcome: 'unknown' });
    expect(bodies('sale')).toHaveLength(1);
  });

  test('finds a partly approved charge after a lost response', async () => {
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'sale', calls: [1] });
    const output = await run(charging(typed()), [{ amount: 0.1 }]);
    expect(output.error).toBeUndefined();
    expect(told(output)[0]).toMatch(/^Charged only 0.05 USD of 0.10 USD/);
  });
});

describe('the reference of a charge', () => {
  const references = () => bodies('sale').map(({ merch_ref_num }) => merch_ref_num);

  test('generates a reference for each item without one and reuses it in every attempt', async () => {
    sandbox.control.addFault({ kind: 'status', status: 429, operationId: 'sale', calls: [1] });
    await run(charging(), [{}, {}], {});
    const sent = references();
    expect(sent).toHaveLength(3);
    expect(new Set(sent).size).toBe(2);
    expect(sent.every((one) => typeof one === 'string' && /^[0-9A-F]{20}$/.test(one))).toBe(true);
  });

  test('keeps the reference in a retry of the execution and finds the charge of the first attempt by it', async () => {
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'sale', calls: [1] });
    const failed = await run(charging({}, { unknownOutcome: 'refuse' }));
    expect(failed.error).toBeDefined();
    const retried = await run(charging(), [{}], { retryOf: failed.run });
    expect(retried.error).toBeUndefined();
    expect(retried.items[0]?.json.found_at_service).toMatch(/^same generated reference, since/);
    expect(bodies('sale')).toHaveLength(1);
  });

  test('generates a reference for an item with a purchase ID but not for one with a reference number', async () => {
    await run(charging({ additionalFields: { purchase_id: 'ORDER-1' } }));
    await run(charging({ additionalFields: { merch_ref_num: 'R-1' } }));
    expect(references()).toEqual([expect.stringMatching(/^[0-9A-F]{20}$/), 'R-1']);
  });

  test('charges two equal items twice and matches each with a different record after lost responses', async () => {
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'sale', calls: [1, 2] });
    const additionalFields = { purchase_id: 'ORDER-1' };
    const output = await run(charging({ additionalFields }), [{}, {}]);
    expect(output.error).toBeUndefined();
    expect(new Set(output.items.map(({ json }) => json.pg_id)).size).toBe(2);
    expect(applied('sale')).toBe(2);
  });

  test('returns an existing charge of another execution by the purchase ID', async () => {
    const again = charging({ additionalFields: { purchase_id: 'ORDER-1' } }, { ifExists: { then: 'return' } });
    const [first] = (await run(again)).items;
    const [second] = (await run(again)).items;
    expect(second?.json.pg_id).toBe(first?.json.pg_id);
    expect(applied('sale')).toBe(1);
    expect((await run(again, [{ amount: 30 }])).error).toBeUndefined();
    expect(applied('sale')).toBe(2);
  });

  test('refuses If It Already Exists for an item without a reference', async () => {
    expect(await reason(charging({}, { ifExists: { then: 'return' } }))).toMatch(
      /"If It Already Exists" requires your own reference/,
    );
  });

  test('charges each item once if Retry On Fail repeats a run with a lost response', async () => {
    sandbox.control.addFault({ kind: 'reset_after_apply', operationId: 'sale', calls: [2] });
    sandbox.control.addFault({
      kind: 'status',
      status: 500,
      operationId: 'getTransactionRequests',
      calls: { from: 1, to: 20 },
    });
    const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
    const output = await run(charging(), [{}, { amount: 30 }, { amount: 35 }], { settings });
    const sent = references();
    expect(new Set(sent).size).toBe(sent.length);
    expect(applied('sale')).toBe(sent.length);
    expect(output.error?.message).toMatch(/^Row 2 of 3 .* with an unknown outcome, so the item was not sent again/);
  });
});

describe('limits of charges', () => {
  test('the limit per day counts charges except declined ones', async () => {
    sandbox.control.reset(false);
    const output = await run(
      charging({ ...typed(), ...typedRows }, { limitPerDay: 50 }),
      [{}, { card: DECLINE_CARD, amount: 1 }, { amount: 24 }, { amount: 2 }],
      goOn,
    );
    const outcomes = output.items.map(({ json }) => (json.error as IDataObject | undefined)?.outcome ?? 'done');
    expect(outcomes).toEqual(['done', 'declined', 'done', 'invalid']);
    expect(JSON.stringify(output.items[3]?.json)).toContain('"Limit per Day\\" allows 50 per day');
  });

  test('the limit per day counts the fees of earlier charges', async () => {
    sandbox.control.reset(false);
    const fees = { ...typed(), additionalFields: { fees: { amt_convenience_fee: '10', amt_tran_fee: '5' } } };
    await run(charging(fees));
    // A restarted n8n knows earlier charges only from the report.
    allDayWrites.clear();
    expect(await reason(charging(typed(), { limitPerDay: 60 }))).toContain("Today's total is 40 (40 from 1 charges");
  });

  test('limits count only the approved part of an earlier charge', async () => {
    sandbox.control.reset(false);
    sandbox.control.setListLag(600_000);
    const [rows, more] = [[{ amount: 0.1 }, { amount: 0.1 }], { batchSize: 1 }];
    for (const limits of [{ limitPerDay: 0.15 }, { limitPerExecution: 0.15 }]) {
      allDayWrites.clear();
      sandbox.control.clearJournal();
      const { error } = await run(charging(typed(), limits), rows, more);
      expect([error?.message, applied('sale')]).toEqual([undefined, 2]);
    }
  });

  test('adds the fees to the amount that a limit checks', async () => {
    const fees = { additionalFields: { fees: { amt_convenience_fee: '1.5' } } };
    expect(await reason(charging(fees, { limitPerItem: 26 }))).toMatch(/charge with fees 26.5/);
    expect(await run(charging(fees, { limitPerItem: 26.5 }))).toMatchObject({ error: undefined });
  });

  test('refuses a charge by an agent without both limits', async () => {
    const input = { parameters: charging(), credential: credentialFor(sandbox) };
    const answer = await toolOf(input).call({});
    expect(JSON.stringify(answer)).toMatch(/Limit per Item|Limit per Payment|limit/i);
    expect(bodies('sale')).toEqual([]);
  });
});
