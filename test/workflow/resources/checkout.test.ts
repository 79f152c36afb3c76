import axios from 'axios';
import { NodeHelpers, type IDataObject, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { PaymentPlatform } from '../../../nodes/PaymentPlatform/PaymentPlatform.node';
import { idOfLink } from '../../../nodes/PaymentPlatform/fields/kinds/link';
import { typeRecord } from '../../../nodes/PaymentPlatform/output/format-record';
import { benchOf, sandboxForFile } from '../bench';
import type { RunInput } from '../harness';

const sandbox = sandboxForFile();

const { run, bodies } = benchOf(sandbox, { parameters: { resource: 'checkout' } });
const create = async (parameters: INodeParameters, rows?: IDataObject[], more?: Partial<RunInput>) =>
  await run({ operation: 'create', ...inCollection(parameters) }, rows, more);
/** Only these parameters of a link are outside Additional Fields. */
const VISIBLE = ['amt_tran', 'customer_id', 'purchase_id', 'options'];
function inCollection({ additionalFields, ...given }: INodeParameters): INodeParameters {
  const [visible, others] = [true, false].map((isVisible) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => VISIBLE.includes(name) === isVisible)),
  );
  return { ...visible, additionalFields: { ...others, ...(additionalFields as INodeParameters) } };
}
const get = async (checkout_id: INodeParameters, more: INodeParameters = {}) =>
  await run({ operation: 'get', checkout_id: { __rl: true, ...checkout_id }, ...more });
/** Bodies without the reference that the node generates for each link. */
const sent = () =>
  bodies('addCheckout').map(({ merch_ref_num: reference, ...others }) => {
    expect(reference).toMatch(/^[0-9A-F]{20}$/);
    return others;
  });

const customer = () => {
  const [first] = sandbox.control.state().customers;
  return { id: String(first?.customer_id), card: String(first?.billing_cards?.[0]?.card_id) };
};
const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const picked = (value: string) => ({ __rl: true, mode: 'list', value });
const ana = { customer_first_name: 'Ana', customer_last_name: 'Silva' };

describe('complete checkout links', () => {
  const leftOver = (additional: INodeParameters = {}): INodeParameters => ({
    amt_tran: 99,
    card_id: picked(customer().card),
    profileKind: 'dynamic',
    additionalFields: { tran_currency: '840', moto_ecomm_ind: '1', ...additional },
  });
  const complete: Array<[string, () => INodeParameters, () => IDataObject]> = [
    ['Take a Payment', () => ({ purpose: 'payment', amt_tran: '120.50' }), () => ({ amt_tran: 120.5 })],
    [
      'Take a Payment and Save the Payment Method',
      () => ({ purpose: 'paymentAndSave', amt_tran: 20, customer_id: picked(customer().id) }),
      () => ({ amt_tran: 20, customer_id: customer().id, preferences: { allow_save_card: true } }),
    ],
    [
      'Take a Payment, of a new customer whose card the page can save',
      () => ({
        ...{ purpose: 'payment', amt_tran: 20, customer_id: byId('ANA2') },
        ...{ preferences: { allow_save_card: true }, additionalFields: ana },
      }),
      () => ({ amt_tran: 20, customer_id: 'ANA2', ...ana, preferences: { allow_save_card: true } }),
    ],
    [
      'Take a Payment With Saved Payment Methods',
      () => ({ purpose: 'paymentWithSaved', amt_tran: 20, customer_id: picked(customer().id) }),
      () => ({ amt_tran: 20, customer_id: customer().id, preferences: { show_saved_payment_methods: true } }),
    ],
    [
      'Save a Payment Method, of a person on a dynamic profile',
      () => ({ ...leftOver(ana), purpose: 'saveMethod', customer_id: byId('ANA1') }),
      () => ({ customer_id: 'ANA1', ...ana, preferences: { allow_save_card: true } }),
    ],
    [
      'Save a Payment Method, of a company on a vault profile',
      () => ({
        ...leftOver({ customer_firm_name: 'Silva Bakery', checkout_profile_id: '3002' }),
        purpose: 'saveMethod',
        customer_id: byId('BAKERY1'),
        profileKind: 'vault',
      }),
      () => ({ customer_id: 'BAKERY1', customer_firm_name: 'Silva Bakery', checkout_profile_id: 3002 }),
    ],
    [
      'Add a Payment Method to a Customer',
      () => ({ ...leftOver(), purpose: 'addMethod', customer_id: picked(customer().id) }),
      () => ({ customer_id: customer().id, preferences: { allow_save_card: true } }),
    ],
    [
      'Update a Saved Payment Method',
      () => ({
        ...leftOver({ checkout_profile_id: 3002 }),
        purpose: 'updateMethod',
        customer_id: picked(customer().id),
        card_id: picked(customer().card),
        profileKind: 'vault',
      }),
      () => ({ customer_id: customer().id, card_id: customer().card, checkout_profile_id: 3002 }),
    ],
  ];
  test.each(complete)('accepts %s and sends only the fields that apply', async (_, parameters, body) => {
    const { items, error } = await create(parameters());
    expect(error).toBeUndefined();
    expect(sent()).toEqual([body()]);
    const id = items[0]?.json.checkout_id as string;
    expect(items[0]?.json.checkout_link).toBe(`${sandbox.baseUrl}/hosted/checkout/${id}`);
    expect((await axios.get<string>(items[0]?.json.checkout_link as string)).status).toBe(200);
  });
});

