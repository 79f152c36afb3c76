import type { DateTime } from 'luxon';

import type { EnvironmentName } from '../state/environment';

/** One request that reached the interface, without any secret. Moments are ISO 8601 in the sandbox's own time. */
export interface JournalEntry {
  sequence: number;
  environment: EnvironmentName;
  received: string;
  method: string;
  /** Path below the environment's base URL, without the query. */
  path: string;
  query: unknown;
  /** null when no operation of the interface has this method and path. */
  operationId: string | null;
  headers: { accept?: string; 'content-type'?: string; 'user-agent'?: string; authorization?: string };
  body: unknown;
  /** When its effect took place; null when it had none (refused, or a fault came first). */
  applied: string | null;
  /** HTTP status of the answer; null while it is open and when the connection was dropped instead. */
  status: number | null;
  /** The kind of fault that was forced on it. */
  fault: string | null;
  /** Which object it names, such as `invoice_id=7001`: requests of equal object may have been in flight together. */
  object: string | null;
  /** When the answer was sent or the connection ended. */
  finished: string | null;
}

export interface JournalFilter {
  environment?: EnvironmentName;
  operationId?: string;
  /** Only entries that come after this sequence number. */
  after?: number;
}

/** The journal keeps so many entries; older ones are removed. */
const MOST_ENTRIES = 100_000;
/** The journal keeps bodies of so many bytes in all; of older entries the body is removed. */
const MOST_BODY_BYTES = 64 * 1024 * 1024;

/** The latest requests in the order in which the sandbox received them. */
export class Journal {
  private entries: JournalEntry[] = [];
  private sequence = 0;
  private bodies: Array<{ entry: JournalEntry; bytes: number }> = [];
  private bodyBytes = 0;

  open(entry: Omit<JournalEntry, 'sequence' | 'applied' | 'status' | 'fault' | 'finished' | 'object'>): JournalEntry {
    this.sequence += 1;
    const opened = {
      sequence: this.sequence,
      ...entry,
      applied: null,
      status: null,
      fault: null,
      object: null,
      finished: null,
    };
    this.entries.push(opened);
    // In one go now and then, because each removal copies the list.
    if (this.entries.length > 2 * MOST_ENTRIES) this.entries = this.entries.slice(-MOST_ENTRIES);
    return opened;
  }

  /** Adds the body of a request to its entry. @param bytes size of the body as it was sent. */
  keepBody(entry: JournalEntry, body: unknown, bytes: number): void {
    entry.body = body;
    this.bodies.push({ entry, bytes });
    this.bodyBytes += bytes;
    while (this.bodyBytes > MOST_BODY_BYTES) {
      const [oldest] = this.bodies.splice(0, 1);
      if (!oldest) return;
      oldest.entry.body = null;
      this.bodyBytes -= oldest.bytes;
    }
  }

  list({ environment, operationId, after = 0 }: JournalFilter = {}): JournalEntry[] {
    return structuredClone(
      this.entries.filter(
        (entry) =>
          entry.sequence > after &&
          (environment === undefined || entry.environment === environment) &&
          (operationId === undefined || entry.operationId === operationId),
      ),
    );
  }

  clear(): void {
    this.entries = [];
    this.bodies = [];
    this.bodyBytes = 0;
  }
}

/** A moment as the journal writes it. */
export function journalTime(moment: DateTime): string {
  return moment.toISO() ?? '';
}
