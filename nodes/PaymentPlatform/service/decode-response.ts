import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { isEmpty, namesNothing } from '../fields/value';
import {
  doubtfulFailure,
  gatewayFailure,
  noRecordFailure,
  platformFailure,
  statusFailure,
  unreadableFailure,
} from '../messages/describe-answers';
import { type Scrubber, scrubberOf } from '../messages/scrubber';
import { inMoney } from '../messages/what-happened';
import { type Answer, type FailedAnswer, type Failure, isLimitedApproval, readCode, readRcode } from '../model/failure';
import { fieldsByName, recordName } from '../model/operation';
import { lacksZeros, likeNumber, shownText } from '../model/likeness';
import { amountOf, invoiceAmount, mayIncludeFees } from '../model/read-amounts';
import type { Family, PartialFailure, PlannedRequest, RecordShape } from '../model/types';
import {
  type DataValue,
  asText,
  comparableText,
  exactJson,
  isList,
  isObject,
  isTooDeep,
  objectIn,
  objectsIn,
  readableNumber,
  repeatsKey,
  shortened,
  toCents,
} from '../shared/objects';
import { ACCOUNT_NUMBERS, CARD_NUMBERS, NAMES, ROLES } from '../wire/marks';
import { ROUTES } from '../wire/moves';

/** Response fields that must equal the request's field, if both exist. */
const IDENTIFYING: ReadonlySet<string> = new Set([
  ...ROLES.merchant,
  ...ROLES.customer,
  ...ROLES.payee,
  ...ROLES.currency,
  ...NAMES,
]);
/** Card and account numbers, which a response masks. */
const NUMBERS: ReadonlySet<string> = new Set([...CARD_NUMBERS, ...ACCOUNT_NUMBERS]);
/** Response fields with a request's amount, by request field. */
const AMOUNTS = { amt_tran: ['amt_tran', 'recur_amt'], amt_paid: ['amt_paid'] } as const;
/** Maximum length of a value in a message. */
const LONGEST_SHOWN = 60;

/** HTTP response. `body` is the received text. */
export interface RawResponse {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

/** Properties of a request that affect the meaning of its response. */
export interface Reading {
  /** Whether the request only reads. Otherwise, a write is possible. */
  reads?: boolean;
  /** Whether the node uses the response to decide whether to send a write. */
  decides?: boolean | undefined;
  /** Whether the request only checks or saves a card, so it can't move money. */
  checksCard?: boolean;
  /** Whether only a code shows that an API Request succeeded (`isPayment`). */
  needsCode?: boolean;
  approvals?: readonly string[] | undefined;
  /** Only failures need it. */
  readonly scrubber?: Scrubber;
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
  const { reads, decides, scrubber } = reading;
  const isDoubtful = isObject(body) && (!reads || decides) && repeatsKey(response.body);
  const answer = isDoubtful
    ? failed(reads ? unreadableFailure(response.status) : doubtfulFailure(body, response.status, scrubber))
    : isObject(body)
      ? decodeObject(family, body, response.status, reading)
      : decodeOther(response.status);
  if (!answer.ok) answer.failure.retryAfterMs = retryAfterMs(response.headers['retry-after']);
  return answer;
}

/** Removes deeply nested fields from a write's response, because the node needs only its codes. */
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
  const gateway = gatewayOf(body, status, reading);
  const platform = platformOf(family, body, gateway, reading);
  if (contradict(gateway, platform) || gateway === 'doubtful' || platform === 'doubtful')
    return failed(doubtfulFailure(body, status, reading.scrubber));
  if (gateway === 'refused') return failed(gatewayFailure(body, status, reading.scrubber));
  if (platform === 'refused') return failed(platformFailure(body, status, reading.scrubber));
  if (!isGood(status))
    return failed((gateway ?? platform) ? doubtfulFailure(body, status, reading.scrubber) : statusFailure(status));
  const lacksCode = reading.needsCode && (gateway ?? platform) === undefined;
  return lacksCode ? failed(unreadableFailure(status)) : decodeSuccess(family, body, status, { gateway, platform });
}

/** If the codes contradict each other, the outcome is unknown. */
const contradict = (...verdicts: Array<Verdict | undefined>) =>
  verdicts.includes('success') && verdicts.includes('refused');

function gatewayOf(body: IDataObject, status: number, reading: Reading): Verdict | undefined {
  const { checksCard, approvals = checksCard ? [CARD_APPROVED] : [] } = reading;
  const isApproval = approvals.length > 0 && approvals.includes(readRcode(body.rcode) ?? '') && isGood(status);
  return isApproval ? 'success' : gatewayVerdict(body);
}

/**
 * Evaluates a gateway response's `rcode` (service.md#codes). "000" means success, and every other code of three
 * characters means refusal. A number is a code that lost its leading zeros.
 * @returns `undefined` without a code.
 */
