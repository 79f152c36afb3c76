import { createHash, createHmac, randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import type { FileFacts } from '../fields/types';
import { normalizedUrl } from '../service/account';
import { readFiles } from '../service/read-files';
import { identifyWrite, setsState } from './identify-write';
import { originalRequest, placeOf } from '../model/item-steps';
import { currentRound, type Round, hasExecution, isTool, type Lineage } from '../n8n/lineage';
import type { Account, PlannedRequest } from '../model/types';

/** 96 bits, so that no two requests of a run have the same digest. */
const DIGEST_LENGTH = 16;
/**
 * 18 bits, which suffice to name differing fields. If the digests of two different values are equal, the message omits
 * the name of the field.
 */
const FIELD_DIGEST_LENGTH = 3;
/** Length of a code that a person enters. */
const CODE_LENGTH = 5;
/** Parameters that change how the node works or what it outputs. They do not identify a request. */
const MANNER = new Set(['options', 'simplify', 'output', 'outputFields', 'returnAll', 'limit']);

/**
 * Computes keyed digests (HMAC-SHA256, keyed with a hash of the credential's secret). They identify a request without
 * storing its content.
 */
export class Digests {
  /** Digest of the account: merchant, base URL in one spelling, environment and secret. */
  readonly account: string;
  private readonly parameters: string;

  /**
   * @param parameters the node's unevaluated parameters. The parameters are hashed once, because they are equal for all
   * items.
   */
  constructor(
    private readonly owner: Account,
    parameters: INodeParameters,
  ) {
    const { baseUrl, merchantId, environment } = owner;
    this.account = this.of(['account', normalizedUrl(baseUrl), merchantId, environment]);
    const content = Object.entries(parameters).filter(([name]) => !MANNER.has(name));
    this.parameters = this.of(['parameters', Object.fromEntries(content)]);
  }

  /** Returns the digest of the request itself: method, path, query, and body without a generated reference. */
  request(request: PlannedRequest): string {
    const { method, path, values, generatedReference: generated } = originalRequest(request);
    const given = Object.entries(values.body).filter(([, value]) => value !== generated);
    return this.of([method, path, values.query, Object.fromEntries(given)]);
  }

  /**
   * Returns the digest of a request's source: parameters and input items. An expression such as $now returns another value in
   * each attempt, so the request alone does not identify the write.
   * @param files files that the request sends. The items' JSON does not contain them.
   */
  origin(inputs: Array<IDataObject | undefined>, files: FileFacts[] = []): string {
    return this.of([this.parameters, inputs, ...files.map(({ sha256 }) => sha256)]);
  }

  /** Returns the digest of each field of the request, to name the fields that a person edited. */
  fields(request: PlannedRequest): Array<[string, string]> {
    const { values } = originalRequest(request);
    return Object.entries({ ...values.query, ...values.body, ...values.path }).map(([name, value]) => [
      name,
      this.of([name, value]).slice(0, FIELD_DIGEST_LENGTH),
    ]);
  }

  /** Returns a short code without punctuation, which a person can enter. */
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

/** Digests of the sources of a run's requests. All requests of an item have the same source. */
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

  /** Returns the digest of an item's source, even if the item has no request. */
  ofItem(item: number): string {
    return this.byItem.get(item) ?? this.digests.origin([this.context.getInputData()[item]?.json]);
  }
}

/**
 * Key of a write in n8n's database. `content` and `place` identify the write within its execution. `open` exists while
 * the outcome is unknown. `bare` identifies the content in any execution.
 */
export interface WriteKey {
  kind: 'bare' | 'place' | 'content' | 'open';
  /** Name of the execution (n8n/lineage.ts). A `bare` key has no name. */
  name?: string;
  key: string;
}

/** Keys of an item with the option Once per Key. */
export interface OnceKeys {
  /** Indicates that the workflow began the write. Without `open`, the write is done. */
  key: string;
  /** Exists while the outcome is unknown. */
  open: string;
  /** Indicates that this execution began the write. */
  own: string;
}

/**
 * Key for the digests of Once per Key. It doesn't depend on the API key, so the keys stay used if the API key changes.
 */
const DIGEST_KEY = 'once per key';
/** Attempt of an item that no person released. */
const FIRST_ATTEMPT = '0.0';

/**
 * Computes the keys of writes. An item is identified by its content, with the number of equal items before it in the
 * execution, and by its position among all items of the execution. Neither depends on how a loop divides the items into
 * rounds. A tool's call is identified by its effect.
 */
export class WriteKeys {
  readonly isTool: boolean;
  private readonly digests: Digests;
  private readonly onceDigests: Digests;
  private readonly origins: Origins;
  /** Number of equal items before each item of the round, in the whole execution. */
  private readonly occurrences: number[];
  /** Number of equal shares before each share of the round, by position. */
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
   * last, because `content` without `open` means that the write is done.
   * @param attempt identifies the attempts that a person released.
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

  /** Returns the keys of Once per Key. */
  once({ operation, options, method, path, part }: PlannedRequest): OnceKeys {
    const { operationId = `${method} ${path}` } = operation.request;
    // Create or Update sends the same request as Create but sets a state, so the two have separate keys.
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

  /** Returns the caller's key, which distinguishes equal payments of calls without an execution if they are allowed. */
  private callersKey({ options: { oncePerKey, allowEqual } }: PlannedRequest): string[] {
    return hasExecution(this.context) || !allowEqual || oncePerKey === undefined ? [] : [oncePerKey];
  }

  private bare(request: PlannedRequest): string[] {
    if (this.isTool) return [this.digests.of(['journal', identifyWrite(request)])];
    if (request.whole) return [`share ${this.digests.request(request)}`];
    return [this.digests.request(request), this.origins.of(request)].map((one) => `${request.part} ${one}`);
  }
}

/** Returns the `place` key of an item's first attempt. @param index number of the item in the execution. */
export const placeKey = (name: string, index: number): string => digest(['place', name, `${index}.0`, FIRST_ATTEMPT]);

/** Returns whether a person released an attempt of the item. */
export const wasReleased = (attempt: string): boolean => /[1-9]/.test(attempt);

function count(item: string, { own, before }: Round): number {
  const inRound = own[item] ?? 0;
  own[item] = inRound + 1;
  return (before[item] ?? 0) + inRound;
}

const digest = (parts: string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
