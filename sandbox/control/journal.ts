import type { DateTime } from 'luxon';

import type { EnvironmentName } from '../state/environment';

/** Logged request without secrets. Times are ISO 8601, from the sandbox's clock. */
export interface JournalEntry {
  sequence: number;
  environment: EnvironmentName;
  received: string;
  method: string;
  path: string;
  query: unknown;
  operationId: string | null;
  headers: { accept?: string; 'content-type'?: string; 'user-agent'?: string; authorization?: string };
  body: unknown;
  /** Time of the change, or null if the request changed nothing. */
  applied: string | null;
  /** HTTP status. null before the response or after a dropped connection. */
  status: number | null;
  fault: string | null;
  /** Object that the request concerns, for example `invoice_id=7001`. */
  object: string | null;
  finished: string | null;
}

export interface JournalFilter {
  environment?: EnvironmentName;
  operationId?: string;
  /** Lists only entries with a higher sequence number. */
  after?: number;
}

const MOST_ENTRIES = 100_000;
/** Maximum size of all stored bodies in bytes. The journal drops the oldest first. */
const MOST_BODY_BYTES = 64 * 1024 * 1024;

/** Log of the latest requests to the service, in order of arrival. */
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
    // Truncates in batches, because each truncation copies the whole list.
    if (this.entries.length > 2 * MOST_ENTRIES) this.entries = this.entries.slice(-MOST_ENTRIES);
    return opened;
  }

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

/** Formats a time as ISO 8601. */
export function journalTime(moment: DateTime): string {
  return moment.toISO() ?? '';
}
