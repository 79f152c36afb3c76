import { benchForEachTest, type Envelope } from './client';

interface Plan {
  plan_id: number;
  plan_code: string;
  status: string;
  amt_tran: number;
}

describe('A plan', () => {
  const bench = benchForEachTest();
  beforeEach(() => void bench.sandbox.control.addCustomers(1));

  const PLANS = '/platform/plan';
  const terms = { plan_name: 'Gold', plan_desc: 'Gold', plan_frequency: 3, plan_duration: -1, amt_tran: 20 };
  const send = async (method: string, url: string, data?: object) =>
    (await bench.http.request<Envelope>({ method, url, data })).data;
  const create = async (more: object = {}) =>
    (await send('POST', PLANS, { plan_code: 'GOLD', ...terms, ...more })).data as Plan;
  const versions = async (code = 'GOLD') =>
    ((await send('GET', `${PLANS}/${code}`)).data as Plan[]).map(({ plan_id, status, amt_tran }) => [
      plan_id,
      status,
      amt_tran,
    ]);
  const subscribe = async (more: object = {}) =>
    await send('POST', '/platform/subscription', {
      ...{ customer_id: 'CUST0001', date_start: '2030-03-01', plan_code: 'GOLD', ...more },
    });
  const refused = async (method: string, url: string, data?: object) => {
    const before = JSON.stringify(bench.sandbox.control.state());
    const { code, data: fields } = await send(method, url, data);
    expect(JSON.stringify(bench.sandbox.control.state())).toBe(before);
    return [code, fields];
  };

  test('a plan has a unique code, which becomes available again when the plan is archived', async () => {
    expect(await create()).toMatchObject({ plan_id: 401, status: 'E', interval: 1, tran_currency: '840' });
    expect(await refused('POST', PLANS, { plan_code: 'GOLD', ...terms })).toEqual([
      2,
      { plan_code: 'is already taken' },
    ]);
    await send('POST', `${PLANS}/GOLD/archive`, { plan_name: 'Gold' });
    await create({ amt_tran: 30 });
    expect(await versions()).toEqual([
      [401, 'A', 20],
      [402, 'E', 30],
    ]);
  });

  test('a plan without subscribers is edited in place, and omitted fields are unchanged', async () => {
    await create({ amt_setup: 5 });
    expect((await send('PUT', `${PLANS}/GOLD`, { amt_tran: 21 })).data).toMatchObject({
      ...{ plan_id: 401, amt_tran: 21, amt_setup: 5, plan_name: 'Gold' },
    });
    expect(await versions()).toEqual([[401, 'E', 21]]);
  });

  test('a plan that is edited gets the documented defaults for omitted fields', async () => {
    await create({ interval: 2, tran_currency: '978', bill_specific_day: true, day_of_month: 1 });
    expect((await send('PUT', `${PLANS}/GOLD`, { amt_tran: 21 })).data).toMatchObject({
      ...{ amt_tran: 21, interval: 1, tran_currency: '840', bill_specific_day: false },
    });
  });

  test('a plan with subscribers is archived and copied with the change, and existing subscribers keep their terms', async () => {
    await create();
    await subscribe();
    expect((await send('PUT', `${PLANS}/GOLD`, { amt_tran: 21 })).data).toMatchObject({ plan_id: 402, amt_tran: 21 });
    expect(await versions()).toEqual([
      [401, 'A', 20],
      [402, 'E', 21],
    ]);
    await subscribe();
    expect(bench.sandbox.control.state().subscriptions.map(({ plan_id, recur_amt }) => [plan_id, recur_amt])).toEqual([
      [401, 20],
      [402, 21],
    ]);
  });

  test('a plan that is archived accepts no subscribers or changes, and its subscriptions continue', async () => {
    await create();
    await subscribe({ date_start: bench.sandbox.control.now().slice(0, 10) });
    await send('POST', `${PLANS}/GOLD/archive`, { plan_name: 'Gold' });
    expect(await refused('PUT', `${PLANS}/GOLD`, { amt_tran: 21 })).toMatchObject([
      2,
      { plan_code: 'names a plan that is not active' },
    ]);
    expect(await refused('POST', `${PLANS}/GOLD/archive`, { plan_name: 'Gold' })).toMatchObject([2, {}]);
    const order = { customer_id: 'CUST0001', plan_code: 'GOLD' };
    expect(await refused('POST', '/platform/subscription', order)).toEqual([2, { plan_code: 'names no active plan' }]);
    await bench.sandbox.control.advanceClock({ days: 40 });
    expect(bench.sandbox.control.state().transactions).toHaveLength(2);
  });

  test('a plan that is deleted cancels its subscriptions permanently and remains readable', async () => {
    await create();
    await subscribe({ date_start: bench.sandbox.control.now().slice(0, 10) });
    expect((await send('DELETE', `${PLANS}/401/delete`)).data).toMatchObject({ plan_id: 401, status: 'D' });
    await bench.sandbox.control.advanceClock({ days: 40 });
    const { subscriptions, transactions } = bench.sandbox.control.state();
    expect(subscriptions).toMatchObject([{ status: 'C' }]);
    expect(subscriptions[0]).not.toHaveProperty('date_next');
    expect(transactions).toEqual([]);
    expect(await versions()).toEqual([[401, 'D', 20]]);
    expect((await refused('DELETE', `${PLANS}/401/delete`))[0]).toBe(7);
  });

  test.each([
    ['an interval of another frequency', { plan_frequency: 4, interval: 2 }, 'interval'],
    ['a day without a set day', { day_of_month: 1 }, ''],
    ['a prorated first payment without a set day', { prorate_first_pmt: true }, 'prorate_first_pmt'],
    ['a prorated amount without a prorated payment', { bill_specific_day: true, day_of_month: 1, amt_prorate: 5 }, ''],
    ['a day that no month has', { bill_specific_day: true, day_of_month: 33 }, 'day_of_month'],
    ['a code that is too long', { plan_code: 'A'.repeat(17) }, 'plan_code'],
    ['no amount', { amt_tran: undefined }, 'amt_tran'],
  ])('a plan is refused with %s', async (_, more, field) => {
    const [code, fields] = await refused('POST', PLANS, { plan_code: 'GOLD', ...terms, ...more });
    expect(code).toBe(2);
    if (field) expect(Object.keys(fields as object)).toEqual([field]);
  });

  test('a plan with an unknown code is reported as unknown', async () => {
    for (const [method, path, data] of [
      ['GET', '/NONE'],
      ['PUT', '/NONE', { amt_tran: 1 }],
      ['POST', '/NONE/archive', { plan_name: 'None' }],
      ['DELETE', '/999/delete'],
    ] as Array<[string, string, object?]>)
      expect((await send(method, `${PLANS}${path}`, data)).code).toBe(7);
  });
});
