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
    const section = html.split('<h2>').find((one) => one.startsWith(title)) ?? '';
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
    const draft = (await open()).data;
    expect(rows(draft, 'Invoices')).toEqual(['INV-1 Ada Abbott 100.00 USD 0.00 USD SAVED']);
    expect(rows(draft, 'Customers')).toEqual(['NEW1 Ada Abbott ada@example.com 0']);
    expect(rows(draft, 'Emails')).toEqual([]);

    await bench.http.post(`/platform/invoice/${invoice_id}/send`, {});
    const sent = (await open()).data;
    expect(rows(sent, 'Invoices')).toEqual(['INV-1 Pay this invoice Ada Abbott 100.00 USD 0.00 USD OUTSTANDING']);
    expect(rows(sent, 'Emails')).toEqual([expect.stringMatching(/^[\d-]{10} [\d:]{8} ada@example.com Invoice INV-1$/)]);
    expect(sent).toContain(`href="${invoice_link}"`);

    const card = { card_number: '4111 1111 1111 1111', exp_date: '12/30', attempt: '0' };
    await person.post(invoice_link, new URLSearchParams(card));
    await webhooks.control.advanceClock({ seconds: 1 });
    const paid = (await open()).data;
    expect(rows(paid, 'Invoices')).toEqual(['INV-1 Ada Abbott 100.00 USD 100.00 USD PAID']);
    expect(rows(paid, 'Charges')).toEqual([expect.stringMatching(/ sale 100\.00 USD .* captured$/)]);
    expect(rows(paid, 'Webhook deliveries')).toEqual([expect.stringMatching(/ invoice_paid 1 200$/)]);
    expect(rows(paid, 'Webhooks')).toEqual([`${webhooks.url} invoice_paid ACTIVE`]);
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
    const [afterwards, ofHold, whole, part] = rows((await open()).data, 'Charges');
    expect(part).toMatch(/ refund \(sale reduced\) 4\.00 USD .* completed$/);
    expect(whole).toMatch(/ refund \(sale voided\) 10\.00 USD .* completed$/);
    expect(ofHold).toMatch(/ void 10\.00 USD .* voided$/);
    expect(afterwards).toMatch(/ refund 4\.00 USD .* captured$/);
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
      `test ${baseUrl} ${inTest.merchantId} ${inTest.apiKey}`,
      `production ${productionBaseUrl} ${production.merchantId} ${production.apiKey}`,
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