describe('incomplete checkout links', () => {
  const noCustomer = ['"Customer" is required for'];
  const refused: Array<[string, () => INodeParameters, string[]]> = [
    ['a payment needs an amount', () => ({ purpose: 'payment' }), ['"Amount" is required']],
    [
      'a payment that saves needs an amount',
      () => ({ purpose: 'paymentAndSave', customer_id: byId('A1') }),
      ['"Amount" is required'],
    ],
    ['a payment that saves needs a customer', () => ({ purpose: 'paymentAndSave', amt_tran: 5 }), noCustomer],
    [
      'a payment with saved methods needs an amount',
      () => ({ purpose: 'paymentWithSaved', customer_id: byId('A1') }),
      ['"Amount" is required'],
    ],
    [
      'a payment with saved methods needs a customer',
      () => ({ purpose: 'paymentWithSaved', amt_tran: 5 }),
      ['"Customer" is required for "Take a Payment With Saved Payment Methods"'],
    ],
    ...(['payment', 'paymentWithSaved'] as const).map((purpose): [string, () => INodeParameters, string[]] => [
      `a saved customer has a name (${purpose})`,
      () => ({
        purpose,
        amt_tran: 5,
        customer_id: byId('A1'),
        additionalFields: { ...ana, customer_firm_name: 'Bakery' },
      }),
      ['"First Name" must be empty if "Customer" is filled', '"Last Name" must be', '"Company Name" must be'],
    ]),
    ['saving needs a customer ID', () => ({ purpose: 'saveMethod', additionalFields: ana }), noCustomer],
    [
      'saving needs a full name or a company name',
      () => ({ purpose: 'saveMethod', customer_id: byId('A1'), additionalFields: { customer_first_name: 'Ana' } }),
      ['"First Name" and "Last Name", or "Company Name", are required for "Save a Payment Method"'],
    ],
    [
      'saving on a vault profile needs its ID',
      () => ({ purpose: 'saveMethod', customer_id: byId('A1'), additionalFields: ana, profileKind: 'vault' }),
      ['"Checkout Profile ID" is required with a vault profile'],
    ],
    ['adding needs a customer', () => ({ purpose: 'addMethod' }), noCustomer],
    [
      'adding on a vault profile needs its ID',
      () => ({ purpose: 'addMethod', customer_id: byId('A1'), profileKind: 'vault' }),
      ['"Checkout Profile ID" is required'],
    ],
    ['updating needs a customer', () => ({ purpose: 'updateMethod', card_id: byId('c1') }), noCustomer],
    [
      'updating needs the card to update',
      () => ({ purpose: 'updateMethod', customer_id: byId('A1') }),
      ['"Saved Card" is required for "Update a Saved Payment Method"'],
    ],
    [
      'a purpose that is none',
      () => ({ purpose: '={{ "donate" }}', amt_tran: 5 }),
      ['"Link Purpose" must be one of', 'found "donate"'],
    ],
    [
      'a customer ID that is too long',
      () => ({ purpose: 'addMethod', customer_id: byId('A'.repeat(33)) }),
      ['"Customer" must be at most 32 letters and digits'],
    ],
    [
      'saved methods can not be shown of nobody',
      () => ({ purpose: 'payment', amt_tran: 5, preferences: { show_saved_payment_methods: true } }),
      ['"Preferences > Show Saved Payment Methods" requires a Customer'],
    ],
    [
      'no card can be saved for nobody',
      () => ({ purpose: 'payment', amt_tran: 5, preferences: { allow_save_card: true } }),
      ['"Preferences > Allow Saving the Card" requires a Customer who will own the saved card'],
    ],
    [
      'what the purpose implies can not be switched off',
      () => ({
        purpose: 'paymentAndSave',
        amt_tran: 5,
        customer_id: byId('A1'),
        extraBodyFields: { preferences: { allow_save_card: false } },
      }),
      ['"Preferences > Allow Saving the Card" must be on for links with this purpose'],
    ],
    [
      'a return link must be a web address',
      () => ({ purpose: 'payment', amt_tran: 5, preferences: { success_url: 'shop.example.com' } }),
      ['"Preferences > Success URL" must be a web address', 'found "shop.example.com"'],
    ],
    [
      'a preference that the interface does not have',
      () => ({ purpose: 'payment', amt_tran: 5, extraBodyFields: { preferences: { colour: 'red' } } }),
      ['an unknown field "colour"'],
    ],
    [
      'a phone number whose leading zero would be lost',
      () => ({ purpose: 'payment', amt_tran: 5, additionalFields: { customer_phone: '0541 555 0143' } }),
      ['"Phone" must be a phone number'],
    ],
  ];
  test.each(refused)('sends nothing, because %s', async (_, parameters, messages) => {
    const { error } = await create(parameters());
    for (const message of messages) expect(error?.message).toContain(message);
    expect(sandbox.control.journal()).toEqual([]);
  });

  test('creates no links if one item of a run is invalid', async () => {
    const { error } = await create({ purpose: 'payment', amt_tran: '={{ $json.amount }}' }, [
      { amount: 5 },
      { amount: '' },
    ]);
    expect(error?.message).toContain('Row 2 of 2: "Amount" is required');
    expect(sandbox.control.journal()).toEqual([]);
  });
});

