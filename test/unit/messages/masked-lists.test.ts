import type { ILoadOptionsFunctions, IExecuteFunctions } from 'n8n-workflow';

import { search } from '../../../nodes/PaymentPlatform/search';
import { lookUpRecord } from '../../../nodes/PaymentPlatform/trigger/enrich';

const credential = {
  environment: 'test',
  baseUrl: 'https://pay.example.com',
  merchantId: '990000000001',
  authMethod: 'apiKey',
  apiKey: 'canary-key',
};

const context = (data: unknown) =>
  ({
    getCredentials: async () => await Promise.resolve(credential),
    getNode: () => ({ name: 'Payment Platform', type: 'paymentPlatform', parameters: {} }),
    getCurrentNodeParameter: () => '',
    getTimezone: () => 'America/New_York',
    helpers: {
      httpRequestWithAuthentication: async () =>
        await Promise.resolve({
          statusCode: 200,
          headers: {},
          body: JSON.stringify({ code: 0, message: 'Success', data }),
        }),
    },
  }) as unknown as ILoadOptionsFunctions & IExecuteFunctions;

test('shows only the last four digits in "From List" if the service returns a full card number', async () => {
  const customer = {
    customer_id: 'A1',
    billing_cards: [{ card_id: 'c1', card_type: 'VS', card_number: '4111111111111111', exp_date: '1230' }],
  };
  const { results } = await search(context([customer]), 'searchCards');
  expect(results).toEqual([{ name: 'Visa 1111 · until 12/30 · A1', value: 'c1' }]);
});

test('masks card numbers but not IDs in the record that the trigger looks up', async () => {
  const record = {
    checkout_id: 'c1',
    transactions: [{ pg_id: '426351789012345678', card_number: '4111111111111111' }],
  };
  const event = { event: 'checkout_paid', data: { checkout_id: 'c1' } };
  expect(await lookUpRecord(context(record), { payload: event } as never)).toEqual({
    record: { checkout_id: 'c1', transactions: [{ pg_id: '426351789012345678', card_number: 'x1111' }] },
  });
});
