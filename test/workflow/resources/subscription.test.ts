import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { benchOf, sandboxForFile } from '../bench';

const sandbox = sandboxForFile();

const NUMBER = '4111111111111111';
const PLAN = 'MONTHLY25';
/** The service declines this amount with code 005. */
const DECLINED_FEE = 0.05;

const existing = (): INodeParameters => ({
  customerSource: 'existing',
  customer_id: { __rl: true, mode: 'id', value: String(sandbox.control.state().customers[0]?.customer_id) },
});
const ana = { customer_first_name: 'Ana', customer_last_name: 'Silva' };
const recipient = { shipping_first_name: 'Ana', shipping_last_name: 'Silva' };
const card = { card_number: NUMBER, exp_date: '1230', billing_zip: '97477' };
const newCustomer = (item: INodeParameters): INodeParameters => ({
  customerSource: 'new',
  customerMode: 'fields',
  customer: { item },
});
const newCustomerJson = (customer: IDataObject): INodeParameters => ({
  customerSource: 'new',
  customerMode: 'json',
  customerJson: JSON.stringify(customer),
});
const onPlan: INodeParameters = { termsSource: 'plan', plan_code: PLAN };
const offPlan: INodeParameters = {
  termsSource: 'offPlan',
  plan_frequency: 3,
  recur_amt: '39.50',
  endsAfter: 'payments',
  plan_duration: 12,
};

const { run: subscribe, bodies } = benchOf(sandbox, {
  parameters: { resource: 'subscription', operation: 'create', date_start: '2030-03-01', simplify: false },
});
/** Bodies without the reference that the node generates for each subscription. */
const sent = () =>
  bodies('addSubscription').map(({ purchase_id: reference, ...others }) => {
    expect(reference).toMatch(/^[0-9A-F]{20}$/);
    return others;
  });
const subscriptions = () => sandbox.control.state().subscriptions;

