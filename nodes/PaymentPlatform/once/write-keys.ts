import { createHash, createHmac, randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import type { FileFacts } from '../fields/types';
import { normalizedUrl } from '../service/account';
import { readFiles } from '../service/read-files';
import { identifyWrite, setsState } from './identify-write';
import { originalRequest, placeOf } from '../model/item-steps';
import { currentRound, type Round, hasExecution, isTool, type Lineage } from '../n8n/lineage';
import type { Account, PlannedRequest } from '../model/types';

/** Number of characters in a digest. With 96 bits, two requests of a run are very unlikely to have the same digest. */
const DIGEST_LENGTH = 16;
/** Number of characters in a field's digest. If two digests are equal by chance, a message omits the field. */
const FIELD_DIGEST_LENGTH = 3;
/** Length of a code that a person enters. */
const CODE_LENGTH = 5;
/** Parameters that change the behavior or the output of the node but don't identify a request. */
const MANNER = new Set(['options', 'simplify', 'output', 'outputFields', 'returnAll', 'limit']);

/** Computes digests that identify a request without its content (HMAC-SHA256, keyed with the credential's secret). */
export class Digests {
  /** Keyed digest of the merchant, the normalized base URL and the environment. */
  readonly account: string;
  private readonly parameters: string;

  /** @param parameters the node's unevaluated parameters, which are equal for all items. */
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
   * Returns the digest of the parameters and input items that produced a request. Unlike the request, this digest
   * doesn't change if an expression such as $now returns another value in each attempt.
   * @param files files of the request, because the items' JSON contains no files.
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

/** Caches the digest of each item's parameters and input, which all requests of the item share. */
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

  /** Returns the digest for an item, even if the item has no request. */
  ofItem(item: number): string {
    return this.byItem.get(item) ?? this.digests.origin([this.context.getInputData()[item]?.json]);
  }
}

/**
 * Deduplication key of a write in n8n's database. `content` and `place` identify the content and the position of a
 * write in its execution. `open` exists while the outcome is unknown. `bare` identifies the content in any execution.
 */
export interface WriteKey {
  kind: 'bare' | 'place' | 'content' | 'open';
  /** Name of the execution (n8n/lineage.ts). Missing for a `bare` key. */
  name?: string;
  key: string;
}

/** Deduplication keys of an item with the option Once per Key. */
export interface OnceKeys {
  /** Indicates that the workflow began the write. If `open` doesn't exist, the write is done. */
  key: string;
  /** Exists while the outcome of the write is unknown. */
  open: string;
  /** Indicates that this execution began the write. */
  own: string;
}

/** Digest key that doesn't depend on the API key, so that recorded keys stay valid if the API key changes. */
const DIGEST_KEY = 'once per key';
/** Attempt number of an item if no person has approved another attempt. */
const FIRST_ATTEMPT = '0.0';

/**
 * Computes the deduplication keys of writes. One key identifies an item by its content and the number of equal items
 * before the item. Another key identifies the item by its position among all items of the execution. Neither key
 * depends on the rounds of a loop. For a tool, the effect identifies a call (identify-write.ts).
 */
export class WriteKeys {
  readonly isTool: boolean;
  private readonly digests: Digests;
  private readonly onceDigests: Digests;
  private readonly origins: Origins;
  /** For each item of the round, the number of equal items before it in the execution. */
  private readonly occurrences: number[];
  /** Number of equal shares before each share in the execution, by position of the share. */
  private readonly ofShares = new Map<string, number>();
  private readonly itemsBefore: number;

  constructor(
    private readonly context: IExecuteFunctions,
    account: Account,
    private readonly lineage: Lineage,
    requests: PlannedRequest[],
  ) {
    const node = context.getNode();
    this.isTool = isTool(node);
    this.digests = new Digests(account, node.parameters);
    this.onceDigests = new Digests({ ...account, digestKey: DIGEST_KEY }, {});
    this.origins = new Origins(context, this.digests);
    const round = this.isTool ? undefined : currentRound(context);
    this.itemsBefore = round?.itemsBefore ?? 0;
    this.occurrences = round ? this.countItems(round, requests) : [];
  }

  /**
   * Returns the keys of a write in the order of recording. n8n removes the oldest keys of a row first. `open` comes
   * last, because `content` without `open` indicates that the write is done.
   * @param attempt number of the write's attempt (`WriteMemory.attempt`).
   */
  of(request: PlannedRequest, attempt: string): WriteKey[] {
    const { names, recordsContent } = this.lineage;
    const content = this.content(request);
    const place = this.isTool ? [] : [`${this.itemsBefore + (request.items[0] ?? 0)}.${request.part}`];
    const named = (kind: WriteKey['kind'], what: string) =>
      names.map((name): WriteKey => ({ kind, name, key: digest([kind, name, what, attempt]) }));
    const bare = recordsContent ? this.bare(request) : [];
    return [
      ...bare.map((one): WriteKey => ({ kind: 'bare', key: digest(['bare', one, attempt]) })),
      ...place.flatMap((one) => named('place', one)),
      ...named('content', content),
      ...named('open', content),
    ];
  }

  /** Returns the keys of Once per Key for a request. */
  once({ operation, options, method, path, part }: PlannedRequest): OnceKeys {
    const { operationId = `${method} ${path}` } = operation.request;
    // Create or Update sends the same request as Create but sets a state, so the two operations have different keys.
    const what = setsState(operation) ? `${operation.value} ${operationId}` : operationId;
    const { account } = this.onceDigests;
    const key = this.onceDigests.of([this.context.getWorkflow().id, account, what, part, options.oncePerKey]);
    const run = hasExecution(this.context) ? this.context.getExecutionId() : randomUUID();
    return { key: `key ${key}`, open: `open ${key}`, own: `own ${key} ${run}` };
  }

  private countItems(round: Round, requests: PlannedRequest[]): number[] {
    round.own = {};
    for (const request of requests) {
      if (!request.shares) this.origins.of(request);
      for (const share of request.shares ?? [])
        this.ofShares.set(placeOf(share), count(this.digests.request(share), round));
    }
    return this.context.getInputData().map((_, item) => count(this.origins.ofItem(item), round));
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

  /** Returns the key of a call without an execution, so that the key distinguishes allowed equal payments. */
  private callersKey({ options: { oncePerKey, allowEqual } }: PlannedRequest): string[] {
    return hasExecution(this.context) || !allowEqual || oncePerKey === undefined ? [] : [oncePerKey];
  }

  private bare(request: PlannedRequest): string[] {
    if (this.isTool) return [this.digests.of(['journal', identifyWrite(request)])];
    if (request.whole) return [`share ${this.digests.request(request)}`];
    return [this.digests.request(request), this.origins.of(request)].map((one) => `${request.part} ${one}`);
  }
}

/** Returns the `place` key for the first attempt of an item, by the item's index in the execution. */
export const placeKey = (name: string, index: number): string => digest(['place', name, `${index}.0`, FIRST_ATTEMPT]);

/** Returns whether a person approved another attempt of the item. */
export const wasReleased = (attempt: string): boolean => /[1-9]/.test(attempt);

function count(item: string, { own, before }: Round): number {
  const inRound = own[item] ?? 0;
  own[item] = inRound + 1;
  return (before[item] ?? 0) + inRound;
}

const digest = (parts: string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
