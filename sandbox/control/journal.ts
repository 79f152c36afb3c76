import type { DateTime } from 'luxon';

import type { EnvironmentName } from '../state/environment';

/** A request to the interface, without secrets. Times are ISO 8601 by the sandbox's clock. */
export interface JournalEntry {
  sequence: number;
  environment: EnvironmentName;
  received: string;
  method: string;
  /** Path below the environment's base URL, without the query. */
  path: string;
  query: unknown;
  /** null if no operation of the interface has this method and path. */
  operationId: string | null;
  headers: { accept?: string; 'content-type'?: string; 'user-agent'?: string; authorization?: string };
  body: unknown;
  /** Time of the effect. null if the request was refused or a fault prevented the effect. */
  applied: string | null;
  /** HTTP status of the response. null while the request is open, or if the connection was dropped. */
  status: number | null;
  /** Kind of fault applied to the request. */
  fault: string | null;
  /** Object of the request, such as `invoice_id=7001`. Requests for the same object may have overlapped. */
  object: string | null;
  /** Time of the response or of the end of the connection. */
  finished: string | null;
}

export interface JournalFilter {
  environment?: EnvironmentName;
  operationId?: string;
  /** Returns only entries after this sequence number. */
  after?: number;
}

/** Maximum number of entries. The journal removes the oldest ones. */
const MOST_ENTRIES = 100_000;
/** Maximum total size of the bodies in bytes. The journal removes the oldest bodies. */
const MOST_BODY_BYTES = 64 * 1024 * 1024;

/** The latest requests in the order of arrival. */
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
    // Removes entries in batches, because each removal copies the list.
    if (this.entries.length > 2 * MOST_ENTRIES) this.entries = this.entries.slice(-MOST_ENTRIES);
    return opened;
  }

  /** Adds the body of a request to its entry. @param bytes size of the received body. */
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

/** Formats a time for the journal. */
export function journalTime(moment: DateTime): string {
  return moment.toISO() ?? '';
}
