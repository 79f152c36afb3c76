import { digits, text } from '../../fields/text';
import type { Operation } from '../../pipeline/types';

export const createTestData: Operation = {
  value: 'createTestData',
  name: 'Create Test Data',
  action: 'Create test disputes',
  description: 'Create disputes to test with, in the test environment only',
  request: {
    method: 'GET',
    path: '/platform/dispute/{merchantId}/create',
    family: 'platform',
    effect: 'writesOnce',
    operationId: 'createDispute',
    merchant: { place: 'path', name: 'merchantId' },
  },
  fields: [],
  additional: [
    text({
      name: 'merchantId',
      label: 'On Behalf of Merchant ID',
      description: "Merchant to act for, when it is not the credential's own",
      placeholder: 'e.g. 123456789012',
      place: 'path',
      pattern: digits(1, 16),
    }),
    text({
      name: 'reasonCode',
      label: 'Reason Code',
      wording: false,
      description: 'Reason code of the disputes, e.g. 10.4. One dispute for each reason unless given.',
      placeholder: 'e.g. 10.4',
      place: 'query',
    }),
  ],
  check: (_, { environment }) =>
    environment === 'production'
      ? [
          {
            label: 'Environment',
            found: 'Production in the credential',
            allowed: 'must be Test: test disputes are refused in Production',
          },
        ]
      : [],
  lookUp: 'Look for the test disputes in API Request: GET /platform/dispute/browse.',
};
