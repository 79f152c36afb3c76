import { instant } from '../../fields/date';
import { asText } from '../../pipeline/objects';
import type { DuplicateCheck } from '../../pipeline/types';

/** What a refund leaves in the report: before batch close it is a void or a smaller capture (interface.md section 4). */
const REFUND_TYPES = new Set(['refund', 'void', 'capture']);
/** The report writes times without an offset in this zone (facts.md section 5). */
const REPORT_ZONE = 'America/Los_Angeles';

/**
 * A refund of the same transaction with the same amount. The document shows a filter by field and the record's fields
 * (section 2.8): the transaction is asked for, kind, amount and time are compared here. The amount may carry a minus.
 */
export const sameRefund: DuplicateCheck = {
  list: {
    path: '/platform/reporting/transaction-requests',
    identity: 'pg_id',
    filter: ({ path }) => [`pg_id_linked,IS,${asText(path.pgIdOrig)}`],
  },
  matches: (record, { body }, since) => {
    const time = instant(record.tran_time, REPORT_ZONE);
    return (
      REFUND_TYPES.has(asText(record.request_type).toLowerCase()) &&
      Math.abs(Number(record.amt_tran)) === Number(body.amt_tran) &&
      // A time that can't be read proves nothing, so the record counts.
      (time === undefined || time >= since)
    );
  },
};
