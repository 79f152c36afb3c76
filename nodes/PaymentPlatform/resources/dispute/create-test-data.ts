import { merchantId } from '../../fields/common';
import { text } from '../../fields/kinds/text';
import { inMoneyOf } from '../../messages/what-happened';
import { operation } from '../../model/operation';
import { asText, only } from '../../shared/objects';
import * as wire from '../../wire/operations';

export const createTestData = operation({
  value: 'createTestData',
  name: 'Create Test Data',
  action: 'Create several disputes for testing',
  description: 'Create test disputes. Available only in the test environment.',
  request: wire.createDispute.request,
  fields: [],
  additional: [
    merchantId(wire.createDispute.path.merchantId),
    text({
      ...wire.createDispute.query.reasonCode,
      label: 'Reason Code',
      notIdentifying: false,
      description:
        'Reason code of the dispute, e.g. 10.4. By default, the service creates one dispute for each reason.',
      placeholder: 'e.g. 10.4',
    }),
  ],
  simplified: (record) =>
    only(record, [
      'rec_id',
      'status',
      'reason_code',
      'reason_desc',
      'amt_dispute',
      'amt_tran',
      'tran_date',
      'card_number',
      'purchase_id',
    ]),
  summary: (record) => {
    const { amt_dispute, reason_code, reason_desc } = record;
    const reason = [reason_code, reason_desc].map(asText).filter(Boolean).join(', ');
    return `Created a test dispute${amt_dispute === undefined ? '' : ` for ${inMoneyOf(amt_dispute, record)}`}${reason === '' ? '' : ` (${reason})`}.`;
  },
  check: (_, { environment }) =>
    environment === 'production'
      ? [
          {
            label: 'Environment',
            found: 'a credential for Production',
            allowed: 'must be Test, because Production does not accept test disputes',
          },
        ]
      : [],
  needsSupport: 'Support must enable dispute management for your account.',
  lookUp: 'Look for the test disputes in Dispute > Get Many.',
});
