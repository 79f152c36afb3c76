import { createHmac, hash, randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import type { FileFacts } from '../fields/types';
import { normalizedUrl } from '../service/account';
import { readFiles } from '../service/read-files';
import { References } from './make-reference';
import { identifyPayment, identifyWrite, makesPayment, setsState } from '../model/identity';
import { originalRequest, placeOf, sharesOf, unmaskedReferences } from '../model/operation';
import { amountOf } from '../model/read-amounts';
import { copyOf, KeyRow } from '../n8n/key-row';
import { currentRound, type Round, hasExecution, isInLoop, isTool, type Lineage } from '../n8n/lineage';
import type { Account, PlannedRequest } from '../model/types';

/** With 96 bits, two requests of a run are very unlikely to have the same digest. */
const DIGEST_LENGTH = 16;
/** If two digests collide, a message omits the field. */
const FIELD_DIGEST_LENGTH = 3;
/** Number of characters in a code that a person enters. */
const CODE_LENGTH = 5;
/** Parameters that change the node's behavior or output but don't identify a request. */
const MANNER = new Set(['options', 'simplify', 'output', 'outputFields', 'returnAll', 'limit']);

/** Minutes in which a person may start the node twice by mistake. */
export const RECENT_MINUTES = 10;
export const MINUTE_MS = 60_000;
/** Start of the earliest minute whose keys a look-up asks for, in milliseconds ago. */
export const LOOK_BACK_MS = (RECENT_MINUTES + 1) * MINUTE_MS;

/** Computes digests that identify a request without revealing it (HMAC-SHA256 with `Account.digestKey`). */
export class Digests {
  /** Digest of the merchant, the normalized base URL and the environment. */
  readonly account: string;
  private readonly parameters: string;
  private readonly payments = new WeakMap<PlannedRequest, { digest: string; reference: string | undefined }>();

  /** @param parameters the node's parameters before n8n evaluates the expressions. */
  constructor(
    private readonly owner: Account,
    parameters: INodeParameters,
  ) {
    const { baseUrl, merchantId, environment } = owner;
    this.account = this.of(['account', normalizedUrl(baseUrl), merchantId, environment]);
    const content = Object.entries(parameters).filter(([name]) => !MANNER.has(name));
    this.parameters = this.of(['parameters', Object.fromEntries(content)]);
  }

  /** Returns the digest of the method, path, query and body, without a generated reference. */
  request(request: PlannedRequest): string {
    const { method, path, values } = originalRequest(request);
    const given = Object.entries(values.body).filter(([name]) => name !== values.reference?.name);
    return this.of([method, path, values.query, Object.fromEntries(given)]);
  }

  /** Returns the digest of all values that a look-up compares with a record. */
  payment(request: PlannedRequest): string {
    const asked = originalRequest(request);
    const { operation, values } = asked;
    const reference = values.reference?.value;
    const known = this.payments.get(asked);
    // The node adds its own reference to the body later.
    if (known && known.reference === reference) return known.digest;
    const content = ['sent', unmaskedReferences(asked), identifyPayment(asked), operation.footprint?.key(values)];
    const digest = this.of(content);
    this.payments.set(asked, { digest, reference });
    return digest;
  }

  /**
   * Returns the digest of the parameters, files and input items that produced a request. Unlike the request's digest,
   * it stays the same even if an expression such as $now returns another value.
   */
  origin(inputs: Array<IDataObject | undefined>, files: FileFacts[] = []): string {
    return this.of([this.parameters, inputs, ...files.map(({ sha256 }) => sha256)]);
  }

  /** Returns each field's digest, so that a message can name the edited fields. */
  fields(request: PlannedRequest): Array<[string, string]> {
    const { values } = originalRequest(request);
    return Object.entries({ ...values.query, ...values.body, ...values.path }).map(([name, value]) => [
      name,
      this.of([name, value]).slice(0, FIELD_DIGEST_LENGTH),
    ]);
  }

  /** Returns a short code of letters and digits, which a person can enter. */
  code(content: unknown): string {
    return this.of(content)
      .replace(/[^A-Za-z0-9]/g, '0')
      .slice(0, CODE_LENGTH);
  }

  of(content: unknown): string {
    return createHmac('sha256', this.owner.digestKey)
      .update(JSON.stringify(content))
      .digest('base64url')
      .slice(0, DIGEST_LENGTH);
  }
}

/** Caches the digest of each item's parameters and input. */
export class Origins {
  private static readonly ofRuns = new WeakMap<IExecuteFunctions, { account: Account; origins: Origins }>();
  private readonly byItem = new Map<number, string>();

  constructor(
    private readonly context: IExecuteFunctions,
    readonly digests: Digests,
  ) {}

  /** Returns the digests of a run. The execution memory and the deduplication keys share them. */
  static ofRun(context: IExecuteFunctions, account: Account): Origins {
    const known = this.ofRuns.get(context);
    if (known?.account === account) return known.origins;
    const origins = new Origins(context, new Digests(account, context.getNode().parameters));
    this.ofRuns.set(context, { account, origins });
    return origins;
  }

  of(request: PlannedRequest): string {
    const asked = originalRequest(request);
    const [item = 0, ...others] = asked.items;
    const known = this.byItem.get(item);
    if (known !== undefined && others.length === 0) return known;
    const input = this.context.getInputData();
    const inputs = asked.items.map((one) => input[one]?.json);
    const files = asked.operation.request.encoding === 'multipart' ? readFiles(asked) : [];
    const origin = this.digests.origin(inputs, files);
    if (others.length === 0) this.byItem.set(item, origin);
    return origin;
  }

  /** Returns the digest of an item that may have no request. */
  ofItem(item: number): string {
    return this.byItem.get(item) ?? this.digests.origin([this.context.getInputData()[item]?.json]);
  }
}

/**
 * Kind of a deduplication key:
 * - `bare`: content of the write in any execution.
 * - `place`: position of the write in its execution.
 * - `elsewhere`: replaces `place` if another item began at the position first.
 * - `content`: content of the write in its execution. Without `doneKey`, the outcome is unknown.
 * - `sent`: payment that was sent (`Digests.payment`).
 * - `equal`: number among the execution's writes that could have the same record. Stays even if the service refuses
 *   the write.
 * - `shown`: record in any execution of a day.
 * - `owner`: which execution, or key of Once per Key, recorded the `shown` key.
 * - `recent`: payment in any execution of a minute (`RecentKeys`).
 */
type KeyKind = 'bare' | 'place' | 'elsewhere' | 'content' | 'sent' | 'equal' | 'shown' | 'owner' | 'recent';

/** Deduplication key of a write. */
export interface WriteKey {
  kind: KeyKind;
  /** Execution name (n8n/lineage.ts). Missing for keys of any execution. */
  name?: string;
  key: string;
}

/** Deduplication keys of the option Once per Key. */
export interface OnceKeys {
  /** Digest of the key, the operation, the merchant and the environment. */
  digest: string;
  /** Shows that an execution has claimed the key. A preview uses the copy instead (`copyOf`). */
  key: string;
  /** Shows to a preview that an execution has claimed the key for a payment that may not have begun. */
  claim: string;
  /** Keys that this run looks up to find out whether the key is claimed. */
  claims: string[];
  /** Shows that the workflow began a payment with the key. */
  copy: string;
  /** Shows which payment has the key, until the write is done. */
  payment: string;
  /** Shows that the write is done. Contains the payment. */
  done: string;
  /** Identify this node, loop iteration, item and execution, one for each execution name (see `ownKeys`). */
  own: string[];
  /** Those of `own` under which an earlier attempt may have begun the write. */
  ownBefore: string[];
}

/** References that earlier attempts sent. */
export interface SentReferences {
  referenceOf(request: PlannedRequest, field: string): string | undefined;
}

/** Independent of the API key, so that keys stay valid after the API key changes. */
const DIGEST_KEY = 'once per key';
/** A new host can lead to the same service, so keys stay valid after the base URL changes. */
const ANY_URL = '';
/** `WriteMemory.attempt` if no person approved another attempt. */
const FIRST_ATTEMPT = '0.0';
/**
 * End of `WriteMemory.attempt` if the node may send the write although another item began at its position. The position
 * then doesn't identify the write.
 */
export const ELSEWHERE = ' elsewhere';

/**
 * Computes the deduplication keys of writes. One key uses the item's content and the number of identical earlier items.
 * Another uses the item's position across all loop iterations. For a tool, the key uses the call's effect
 * (model/identity.ts).
 */
export class WriteKeys {
  readonly isTool: boolean;
  private readonly digests: Digests;
  private readonly onceDigests: Digests;
  private readonly origins: Origins;
  /** Number of identical earlier items in the execution, by item. */
  private readonly occurrences: number[];
  /** For each object of a shared request, the number of identical earlier objects. */
  private readonly ofShares = new Map<string, number>();
  /** Missing for a tool. */
  readonly round?: Round;
  private made?: References;
  private readonly recentOf: (request: PlannedRequest) => string | undefined;
  /** Whether a person starts the node in Production. */
  readonly isByPerson: boolean;
  /** Name of this execution. Two retries of an execution share their other names. */
  readonly run: string;
  /** For each request, its footprint key's digest and the number of earlier requests with the digest. */
  private readonly equal = new Map<string, { record: string; before: number }>();
  /** Number of requests with each digest, up to this loop iteration. */
  private readonly counts = new Map<string, number>();

  constructor(
    private readonly context: IExecuteFunctions,
    account: Account,
    private readonly lineage: Lineage,
    private readonly requests: PlannedRequest[],
  ) {
    const node = context.getNode();
    this.isTool = isTool(node);
    this.origins = Origins.ofRun(context, account);
    this.digests = this.origins.digests;
    this.onceDigests = digestsForAll(account);
    this.recentOf = account.environment === 'production' ? recentDigests(context, account) : () => undefined;
    this.isByPerson = account.environment === 'production' && context.getMode() === 'manual';
    this.round = this.isTool ? undefined : currentRound(context);
    this.occurrences = this.round ? this.countItems(this.round) : [];
    this.run = hasExecution(context) ? `execution ${context.getExecutionId()}` : randomUUID();
  }

  /**
   * Returns a write's keys.
   * @param attempt result of `WriteMemory.attempt`.
   */
  of(request: PlannedRequest, attempt: string): WriteKey[] {
    const { names, recordsContent } = this.lineage;
    const content = this.content(request);
    const { round } = this;
    const number = numberOf(attempt);
    const place = round ? `${round.itemsBefore + (request.items[0] ?? 0)}.${request.part}` : undefined;
    const named = (kind: KeyKind, what: string) =>
      names.map((name): WriteKey => ({ kind, name, key: digest([kind, name, what, number]) }));
    const bare = recordsContent ? this.bare(request) : [];
    const { record = '', before = 0 } = this.equal.get(placeOf(request)) ?? {};
    const isElsewhere = attempt.endsWith(ELSEWHERE);
    return [
      ...bare.map((one): WriteKey => ({ kind: 'bare', key: digest(['bare', one, number]) })),
      ...(isElsewhere && place !== undefined ? named('elsewhere', place) : []),
      ...(place === undefined || (isElsewhere && number === FIRST_ATTEMPT) ? [] : named('place', place)),
      ...named('content', content),
      ...(this.isTool || !(request.operation.footprint ?? request.options.oncePerKey)
        ? []
        : named('sent', `${content} ${this.digests.payment(request)}`)),
      // Most writes need no key, because no earlier write is equal.
      ...(before > 0 ? named('equal', `${record} ${before}`) : []),
      ...this.shown(request, Date.now()),
    ];
  }

  /** Returns the `elsewhere` keys of a write, whether or not another item began at its position. */
  ofOtherPlace(request: PlannedRequest, attempt: string): WriteKey[] {
    return this.of(request, numberOf(attempt) + ELSEWHERE).filter(({ kind }) => kind === 'elsewhere');
  }

  /** Returns no keys if a reference tells the write's record from others. */
  private shown(request: PlannedRequest, from: number): WriteKey[] {
    const { record } = this.equal.get(placeOf(firstShare(request))) ?? {};
    if (record === undefined || request.values.reference) return [];
    // A write with the same key of Once per Key is an attempt at the same payment.
    const owners = request.options.oncePerKey === undefined ? this.lineage.names : [this.once(request).digest];
    return daysSince(from).flatMap((day): WriteKey[] => [
      { kind: 'shown', key: digest(['shown', record, day]) },
      ...owners.map((owner): WriteKey => ({ kind: 'owner', key: digest(['owner', owner, record, day]) })),
    ]);
  }

  /**
   * Returns the keys of a payment in Production for this minute, for the next minute, because the clock of another
   * process may be ahead, and for the minutes before, the latest first.
   */
  recent(request: PlannedRequest): string[] {
    const payment = this.recentOf(request);
    const now = Math.floor(Date.now() / MINUTE_MS);
    const minutes = [now, now + 1, ...Array.from({ length: RECENT_MINUTES }, (_, index) => now - 1 - index)];
    return payment === undefined ? [] : minutes.map((minute) => digest(['recent', payment, String(minute)]));
  }

  get references(): References {
    return (this.made ??= new References(this.context));
  }

  /**
   * Returns the keys of writes that could have the same record: the next write after this loop iteration, and those of
   * other executions.
   * @param since start of the search in Unix milliseconds. If missing, leaves out the other executions.
   */
  equalElsewhere(request: PlannedRequest, since?: number): string[] {
    const { record } = this.equal.get(placeOf(firstShare(request))) ?? {};
    if (record === undefined) return [];
    const later = [...this.lineage.asked].map((name) =>
      firstKey('equal', name, `${record} ${this.counts.get(record)}`),
    );
    return since === undefined ? later : [...later, ...severalKeys(this.shown(request, since))];
  }

  /** Returns the keys that earlier attempts recorded if they began this run's writes. */
  ofEarlierAttempts(): WriteKey[] {
    const { asked } = this.lineage;
    const keys = this.requests
      .flatMap(sharesOf)
      .flatMap((write) => [...this.of(write, FIRST_ATTEMPT), ...this.ofOtherPlace(write, FIRST_ATTEMPT)]);
    const own = keys.filter(({ name }) => name !== undefined && asked.has(name));
    return [...own, ...this.ofUnplanned()];
  }

  /** Returns the keys that earlier attempts recorded if they began items that have no request now. */
  private ofUnplanned(): WriteKey[] {
    const { round } = this;
    if (!round) return [];
    const planned = new Set(this.requests.flatMap(({ items }) => items));
    const others = [...this.context.getInputData().keys()].filter((item) => !planned.has(item));
    return [...this.lineage.asked].flatMap((name) =>
      others.flatMap((item): WriteKey[] => [
        ...placeKinds.map((kind) => ({ kind, name, key: placeKey(name, round.itemsBefore + item, kind) })),
        { kind: 'content', name, key: firstKey('content', name, this.contentOf(this.origins.ofItem(item), item, 0)) },
      ]),
    );
  }

  /** Returns the positions' keys after the last item. Empty in a loop, where later iterations use these positions. */
  placesAfterAll(from: number, count: number): string[] {
    const first = (this.round?.itemsBefore ?? 0) + this.context.getInputData().length + from;
    const names = isInLoop(this.context) ? [] : [...this.lineage.asked];
    const indexes = Array.from({ length: count }, (_, index) => first + index);
    return names.flatMap((name) => placeKinds.flatMap((kind) => indexes.map((one) => placeKey(name, one, kind))));
  }

  /** Returns the `content` keys of the attempt before or after an attempt. Empty for a tool. */
  ofNeighbor(request: PlannedRequest, attempt: string, distance: -1 | 1): string[] {
    const number = parseInt(attempt, 10) + distance;
    if (this.isTool || number < 0) return [];
    return this.of(request, `${number}.0`).flatMap(({ kind, key }) => (kind === 'content' ? [key] : []));
  }

  /** Adds the node's own reference to the request's body. */
  giveReference(request: PlannedRequest, memory?: SentReferences): void {
    const { operation, options, values, items } = request;
    const key = options.oncePerKey === undefined ? undefined : this.once(request).digest;
    const made = this.references.of(request, this.occurrences[items[0] ?? 0] ?? 0, key);
    const sent = memory?.referenceOf(request, operation.reference?.name ?? '');
    if (!made) return;
    values.reference = sent === undefined ? made : { ...made, value: sent, isLasting: true };
    values.body[made.name] = values.reference.value;
  }

  once(request: PlannedRequest): OnceKeys {
    const key = this.onceDigests.of([this.context.getWorkflow().id, this.onceDigests.account, ...scopeOfKey(request)]);
    const place = `${this.context.getNode().id} ${this.round?.number} ${this.content(request)}`;
    const own = (names: Iterable<string>) =>
      [...new Set([this.run, ...names])].map((name) => `own ${key} ${name} ${place}`);
    const { names, asked } = this.lineage;
    const [payment, done] = ['payment', 'done'].map((kind) => this.onceDigests.of([kind, identifyPayment(request)]));
    const [copy, claim] = [copyOf(`key ${key}`), copyOf(`claim ${key}`)];
    const isPreview = KeyRow.previews.has(this.context);
    return {
      ...{ digest: key, key: isPreview ? copy : `key ${key}`, copy, claim },
      claims: isPreview ? [copy, claim] : [`key ${key}`],
      ...{ payment: `payment ${key} ${payment}`, done: `done ${key} ${done}` },
      ...{ own: own(names), ownBefore: own(asked) },
    };
  }

  private countItems(round: Round): number[] {
    round.own = {};
    for (const request of this.requests) {
      if (!request.shares) this.origins.of(request);
      for (const share of request.shares ?? [])
        this.ofShares.set(placeOf(share), count(this.digests.request(share), round));
    }
    return this.context.getInputData().map((_, item) => count(this.origins.ofItem(item), round));
  }

  /**
   * Numbers the writes that could have the same record. Call this function once in each run, after the requests have
   * their references.
   */
  countEqual(): void {
    const { round } = this;
    for (const request of round ? this.requests : []) {
      const { footprint } = request.operation;
      if (!round || !footprint?.isIdentifiable(request.values)) continue;
      const record = this.digests.of(['record', footprint.key(request.values)]);
      const before = count(record, round);
      this.equal.set(placeOf(firstShare(request)), { record, before });
      this.counts.set(record, before + 1);
    }
  }

  private content(request: PlannedRequest): string {
    const { account } = this.digests;
    const { items, part, whole } = request;
    if (whole)
      return this.digests.of(['share', account, this.digests.request(request), this.ofShares.get(placeOf(request))]);
    if (!this.isTool) return this.contentOf(this.origins.of(request), items[0] ?? 0, part);
    return this.digests.of(['journal', account, part, ['tool', identifyWrite(request), ...this.callersKey(request)]]);
  }

  private contentOf(origin: string, item: number, part: number): string {
    return this.digests.of(['journal', this.digests.account, part, ['item', origin, this.occurrences[item]]]);
  }

  /** Returns the caller's key if a call has no execution, to distinguish identical payments. */
  private callersKey({ options: { oncePerKey, allowEqual } }: PlannedRequest): string[] {
    return hasExecution(this.context) || !allowEqual || oncePerKey === undefined ? [] : [oncePerKey];
  }

  private bare(request: PlannedRequest): string[] {
    if (this.isTool) return [this.digests.of(['journal', identifyWrite(request)])];
    if (request.whole) return [`share ${this.digests.request(request)}`];
    return [this.digests.request(request), this.origins.of(request)].map((one) => `${request.part} ${one}`);
  }
}

const digestsForAll = (account: Account) => new Digests({ ...account, baseUrl: ANY_URL, digestKey: DIGEST_KEY }, {});

/**
 * Returns a function that identifies a payment of the node in all executions. For other requests, it returns
 * `undefined`. A request to pay is a payment only if the node also sends it to the customer.
 */
export function recentDigests(context: IExecuteFunctions, account: Account) {
  const digests = digestsForAll(account);
  const node = context.getNode();
  return (request: PlannedRequest): string | undefined => {
    const { operation } = request;
    const isSent = operation.steps?.createsFirst === true && !isTool(node);
    if (!(makesPayment(operation) || isSent) || amountOf(request) === 0) return undefined;
    // A model may choose other references for the same payment.
    const identity = isTool(node) ? identifyWrite(request) : identifyPayment(request);
    return digests.of([context.getWorkflow().id, node.id, digests.account, identity]);
  };
}

/** Returns the key that shows that the write with a `content` or `recent` key is done. */
export const doneKey = (content: string): string => `done ${content}`;

/** Kinds of keys that identify a position. */
const placeKinds = ['place', 'elsewhere'] as const;

/** Returns a position's key for an item's first attempt. `index` counts across loop iterations. */
export const placeKey = (name: string, index: number, kind: (typeof placeKinds)[number] = 'place'): string =>
  firstKey(kind, name, `${index}.0`);

const firstKey = (kind: KeyKind, name: string, what: string) => digest([kind, name, what, FIRST_ATTEMPT]);

/** Returns the keys that show that several writes recorded keys. They stay even if the service refuses a write. */
export const severalKeys = (keys: WriteKey[], wanted: KeyKind = 'shown'): string[] =>
  keys.flatMap(({ kind, key }) => (kind === wanted ? [`several ${key}`] : []));

const DAY_MS = 24 * 60 * 60 * 1000;
/** Maximum milliseconds between a write and its record. */
const LATE_MS = 15 * 60 * 1000;
/** Maximum number of days for which a look-up asks. */
const MOST_DAYS = 60;

/** Returns the days from a time until now. A day begins early, so that it contains the writes of all its records. */
function daysSince(from: number): string[] {
  const last = Math.floor(Date.now() / DAY_MS);
  const first = Math.max(Math.floor((from - LATE_MS) / DAY_MS), last - MOST_DAYS);
  return Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
}

/** Returns a shared request's first object, otherwise the request. Only this write records the `equal` keys. */
const firstShare = (request: PlannedRequest) => sharesOf(request)[0] ?? request;

/** Returns the keys that show which execution began a key's attempt after `count` other attempts. */
export const ownKeys = (names: string[], count: number): string[] => names.map((name) => `${name} ${count}`);

/**
 * Returns the operation, the step, the key of Once per Key, and the merchant if it isn't the credential's own. Equal keys
 * of other operations or merchants are different keys.
 */
export function scopeOfKey({ operation, options, method, path, part, values }: PlannedRequest) {
  const { operationId = `${method} ${path}` } = operation.request;
  // Create or Update sends Create's request but has a different effect, so the keys differ.
  const what = setsState(operation) ? `${operation.value} ${operationId}` : operationId;
  return [what, part, options.oncePerKey, ...(values.merchant === undefined ? [] : [values.merchant])];
}

/** Returns the key that shows that a write with an unknown outcome was sent again, counted from 0. */
export const againKey = ({ digest: of }: OnceKeys, count: number): string => `attempt ${of} ${count}`;

/** Returns the key that shows that a write waited until its time had ended and then continued, counted from 0. */
export const lateKey = ({ digest: of }: OnceKeys, count: number): string => `late ${of} ${count}`;

/**
 * Returns a person's code for a payment's attempt with a key after `count` other attempts.
 * @param late number of late writes (`lateKey`). A decision before a late write doesn't cover it.
 */
export const codeOfKey = ({ payment: of }: OnceKeys, count: number, late: number): string =>
  `key-${digest(['code of key', of, String(count), ...(late > 0 ? [String(late)] : [])])
    .replace(/[^A-Za-z0-9]/g, '0')
    .slice(0, CODE_LENGTH)}`;

/** Returns whether a person approved another attempt at the item. */
export const wasReleased = (attempt: string): boolean => attempt !== FIRST_ATTEMPT;

const numberOf = (attempt: string): string => attempt.replace(ELSEWHERE, '');

function count(item: string, { own, before }: Round): number {
  const inRound = own[item] ?? 0;
  own[item] = inRound + 1;
  return (before[item] ?? 0) + inRound;
}

const digest = (parts: string[]) => hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22);

/** Returns whether the error shows that n8n's database doesn't contain the workflow. */
export const isForeign = (error: unknown): boolean => error instanceof Error && /foreign key/i.test(error.message);
