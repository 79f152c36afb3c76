import { DateTime } from 'luxon';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { RecordMatcher } from '../../../nodes/PaymentPlatform/lookup/match-records';
import { refundFootprint } from '../../../nodes/PaymentPlatform/resources/transaction/footprint';
import type { PlannedRequest } from '../../../nodes/PaymentPlatform/model/types';

const since = DateTime.fromISO('2026-03-01T00:00:00', { zone: 'America/Los_Angeles' });
const refund = {
  pg_id: '43',
  pg_id_linked: '42',
  request_type: 'refund',
  amt_tran: 4,
  tran_time: '2026-03-01 00:00:00',
};

const request = {
  values: { path: { pgIdOrig: '42' }, query: {}, body: { amt_tran: 4 }, node: {} },
} as never as PlannedRequest;
const context = {
  getMode: () => 'manual',
  getExecutionId: () => '1',
  getNode: () => ({ name: 'Payment Platform', type: 'paymentPlatform' }),
  getContext: () => ({}),
  getInputData: () => [],
  evaluateExpression: () => 0,
} as never as IExecuteFunctions;

const isSame = (record: IDataObject) =>
  new RecordMatcher(context, []).doubtful({
    values: request.values,
    footprint: refundFootprint,
    records: [{ ...refund, ...record }],
    since: { at: since, above: undefined },
  }) !== undefined;

test('searches for a refund among the records of its transaction', () =>
  expect(refundFootprint.filter(request.values)).toEqual(['pg_id_linked,IS,42']));

test.each([{}, { amt_tran: -4 }, { amt_tran: '4.00' }, { request_type: 'VOID' }, { request_type: 'capture' }])(
  'recognizes an equal refund: %j',
  (record) => expect(isSame(record)).toBe(true),
);

test.each([{ amt_tran: 4.01 }, { request_type: 'sale' }, { pg_id_linked: '41' }, { tran_time: '2026-02-28 23:59:59' }])(
  'the refund is different: %j',
  (record) => expect(isSame(record)).toBe(false),
);

test.each([{ amt_tran: undefined }, { amt_tran: '4,00' }, { tran_time: 'soon' }, { tran_time: null }])(
  'counts an unreadable record as a possible duplicate: %j',
  (record) => expect(isSame(record)).toBe(true),
);

test.each(['005', '051', 5, '402', '100', ' 005 '])('ignores an attempt that was refused with %j', (rcode) =>
  expect(isSame({ rcode })).toBe(false),
);

test.each([undefined, null, '', ' ', '000', 0, '085', 85, '010', '008', '998', 999])(
  'counts an attempt with the code %j, because money may have moved',
  (rcode) => expect(isSame({ rcode })).toBe(true),
);
