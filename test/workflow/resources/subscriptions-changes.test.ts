import type { INodeParameters } from 'n8n-workflow';

import { asText } from '../../../nodes/PaymentPlatform/shared/objects';
import { errorOf, sandboxForFile, toErrors } from '../bench';
import { subscriptionBench } from './subscription-bench';
import { idOf } from '../writes';

const sandbox = sandboxForFile();
const { run, bodies: sent, newSubscription } = subscriptionBench(sandbox, '2031-03-01');
const customer = () => sandbox.control.state().customers[0];
async function otherCard(): Promise<string> {
  const given = { customer_id: idOf(customer()?.customer_id), card_number: '4111111111111111', exp_date: '12/30' };
  const { items } = await run('', { resource: 'customerCard', operation: 'create', ...given, billing_zip: '97477' });
  return asText(items[0]?.json.card_id);
}
const record = async (id: string) => (await run('get', { subscription_id: id, simplify: false })).items[0]?.json ?? {};

describe('changing a subscription', () => {
  test('sends only the new card', async () => {
    const [id, card] = [await newSubscription(), await otherCard()];
    const { items } = await run('update', { subscription_id: idOf(id), chargedBy: 'other', card_id: idOf(card) });
    expect(items[0]?.json).toMatchObject({
      what_happened: `Subscription ${id} of customer CUST0001 now uses another card.`,
      subscription_id: id,
    });
    expect(sent('updateSubscription')).toEqual([{ card_id: card }]);
    expect(await record(id)).toMatchObject({ card_id: card, date_start: '2031-03-01' });
  });

  test('returns to the primary card with an empty value, even if another card is still selected', async () => {
    const [card, primary] = [await otherCard(), customer()?.billing_cards[0]?.card_id];
    const id = await newSubscription({ additionalFields: { card_id: idOf(card) } });
    expect(await record(id)).toMatchObject({ card_id: card });
    const { items } = await run('update', { subscription_id: idOf(id), chargedBy: 'primary', card_id: idOf(card) });
    expect(items[0]?.json.what_happened).toContain('now uses the primary card');
    expect(sent('updateSubscription')).toEqual([{ card_id: '' }]);
    expect(await record(id)).toMatchObject({ card_id: primary });
  });

  test("moves a future start, and explains why a past start can't be moved", async () => {
    const [later, begun] = [await newSubscription(), await newSubscription({ date_start: '2020-03-01' })];
    const rows = [{ id: later }, { id: begun }];
    const given = { subscription_id: idOf('={{ $json.id }}'), new_date_start: '2031-05-01' };
    const { items, errors } = await run('update', given, rows, toErrors);
    expect(items.map(({ json }) => [json.subscription_id, json.date_next])).toEqual([[later, '2031-05-01']]);
    expect(errorOf(errors[0]).message).toContain("The start date can't be changed after the subscription has started");
  });

  test.each([
    [{}, '"Card to Charge" is required, unless you enter a value in another field'],
    [{ chargedBy: 'other', card_id: idOf('={{ "" }}') }, '"Saved Card" is required'],
    [{ chargedBy: 'other', card_id: idOf('4111-1111') }, '"Saved Card" must be'],
  ])('refuses an empty or incomplete change before anything is sent', async (given, message) => {
    const { error } = await run('update', {
      subscription_id: idOf(await newSubscription()),
      ...given,
    } as INodeParameters);
    expect(error?.message).toContain(message);
    expect(sent('updateSubscription')).toEqual([]);
  });

  test("explains the refusal for an inactive subscription or another customer's card", async () => {
    const [id, paused] = [await newSubscription(), await newSubscription()];
    await run('pause', { subscription_id: idOf(paused) });
    const others = sandbox.control.state().customers[1]?.billing_cards[0]?.card_id;
    const rows = [
      { id, card: others },
      { id: paused, card: await otherCard() },
    ];
    const given = { subscription_id: idOf('={{ $json.id }}'), chargedBy: 'other', card_id: idOf('={{ $json.card }}') };
    const { errors } = await run('update', given, rows, toErrors);
    expect(errors.map((item) => errorOf(item).message)).toEqual([
      expect.stringContaining('The customer of the subscription has no saved card with this ID'),
      expect.stringContaining('The card can be changed only for active subscriptions'),
    ]);
  });
});