test('refuses a purpose whose expression returns nothing, and takes a payment without a purpose', async () => {
  const { error } = await create({ amt_tran: 5, purpose: '={{ $json.missing }}' });
  expect(error?.message).toContain('"Link Purpose" is required');
  expect(sandbox.control.journal()).toEqual([]);
  expect((await create({ amt_tran: 5 })).error).toBeUndefined();
  expect(sent()).toEqual([{ amt_tran: 5 }]);
});

test("omits a payment's preferences from a link that only saves a payment method", async () => {
  const preferences = { allow_partial_payments: true, request_type: 'auth', allow_save_card: false };
  await create({ purpose: 'addMethod', customer_id: picked(customer().id), preferences });
  expect(sent()).toEqual([{ customer_id: customer().id, preferences: { allow_save_card: true } }]);
});

test('shows three fields of a new link, and Additional Fields', () => {
  const node = new PaymentPlatform().description;
  const shown = { resource: 'checkout', operation: 'create', additionalFields: {} };
  const isShown = (parameters: INodeParameters) => (property: INodeProperties) =>
    NodeHelpers.displayParameter(parameters, property, { typeVersion: 1 }, node);
  const names = (parameters: INodeParameters) => node.properties.filter(isShown(parameters)).map(({ name }) => name);
  const panel = ['resource', 'operation', 'amt_tran', 'customer_id', 'purchase_id', 'additionalFields', 'options'];
  expect(names(shown)).toEqual(panel);
  const saving = { ...shown, additionalFields: { purpose: 'addMethod' } };
  expect(names(saving)).toEqual(panel.filter((name) => name !== 'amt_tran'));
});

test('applies the purpose of each item, given by name or value', async () => {
  const { error } = await create(
    {
      purpose: '={{ $json.what }}',
      amt_tran: '={{ $json.amount }}',
      customer_id: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
      profileKind: '={{ $json.kind }}',
      additionalFields: { checkout_profile_id: '={{ $json.profile }}' },
    },
    [
      { what: 'take a payment', amount: '7.25', kind: 'vault' },
      { what: 'addMethod', amount: 7, id: customer().id, kind: 'Vault Profile', profile: 3002 },
    ],
  );
  expect(error).toBeUndefined();
  const bodies = sent().sort((a, b) => Object.keys(a).length - Object.keys(b).length);
  expect(bodies).toEqual([{ amt_tran: 7.25 }, { customer_id: customer().id, checkout_profile_id: 3002 }]);
});