describe('customer and terms of a subscription', () => {
  test('subscribes an existing customer to a plan and sends no fields of other choices', async () => {
    const { items, error } = await subscribe({ ...existing(), ...offPlan, ...onPlan, customer: { item: ana } });
    expect(error).toBeUndefined();
    expect(items[0]?.json).toMatchObject({ status: 'A', subscription_on_plan: true, plan_code: PLAN });
    expect(Object.keys(sent()[0] ?? {}).sort()).toEqual(['customer_id', 'date_start', 'plan_code']);
  });

  test('applies choices from expressions to each item', async () => {
    const id = String(sandbox.control.state().customers[0]?.customer_id);
    const rows = [
      { who: 'existing', id, what: 'plan', plan: PLAN },
      { who: 'New', name: 'Hansen Bicycles', what: 'OffPlan', every: 'weekly', amount: '9.90' },
    ];
    const { items, error } = await subscribe(
      {
        customerSource: '={{ $json.who }}',
        customer_id: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
        customer: { item: { customer_firm_name: '={{ $json.name }}', billing_cards: { item: [card] } } },
        termsSource: '={{ $json.what }}',
        plan_code: '={{ $json.plan }}',
        plan_frequency: '={{ $json.every }}',
        recur_amt: '={{ $json.amount }}',
        endsAfter: 'cancellation',
      },
      rows,
    );
    expect(error).toBeUndefined();
    expect(items.map(({ json }) => [json.subscription_on_plan, json.plan_frequency, json.recur_amt])).toEqual([
      [true, 3, 25],
      [false, 0, 9.9],
    ]);
    const bodies = sent().sort((a, b) => Object.keys(a).length - Object.keys(b).length);
    expect(bodies[0]).toEqual({ customer_id: id, date_start: '2030-03-01T00:00:00.000Z', plan_code: PLAN });
    expect(bodies[1]).toMatchObject({ plan_frequency: 0, plan_duration: -1, amt_tran: 9.9 });
    expect(bodies[1]).not.toHaveProperty('customer_id');
  });

  test.each([
    ['Daily', 7],
    ['Weekly', 0],
    ['Bi-Weekly', 1],
    ['Monthly', 3],
    ['Quarterly', 4],
    ['Semi-Annually', 5],
    ['Annually', 6],
  ])('sends the frequency %s as %d, given by name or number', async (name, number) => {
    const rows = [{ every: name.toLowerCase() }, { every: number }, { every: String(number) }];
    await subscribe({ ...existing(), ...offPlan, plan_frequency: '={{ $json.every }}' }, rows);
    expect(sent().map(({ plan_frequency }) => plan_frequency)).toEqual([number, number, number]);
  });

  test('charges every second week for a number of payments', async () => {
    const { items } = await subscribe({ ...existing(), ...offPlan, plan_frequency: 0, interval: 2, plan_duration: 3 });
    expect(sent()[0]).toMatchObject({ plan_frequency: 0, interval: 2, plan_duration: 3, amt_tran: 39.5 });
    expect(items[0]?.json).toMatchObject({
      date_start: '2030-03-01',
      date_end: '2030-03-29',
    });
  });

  test('accepts an interval with a frequency given by name', async () => {
    const rows = [
      { every: 'weekly', interval: 2 },
      { every: 'Monthly', interval: '' },
    ];
    const { error } = await subscribe(
      { ...existing(), ...offPlan, plan_frequency: '={{ $json.every }}', interval: '={{ $json.interval }}' },
      rows,
    );
    expect(error).toBeUndefined();
    expect(sent().map(({ plan_frequency, interval }) => [plan_frequency, interval])).toEqual([
      [0, 2],
      [3, undefined],
    ]);
  });

  test('creates a subscription without an end date', async () => {
    const { items } = await subscribe({ ...existing(), ...offPlan, endsAfter: 'cancellation', plan_duration: '' });
    expect(sent()[0]).toMatchObject({ plan_duration: -1 });
    expect(items[0]?.json).not.toHaveProperty('date_end');
  });

  test('saves a new customer with all billing cards and shipping addresses', async () => {
    const { items, error } = await subscribe({
      ...newCustomer({
        ...ana,
        auto_generate_customer_id: false,
        customer_id: 'ANA1',
        customer_email: 'ana@example.com',
        billing_cards: {
          item: [
            { card_number: NUMBER, exp_date: '1230', cvv2: '999', billing_first_name: 'Ana', billing_zip: '97477' },
            {
              paymentMethod: 'bankAccount',
              tr_number: '110000000',
              dda_number: '000123456789',
              type_id: 'S',
              billing_first_name: 'Ana',
              billing_last_name: 'Silva',
              billing_zip: '97477',
              additionalFields: { primary: true },
            },
          ],
        },
        shipping_addressesMode: 'json',
        shipping_addressesJson: [
          { ...recipient, shipping_addr1: '12 Mill Road', shipping_zip: 97477 },
          { ...recipient, shipping_city: 'Salem' },
        ],
        additionalFields: { reference_id: 77, customer_phone: '12025550143' },
      }),
      ...onPlan,
    });
    expect(error).toBeUndefined();
    const customer = sandbox.control.state().customers.find(({ customer_id }) => customer_id === 'ANA1');
    expect(customer).toMatchObject({ ...ana, customer_email: 'ana@example.com', reference_id: '77' });
    expect(customer?.billing_cards).toMatchObject([
      { card_number: '411111xxxxxx1111', primary: false, billing_zip: '97477' },
      { card_type: 'AP', primary: true, billing_last_name: 'Silva' },
    ]);
    expect(customer?.shipping_addresses).toMatchObject([
      { shipping_addr1: '12 Mill Road', shipping_zip: '97477' },
      { shipping_city: 'Salem' },
    ]);
    expect(items[0]?.json.card_id).toBe(customer?.billing_cards?.[1]?.card_id);
  });

  test('treats a new customer in JSON like one in fields', async () => {
    await subscribe({ ...newCustomer({ ...ana, billing_cards: { item: [card] } }), ...onPlan });
    await subscribe({
      ...newCustomerJson({ ...ana, auto_generate_customer_id: true, billing_cards: [card] }),
      ...onPlan,
    });
    expect(sent()).toHaveLength(2);
    expect(sent()[1]).toEqual(sent()[0]);
  });

  test('uses an existing customer with the same name and card if the user chose this', async () => {
    const parameters = { ...newCustomer({ ...ana, billing_cards: { item: [card] } }), ...onPlan };
    const first = await subscribe(parameters);
    const second = await subscribe({ ...parameters, additionalFields: { use_existing_customer: true } });
    expect(second.items[0]?.json.customer_id).toBe(first.items[0]?.json.customer_id);
  });

  test('charges the selected card instead of the primary card', async () => {
    const twoCards = { item: [card, { ...card, card_number: '5555555555554444' }] };
    const { items } = await subscribe({ ...newCustomer({ ...ana, billing_cards: twoCards }), ...onPlan });
    const saved = items[0]?.json.customer as IDataObject;
    const [primary, other] = saved.billing_cards as Array<{ card_id: string }>;
    expect(items[0]?.json.card_id).toBe(primary?.card_id);
    const second = await subscribe({
      customerSource: 'existing',
      customer_id: { __rl: true, mode: 'list', value: saved.customer_id as string },
      ...onPlan,
      additionalFields: { card_id: { __rl: true, mode: 'list', value: String(other?.card_id) } },
    });
    expect(second.items[0]?.json.card_id).toBe(other?.card_id);
    expect(other?.card_id).not.toBe(primary?.card_id);
  });

  test('keeps the state and the outcome of the one-time fee with Simplify', async () => {
    const { items } = await subscribe({ ...existing(), ...offPlan, amt_setup: 25, simplify: true });
    expect(Object.keys(items[0]?.json ?? {}).length).toBeLessThanOrEqual(10);
    expect(items[0]?.json).toMatchObject({ status: 'A', recur_amt: 39.5, amt_setup: 25, response_rcode: '000' });
  });
});