export function gatewayVerdict({ rcode }: Record<string, unknown>): Verdict | undefined {
  if (rcode === undefined) return undefined;
  if (rcode === '000') return 'success';
  return readRcode(rcode) === undefined ? 'doubtful' : 'refused';
}

/**
 * Evaluates a platform response's `code` (service.md#codes). The integer 0 means success, and every other integer means
 * refusal.
 * @returns `undefined` without a code.
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
  if (gateway === 'refused' || reads === true) return undefined;
  const isRefusal = readCode(body.code) !== undefined;
  const isDoubtful = isRefusal || (gateway === undefined && /^0+$/.test(String(body.code)));
  return isDoubtful ? 'doubtful' : undefined;
}

const IN_RECORDS_TOO = new Set(['code', 'totalPages', 'totalRecords']);

/** Returns whether an object with a `code` is the platform's envelope and not a record. */
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
  return { ok: true, record: data === undefined ? rest : data, ...countsIn({ totalPages, totalRecords }) };
}

/** The service may send a total as text. An unreadable total is NaN. */
const countsIn = (totals: IDataObject): Partial<Record<'totalPages' | 'totalRecords', number>> =>
  Object.fromEntries(
    Object.entries(totals)
      .filter(([, total]) => !isEmpty(total))
      .map(([name, total]) => [name, /^\d{1,15}$/.test(comparableText(total)) ? Number(comparableText(total)) : NaN]),
  );

/** Returns a Retry-After header's time in milliseconds. The header contains seconds or an HTTP date. */
function retryAfterMs(header: unknown): number | undefined {
  if (typeof header !== 'string' && typeof header !== 'number') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const moment = DateTime.fromHTTP(String(header), { zone: 'utc' });
  return moment.isValid ? Math.max(0, moment.toMillis() - Date.now()) : undefined;
}

type Succeeded = Extract<Answer, { ok: true }>;

/**
 * Returns the records of a list's page, or of a path with a single record. The first page is empty only if it contains
 * an empty list and announces no records, or if it contains nothing and announces 0 records (service.md#lists).
 * @returns a failure if the response contains anything else.
 */
export function readRecords(
  { record, totalPages = 0, totalRecords }: Succeeded,
  shape: RecordShape,
  page = 0,
): IDataObject[] | FailedAnswer {
  const isNothing = record === null || (isObject(record) && Object.keys(record).length === 0);
  const entries: unknown[] = isList(record) ? record : isNothing && totalRecords === 0 ? [] : [record];
  const mayLackId = isList(record) && !shape.needsIds;
  const isRecord = (entry: unknown): entry is IDataObject => isObject(entry) && (mayLackId || hasId(entry, shape));
  // A total that is unreadable may announce records.
  const isCertain = totalPages <= 1 && (totalRecords ?? 0) <= 0;
  const lacksAnnounced = page === 0 && entries.length === 0 && !isCertain;
  if (!lacksAnnounced && entries.every(isRecord)) return entries;
  const found = lacksAnnounced ? entries : entries.find((entry) => !isRecord(entry));
  return { ok: false, failure: noRecordFailure(found, shape.identity) };
}

/** An object can be something other than a record, such as a wrapper of a list. */
function hasId(record: IDataObject, { identity = '', fields = [], needsIds }: RecordShape): boolean {
  if (identity !== '') {
    const id = needsIds ? shownText(record[identity]) : asText(record[identity]);
    return id !== '' && !(needsIds && namesNothing(id));
  }
  const names = Object.keys(record);
  return fields.length > 0 ? fields.some(({ value }) => names.includes(value)) : names.length > 0;
}

/**
 * Returns a response's records. A write always has a record, even if the response contains none.
 * @param held field with the records, if the response's record is only a wrapper.
 */
export function findRecords({ record }: Succeeded, held?: string): IDataObject[] {
  if (held !== undefined) return objectsIn(objectIn(record)[held]);
  if (!isList(record)) return [asRecord(record)];
  return record.length > 0 ? record.map(asRecord) : [{}];
}

/** Returns a write's records, or all records in the response if the operation can't find its own. */
export function findRecordsOfWrite({ operation, values }: PlannedRequest, answer: Succeeded): IDataObject[] {
  const all = findRecords(answer, operation.request.records);
  try {
    return operation.made ? [operation.made(all, values)] : all;
  } catch {
    return all;
  }
}

/** Returns a write's failed part, or `undefined` if the operation's check throws. */
export function findPartialFailure(
  { operation: { partialFailure }, values }: PlannedRequest,
  answer: Succeeded,
): PartialFailure | undefined {
  try {
    return findRecords(answer)
      .map((record) => partialFailure?.find(record, values))
      .find((found) => found !== undefined);
  } catch {
    return undefined;
  }
}

const asRecord = (record: DataValue): IDataObject =>
  isObject(record) ? record : record === undefined || record === null ? {} : { data: record };

/**
 * Compares a successful response with its request (outcomes.md#how-responses-are-classified). If the response belongs
 * to another payment, its outcome is unknown.
 * @param isTaken returns whether another item of the execution has the record with this ID.
 */
