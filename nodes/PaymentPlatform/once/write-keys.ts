import { createHash, createHmac, randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import type { FileFacts } from '../fields/types';
import { normalizedUrl } from '../service/account';
import { readFiles } from '../service/read-files';
import { identifyWrite, setsState } from './identify-write';
import { originalRequest, placeOf, sharesOf } from '../model/item-steps';
import { currentRound, type Round, hasExecution, isTool, type Lineage } from '../n8n/lineage';
import type { Account, PlannedRequest } from '../model/types';

/** Number of characters in a digest. With 96 bits, two requests of a run are very unlikely to have the same digest. */
const DIGEST_LENGTH = 16;
/** Number of characters in a field's digest. If two digests collide, a message omits the field. */
const FIELD_DIGEST_LENGTH = 3;
/** Number of characters in a code that a person enters. */
const CODE_LENGTH = 5;
/** Parameters that change the behavior or the output of the node but don't identify a request. */
const MANNER = new Set(['options', 'simplify', 'output', 'outputFields', 'returnAll', 'limit']);

/**
 * Computes digests that identify a request without revealing its content (HMAC-SHA256 with `Account.digestKey`).
 */
export class Digests {
  /** Digest of the merchant, the normalized base URL and the environment. */
  readonly account: string;
  private readonly parameters: string;

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

  /** Returns the digest of a request's method, path, query and body. Excludes a reference that the node generated. */
  request(request: PlannedRequest): string {
    const { method, path, values, generatedReference: generated } = originalRequest(request);
    const given = Object.entries(values.body).filter(([, value]) => value !== generated);
    return this.of([method, path, values.query, Object.fromEntries(given)]);
  }

  /**
   * Returns the digest of the parameters, files and input items that produced a request. Unlike the request's digest,
   * it is the same in each attempt even if an expression such as $now returns another value.
   */
  origin(inputs: Array<IDataObject | undefined>, files: FileFacts[] = []): string {
    return this.of([this.parameters, inputs, ...files.map(({ sha256 }) => sha256)]);
  }

  /** Returns the digest of each field in the request, so that a message can name the edited fields. */
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
  private readonly byItem = new Map<number, string>();

  constructor(
    private readonly context: IExecuteFunctions,
    private readonly digests: Digests,
  ) {}

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
 * Deduplication key of a write. `content` and `place` identify the content and the position of the write in its
 * execution. `open` exists while the outcome is unknown. `bare` identifies the content in any execution. `equal` numbers
 * the execution's writes that could have the same record, and stays even if the service refuses the write.
 */
export interface WriteKey {
  kind: 'bare' | 'place' | 'content' | 'open' | 'equal';
  /** Name of the execution (n8n/lineage.ts). Missing for a `bare` key. */
  name?: string;
  key: string;
}

/** Deduplication keys of an item with the option Once per Key. */
export interface OnceKeys {
  /** Shows that the workflow began the write. If `open` doesn't exist, the write is done. */
  key: string;
  /** Exists while the outcome of the write is unknown. */
  open: string;
  /** Show that this node began the write in this execution and loop iteration. Each contains a name of the execution. */
  own: string[];
  /** Keys of `own` that an earlier attempt of this execution may have recorded. */
  ownBefore: string[];
}

/** Key for the digests. Independent of the API key, so that recorded keys stay valid after the API key changes. */
const DIGEST_KEY = 'once per key';
/** Result of `WriteMemory.attempt` if no person approved another attempt. */
const FIRST_ATTEMPT = '0.0';

/**
 * Computes the deduplication keys of writes. One key uses the item's content and the number of identical items before
 * it. Another uses the item's position in the execution, counted across all loop iterations. For a tool, the key uses
 * the effect of the call (identify-write.ts).
 */
export class WriteKeys {
  readonly isTool: boolean;
  private readonly digests: Digests;
  private readonly onceDigests: Digests;
  private readonly origins: Origins;
  /** Number of identical items before each item in the execution. */
  private readonly occurrences: number[];
  /** For each object of a shared request, the number of identical objects before it. */
  private readonly ofShares = new Map<string, number>();
  /** Loop iteration of the run. Missing for a tool. */
  readonly round?: Round;
  /** For each request, the digest of its footprint's key and the number of earlier requests with the same digest. */
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
    this.digests = new Digests(account, node.parameters);
    this.onceDigests = new Digests({ ...account, digestKey: DIGEST_KEY }, {});
    this.origins = new Origins(context, this.digests);
    this.round = this.isTool ? undefined : currentRound(context);
    this.occurrences = this.round ? this.countItems(this.round) : [];
  }

  /**
   * Returns the keys of a write in the order of recording. n8n removes the oldest keys first. `open` comes after
   * `content`, because `content` without `open` shows that the write is done.
   * @param attempt result of `WriteMemory.attempt`.
   */
  of(request: PlannedRequest, attempt: string): WriteKey[] {
    const { names, recordsContent } = this.lineage;
    const content = this.content(request);
    const { round } = this;
    const place = round ? [`${round.itemsBefore + (request.items[0] ?? 0)}.${request.part}`] : [];
    const named = (kind: WriteKey['kind'], what: string) =>
      names.map((name): WriteKey => ({ kind, name, key: digest([kind, name, what, attempt]) }));
    const bare = recordsContent ? this.bare(request) : [];
    const { record = '', before = 0 } = this.equal.get(placeOf(request)) ?? {};
    return [
      ...bare.map((one): WriteKey => ({ kind: 'bare', key: digest(['bare', one, attempt]) })),
      ...place.flatMap((one) => named('place', one)),
      ...named('content', content),
      ...named('open', content),
      // Most writes are unlike all earlier writes and need no key.
      ...(before > 0 ? named('equal', `${record} ${before}`) : []),
    ];
  }

  /** Returns the `equal` keys of the next write, after this loop iteration, that could have the request's record. */
  nextEqual(request: PlannedRequest): string[] {
    const { record } = this.equal.get(placeOf(firstShare(request))) ?? {};
    if (record === undefined) return [];
    return [...this.lineage.asked].map((name) => firstKey('equal', name, `${record} ${this.counts.get(record)}`));
  }

  /** Returns the keys that earlier attempts recorded if they began the writes of this run. */
  ofEarlierTries(): WriteKey[] {
    const { asked } = this.lineage;
    const keys = this.requests.flatMap(sharesOf).flatMap((write) => this.of(write, FIRST_ATTEMPT));
    return keys.filter(({ name }) => name !== undefined && asked.has(name));
  }

  once({ operation, options, method, path, part }: PlannedRequest): OnceKeys {
    const { operationId = `${method} ${path}` } = operation.request;
    // Create or Update sends the same request as Create but has a different effect, so the two have different keys.
    const what = setsState(operation) ? `${operation.value} ${operationId}` : operationId;
    const { account } = this.onceDigests;
    const key = this.onceDigests.of([this.context.getWorkflow().id, account, what, part, options.oncePerKey]);
    // Two retries of an execution have the same names but different IDs.
    const run = hasExecution(this.context) ? `execution ${this.context.getExecutionId()}` : randomUUID();
    const place = `${this.context.getNode().id} ${this.round?.number}`;
    const own = (names: Iterable<string>) => [...new Set([run, ...names])].map((name) => `own ${key} ${name} ${place}`);
    const { names, asked } = this.lineage;
    return { key: `key ${key}`, open: `open ${key}`, own: own(names), ownBefore: own(asked) };
  }

  private countItems(round: Round): number[] {
    round.own = {};
    for (const request of this.requests) {
      this.countEqual(round, request);
      if (!request.shares) this.origins.of(request);
      for (const share of request.shares ?? [])
        this.ofShares.set(placeOf(share), count(this.digests.request(share), round));
    }
    return this.context.getInputData().map((_, item) => count(this.origins.ofItem(item), round));
  }

  private countEqual(round: Round, request: PlannedRequest): void {
    const { footprint } = request.operation;
    if (!footprint?.isIdentifiable(request.values)) return;
    const record = this.digests.of(['record', footprint.key(request.values)]);
    const before = count(record, round);
    this.equal.set(placeOf(firstShare(request)), { record, before });
    this.counts.set(record, before + 1);
  }

  private content(request: PlannedRequest): string {
    const { account } = this.digests;
    const { items, part, whole } = request;
    if (whole)
      return this.digests.of(['share', account, this.digests.request(request), this.ofShares.get(placeOf(request))]);
    const what = this.isTool
      ? ['tool', identifyWrite(request), ...this.callersKey(request)]
      : ['item', this.origins.of(request), this.occurrences[items[0] ?? 0]];
    return this.digests.of(['journal', account, part, what]);
  }

  /** Returns the caller's key if a call has no execution, so that the node can distinguish identical payments. */
  private callersKey({ options: { oncePerKey, allowEqual } }: PlannedRequest): string[] {
    return hasExecution(this.context) || !allowEqual || oncePerKey === undefined ? [] : [oncePerKey];
  }

  private bare(request: PlannedRequest): string[] {
    if (this.isTool) return [this.digests.of(['journal', identifyWrite(request)])];
    if (request.whole) return [`share ${this.digests.request(request)}`];
    return [this.digests.request(request), this.origins.of(request)].map((one) => `${request.part} ${one}`);
  }
}

/** Returns the `place` key of an item's first attempt. `index` counts the items of all loop iterations. */
export const placeKey = (name: string, index: number): string => firstKey('place', name, `${index}.0`);

const firstKey = (kind: WriteKey['kind'], name: string, what: string) => digest([kind, name, what, FIRST_ATTEMPT]);

/** Returns the first object of a shared request, otherwise the request. Only this write records the `equal` keys. */
const firstShare = (request: PlannedRequest) => sharesOf(request)[0] ?? request;

/** Returns whether a person approved another attempt at the item. */
export const wasReleased = (attempt: string): boolean => /[1-9]/.test(attempt);

function count(item: string, { own, before }: Round): number {
  const inRound = own[item] ?? 0;
  own[item] = inRound + 1;
  return (before[item] ?? 0) + inRound;
}

const digest = (parts: string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