describe('subscriptions that are refused before anything is sent', () => {
  const refused: Array<[string, () => INodeParameters, string[]]> = [
    [
      'an existing customer must be chosen',
      () => ({ customerSource: 'existing', customer_id: { __rl: true, mode: 'id', value: '={{ "" }}' }, ...onPlan }),
      ['"Customer" is required'],
    ],
    ['a new customer must be described', () => ({ customerSource: 'new', ...onPlan }), ['"New Customer" is required']],
    [
      'the choice of the customer must be one',
      () => ({ ...existing(), customerSource: '={{ "none" }}', ...onPlan }),
      ['"Subscriber" must be one of'],
    ],
    [
      'a plan needs its code',
      () => ({ ...existing(), termsSource: 'plan', plan_code: '={{ "" }}' }),
      ['"Plan" is required'],
    ],
    [
      'off plan needs frequency, amount and duration',
      () => ({ ...existing(), termsSource: 'offPlan', endsAfter: 'payments', plan_frequency: '={{ "" }}' }),
      ['"Billing Frequency" is required', '"Recurring Amount" is required', '"Number of Payments" is required'],
    ],
    [
      'the interval applies to weeks and months only',
      () => ({ ...existing(), ...offPlan, plan_frequency: '={{ 6 }}', interval: 2 }),
      ['"Interval" applies only if Billing Frequency is Weekly or Monthly'],
    ],
    [
      'no subscription ends after 0 payments',
      () => ({ ...existing(), ...offPlan, plan_duration: 0 }),
      ['"Number of Payments" must be at least 1'],
    ],
    [
      'an amount with a third decimal is not rounded',
      () => ({ ...existing(), ...offPlan, recur_amt: 10.005, amt_setup: '1.999' }),
      ['"Recurring Amount" must be', '"One-Time Fee" must be'],
    ],
    [
      'a new customer needs an ID or a generated one',
      () => ({ ...newCustomer({ ...ana, auto_generate_customer_id: false }), ...onPlan }),
      ['"New Customer > Customer ID" is required if "Generate Customer ID" is off'],
    ],
    [
      'a new customer can not have both an ID and a generated one',
      () => ({ ...newCustomerJson({ ...ana, customer_id: 'A1', auto_generate_customer_id: true }), ...onPlan }),
      ['must be empty if it is on'],
    ],
    [
      'a new customer needs a full name or a company name',
      () => ({ ...newCustomer({ customer_first_name: 'Ana' }), ...onPlan }),
      ['"New Customer > First Name" and a last name, or a company name, are required'],
    ],
    [
      'each billing card holds exactly one way to pay',
      () => ({
        ...newCustomerJson({
          ...ana,
          auto_generate_customer_id: true,
          billing_cards: [
            { exp_date: '1230', billing_zip: '97477' },
            { ...card, card_id: 'a1' },
            { card_number: NUMBER, billing_zip: '97477' },
          ],
        }),
        ...onPlan,
      }),
      ['Billing Cards 1" must be exactly one of', 'found more than one', 'found an incomplete payment method'],
    ],
    [
      'a field that the interface does not have is refused inside JSON',
      () => ({ ...newCustomerJson({ ...ana, phone: '1', auto_generate_customer_id: true }), ...onPlan }),
      ['an unknown field "phone"'],
    ],
    [
      'an existing customer can not be looked for by name as well',
      () => ({ ...existing(), ...onPlan, additionalFields: { use_existing_customer: true } }),
      ['"Use Existing Customer" applies only to a New Customer'],
    ],
    [
      'an existing customer contradicts the wish for a new one',
      () => ({ ...existing(), ...onPlan, additionalFields: { use_existing_customer: false } }),
      ['"Use Existing Customer" applies only to a New Customer'],
    ],
    [
      'a fee can not be set and waived',
      () => ({ ...existing(), ...onPlan, amt_setup: 5, additionalFields: { amt_setup_ignore: true } }),
      ['"Waive One-Time Fee" can\'t be combined with a One-Time Fee'],
    ],
  ];
  test.each(refused)('sends nothing, because %s', async (_, parameters, messages) => {
    const { error } = await subscribe(parameters());
    for (const message of messages) expect(error?.message).toContain(message);
    expect(sandbox.control.journal()).toEqual([]);
  });

  test('stops the run for an invalid card and shows its number in no message', async () => {
    const customer = { ...ana, billing_cards: [{ card_number: `${NUMBER}9`, exp_date: '1330', cvv2: '98765' }] };
    const { error } = await subscribe({ ...newCustomerJson(customer), ...onPlan });
    expect(error?.message).toContain('"New Customer > Billing Cards 1 > Card Number" must be 12 to 16 digits');
    const told = JSON.stringify([error?.message, error?.description, error?.context]);
    expect(told).not.toContain('4111');
    expect(told).not.toContain('98765');
  });
});