test('sends all prefilled fields and preferences with the types of the interface', async () => {
  const { error } = await create({
    purpose: 'payment',
    amt_tran: 12,
    purchase_id: 1001,
    linkExpiresAfter: { item: { expire_in_secs: 2, expire_in_secsUnit: 'days' } },
    preferences: {
      allow_ach_payment: true,
      allow_partial_payments: false,
      email_receipt: true,
      request_type: 'auth',
      success_url: 'https://shop.example.com/thanks',
    },
    additionalFields: {
      ...ana,
      customer_email: 'ana@example.com',
      tran_currency: 840,
      moto_ecomm_ind: '1',
      customer_phone: '+1 (202) 555-0143',
      billing_state: 'OR',
      billing_zip: 97477,
    },
  });
  expect(error).toBeUndefined();
  expect(sent()).toEqual([
    {
      amt_tran: 12,
      ...ana,
      customer_email: 'ana@example.com',
      preferences: {
        allow_ach_payment: true,
        allow_partial_payments: false,
        email_receipt: true,
        request_type: 'auth',
        success_url: 'https://shop.example.com/thanks',
        expire_in_secs: 172_800,
      },
      purchase_id: '1001',
      tran_currency: '840',
      moto_ecomm_ind: '1',
      customer_phone: 12025550143,
      billing_state: 'OR',
      billing_zip: '97477',
    },
  ]);
});

describe('the lifetime of a link', () => {
  const expiring = async (value: unknown, unit: string, more: INodeParameters = {}) =>
    await create({
      purpose: 'payment',
      amt_tran: 5,
      linkExpiresAfter: { item: { expire_in_secs: value as string, expire_in_secsUnit: unit } },
      ...more,
    });
  test.each([
    [900, 'seconds', 900],
    [15, 'minutes', 900],
    ['0.25', 'hours', 900],
    [1.5, 'Hours', 5_400],
    [90, 'days', 7_776_000],
    ['2160', 'hours', 7_776_000],
    [7_776_000, 'seconds', 7_776_000],
  ])('sends %s %s as %d seconds', async (value, unit, seconds) => {
    const { items, error } = await expiring(value, unit);
    expect(error).toBeUndefined();
    expect(sent()).toEqual([{ amt_tran: 5, preferences: { expire_in_secs: seconds } }]);
    const { db_timestamp: created, expiry_time: expires } = items[0]?.json as Record<string, string>;
    expect(Date.parse(expires ?? '') - Date.parse(created ?? '')).toBe(seconds * 1000);
  });

  test.each([
    [899, 'seconds'],
    [14, 'minutes'],
    [91, 'days'],
    [7_776_001, 'seconds'],
    [0, 'days'],
    [-1, 'days'],
    [900.5, 'seconds'],
    ['soon', 'days'],
  ])('refuses %s %s before anything is sent and states the allowed values', async (value, unit) => {
    const { error } = await expiring(value, unit);
    expect(error?.message).toContain('"Link Expiration > Link Expires After" must be from 15 minutes to 90 days');
    expect(error?.message).toContain(
      `(found ${typeof value === 'string' ? `"${value}", in ${unit}` : `${value} ${unit}`})`,
    );
    expect(sandbox.control.journal()).toEqual([]);
  });

  test('sends no lifetime if none is given', async () => {
    await expiring('', 'days');
    expect(sent()).toEqual([{ amt_tran: 5 }]);
  });

  test('accepts a lifetime in seconds in Extra Body Fields with the same bounds', async () => {
    const json = (seconds: number) => ({ extraBodyFields: { preferences: { expire_in_secs: seconds } } });
    await expiring('', 'days', json(900));
    expect(sent()).toEqual([{ amt_tran: 5, preferences: { expire_in_secs: 900 } }]);
    const short = await expiring('', 'days', json(899));
    expect(short.error?.message).toContain('must be a whole number from 900 to 7776000');
    const twice = await expiring(1, 'days', json(900));
    expect(twice.error?.message).toContain('"Link Expiration" must be empty if "Preferences" contains expire_in_secs');
    expect(sent()).toHaveLength(1);
  });
});

