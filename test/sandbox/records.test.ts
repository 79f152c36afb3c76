import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createInvoice, benchForFile } from './client';

const bench = benchForFile();

test('no record contains its original request', () => {
  const records = readFileSync(join(__dirname, '../../sandbox/state/records.ts'), 'utf8');
  expect(records).not.toMatch(/\bBody<|\brequest\b\??:/);
});

test('an invoice record excludes the instructions of its request', async () => {
  const invoice = await createInvoice(bench, { date_invoice: '2026-02-03', footer_note: 'Thank you' });
  expect(invoice).toMatchObject({
    invoice_number: 'INV-1',
    footer_note: 'Thank you',
    date_invoice: '2026-02-03T00:00:00.000Z',
  });
  expect(Object.keys(invoice)).not.toContain('save_customer');
});

test('a webhook keeps its node as the merchant of its events, and lists show it as a number', async () => {
  const { linkedMerchantId } = bench.sandbox.credentials.test;
  const body = { notification_url: 'http://127.0.0.1:9/hook', label: 'Test', webhook_node: linkedMerchantId };
  await bench.http.post('/platform/webhook', body);
  expect(bench.sandbox.control.state().webhooks).toMatchObject([{ webhook_node: Number(linkedMerchantId) }]);
});
