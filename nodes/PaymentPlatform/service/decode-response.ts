import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import {
  doubtfulFailure,
  gatewayFailure,
  platformFailure,
  statusFailure,
  unreadableFailure,
} from '../messages/describe-answers';
import type { Scrubber } from '../messages/scrubber';
import {
  type Answer,
  type Failure,
  type Verdict,
  gatewayVerdict,
  isEnvelope,
  platformVerdict,
  readCode,
  readRcode,
} from '../model/failure';
import type { Family, PlannedRequest } from '../model/types';
import { type DataValue, exactJson, isList, isObject, isTooDeep, objectIn, objectsIn } from '../shared/objects';

/** What came back over HTTP; `body` is the text as it was received. */
export interface RawResponse {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

/** What the request was, as far as the meaning of its answer depends on it. */
export interface Reading {
  /** Whether it only read. Where that is not known, it may have written. */
  reads?: boolean;
  /** Whether it only checked or saved a card, and no money was to move. */
  checksCard?: boolean;
  /** Takes the secrets of the request out of the service's words. */
  scrubber?: Scrubber;
}

/** The issuer has nothing against the card: an approval, where that was all that was asked (service.md#codes). */
const CARD_APPROVED = '085';

/**
 * Decodes an answer by its family's envelope (service.md#families) at any HTTP status: the body's own code
 * decides, the status only where the body has none. A refusal in either convention is a refusal on every path. Only
 * exactly what means success is success; an answer that can't be read is an unknown outcome.
 */
export function decode(family: Family, response: RawResponse, reading: Reading = {}): Answer {
  const body = walkable(exactJson(response.body), reading);
  const answer = isObject(body) ? decodeObject(family, body, response.status, reading) : decodeOther(response.status);
  if (!answer.ok) answer.failure.retryAfterMs = retryAfterMs(response.headers['retry-after']);
  return answer;
}

/** An answer that the node can walk through. Of a write, whatever is nested too deeply is left out: its codes count. */
function walkable(body: unknown, { reads }: Reading): unknown {
  if (!isTooDeep(body)) return body;
  if (reads || !isObject(body)) return undefined;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => !isTooDeep(value)));
}

const isGood = (status: number) => status >= 200 && status < 300;
const failed = (failure: Failure): Answer => ({ ok: false, failure });
const decodeOther = (status: number): Answer =>
  failed(isGood(status) ? unreadableFailure(status) : statusFailure(status));

function decodeObject(family: Family, body: IDataObject, status: number, reading: Reading): Answer {
  const { scrubber } = reading;
  const gateway = gatewayOf(body, status, reading);
  const platform = platformOf(family, body, gateway, reading);
  if (contradict(gateway, platform) || gateway === 'doubtful' || platform === 'doubtful')
    return failed(doubtfulFailure(body, status, scrubber));
  if (gateway === 'refused') return failed(gatewayFailure(body, status, scrubber));
  if (platform === 'refused') return failed(platformFailure(body, status, scrubber));
  if (!isGood(status))
    return failed((gateway ?? platform) ? doubtfulFailure(body, status, scrubber) : statusFailure(status));
  return decodeSuccess(family, body, status, { gateway, platform });
}

/** Success in one convention and a refusal in the other: nobody knows which of them holds. */
const contradict = (...verdicts: Array<Verdict | undefined>) =>
  verdicts.includes('success') && verdicts.includes('refused');

function gatewayOf(body: IDataObject, status: number, { checksCard }: Reading): Verdict | undefined {
  const verdict = gatewayVerdict(body);
  const isApproval = checksCard === true && readRcode(body.rcode) === CARD_APPROVED && isGood(status);
  return isApproval ? 'success' : verdict;
}

/** On the platform's own paths `code` is always the envelope's; elsewhere it can be a field of a record. */
function platformOf(
  family: Family,
  body: Record<string, unknown>,
  gateway: Verdict | undefined,
  { reads }: Reading,
): Verdict | undefined {
  const verdict = platformVerdict(body);
  if (verdict === undefined || verdict === 'success' || family === 'platform' || isEnvelope(body)) return verdict;
  const looksLikeCode = readCode(body.code) !== undefined || /^0+$/.test(String(body.code));
  if (gateway !== undefined || reads === true || !looksLikeCode) return undefined;
  return 'doubtful';
}

function decodeSuccess(
  family: Family,
  body: IDataObject,
  status: number,
  { gateway, platform }: Record<'gateway' | 'platform', Verdict | undefined>,
): Answer {
  if (family === 'gateway') return gateway ? { ok: true, record: body } : failed(unreadableFailure(status));
  if (family === 'platform') return platform ? platformRecord(body) : failed(unreadableFailure(status));
  return platform && !gateway ? platformSuccess(body) : { ok: true, record: body };
}

const ENVELOPE: ReadonlySet<string> = new Set(['code', 'message']);

/** Of an answer without a record nothing is left: that it went well is not what the record says. */
function platformRecord(body: IDataObject): Answer {
  if (body.data !== undefined) return platformSuccess(body);
  const others = Object.entries(body).filter(([name]) => !ENVELOPE.has(name));
  return platformSuccess(Object.fromEntries(others));
}

function platformSuccess(body: IDataObject): Answer {
  const { data, totalPages, totalRecords, ...rest } = body;
  return {
    ok: true,
    record: data === undefined ? rest : data,
    ...(typeof totalPages === 'number' && { totalPages }),
    ...(typeof totalRecords === 'number' && { totalRecords }),
  };
}

/** Retry-After as seconds or as an HTTP date, in milliseconds from now. */
function retryAfterMs(header: unknown): number | undefined {
  if (typeof header !== 'string' && typeof header !== 'number') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const moment = DateTime.fromHTTP(String(header));
  return moment.isValid ? Math.max(0, moment.toMillis() - Date.now()) : undefined;
}

type Succeeded = Extract<Answer, { ok: true }>;

/**
 * A write always gives an item, also when the service answers with nothing, a bare value or an empty list.
 * @param held the field that holds the records, where the answer's record is none itself.
 */
export function findRecords({ record }: Succeeded, held?: string): IDataObject[] {
  if (held !== undefined) return objectsIn(objectIn(record)[held]);
  if (!isList(record)) return [asRecord(record)];
  return record.length > 0 ? record.map(asRecord) : [{}];
}

/** The records of a write. Where the operation can't find them in the answer, all that the answer holds. */
export function findRecordsOfWrite({ operation, values }: PlannedRequest, answer: Succeeded): IDataObject[] {
  const all = findRecords(answer, operation.request.records);
  try {
    return operation.made ? [operation.made(all, values)] : all;
  } catch {
    return all;
  }
}

const asRecord = (record: DataValue): IDataObject =>
  isObject(record) ? record : record === undefined || record === null ? {} : { data: record };
