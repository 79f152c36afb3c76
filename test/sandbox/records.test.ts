import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createInvoice, openBench, type TestBench } from './client';

let bench: TestBench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(async () => await bench.sandbox.stop());

test('no record holds the request that made it', () => {
  const records = readFileSync(join(__dirname, '../../sandbox/state/records.ts'), 'utf8');
  expect(records).not.toMatch(/\bBody<|\brequest\b\??:/);
});

test('an invoice keeps what it is made of, and no instruction of its request', async () => {
  const invoice = await createInvoice(bench, { date_invoice: '2026-02-03', footer_note: 'Thank you' });
  expect(invoice).toMatchObject({
    invoice_number: 'INV-1',
    footer_note: 'Thank you',
    date_invoice: '2026-02-03T00:00:00.000Z',
  });
  expect(Object.keys(invoice)).not.toContain('save_customer');
});

test('a webhook keeps its node as the merchant whose events it is told, and shows it in a list as a number', async () => {
  const { linkedMerchantId } = bench.sandbox.credentials.test;
  const body = { notification_url: 'http://127.0.0.1:9/hook', label: 'Test', webhook_node: linkedMerchantId };
  await bench.http.post('/platform/webhook', body);
  expect(bench.sandbox.control.state().webhooks).toMatchObject([{ webhook_node: Number(linkedMerchantId) }]);
});
