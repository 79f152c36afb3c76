import type { IDataObject } from 'n8n-workflow';

import { instant, REPORT_ZONE } from '../../fields/date';
import { readableNumber } from '../../pipeline/amounts';
import { issuerApprovals } from '../../pipeline/catalogue/issuer-approvals';
import type { DuplicateCheck } from '../../pipeline/types';
import { asText } from '../../shared/objects';

/**
 * What a refund leaves in the report: before batch close it is a void or a smaller capture (docs/service.md#refunds).
 */
export const REFUND_TYPES = new Set(['refund', 'void', 'capture']);

/** Answers after which money moved, or may have: approvals, and the gateway's timeout and internal error. */
const MAY_HAVE_MOVED = new Set([...issuerApprovals.flatMap(({ codes }) => codes), '998', '999']);

/** Whether a record is of a try that moved nothing. Without a code nobody can say so. */
export const wasRefused = ({ rcode }: IDataObject) => {
  const code = asText(rcode).trim();
  return code !== '' && !MAY_HAVE_MOVED.has(code.padStart(3, '0'));
};

/**
 * A refund of the same transaction with the same amount. The document shows a filter by field and the record's fields
 * (docs/service.md#lists): the transaction is asked for, kind, amount, time and outcome are compared here. The amount
 * may carry a minus.
 */
export const sameRefund: DuplicateCheck = {
  list: {
    path: '/platform/reporting/transaction-requests',
    identity: 'pg_id',
    filter: ({ path }) => [`pg_id_linked,IS,${asText(path.pgIdOrig)}`],
  },
  matches: (record, { body }, since) => {
    const amount = readableNumber(record.amt_tran);
    const time = instant(record.tran_time, REPORT_ZONE);
    return (
      !wasRefused(record) &&
      REFUND_TYPES.has(asText(record.request_type).toLowerCase()) &&
      // An amount or a time that can't be read proves nothing, so the record counts.
      (amount === undefined || Math.abs(amount) === body.amt_tran) &&
      (time === undefined || time >= since)
    );
  },
};
