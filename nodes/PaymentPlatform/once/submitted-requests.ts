import { hash } from 'node:crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { KeyRow, type KeyStore } from '../n8n/key-row';
import { isSaved } from '../n8n/lineage';
import { asText } from '../shared/objects';
import type { Account, PlannedRequest } from '../model/types';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Time between a request and its response, with reserve (service.md#account-updater). */
const RESPONSE_DAYS = 30;
/** Processes that submit at the same time use different keys. If all are in use, the last key stays. */
const PLACES = [0, 1, 2, 3, 4, 5];

interface Unfinished {
  key: string;
  count: number;
  /** Whether this process recorded the key. */
  isOwn: boolean;
}

/** Submissions of this process that have not ended, by row and key. */
const unfinished = new WeakMap<KeyRow, Map<string, Unfinished>>();

/**
 * Records the IDs of requests that the nodes of a workflow submit, so that the workflow's trigger recognizes the
 * requests' events. Before a node submits a request, another key shows that an ID can be missing, because n8n may stop
 * before the node records the ID.
 */
export class SubmittedRequests {
  private readonly row: KeyRow;
  private readonly store: KeyStore;
  private readonly isSaved: boolean;
  private readonly unfinished: Map<string, Unfinished>;
  private readonly begun = new Map<PlannedRequest, Unfinished>();

  constructor(
    context: IExecuteFunctions,
    private readonly account: Pick<Account, 'environment' | 'merchantId'>,
  ) {
    this.row = KeyRow.ofWorkflow(context);
    this.unfinished = unfinished.get(this.row) ?? new Map<string, Unfinished>();
    unfinished.set(this.row, this.unfinished);
    this.store = context.helpers;
    this.isSaved = isSaved(context.getWorkflow().id);
  }

  /** @throws n8n's database error. The node must then not send the request. */
  async begin(request: PlannedRequest): Promise<void> {
    if (!this.isSaved || request.operation.eventsBy === undefined) return;
    const keys = this.unfinishedKeys(today());
    for (const key of keys) {
      const isNew = (await this.row.record(this.store, [key])).has(key);
      const isLast = key === keys.at(-1);
      const known = this.unfinished.get(key) ?? { key, count: 0, isOwn: isNew && !isLast };
      if (!known.isOwn && !isLast) continue;
      known.count += 1;
      this.unfinished.set(key, known);
      return void this.begun.set(request, known);
    }
  }

  /** If the response contains no ID, the other key stays. */
  recordMade(request: PlannedRequest, records: IDataObject[]): void {
    const { eventsBy } = request.operation;
    if (!this.isSaved || eventsBy === undefined) return;
    const ids = records.map((record) => asText(record[eventsBy])).filter((id) => id !== '');
    const keys = ids.map((id) => this.keyOf('submitted', id));
    if (keys.length > 0) this.row.add(this.store, keys, this.release(request));
  }

  recordRefused(request: PlannedRequest): void {
    this.row.remove(this.store, this.release(request));
  }

  /** @returns `undefined` if n8n's database doesn't show whether a node of this workflow submitted the request. */
  async isOwn(id: string): Promise<boolean | undefined> {
    const own = this.keyOf('submitted', id);
    // The clock of the process that submitted the request may be ahead.
    const days = Array.from({ length: RESPONSE_DAYS + 1 }, (_, index) => today() + 1 - index);
    const found = await this.row.find(this.store, [own, ...days.flatMap((day) => this.unfinishedKeys(day))]);
    if (found.has(own)) return true;
    return found.size === 0 && (await this.row.hasSpace(this.store, 0.5)) ? false : undefined;
  }

  /** Returns the key that the last of the requests removes. */
  private release(request: PlannedRequest): string[] {
    const known = this.begun.get(request);
    if (!known) return [];
    this.begun.delete(request);
    known.count -= 1;
    if (known.count > 0) return [];
    this.unfinished.delete(known.key);
    return known.isOwn ? [known.key] : [];
  }

  private unfinishedKeys(day: number): string[] {
    return PLACES.map((place) => this.keyOf('unfinished', `${day} ${place}`));
  }

  private keyOf(kind: string, value: string): string {
    const { environment, merchantId } = this.account;
    const parts = JSON.stringify([kind, environment, merchantId, value]);
    return hash('sha256', parts, 'base64url').slice(0, 22);
  }
}

const today = () => Math.floor(Date.now() / DAY_MS);