export function checkAnswer(request: PlannedRequest, answer: Answer, isTaken: (id: string) => boolean): Answer {
  if (!answer.ok || request.effect === 'reads') return answer;
  const [record, ...others] = findRecordsOfWrite(request, answer);
  const made = madeId(request);
  if (!record || others.length > 0)
    return made === undefined || request.shares ? answer : doubtful('contains several records');
  const id = made === undefined ? '' : idText(record[made]);
  if (made !== undefined && id === '') return doubtful(`contains no ${made}`);
  if (made !== undefined && isTaken(id)) return doubtful(`contains the ${made} of another item`);
  if (made !== undefined && namesOriginal(request, made, id))
    return doubtful(`contains the ${made} of the original record`);
  const wrong = request.shares ? undefined : (otherValue(request, record, made) ?? otherAmount(request, record));
  return wrong === undefined ? answer : doubtful(wrong);
}

/** Returns the field with the created record's ID. */
export function madeId({ operation, method, path }: PlannedRequest): string | undefined {
  const { footprint, creates, shape } = operation;
  if (creates !== undefined) return creates;
  if (shape) return isPayment(method, path) && path.startsWith('/pg/') ? 'pg_id' : undefined;
  return footprint?.list.newestBy === undefined ? undefined : footprint.list.identity;
}

/** Returns whether a request moves money according to the interface. */
export const isPayment = (method: string, path: string): boolean =>
  ROUTES.some((route) => route.method === method && route.path.test(path) && route.moves !== 'named');

/** Returns whether the path already contains the ID, so that it can't belong to a new record. */
function namesOriginal({ operation, path, values }: PlannedRequest, made: string, id: string): boolean {
  if (operation.shape) return path.split('/').includes(id);
  const known = fieldsByName(operation);
  return Object.entries(values.path).some(([name, value]) => {
    const { parameter = name } = known.get(name) ?? {};
    return parameter === made && comparableText(value) === id;
  });
}

/** Returns an empty text for a value that identifies no record. */
function idText(value: unknown): string {
  const id = typeof value === 'string' || typeof value === 'number' ? comparableText(value) : '';
  return namesNothing(id) || Number(id) === 0 ? '' : id;
}

function otherValue(request: PlannedRequest, record: IDataObject, made: string | undefined): string | undefined {
  const { operation, values } = request;
  const sent = Object.entries({ ...values.body, ...values.path });
  const shown = (value: string) => shortened(scrubberOf(request).id(value), LONGEST_SHOWN);
  // Other fields, such as the ID of a plan, may change with the request.
  const declared = operation.shape ? undefined : fieldsByName(operation);
  for (const [field, value] of sent) {
    const known = declared?.get(field);
    const name = known ? recordName(known) : field;
    const [one, other] = [comparableText(record[name]), comparableText(value)];
    const isCompared = (!declared || known) && IDENTIFYING.has(name) && name !== made && !isObject(value);
    const isDifferent = one !== '' && other !== '' && one.toLowerCase() !== other.toLowerCase();
    if (isCompared && isDifferent && !lacksZeros(record[name], other))
      return `names ${name} ${shown(one)} instead of ${shown(other)}`;
    // The response masks the number, and messages contain none.
    const isNumber = NUMBERS.has(field) && (!declared || known);
    if (isNumber && likeNumber(record[field], value) === 'different') return `names another ${field}`;
  }
  return undefined;
}

function otherAmount(request: PlannedRequest, record: IDataObject): string | undefined {
  const { body } = request.values;
  // A request that changes only an invoice's lines doesn't contain the total.
  const total = () => (amountOf(request) === undefined ? undefined : invoiceAmount(body));
  const asked: IDataObject = { ...body, amt_tran: body.amt_tran ?? total() };
  const currency = record.tran_currency ?? body.tran_currency;
  for (const [name, names] of Object.entries(AMOUNTS))
    for (const shownName of names) {
      const [shown, sent] = [readableNumber(record[shownName]), readableNumber(asked[name])];
      if (sent === undefined || isEmpty(record[shownName])) continue;
      if (shown === undefined) return 'shows an unreadable amount';
      const [one, other] = [toCents(shown), toCents(sent)];
      const mayBe = name === 'amt_tran' && one > 0 && mayIncludeFees(shown, asked);
      const isPart = isLimitedApproval(record.rcode) && one >= 0 && one <= other;
      // The service may round the taxes of an invoice differently.
      const isRounded = body.amt_tran === undefined && Math.abs(one - other) <= 1;
      if (one !== other && !mayBe && !isPart && !isRounded)
        return `shows the amount ${inMoney(shown, currency)} instead of ${inMoney(sent, currency)}`;
    }
  return undefined;
}

const doubtful = (what: string): Answer => ({
  ok: false,
  failure: {
    outcome: 'unknown',
    message: `The service accepted the request, but its response ${what}. The response may belong to another payment`,
    advice: '',
  },
});
