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

/** Every request in the order it was received. */
export class Journal {
  private entries: JournalEntry[] = [];
  private sequence = 0;

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
    return opened;
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
  }
}

/** A moment as the journal writes it. */
export function journalTime(moment: DateTime): string {
  return moment.toISO() ?? '';
}
