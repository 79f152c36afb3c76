import type { FootprintOf, Given, RecordOf, ValuesOf } from '../../model/operation';
import type { Step } from '../../model/types';
import { likeIf, likeText } from '../../model/likeness';
import { asText } from '../../shared/objects';
import * as wire from '../../wire/operations';

const { closeBatch: close, getTransactionRequests: report } = wire;

type Reported = Given<RecordOf<'getTransactionRequests'>>;
type Values = Pick<ValuesOf<'closeBatch'>, 'body'>;

/** Transaction that was in the open batch immediately before the request. */
const OPEN = 'openTransaction';
/** Status codes of captured transactions in the open batch and in a closed batch (service.md#letters). */
const CAPTURED = 'C';
const SETTLED = ['S', 'P'];

const letterOf = ({ tran_status: letter }: Reported) => asText(letter).trim();

/** Returns false for requests with a profile or a store location, because the report contains neither. */
const isInBatch = ({ merchant_id: merchant, tran_currency: currency }: Reported, { body }: Values): boolean =>
  body.profile_id === undefined &&
  body.loc_id === undefined &&
  asText(merchant) === asText(body.merchant_id) &&
  asText(currency) === asText(body.tran_currency ?? close.body.tran_currency.serverDefault);

/** Finds a transaction of the open batch, which later shows whether the batch was closed. */
export const findOpenTransaction: Step<ValuesOf<'closeBatch'>, Reported> = {
  look: () => ({
    path: report.request.path,
    family: report.request.family,
    query: { filter: [`tran_status,IS,${CAPTURED}`], order_on: 'tran_time', order_by: 'desc', count: 10, page: 0 },
    absent: () => true,
  }),
  decide: (found, { body, node }) => {
    const open = found.find((record) => letterOf(record) === CAPTURED && isInBatch(record, { body }));
    return { request: { to: close.request, body, node: { ...node, ...(open && { [OPEN]: asText(open.pg_id) }) } } };
  },
};

/** A settled transaction proves that the batch was closed. */
export const batchFootprint: FootprintOf<'closeBatch', 'getTransactionRequests'> = {
  list: {
    path: report.request.path,
    pathOf: ({ node }) => `${report.request.path}?filter=pg_id%2CIS%2C${encodeURIComponent(asText(node?.[OPEN]))}`,
    identity: 'pg_id',
  },
  filter: () => [],
  isIdentifiable: ({ node }) => asText(node?.[OPEN]) !== '',
  key: ({ body }) => `${asText(body.merchant_id)} ${asText(body.tran_currency)}`,
  lifetime: 'minutes',
  // Another item may have closed the batch, which contains other transactions too.
  compare: (record, { node, body }) => [
    likeIf(SETTLED.includes(letterOf(record))),
    likeText(record.pg_id, node?.[OPEN]) === 'equal' ? 'equal' : isInBatch(record, { body }) ? 'notShown' : 'different',
  ],
  answer: () => ({}),
  where: 'the transaction report',
  agreement: 'a transaction of the open batch is settled',
  when: 'changed since the request',
};
