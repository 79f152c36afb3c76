import type { INodeParameters } from 'n8n-workflow';

import { runWorkflow } from '../harness';
import { recorderForFile } from '../recorder';

const CARD = '4111111111111111';

const recorder = recorderForFile();

test.each<[string, INodeParameters]>([
  [
    'the number of an invoice',
    {
      ...{ resource: 'invoice', operation: 'create', customer_id: 'C1', invoice_number: CARD },
      line_items: { item: [{ quantity: 1, description: 'Work', unit_cost: '12.50' }] },
    },
  ],
  [
    'the label of a webhook',
    { resource: 'webhook', operation: 'create', notification_url: 'https://example.com/x', label: CARD },
  ],
])('sends a card number typed as %s but shows it in no text of the result', async (_, parameters) => {
  recorder.requests.length = 0;
  const { items, hints, error } = await runWorkflow({ rows: [{}], parameters, credential: recorder.credential });
  expect(error).toBeUndefined();
  expect(recorder.requests.map(({ text }) => text).join()).toContain(CARD);
  expect(items[0]?.json.what_happened).toMatch(/^Created .*1111/);
  expect(JSON.stringify([items, hints])).not.toContain(CARD);
});
