import { clientFor, createInvoice } from './client';
import { WebhookBench } from './receiver';

describe('The overview page', () => {
  let webhooks: WebhookBench;
  const person = clientFor('');
  beforeAll(async () => {
    webhooks = await WebhookBench.open();
  });
  beforeEach(() => webhooks.reset());
  afterAll(async () => await webhooks.close());

  const open = async () => await person.get<string>(webhooks.bench.sandbox.overviewUrl);
  const rows = (html: string, title: string): string[] => {
    const section = html.split(/<h2[^>]*>/).find((one) => one.startsWith(title)) ?? '';
    const body = /<tbody>(.*?)<\/tbody>/s.exec(section)?.[1] ?? '';
    const texts = body.split('</tr>').map((row) =>
      row
        .replace(/<[^>]*>/g, ' ')
        .replace(/ +/g, ' ')
        .trim(),
    );
    return texts.filter((text) => text !== '');
  };

  test('the overview shows an invoice from creation to payment, with the email, the charge and the event', async () => {
    const { bench } = webhooks;
    await webhooks.create({ events: ['invoice_paid'] });
    const { invoice_id, invoice_link } = await createInvoice(bench);
    const today = bench.sandbox.control.now().slice(0, 10);
    const draft = (await open()).data;
    expect(rows(draft, 'Invoices')).toEqual([`INV-1 Ada Abbott 100.00 USD 0.00 USD ${today} draft`]);
    expect(rows(draft, 'Customers')).toEqual(['NEW1 Ada Abbott ada@example.com 0']);
    expect(rows(draft, 'Emails')).toEqual([]);

    await bench.http.post(`/platform/invoice/${invoice_id}/send`, {});
    const sent = (await open()).data;
    expect(rows(sent, 'Invoices')).toEqual([`INV-1 Pay this invoice Ada Abbott 100.00 USD 0.00 USD ${today} unpaid`]);
    expect(rows(sent, 'Emails')).toEqual([
      expect.stringMatching(
        /^[\d-]{10} [\d:]{8} ada@example.com Invoice INV-1 Dear Ada Abbott,\n.*100\.00 USD.*\n Open the invoice$/,
      ),
    ]);
    expect(sent).toContain(`href="${invoice_link}"`);

    const card = { card_number: '4111 1111 1111 1111', exp_date: '12/30', attempt: '0' };
    await person.post(invoice_link, new URLSearchParams(card));
    await webhooks.control.advanceClock({ seconds: 1 });
    const paid = (await open()).data;
    expect(rows(paid, 'Invoices')).toEqual([`INV-1 Show this invoice Ada Abbott 100.00 USD 100.00 USD ${today} paid`]);
    expect(rows(paid, 'Charges')).toEqual([expect.stringMatching(/ sale 100\.00 USD .* captured$/)]);
    expect(rows(paid, 'Webhook deliveries')).toEqual([expect.stringMatching(/ invoice_paid 1 200$/)]);
    expect(rows(paid, 'Webhooks')).toEqual([`${webhooks.url} invoice_paid active`]);
  });

  test('the overview calls a refund before and after settlement a refund, and a voided authorization a void', async () => {
    const { bench, control } = webhooks;
    control.addCustomers(1);
    const [reduced = '', voided = '', settled = ''] = control.addCapturedSales({ count: 3, amountCents: 1000 });
    const [held = ''] = control.addCapturedSales({ count: 1, amountCents: 1000, authorizeOnly: true });
    const pay = async (path: string, more: object = {}) =>
      await bench.http.post(path, { merchant_id: bench.merchant_id, ...more });
    await pay(`/pg/refund/${reduced}`, { amt_tran: 4 });
    await pay(`/pg/refund/${voided}`, { amt_tran: 10 });
    await pay(`/pg/void/${held}`);
    control.closeBatch();
    control.sendDeposits();
    await pay(`/pg/refund/${settled}`, { amt_tran: 4 });
    const [afterwards, ofHold, whole, part, ...sales] = rows((await open()).data, 'Charges');
    expect(part).toMatch(/ refund \(sale reduced\) 4\.00 USD .* completed$/);
    expect(whole).toMatch(/ refund \(sale voided\) 10\.00 USD .* completed$/);
    expect(ofHold).toMatch(/ void 10\.00 USD .* voided$/);
    expect(afterwards).toMatch(/ refund 4\.00 USD .* accepted$/);
    expect(sales).toEqual([
      expect.stringMatching(/ authorization .* voided$/),
      expect.stringMatching(/ sale .* deposit sent, 4\.00 refunded$/),
      expect.stringMatching(/ sale .* refunded in full$/),
      expect.stringMatching(/ sale .* deposit sent, 4\.00 refunded$/),
    ]);
  });

  test('the overview shows subscriptions, checkout links, payouts, disputes and account updater requests in words', async () => {
    const { bench, control } = webhooks;
    control.reset(true);
    const { merchant_id } = bench;
    const start = control.now().slice(0, 10);
    const next = new Date(Date.parse(start) + 86_400_000).toISOString();
    const plan = { customer_id: 'CUST0001', plan_code: 'MONTHLY25', date_start: next };
    await bench.http.post('/platform/subscription', plan);
    await bench.http.post('/platform/checkout', { amt_tran: 12.5, purchase_id: 'ORDER-1' });
    await bench.http.post('/pg/payment', { merchant_id, payee_id: '9001', amt_tran: 40, merch_ref_num: 'RENT-7' });
    await bench.http.get(`/platform/dispute/${merchant_id}/create`);
    await bench.http.post('/platform/aus/add', { data: [{ card_number: '4111111111111111', exp_date: '1227' }] });
    const first = (html: string, title: string) => rows(html, title)[0];
    const { data } = await open();
    expect(first(data, 'Subscriptions')).toMatch(new RegExp(`^\\d+ \\S.* 25\\.00 USD ${next.slice(0, 10)} active$`));
    expect(first(data, 'Checkout')).toMatch(/^ORDER-1 Open this checkout 12\.50 USD 12\.50 USD [-\d]+ [:\d]+ open$/);
    expect(first(data, 'Payouts')).toMatch(/ 40\.00 USD RENT-7 accepted$/);
    expect(first(data, 'Disputes')).toMatch(/^\d+ (chargeback|retrieval request) .* USD .* [-\d]{10} new$/);
    expect(first(data, 'Account updater')).toMatch(new RegExp(`^\\d+ ${start} 1 0 0 queued$`));
    expect(data).toContain('<td class="number">40.00 USD</td>');

    await control.advanceClock({ days: 5 });
    const later = (await open()).data;
    expect(first(later, 'Account updater')).toMatch(/ 1 1 1 completed$/);
    expect(first(later, 'Checkout')).toMatch(/^ORDER-1 12\.50 USD 12\.50 USD .* expired$/);
    expect(first(later, 'Charges')).toMatch(/ sale 25\.00 USD /);
  });

  test('the overview shows the text of a receipt', async () => {
    const { bench, control } = webhooks;
    const [pgId = ''] = control.addCapturedSales({ count: 1, amountCents: 1234 });
    const { merchant_id } = bench;
    await bench.http.post(`/pg/emailReceipt/${pgId}`, { merchant_id, email_address: ['ada@example.com'] });
    expect(rows((await open()).data, 'Emails')).toEqual([
      expect.stringMatching(/ Receipt for 12\.34 USD .*payment of 12\.34 USD.*\nCard .*x{6}\d{4}\nReference: /),
    ]);
  });

  test('each button of the overview calls a control, and the overview shows the failure until it affects a request', async () => {
    const { bench, control } = webhooks;
    control.addCustomers(1);
    const press = async (label: string) => {
      const [, send = '', body] =
        new RegExp(`data-send="([^"]*)"(?: data-body="([^"]*)")?[^>]*>${label}</button>`).exec(
          (await open()).data.replace(/ data-done="[^"]*"/g, ''),
        ) ?? [];
      const [method, url] = send.split(' ');
      const data = body === undefined ? undefined : (JSON.parse(body.replaceAll('&quot;', '"')) as object);
      const { status } = await person.request({
        method,
        url: new URL(url ?? '', bench.sandbox.overviewUrl).href,
        data,
      });
      expect([label, status]).toEqual([label, 200]);
    };
    const create = async () =>
      await createInvoice(bench).then(
        (invoice) => (invoice as { status?: string } | undefined)?.status,
        () => 'broken',
      );
    const waiting = async () => /<ul>(.*?)<\/ul>/s.exec((await open()).data)?.[1]?.replace(/<[^>]*>/g, '');
    const invoices = () => control.state().invoices.length;

    for (const [label, days] of [
      ['one day', 1],
      ['five days', 5],
      ['one month', 28],
    ] as const) {
      const before = Date.parse(control.now());
      await press(`Move on ${label}`);
      expect((Date.parse(control.now()) - before) / 86_400_000).toBeGreaterThanOrEqual(days);
    }
    for (const [label, applied] of [
      ['Cut before the request takes effect', 0],
      ['Cut after the request takes effect', 1],
      ['HTTP 500', 0],
      ['HTTP 429', 0],
    ] as const) {
      const before = invoices();
      await press(label);
      expect([label, await waiting()]).toEqual([label, expect.stringContaining('The sandbox ')]);
      expect(await create()).not.toBe('SAVED');
      expect([label, invoices() - before]).toEqual([label, applied]);
      expect([label, await waiting()]).toEqual([label, undefined]);
      expect(await create()).toBe('SAVED');
    }

    const { merchant_id } = bench;
    const [card] = control.state().customers.flatMap(({ billing_cards }) => billing_cards);
    const charge = async () =>
      (await bench.http.post<{ rcode: string }>('/pg/sale', { merchant_id, amt_tran: 10, card_id: card?.card_id })).data
        .rcode;
    await press('Decline');
    expect(await waiting()).toBe('The sandbox declines the next charge.');
    expect([await charge(), await charge()]).toEqual(['005', '000']);
    expect(rows((await open()).data, 'Charges')[1]).toMatch(/ declined \(code 005\)$/);

    await press('Decline');
    await press('HTTP 500');
    await press('Remove these failures');
    expect([await waiting(), await charge(), await create()]).toEqual([undefined, '000', 'SAVED']);
  });

  test('the overview links to each of its tables, and each hosted page links to the overview', async () => {
    const { data } = await open();
    const [, navigation = ''] = /<nav[^>]*>(.*?)<\/nav>/s.exec(data) ?? [];
    const targets = [...navigation.matchAll(/href="#([^"]*)"/g)].map(([, id = '']) => id);
    expect(targets.length).toBeGreaterThan(10);
    for (const id of targets) expect(data).toContain(` id="${id}"`);
    const { invoice_link } = await createInvoice(webhooks.bench);
    for (const page of [invoice_link, `${webhooks.bench.sandbox.baseUrl}/hosted/checkout/none`])
      expect((await person.get<string>(page)).data).toContain('<a href="/">Back to the sandbox</a>');
  });

  test('the overview lists the newest rows first, with at most ten rows of each kind', async () => {
    webhooks.control.addCustomers(12);
    const { data } = await open();
    expect(data).toContain('Customers (12)');
    const ids = rows(data, 'Customers').map((row) => row.split(' ')[0]);
    expect(ids).toHaveLength(10);
    expect([ids[0], ids[9]]).toEqual(['CUST0012', 'CUST0003']);
  });

  test('the overview shows the values of a credential for each environment', async () => {
    const { baseUrl, productionBaseUrl, credentials } = webhooks.bench.sandbox;
    const { test: inTest, production } = credentials;
    expect(rows((await open()).data, 'Credentials')).toEqual([
      `test ${baseUrl} Copy ${inTest.merchantId} Copy ${inTest.apiKey} Copy`,
      `production ${productionBaseUrl} Copy ${production.merchantId} Copy ${production.apiKey} Copy`,
    ]);
  });

  test("the overview shows a customer's input only as text", async () => {
    await createInvoice(webhooks.bench, { invoice_number: '<i>INV</i>' });
    const { data } = await open();
    expect(data).not.toContain('<i>');
    expect(data).toContain('&lt;i&gt;INV');
  });

  test("the overview runs only its own script, reads only the sandbox, and can't be framed", async () => {
    const { headers } = await open();
    expect(headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-[^']+'; connect-src 'self'; frame-ancestors 'none'$/,
    );
  });
});