describe('a declined one-time fee', () => {
  const fees = [25, DECLINED_FEE, 30, 0.51];
  const rows = fees.map((fee) => ({ fee }));
  const withFees = (more: INodeParameters = {}) => ({
    ...existing(),
    ...offPlan,
    amt_setup: '={{ $json.fee }}',
    ...more,
  });

  test('returns the subscription and one hint with the number and names of the items', async () => {
    const { items, error, hints } = await subscribe(withFees(), rows);
    expect(error).toBeUndefined();
    const codes = items.map(({ json }) => (json.response as IDataObject).rcode);
    expect(codes).toEqual(['000', '005', '000', '051']);
    const id = (index: number) => items[index]?.json.subscription_id as string;
    expect(hints).toEqual([
      expect.stringMatching(
        new RegExp(
          `^The subscription was created, but its one-time fee was declined\\. 2 of 4: row 2 \\(\\w+, subscription_id ${id(1)}, code 005\\), row 4 \\(\\w+, subscription_id ${id(3)}, code 051\\)\\.$`,
        ),
      ),
    ]);
  });

  test('fails the item with the code, pg_id and IDs of the subscription if the user chose this', async () => {
    const { items, errors, hints } = await subscribe(withFees({ declinedFee: 'fail' }), rows, {
      onError: 'continueErrorOutput',
    });
    expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
    expect(hints).toEqual([
      expect.stringMatching(
        /^2 of 4 failed\. Row 2 .*was declined: The issuer declined the payment without giving a reason/,
      ),
    ]);
    expect(subscriptions()).toHaveLength(4);
    const made = subscriptions().find(({ amt_setup }) => amt_setup === DECLINED_FEE);
    const failed = errors[0]?.json.error as IDataObject;
    expect(failed).toMatchObject({
      outcome: 'declined',
      rcode: '005',
      pg_id: made?.response?.pg_id,
      references: {
        subscription_id: String(made?.subscription_id),
        customer_id: made?.customer_id,
        card_id: made?.card_id,
        purchase_id: made?.purchase_id,
        status: 'A',
      },
    });
    expect(failed.message).toBe(
      `The subscription ${String(made?.subscription_id)} was created, but its one-time fee was declined: The issuer declined the payment without giving a reason. The subscription is active, so if the fee was not charged, collect it in another way or cancel the subscription.`,
    );
    expect(failed.description).toContain('would charge the customer twice');
  });

  test('stops the run and says that the subscription exists if the user chose this', async () => {
    const { error } = await subscribe(withFees({ declinedFee: 'fail' }), [{ fee: DECLINED_FEE }]);
    expect(error?.message).toMatch(/^The subscription \d+ was created, but its one-time fee was declined/);
    expect(error?.context?.data).toMatchObject({
      outcome: 'declined',
      references: { subscription_id: String(subscriptions()[0]?.subscription_id) },
    });
  });

  test("doesn't create the subscription again if n8n retries", async () => {
    const { error } = await subscribe(withFees({ declinedFee: 'fail' }), [{ fee: DECLINED_FEE }], {
      settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 },
    });
    expect(error?.message).toMatch(/but its one-time fee was declined/);
    expect(sent()).toHaveLength(1);
    expect(subscriptions()).toHaveLength(1);
  });

  test('cancels the subscription if the user chose this and says so in the failure', async () => {
    const { error } = await subscribe(
      withFees({ declinedFee: 'fail', additionalFields: { cancel_on_setup_fail: true } }),
      [{ fee: DECLINED_FEE }],
    );
    expect(error?.message).toContain('As requested, the subscription was canceled for this reason');
    expect(error?.context?.data).toMatchObject({ references: { status: 'C' } });
  });

  test("doesn't report a partly approved fee as declined", async () => {
    const { hints } = await subscribe(withFees(), [{ fee: 0.1 }]);
    expect(hints[0]).toContain('but its one-time fee was only partly approved');
  });

  test.each(['008', '011', '0Y1', '0Y3'])('treats the code %s as an approval of the fee', async (rcode) => {
    const { customer_id } = sandbox.control.state().customers[0] ?? {};
    const data = { subscription_id: 7, customer_id, status: 'A', response: { rcode, pg_id: 'p1' } };
    sandbox.control.addFault({ kind: 'status', status: 200, body: { code: 0, message: 'Success', data } });
    const { items, error, hints } = await subscribe(withFees({ declinedFee: 'fail' }), [{ fee: 25 }]);
    expect([error, hints]).toEqual([undefined, []]);
    expect(items[0]?.json.what_happened).toContain('charged');
  });

  test.each(['004', '998', '999'])("doesn't report a fee with the code %s as declined", async (rcode) => {
    const { customer_id } = sandbox.control.state().customers[0] ?? {};
    const data = { subscription_id: 7, customer_id, status: 'A', response: { rcode, pg_id: 'p1' } };
    sandbox.control.addFault({ kind: 'status', status: 200, body: { code: 0, message: 'Success', data } });
    const { items, hints } = await subscribe(withFees(), [{ fee: 25 }]);
    expect(hints[0]).toContain('but its one-time fee was not confirmed');
    expect(items[0]?.json.what_happened).toContain('check');
  });

  test('returns no hint if the fee is approved or not due', async () => {
    const { hints } = await subscribe(withFees(), [{ fee: 25 }, { fee: '' }]);
    expect(hints).toEqual([]);
  });
});

