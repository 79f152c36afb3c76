import { createHmac } from 'node:crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Account, PlannedRequest, Remark } from './types';

/** What an earlier try of the node knows about a request. */
export type Remembered =
  | { outcome: 'done'; records: IDataObject[]; remark?: Remark }
  /** It was sent, and nobody knows whether it was applied. */
  | { outcome: 'unknown' }
  /** The credential changed since, so nobody can tell whether it is the same request. */
  | { outcome: 'unrecognisable' };

interface Entry {
  /** Of the request itself. */
  digest: string;
  /** Of the node's parameters as they are written, and of the input items: what the request was made from. */
  origin: string;
  /** Recognises the key of the digest without telling it. */
  key: string;
  /** None while the outcome is unknown. */
  records?: IDataObject[];
  /** What went wrong all the same. */
  remark?: Remark;
}

interface RunMemory {
  entries: Record<string, Entry>;
  /** Characters of JSON in all records. */
  size: number;
}

/** Where the node's context keeps it: n8n stores the context with the execution and hands it to every further try. */
const CONTEXT_KEY = 'paymentPlatformWrites';
/** A loop runs the node many times; only its latest runs can be tried again. */
const MOST_RUNS = 3;
/** Records of one run that are kept whole, in characters of JSON; of those beyond, the IDs are kept. */
const MOST_CHARACTERS = 8_000_000;
/** 96 bits of the digest: enough for no two requests of a run ever to meet. */
const DIGEST_LENGTH = 16;
/** Secrets that the service returns (interface.md section 2.13); they are never kept. */
const SECRET_FIELDS = new Set(['security_key', 'secret', 'user_password']);

/**
 * The finished and the unknown writes of one run of the node, by item, so that n8n's further tries of the same run send
 * none of them twice. A write is entered as unknown before it is sent: an execution that is cut off leaves the truth
 * behind. Holds keyed digests (HMAC-SHA256 of method, path, query and body) and the records that came out, never what
 * was sent. A request is the same when its digest is, or when parameters and input items are: an expression such as $now
 * gives another value in each try, and yet means the same request. One that a person edited counts as a new one.
 */
export class Memory {
  private constructor(
    private readonly runs: Record<string, RunMemory>,
    /** One run of the node, against one service. */
    private readonly runKey: string,
    private readonly digestKey: string,
    private readonly context: IExecuteFunctions,
  ) {}

  /** The memory of the node's current run; it lives as long as n8n keeps the execution. */
  static open(context: IExecuteFunctions, account: Account): Memory {
    const store = context.getContext('node') as { [CONTEXT_KEY]?: Record<string, RunMemory> };
    const runs = (store[CONTEXT_KEY] ??= {});
    const runIndex = Number(context.evaluateExpression('{{ $runIndex }}', 0) ?? 0);
    return new Memory(runs, `${runIndex} ${account.baseUrl}`, account.digestKey, context);
  }

  recall(request: PlannedRequest): Remembered | undefined {
    const entry = this.runs[this.runKey]?.entries[keyOf(request)];
    if (!entry) return undefined;
    if (entry.key !== this.digest('key')) return { outcome: 'unrecognisable' };
    if (entry.digest !== this.digestOf(request) && entry.origin !== this.originOf(request)) return undefined;
    const { records, remark } = entry;
    return records ? { outcome: 'done', records, ...(remark && { remark }) } : { outcome: 'unknown' };
  }

  /** To be called before the request leaves. */
  sending(request: PlannedRequest): void {
    this.run().entries[keyOf(request)] = this.entryOf(request);
  }

  done(request: PlannedRequest, records: IDataObject[], remark?: Remark): void {
    const run = this.run();
    const safe = withoutSecrets(records) as IDataObject[];
    run.size += JSON.stringify(safe).length;
    const kept = run.size <= MOST_CHARACTERS ? safe : safe.map(onlyIds);
    run.entries[keyOf(request)] = { ...this.entryOf(request), records: kept, ...(remark && { remark }) };
  }

  /** The request was not applied: it may be sent again. */
  notApplied(request: PlannedRequest): void {
    delete this.runs[this.runKey]?.entries[keyOf(request)];
  }

  /** Everything is done: n8n never tries this run again. */
  forget(): void {
    delete this.runs[this.runKey];
  }

  private run(): RunMemory {
    const existing = this.runs[this.runKey];
    if (existing) return existing;
    const others = Object.keys(this.runs).sort((a, b) => parseInt(a, 10) - parseInt(b, 10));
    for (const oldest of others.slice(0, Math.max(0, others.length - MOST_RUNS + 1))) delete this.runs[oldest];
    return (this.runs[this.runKey] = { entries: {}, size: 0 });
  }

  private entryOf(request: PlannedRequest): Entry {
    return { digest: this.digestOf(request), origin: this.originOf(request), key: this.digest('key') };
  }

  private originOf({ items }: PlannedRequest): string {
    const input = this.context.getInputData();
    return this.digest(JSON.stringify([this.context.getNode().parameters, items.map((item) => input[item]?.json)]));
  }

  private digestOf({ method, path, values }: PlannedRequest): string {
    return this.digest(JSON.stringify([method, path, values.query, values.body]));
  }

  private digest(text: string): string {
    return createHmac('sha256', this.digestKey).update(text).digest('base64url').slice(0, DIGEST_LENGTH);
  }
}

const keyOf = ({ items, part }: PlannedRequest) => `${items[0] ?? 0}.${part}`;

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (SECRET_FIELDS.has(name) ? [] : [[name, withoutSecrets(inner)]])),
  );
}

const onlyIds = (record: IDataObject): IDataObject =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name.endsWith('_id') || name === 'rcode'));
