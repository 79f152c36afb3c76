import type { Envelope } from './client';
import { BUT_BATCHES, hooksForEachTest } from './receiver';

type Data = Record<string, unknown>;

describe('The states of a subscription', () => {
  const hooks = hooksForEachTest();
  beforeEach(async () => void (await hooks.create({ events: BUT_BATCHES })));

  const post = async (path: string, body: object): Promise<Envelope> =>
    (await hooks.bench.http.post<Envelope>(path, body)).data;
  async function subscribe(fields: object = {}): Promise<Data> {
    const [customer_id] = hooks.control.addCustomers(1);
    const terms = { plan_frequency: 0, plan_duration: -1, date_start: hooks.control.now(), amt_tran: 12, ...fields };
    return (await post('/platform/subscription', { customer_id, ...terms })).data as Data;
  }
  const change = async ({ subscription_id, customer_id }: Data, verb: string, more: object = {}) =>
    await post(`/platform/subscription/${String(subscription_id)}/${verb}`, { customer_id, ...more });
  const read = async ({ subscription_id }: Data) =>
    (await hooks.bench.http.get<Envelope>(`/platform/subscription/${String(subscription_id)}`)).data.data as Data;
  const events = async () => {
    await hooks.control.settleDeliveries();
    return hooks.receiver.events();
  };
  const sales = () => hooks.control.state().transactions.length;

  test.each([
    ['A', 'pause', 'P'],
    ['A', 'cancel', 'C'],
    ['P', 'resume', 'A'],
    ['P', 'cancel', 'C'],
    ['S', 'resume', 'S'],
    ['S', 'cancel', 'C'],
  ])('a subscription in state %s allows the change "%s", which results in state %s', async (from, verb, into) => {
    const subscription = await subscribe({ amt_tran: from === 'S' ? 0.14 : 12 });
    if (from === 'P') await change(subscription, 'pause');
    if (from === 'S') await hooks.advance({ days: 1 });
    expect(await read(subscription)).toMatchObject({ status: from });
    expect(await change(subscription, verb)).toMatchObject({ code: 0, data: { status: into } });
    expect(await read(subscription)).toMatchObject({ status: into });
  });

  test.each([
    ['A', 'resume'],
    ['P', 'pause'],
    ['S', 'pause'],
    ['C', 'pause'],
    ['C', 'resume'],
    ['C', 'cancel'],
    ['D', 'cancel'],
  ])('a subscription in state %s refuses the change "%s"', async (from, verb) => {
    const subscription = await subscribe({ amt_tran: from === 'S' ? 0.14 : 12, plan_duration: from === 'D' ? 1 : -1 });
    if (from === 'P') await change(subscription, 'pause');
    if (from === 'C') await change(subscription, 'cancel');
    if (from === 'S' || from === 'D') await hooks.advance({ days: 1 });
    expect(await change(subscription, verb)).toMatchObject({ code: 2, data: { status: expect.any(String) as string } });
    expect(await read(subscription)).toMatchObject({ status: from });
  });

  test("a change requires the subscription's own customer", async () => {
    const subscription = await subscribe();
    expect(await change(subscription, 'cancel', { customer_id: undefined })).toMatchObject({ code: 2 });
    expect(await change(subscription, 'cancel', { customer_id: 'OTHER' })).toMatchObject({
      code: 2,
      data: { customer_id: expect.any(String) as string },
    });
    expect((await change({ ...subscription, subscription_id: 1 }, 'cancel')).code).toBe(7);
    expect(await read(subscription)).toMatchObject({ status: 'A' });
  });

  test('payments due during a pause are skipped without changing the schedule', async () => {
    const subscription = await subscribe();
    await hooks.advance({ days: 1 });
    await change(subscription, 'pause');
    await hooks.advance({ days: 15 });
    expect(sales()).toBe(1);
    await change(subscription, 'resume');
    expect(sales()).toBe(1);
    await hooks.advance({ days: 6 });
    expect(sales()).toBe(2);
    expect(await events()).toEqual(['subscription_payment_success', 'subscription_payment_success']);
  });

  test('skipping the last payment during a pause completes the subscription', async () => {
    const subscription = await subscribe({ plan_duration: 2 });
    await hooks.advance({ days: 1 });
    await change(subscription, 'pause');
    await hooks.advance({ days: 15 });
    expect(await read(subscription)).toMatchObject({ status: 'D' });
    expect(await events()).toEqual(['subscription_payment_success', 'subscription_complete']);
  });

  test('payments missed during a suspension are charged when the subscription is resumed, each with an event', async () => {
    const subscription = await subscribe();
    await hooks.advance({ days: 1 });
    const { customers } = hooks.control.state();
    const customer = customers.find(({ customer_id }) => customer_id === subscription.customer_id);
    const billing = `/platform/vault/customer/${String(subscription.customer_id)}/billing`;
    const card_id = String(customer?.billing_cards[0]?.card_id);
    const renew = async (exp_date: string) =>
      await hooks.bench.http.put<Envelope>(billing, { card_id, exp_date, billing_zip: '97477' });
    await renew('0120');
    await hooks.advance({ days: 19 });
    expect(await read(subscription)).toMatchObject({ status: 'S' });
    await renew('1240');
    expect(await change(subscription, 'resume')).toMatchObject({ data: { status: 'A' } });
    expect((await events()).slice(1)).toEqual([
      ...['subscription_payment_failure', 'subscription_suspended'],
      ...['subscription_payment_success', 'subscription_payment_success'],
    ]);
    await hooks.advance({ days: 7 });
    expect((await events()).filter((event) => event === 'subscription_payment_success')).toHaveLength(4);
  });

  test('a resumed subscription that fails again is suspended again', async () => {
    const subscription = await subscribe({ amt_tran: 0.51 });
    await hooks.advance({ days: 4 });
    expect(await read(subscription)).toMatchObject({ status: 'S' });
    await change(subscription, 'resume');
    await hooks.advance({ days: 4 });
    expect((await events()).filter((event) => event === 'subscription_suspended')).toHaveLength(2);
  });

  test('after 60 days a suspended subscription is canceled unless it was resumed', async () => {
    const [left, resumed] = [await subscribe({ amt_tran: 0.14 }), await subscribe({ amt_tran: 0.14 })];
    await hooks.advance({ days: 30 });
    await change(resumed, 'resume');
    await hooks.advance({ days: 31 });
    expect([(await read(left)).status, (await read(resumed)).status]).toEqual(['C', 'S']);
  });

  const put = async ({ subscription_id }: Data, body: object) =>
    (await hooks.bench.http.put<Envelope>(`/platform/subscription/${String(subscription_id)}`, body)).data;

  test('the start date and the charges can be moved before the subscription starts', async () => {
    const later = hooks.control.now().replace(/^\d+/, (year) => String(Number(year) + 1));
    const subscription = await subscribe({ date_start: later });
    expect(await put(subscription, { date_start: hooks.control.now() })).toMatchObject({ code: 0 });
    await hooks.advance({ days: 1 });
    expect(sales()).toBe(1);
    expect(await put(subscription, { date_start: later })).toMatchObject({
      code: 2,
      data: { date_start: expect.any(String) as string },
    });
  });

  test('an active subscription can change its card, and a subscription without a card uses the primary card', async () => {
    const subscription = await subscribe();
    const billing = `/platform/vault/customer/${String(subscription.customer_id)}/billing`;
    const card = { card_number: '4012888888881881', exp_date: '1240', billing_zip: '97477', primary: true };
    const added = await hooks.bench.http.post<Envelope>(billing, card);
    const [first, second] = (added.data.data as { billing_cards: Array<{ card_id: string }> }).billing_cards;
    expect(await read(subscription)).toMatchObject({ card_id: second?.card_id });
    await put(subscription, { card_id: first?.card_id });
    expect(await read(subscription)).toMatchObject({ card_id: first?.card_id });
    await put(subscription, { card_id: '' });
    expect(await read(subscription)).toMatchObject({ card_id: second?.card_id });
    await change(subscription, 'pause');
    expect(await put(subscription, { card_id: first?.card_id })).toMatchObject({ code: 2 });
    expect(await put(subscription, { card_id: 'ABC' })).toMatchObject({ code: 2 });
  });

  test('a canceled subscription is never charged', async () => {
    const subscription = await subscribe();
    await hooks.advance({ days: 1 });
    expect(await change(subscription, 'cancel')).toMatchObject({ data: { status: 'C' } });
    await hooks.advance({ days: 30 });
    expect(sales()).toBe(1);
    expect(await read(subscription)).not.toHaveProperty('date_next');
  });
});