test("reports the service's refusal of another customer's card", async () => {
  const [, other] = sandbox.control.state().customers;
  const { error } = await create({
    purpose: 'updateMethod',
    customer_id: byId(customer().id),
    card_id: byId(String(other?.billing_cards?.[0]?.card_id)),
  });
  expect(`${error?.message} ${error?.description}`).toContain('"Saved Card" does not belong to the customer');
  expect(sandbox.control.state().checkouts).toEqual([]);
});

test("doesn't create a link again after a lost response", async () => {
  sandbox.control.addFault({ kind: 'reset_after_apply' });
  const { error } = await create({ purpose: 'payment', amt_tran: 5, purchase_id: 'ORDER-7' }, [{}], {
    settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 },
  });
  expect(error?.context?.data).toMatchObject({ outcome: 'unknown', references: { purchase_id: 'ORDER-7' } });
  expect(error?.description).toContain('purchase ID ORDER-7');
  expect(sandbox.control.state().checkouts).toHaveLength(1);
});

test('refuses amounts above the limit before it creates a link', async () => {
  const { error } = await create({ purpose: 'payment', amt_tran: 501, options: { limitPerItem: 500 } });
  expect(error?.message).toContain('"Amount" 501');
  expect(sandbox.control.journal()).toEqual([]);
});

