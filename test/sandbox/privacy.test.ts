import { isAxiosError } from 'axios';

import { clientFor, createInvoice, benchForFile } from './client';

const SECRETS = {
  card: '4242424242424242',
  badCard: '4242424242424241',
  account: '998877665544',
  routing: '091000019',
  swipe: '%B4012888888881881^ABBOTT/ADA^3012101000000000000?',
  swipeCard: '4012888888881881',
  payload: 'canary-wallet-payload',
  password: 'canary-delivery-password',
  verification: 'canary-cvv2',
};

describe('Secrets', () => {
  const bench = benchForFile(true);
  const outputs: string[] = [];
  const keep = (value: unknown): void => void outputs.push(typeof value === 'string' ? value : JSON.stringify(value));

  const send = async (path: string, body?: object, params?: object): Promise<void> => {
    try {
      const method = body === undefined ? 'get' : 'post';
      keep((await bench.http.request<unknown>({ method, url: path, data: body, params })).data);
    } catch (error) {
      if (!isAxiosError(error)) throw error;
    }
  };

  const sendEverything = async (): Promise<void> => {
    const { merchant_id } = bench;
    const card = { card_number: SECRETS.card, exp_date: '1230' };
    const customer = {
      auto_generate_customer_id: true,
      customer_firm_name: 'Firm',
      billing_cards: [
        { ...card, cvv2: '123' },
        { tr_number: SECRETS.routing, dda_number: SECRETS.account },
      ],
    };
    await send('/pg/tokenize', { merchant_id, ...card });
    await send('/pg/tokenize', { merchant_id, ...card, cvv2: SECRETS.verification });
    await send('/pg/tokenize', { merchant_id, ...card, card_number: SECRETS.badCard });
    await send('/pg/tokenize', { merchant_id, card_number: '4242 4242 4242 4241' });
    await send('/pg/tokenize', { merchant_id, card_number: Number(SECRETS.card) });
    await send('/pg/tokenize', { merchant_id, note: `number ${SECRETS.card}`, [SECRETS.card]: 1 });
    await send('/pg/tokenize', {
      merchant_id,
      ...card,
      report_data: JSON.stringify([{ name: 'n', value: SECRETS.card }]),
    });
    await send('/pg/tokenize', { merchant_id, card_swipe: SECRETS.swipe });
    await send('/pg/tokenize', { merchant_id, payload_walletA_pay: SECRETS.payload });
    await send('/pg/tokenize', { merchant_id, tr_number: SECRETS.routing, dda_number: SECRETS.account });
    await send('/platform/subscription', {
      plan_frequency: 3,
      plan_duration: 1,
      amt_tran: 5,
      amt_setup: 0.05,
      customer,
    });
    // The service returns the full numbers only in the response to this request.
    const account = { tr_number: SECRETS.routing, dda_number: SECRETS.account };
    await bench.http.post('/platform/vault/payee/account/9001', account).catch(() => undefined);
    await send('/platform/aus/add', { data: [card, { ...card, card_number: SECRETS.badCard }] });
    await send('/platform/webhook', {
      notification_url: 'https://example.com/hook',
      label: 'Test',
      auth_type: 'BASIC',
      auth_settings: { user_name: 'user', user_password: SECRETS.password },
    });
    await send(`/pg/refund/${SECRETS.card}`, { merchant_id, amt_tran: 1 });
    await send('/platform/vault/customer', undefined, { note: SECRETS.card });
  };

  test('no output contains a card or account number, a verification value, a password or a key', async () => {
    await sendEverything();
    for (const kind of ['truncated_json', 'html_error_page', 'status', 'reset_after_apply'] as const) {
      bench.sandbox.control.clearFaults();
      bench.sandbox.control.addFault({ kind });
      await sendEverything();
    }
    bench.sandbox.control.clearFaults();
    const { invoice_id, invoice_link } = await createInvoice(bench);
    await bench.http.post(`/platform/invoice/${invoice_id}/send`, {});
    const person = clientFor('');
    for (const card_number of [SECRETS.badCard, SECRETS.card]) {
      const form = new URLSearchParams({ attempt: '0', card_number, exp_date: '1230' });
      keep((await person.post<string>(invoice_link, form)).data);
    }
    const overview = (await person.get<string>(bench.sandbox.overviewUrl)).data;
    const records = overview.replace(/<section id="credentials">.*?<\/section>/s, '');
    expect(overview.length - records.length).toBeGreaterThan(500);
    keep(records);
    const controls = clientFor(bench.sandbox.controlUrl);
    for (const path of ['/journal', '/state', '/state?environment=production', '/faults', '/concurrency'])
      keep((await controls.get<unknown>(path)).data);
    for (const path of ['/platform/vault/customer', '/platform/reporting/transaction-requests'])
      keep((await bench.http.get<unknown>(path)).data);
    const { apiKey, token } = bench.sandbox.credentials.test;
    const all = outputs.join('\n');
    expect(all.length).toBeGreaterThan(50_000);
    expect(all).toContain('424242xxxxxx4242');
    const found = Object.entries({ ...SECRETS, apiKey, token }).filter(([, secret]) => all.includes(secret));
    expect(found.map(([name]) => name)).toEqual([]);
  });

  test("only one response contains a payee's full new account numbers", async () => {
    bench.sandbox.control.reset();
    const account = { tr_number: SECRETS.routing, dda_number: SECRETS.account };
    const { data } = await bench.http.post<object>('/platform/vault/payee/account/9001', account);
    expect(data).toMatchObject(account);
    const { control } = bench.sandbox;
    expect(control.state().payees[0]?.payee_account).toMatchObject({
      tr_number: 'xxxxxxxxx',
      dda_number: 'xxxxxxxx5544',
    });
    const kept = JSON.stringify([control.state(), control.journal()]);
    expect(kept).toContain('xxxxxxxx5544');
    expect(kept).not.toMatch(new RegExp(`${SECRETS.account}|${SECRETS.routing}`));
  });

  test('the journal shows the type and format of hidden values', async () => {
    bench.sandbox.control.reset(false);
    const { merchant_id } = bench;
    await send('/pg/tokenize', { merchant_id, card_number: SECRETS.card, cvv2: '123', exp_date: '1230' });
    const [entry] = bench.sandbox.control.journal();
    expect(entry?.body).toEqual({ merchant_id, card_number: '424242xxxxxx4242', cvv2: 'xxx', exp_date: '1230' });
    expect(entry?.headers.authorization).toBe('Basic [redacted]');
  });
});
