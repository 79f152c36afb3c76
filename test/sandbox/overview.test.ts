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