describe('looking up a link', () => {
  const NUMBER = '4111111111111111';
  const made = async (more: INodeParameters = {}) => {
    const { items } = await create({ purpose: 'payment', amt_tran: 100, ...more });
    return { id: items[0]?.json.checkout_id as string, link: items[0]?.json.checkout_link as string };
  };
  /** Submits the form of the hosted page, as a customer does to pay. */
  const pay = async (link: string, amount: string) => {
    const page = (await axios.get<string>(link)).data;
    const attempt = /name="attempt" value="(\d+)"/.exec(page)?.[1] ?? '';
    await axios.post(link, new URLSearchParams({ attempt, amount, card_number: NUMBER, exp_date: '1230' }));
  };

  test.each([
    ['its ID', (id: string) => ({ mode: 'id', value: id })],
    ['its pasted link', (_: string, link: string) => ({ mode: 'link', value: link })],
    ['its link with a slash and spaces', (_: string, link: string) => ({ mode: 'link', value: ` ${link}/ ` })],
    ['its link, pasted into By ID', (_: string, link: string) => ({ mode: 'id', value: link })],
    ['its ID, pasted into By Link', (id: string) => ({ mode: 'link', value: id })],
    [
      'a link of a host that puts the ID into the query',
      (id: string) => ({ mode: 'link', value: `https://pay.example.com/page?lang=en&checkout_id=${id}` }),
    ],
  ])('finds the link by %s', async (_, parameter) => {
    const { id, link } = await made();
    const { items, error } = await get(parameter(id, link));
    expect(error).toBeUndefined();
    expect(items[0]?.json).toMatchObject({ checkout_id: id, paid: false });
  });

  test('finds each link by the URL from an earlier item', async () => {
    const links = [await made(), await made(), await made()];
    const { items } = await run(
      { operation: 'get', checkout_id: { __rl: true, mode: 'link', value: '={{ $json.link }}' } },
      links,
    );
    expect(items.map(({ json }) => json.checkout_id)).toEqual(links.map(({ id }) => id));
  });

  test.each([
    ['a link without an ID', 'https://pay.example.com/checkout', 'must be a link that contains an ID'],
    ['an ID that can not be one', 'c0ffee.d001', 'must be a checkout_id of at most 32 letters and digits'],
    [
      'a link with too long an ID',
      `https://pay.example.com/${'1a'.repeat(17)}`,
      'must be a checkout_id of at most 32 letters',
    ],
    ['nothing', '={{ "" }}', 'is required'],
  ])('refuses %s before anything is sent', async (_, value, message) => {
    const { error } = await get({ mode: 'link', value });
    expect(error?.message).toContain(`"Checkout" ${message}`);
    expect(sandbox.control.journal()).toEqual([]);
  });

  test("reports the service's refusal of an unknown ID", async () => {
    const { error } = await get({ mode: 'id', value: 'c0ffee0000000000000000000000d001' });
    expect(error?.message).toContain('Checkout');
    expect(error?.context?.data).toMatchObject({ outcome: 'declined', httpStatus: 404 });
  });

  test('summarizes the paid amount, the remaining amount and the outcome of each payment', async () => {
    const { id, link } = await made({ preferences: { allow_partial_payments: true }, ...ana });
    await pay(link, '30.30');
    const partly = (await get({ mode: 'id', value: id })).items[0]?.json ?? {};
    expect(partly).toMatchObject({ paid: false, amt_tran: 100, amt_paid: 30.3, amt_balance: 69.7 });
    expect(partly.transactions_text).toMatch(
      /^Approved: \w+ of 30\.30 at \d{4}-\d\d-\d\d \d\d:\d\d [A-Z]\S+, pg_id \w+$/,
    );
    expect(Object.keys(partly).length).toBeLessThanOrEqual(10);
    await pay(link, '69.70');
    const whole = (await get({ mode: 'id', value: id })).items[0]?.json ?? {};
    expect(whole).toMatchObject({ paid: true, amt_paid: 100, amt_balance: 0 });
    expect(whole.transactions_text).toMatch(/^Approved: [^;]+; Approved: [^;]+$/);
    expect(JSON.stringify(whole)).not.toContain(NUMBER);
  });

  test("shows a declined payment and doesn't count it as paid", async () => {
    const { id, link } = await made({ amt_tran: 0.05 });
    await pay(link, '0.05');
    const { items } = await get({ mode: 'id', value: id });
    expect(items[0]?.json).toMatchObject({
      paid: false,
      amt_paid: 0,
      transactions_text: expect.stringMatching(/^Declined \(.+\): /) as string,
    });
  });

  test("doesn't count a reserved amount as paid even if nothing is left to pay", async () => {
    const { id, link } = await made({ preferences: { request_type: 'auth' } });
    await pay(link, '100');
    const { items } = await get({ mode: 'id', value: id });
    expect(items[0]?.json).toMatchObject({ paid: false, amt_paid: 0, amt_balance: 0 });
    expect(items[0]?.json.transactions_text).toMatch(/^Approved \(authorized only\): \w+ of 100\.00/);
  });

  test('shows no payment status for a link that only saves a payment method', async () => {
    const { id } = await made({ purpose: 'addMethod', customer_id: byId(customer().id) });
    const { items } = await get({ mode: 'id', value: id });
    expect(items[0]?.json).not.toHaveProperty('paid');
    expect(items[0]?.json).not.toHaveProperty('amt_paid');
  });

  test('returns the complete record with typed values if Simplify is off', async () => {
    const { id, link } = await made({ preferences: { allow_partial_payments: true } });
    await pay(link, '30.30');
    const { items } = await get({ mode: 'id', value: id }, { simplify: false });
    const answer = await axios.get<{ data: IDataObject }>(`${sandbox.baseUrl}/platform/checkout/${id}`, {
      headers: { authorization: `Basic ${sandbox.credentials.test.token}` },
    });
    expect(items[0]?.json).toEqual(typeRecord(answer.data.data));
    expect(items[0]?.json).not.toHaveProperty('paid');
  });
});

test.each([
  ['https://pay.example.com/checkout/c0ffee01', 'c0ffee01'],
  ['pay.example.com/c/c0ffee01/', 'c0ffee01'],
  ['https://pay.example.com/checkout?CheckoutID=c0ffee01&x=1', 'c0ffee01'],
  ['https://pay.example.com/checkout/c0ffee01?checkout_id=d00d02', 'd00d02'],
  ['https://pay.example.com/checkout/c0ffee01?lang=en&source=mail22', 'c0ffee01'],
  ['https://pay.example.com/checkout?id=c0ffee01&lang=en#top', 'c0ffee01'],
  ['https://pay.example.com/checkout?id=c0ffee01&campaign=spring26', undefined],
  ['https://pay.example.com/checkout', undefined],
  ['https://', undefined],
])('reads the ID in %s as %s', (link, id) => {
  expect(idOfLink(link, ['checkout_id', 'checkoutId'])).toBe(id);
});
