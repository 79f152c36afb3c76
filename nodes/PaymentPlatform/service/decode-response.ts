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
import { type Answer, type Failure, readCode, readRcode } from '../model/failure';
import type { Family, PlannedRequest } from '../model/types';
import { type DataValue, exactJson, isList, isObject, isTooDeep, objectIn, objectsIn } from '../shared/objects';

/** HTTP response. `body` is the received text. */
export interface RawResponse {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

/** Properties of a request that affect the meaning of its response. */
export interface Reading {
  /** Whether the request only reads. If the flag is missing, a write is possible. */
  reads?: boolean;
  /** Whether the request only checks or saves a card and so can't move money. */
  checksCard?: boolean;
  approvals?: readonly string[] | undefined;
  scrubber?: Scrubber;
}

/** Meaning of a response code. `doubtful`: the code is unreadable, so the outcome is unknown. */
export type Verdict = 'success' | 'refused' | 'doubtful';

/** Issuer code for "no reason to decline". The code approves a card check (service.md#codes). */
const CARD_APPROVED = '085';

/**
 * Decodes a response in the format of its API family (service.md#families). A refusal code in the body counts at any
 * HTTP status, and a success code only with a 2xx status.
 */
export function decode(family: Family, response: RawResponse, reading: Reading = {}): Answer {
  const body = walkable(exactJson(response.body), reading);
  const answer = isObject(body) ? decodeObject(family, body, response.status, reading) : decodeOther(response.status);
  if (!answer.ok) answer.failure.retryAfterMs = retryAfterMs(response.headers['retry-after']);
  return answer;
}

/** Removes deeply nested fields from the response to a write, because the node needs only its codes. */
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

/** If one code means success and another code means refusal, the outcome is unknown. */
const contradict = (...verdicts: Array<Verdict | undefined>) =>
  verdicts.includes('success') && verdicts.includes('refused');

function gatewayOf(body: IDataObject, status: number, reading: Reading): Verdict | undefined {
  const { checksCard, approvals = checksCard ? [CARD_APPROVED] : [] } = reading;
  const isApproval = approvals.length > 0 && approvals.includes(readRcode(body.rcode) ?? '') && isGood(status);
  return isApproval ? 'success' : gatewayVerdict(body);
}

/**
 * Evaluates the `rcode` of a gateway response (service.md#codes). "000" means success, and every other code of three
 * characters means refusal. A number is a code that lost its leading zeros.
 * @returns `undefined` for a response without a code.
 */
export function gatewayVerdict({ rcode }: Record<string, unknown>): Verdict | undefined {
  if (rcode === undefined) return undefined;
  if (rcode === '000') return 'success';
  return readRcode(rcode) === undefined ? 'doubtful' : 'refused';
}

/**
 * Evaluates the `code` of a platform response (service.md#codes). The integer 0 means success, and every other integer
 * means refusal.
 * @returns `undefined` for a response without a code.
 */
export function platformVerdict({ code }: Record<string, unknown>): Verdict | undefined {
  if (code === undefined) return undefined;
  if (code === 0) return 'success';
  return readCode(code) === undefined ? 'doubtful' : 'refused';
}

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

const IN_RECORDS_TOO = new Set(['code', 'totalPages', 'totalRecords']);

/** Returns whether an object with a `code` is the platform's response envelope and not a record with such a field. */
export const isEnvelope = (body: Record<string, unknown>): boolean =>
  'message' in body || 'data' in body || Object.keys(body).every((name) => IN_RECORDS_TOO.has(name));

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

function platformRecord(body: IDataObject): Answer {
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

/** Returns the waiting time in a Retry-After header, in milliseconds. The header contains seconds or an HTTP date. */
function retryAfterMs(header: unknown): number | undefined {
  if (typeof header !== 'string' && typeof header !== 'number') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const moment = DateTime.fromHTTP(String(header));
  return moment.isValid ? Math.max(0, moment.toMillis() - Date.now()) : undefined;
}

type Succeeded = Extract<Answer, { ok: true }>;

/**
 * Returns the records of a response. A write always has a record, even if the response contains none.
 * @param held field that contains the records, if the response's record is only a wrapper.
 */
export function findRecords({ record }: Succeeded, held?: string): IDataObject[] {
  if (held !== undefined) return objectsIn(objectIn(record)[held]);
  if (!isList(record)) return [asRecord(record)];
  return record.length > 0 ? record.map(asRecord) : [{}];
}

/** Returns the records of a write. If the operation can't find its own record, returns all records in the response. */
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
