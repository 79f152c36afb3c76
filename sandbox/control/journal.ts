import type { DateTime } from 'luxon';

import type { EnvironmentName } from '../state/environment';

/** Request to the interface, without secrets. Times are ISO 8601 times of the sandbox's clock. */
export interface JournalEntry {
  sequence: number;
  environment: EnvironmentName;
  received: string;
  method: string;
  /** Path below the environment's base URL, without the query. */
  path: string;
  query: unknown;
  /** Operation of the interface, or null if no operation matches the method and path. */
  operationId: string | null;
  headers: { accept?: string; 'content-type'?: string; 'user-agent'?: string; authorization?: string };
  body: unknown;
  /** Time at which the sandbox applied the request, or null if a refusal or a fault prevented all changes. */
  applied: string | null;
  /** HTTP status of the response. null before the response or after a dropped connection. */
  status: number | null;
  /** Kind of the fault that affected the request. */
  fault: string | null;
  /**
   * Object that the request concerns, for example `invoice_id=7001`. Tests compare the objects of overlapping requests.
   */
  object: string | null;
  /** Time at which the response or the connection ended. */
  finished: string | null;
}

export interface JournalFilter {
  environment?: EnvironmentName;
  operationId?: string;
  /** Sequence number. The list contains only later entries. */
  after?: number;
}

/** Maximum number of entries. The journal removes the oldest entries. */
const MOST_ENTRIES = 100_000;
/** Maximum total size of the stored bodies in bytes. The journal removes the oldest bodies. */
const MOST_BODY_BYTES = 64 * 1024 * 1024;

/** Latest requests to the interface, in order of arrival. */
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
    // Removes entries in batches, because each removal copies the whole list.
    if (this.entries.length > 2 * MOST_ENTRIES) this.entries = this.entries.slice(-MOST_ENTRIES);
    return opened;
  }

  /**
   * Adds the body of a request to its journal entry.
   * @param bytes size of the received body.
   */
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

/** Formats a time as ISO 8601 for the journal. */
export function journalTime(moment: DateTime): string {
  return moment.toISO() ?? '';
}