describe('a subscription without a start date', () => {
  // This time is 20:30 on December 31 in the workflow's time zone.
  const EVENING = new Date('2029-01-01T01:30:00Z');
  const WITHOUT_DATE = { ...onPlan, date_start: '' };
  const at = (now: Date) => jest.useFakeTimers({ now, advanceTimers: true, doNotFake: ['nextTick', 'setImmediate'] });
  afterEach(() => jest.useRealTimers());

  test("starts today in the workflow's time zone", async () => {
    at(EVENING);
    const { error } = await subscribe({ ...existing(), ...WITHOUT_DATE });
    expect(error).toBeUndefined();
    expect(sent()).toMatchObject([{ date_start: '2028-12-31T00:00:00.000Z' }]);
  });

  test('is refused if the date is an expression without a result', async () => {
    for (const date_start of ['={{ $json.day }}', '={{ "" }}', '={{ null }}']) {
      const { error } = await subscribe({ ...existing(), ...onPlan, date_start }, [{ day: '' }]);
      expect(error?.message).toContain('"Start Date" is required');
    }
    expect(sandbox.control.journal()).toEqual([]);
  });

  test("isn't sent again by a retry on another day after a lost response", async () => {
    at(EVENING);
    sandbox.control.addFault({ kind: 'reset_after_apply' });
    const parameters = { ...existing(), ...WITHOUT_DATE, options: { unknownOutcome: 'refuse' } };
    const { run: failed } = await subscribe(parameters);
    at(new Date('2029-01-02T01:30:00Z'));
    const { error } = await subscribe(parameters, [{}], { retryOf: failed });
    expect(error?.context?.data).toMatchObject({ outcome: 'unknown' });
    expect(sent()).toHaveLength(1);
    expect(subscriptions()).toHaveLength(1);
  });
});

test("doesn't send a subscription again after a lost response and says where to look", async () => {
  sandbox.control.addFault({ kind: 'reset_after_apply' });
  const { error } = await subscribe({ ...existing(), ...onPlan, additionalFields: { purchase_id: 'ORDER-7' } }, [{}], {
    settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 },
  });
  expect(error?.context?.data).toMatchObject({ outcome: 'unknown', references: { purchase_id: 'ORDER-7' } });
  expect(error?.description).toContain('with the purchase ID ORDER-7 in Subscription > Get Many');
  expect(subscriptions()).toHaveLength(1);
});

test('refuses a subscription above the limit, including its one-time fee', async () => {
  const { error } = await subscribe({ ...existing(), ...offPlan, amt_setup: 501, options: { limitPerItem: 500 } });
  expect(error?.message).toContain('"One-Time Fee" 501');
  expect(sandbox.control.journal()).toEqual([]);
});
