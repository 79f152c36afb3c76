import { search } from '../../../nodes/PaymentPlatform/search';
import { contextOf } from './service';

const webhooks = [
  {
    webhook_id: 501,
    label: 'Accounting',
    notification_url: 'https://books.example.com/hook',
    events: ['invoice_paid'],
    status: 'ACTIVE',
  },
  { webhook_id: 502, label: 'Orders (n8n 0123456789ab)', events: ['checkout_payment_success'], status: 'SUSPENDED' },
  { webhook_id: 503, label: 'Renamed', auth_settings: { user_name: 'n8n0123456789abcdef' }, status: 'DISABLED' },
];

const body = { code: 0, message: 'Success', totalPages: 1, totalRecords: webhooks.length, data: webhooks };
const picked = async (typed?: string) =>
  (
    await search(
      contextOf(() => ({ statusCode: 200, body })),
      'searchWebhooks',
      typed,
    )
  ).results.map(({ name }) => name);

test('marks the webhooks of triggers and the webhooks that send nothing', async () => {
  expect((await picked()).sort()).toEqual([
    'Accounting · 501',
    'n8n trigger · Orders (n8n 0123456789ab) · suspended · 502',
    'n8n trigger · Renamed · disabled · 503',
  ]);
});

test.each([
  ['books', 'Accounting · 501'],
  ['invoice_paid', 'Accounting · 501'],
  ['active', 'Accounting · 501'],
  ['trigger suspended', 'n8n trigger · Orders (n8n 0123456789ab) · suspended · 502'],
  ['503', 'n8n trigger · Renamed · disabled · 503'],
])('finds a webhook by "%s"', async (typed, name) => {
  expect(await picked(typed)).toEqual([name]);
});