describe('transactions of subscriptions', () => {
  test('lists transactions of one or all subscriptions with their subscription', async () => {
    const today = sandbox.control.now().slice(0, 10);
    const [one, other] = [
      await newSubscription({ date_start: today }),
      await newSubscription({ date_start: today, recur_amt: 0.51 }),
    ];
    await sandbox.control.advanceClock({ days: 40 });
    const own = await run('getTransactions', { subscription_id: idOf(one), returnAll: true });
    expect(own.items.map(({ json }) => [json.subscription_id, json.amt_tran, json.tran_status_text])).toEqual([
      [one, 10, expect.any(String)],
      [one, 10, expect.any(String)],
    ]);
    const all = await run('getAllTransactions', { returnAll: true, simplify: false });
    expect(new Set(all.items.map(({ json }) => json.subscription_id))).toEqual(new Set([one, other]));
    const declined = { item: [{ field: 'tran_status', condition: 'IS', value: 'D' }] };
    const failed = await run('getAllTransactions', { returnAll: true, filter: declined });
    expect(failed.items.map(({ json }) => json.subscription_id)).toEqual([other, other, other, other]);
  });

  test('returns no items for a subscription without transactions, and fails only an unknown subscription', async () => {
    const rows = [{ id: await newSubscription() }, { id: '99999' }];
    const given = { subscription_id: idOf('={{ $json.id }}'), returnAll: true };
    const { items, errors } = await run('getTransactions', given, rows, toErrors);
    expect([items.length, errors.length]).toEqual([0, 1]);
  });

  test('returns each transaction of several pages once', async () => {
    const today = sandbox.control.now().slice(0, 10);
    const id = await newSubscription({ date_start: today, plan_frequency: 7, plan_duration: 130 });
    await sandbox.control.advanceClock({ days: 140 });
    const { items } = await run('getTransactions', { subscription_id: idOf(id), returnAll: true });
    expect(new Set(items.map(({ json }) => json.pg_id)).size).toBe(130);
  });
});

describe('labels of a subscription', () => {
  const label = async (id: string, name: string, value: string) =>
    await run('addLabel', { subscription_id: idOf(id), own_label_name: name, label_value: value });
  const labels = async (id: string) =>
    (await run('getLabels', { subscription_id: idOf(id), returnAll: true })).items.map(({ json }) => json);

  test('adds labels with one item each and lists them', async () => {
    const id = await newSubscription();
    await label(id, 'route', 'Tuesday north');
    const { items } = await label(id, 'sales', 'Ana');
    expect(items.map(({ json }) => json)).toMatchObject([
      {
        what_happened: `Added label sales with the value Ana to subscription ${id}.`,
        subscription_id: id,
        name: 'sales',
        value: 'Ana',
      },
    ]);
    expect(await labels(id)).toMatchObject([
      { subscription_id: id, name: 'route', value: 'Tuesday north' },
      { subscription_id: id, name: 'sales', value: 'Ana' },
    ]);
  });

  test('changes the value of a label and removes a label permanently', async () => {
    const id = await newSubscription();
    await label(id, 'route', 'Tuesday');
    const given = { subscription_id: idOf(id), label_name: idOf('route') };
    const changed = await run('updateLabel', { ...given, label_value: 'Friday' });
    expect(changed.items.map(({ json }) => json)).toMatchObject([
      { subscription_id: id, name: 'route', value: 'Friday' },
    ]);
    const other = await run('deleteLabel', { ...given, label_value: 'Tuesday' });
    expect(other.error).toBeDefined();
    const { items } = await run('deleteLabel', given);
    expect(items[0]?.json).toEqual({
      what_happened: `Removed label route from subscription ${id}.`,
      subscription_id: id,
      name: 'route',
      deleted: true,
    });
    expect(await labels(id)).toEqual([]);
  });

  test("fails only labels that don't exist or already exist", async () => {
    const id = await newSubscription();
    await label(id, 'route', 'Tuesday');
    const rows = [{ name: 'route' }, { name: 'sales' }];
    const given = { subscription_id: idOf(id), own_label_name: '={{ $json.name }}', label_value: 'x' };
    const { items, errors } = await run('addLabel', given, rows, toErrors);
    expect([items.length, errors.length]).toEqual([1, 1]);
    const removed = { subscription_id: idOf(id), label_name: idOf('={{ $json.name }}') };
    const gone = await run('deleteLabel', removed, [{ name: 'none' }, { name: 'sales' }], toErrors);
    expect(gone.items.map(({ json }) => json.name)).toEqual(['sales']);
  });

  test('refuses a label without a name or value and names the field', async () => {
    const empty = '={{ "" }}';
    const given = { subscription_id: idOf(await newSubscription()), own_label_name: empty, label_value: empty };
    const { error } = await run('addLabel', given);
    expect(error?.message).toContain('"Label Name" is required');
    expect(error?.message).toContain('"Value" is required');
  });
});
