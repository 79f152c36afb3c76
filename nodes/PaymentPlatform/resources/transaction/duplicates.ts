import { readableNumber } from '../../model/read-amounts';
import { issuerApprovals } from '../../messages/catalogue/issuer-approvals';
import type { Given, RecordOf, ValuesOf } from '../../model/operation';
import { asText } from '../../shared/objects';

/** A record of the transaction report (openapi.yaml#TransactionRequestRecord). */
export type Reported = Given<RecordOf<'getTransactionRequests'>>;

/**
 * What a refund leaves in the report: before batch close it is a void or a smaller capture (service.md#refunds).
 */
export const REFUND_TYPES = new Set(['refund', 'void', 'capture']);

/** Answers after which money moved, or may have: approvals, and the gateway's timeout and internal error. */
const MAY_HAVE_MOVED = new Set([...issuerApprovals.flatMap(({ codes }) => codes), '998', '999']);

/** Whether a record is of a try that moved nothing. Without a code nobody can say so. */
export const wasRefused = ({ rcode }: Reported) => {
  const code = asText(rcode).trim();
  return code !== '' && !MAY_HAVE_MOVED.has(code.padStart(3, '0'));
};

/**
 * Whether a record may be of a refund of the same transaction over the same amount, which may carry a minus. An amount that
 * can't be read proves nothing, so the record counts.
 */
export function mayBeRefund(record: Reported, { path, body }: Pick<ValuesOf<'refund'>, 'path' | 'body'>): boolean {
  const amount = readableNumber(record.amt_tran);
  const isSame = amount === undefined || Math.abs(amount) === body.amt_tran;
  return (
    isSame &&
    !wasRefused(record) &&
    REFUND_TYPES.has(asText(record.request_type).toLowerCase()) &&
    // Where the record does not say of which sale it is, the filter of the list does.
    ['', asText(path.pgIdOrig)].includes(asText(record.pg_id_linked))
  );
}
