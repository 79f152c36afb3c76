import axios from 'axios';

import { maskRecord } from '../../nodes/PaymentPlatform/messages/scrubber';
import { objectIn } from '../../nodes/PaymentPlatform/shared/objects';
import { startSandbox } from '../../sandbox';

const card = '4111111111111111';

/** Outputs omit the security key of a new webhook. */
const withoutKey = (record: unknown): unknown =>
  JSON.parse(JSON.stringify(record, (name, value: unknown) => (name === 'security_key' ? undefined : value)));

test("every sandbox record is output unchanged except for its security key, because its numbers are masked and its IDs aren't card numbers", async () => {
  const sandbox = await startSandbox({ port: 0 });
  try {
    sandbox.control.addCapturedSales({ count: 50, amountCents: 1000 });
    sandbox.control.closeBatch();
    const { merchantId, token } = sandbox.credentials.test;
    const http = axios.create({ baseURL: sandbox.baseUrl, headers: { authorization: `Basic ${token}` }, proxy: false });
    const { invoices, customers } = sandbox.control.state();
    const customer_id = customers[0]?.customer_id;
    const paths = [
      '/platform/vault/customer',
      '/platform/reporting/transaction-requests',
      '/platform/reporting/statement-report/settlement',
      `/platform/dispute/${merchantId}/create?reasonCode=10.4`,
      `/platform/invoice/${invoices[0]?.invoice_id}/detail`,
    ];
    const records: unknown[] = [sandbox.control.state()];
    for (const path of paths) records.push((await http.get<unknown>(path)).data);
    const posts: Array<[string, object]> = [
      [
        '/pg/tokenize',
        { merchant_id: merchantId, card_number: card, exp_date: '1230', echo_fields: '[{"name":"a","value":"1"}]' },
      ],
      ['/platform/subscription', { customer_id, plan_frequency: 3, plan_duration: 12, amt_tran: 5, amt_setup: 2 }],
      ['/platform/checkout', { amt_tran: 5, checkout_profile_id: 3001, customer_id }],
      ['/platform/aus/add', { data: [{ card_number: card, exp_date: '1230', card_id: 'crm-1' }] }],
      [
        '/platform/webhook',
        { notification_url: 'https://n8n.example.com/webhook/41111111-1111-4111-9411-111111111111', label: 'A' },
      ],
    ];
    for (const [path, body] of posts) records.push((await http.post<unknown>(path, body)).data);
    for (const record of records) expect(maskRecord(objectIn(record))).toEqual(withoutKey(record));
  } finally {
    await sandbox.stop();
  }
});
