import { createHmac } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import type { FileFacts } from '../fields/types';
import { normalizedUrl } from '../service/account';
import { readFiles } from '../service/read-files';
import { originalRequest } from '../model/item-steps';
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
