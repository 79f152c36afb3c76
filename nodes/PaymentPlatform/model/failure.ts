import type { IDataObject } from 'n8n-workflow';

import type { DataValue } from '../shared/objects';

/** How a request ended when it did not end well. */
export interface Failure {
  /**
   * `invalid`: refused by the node before anything was sent. `declined`: the service's answer. `notSent`: it provably
   * never reached the service or was turned away unread. `unknown`: it may have been applied. `doneBefore`: an earlier
   * try of the run did this item with other content, so nothing was sent now.
   */
  outcome: 'invalid' | 'declined' | 'notSent' | 'unknown' | 'doneBefore';
  /** Why, in the words of the panel; the service's own where nobody else has any. */
  message: string;
  /** What to do about it. */
  advice: string;
  /** The service's own words, with its code. */
  said?: string;
  httpStatus?: number;
  rcode?: string;
  code?: number;
  pgId?: string;
  /** How long the service asked to wait, in milliseconds. */
  retryAfterMs?: number;
  /** How often the request was sent, when more than once. */
  tries?: number;
  /** Method and path, as the interface writes it. */
  request?: string;
  /** Whether the request only read. */
  reads?: boolean;
  /** IDs by which a request of unknown outcome can be looked up. */
  references?: IDataObject;
  /** Whether the record exists all the same: only a part of what was wanted went wrong. */
  applied?: boolean;
  /** What a person types into the option Resolve Items to say what became of the earlier try. */
  resolveCode?: string;
  /** How a person finds out what became of a request of unknown outcome. */
  lookUp?: string;
}

/** A decoded answer. */
export type Answer =
  { ok: true; record: DataValue; totalPages?: number; totalRecords?: number } | { ok: false; failure: Failure };

/** "No such URL" of the platform (service.md#codes). */
const NO_SUCH_PATH = 7;

/** Whether a refusal says that there is no such record. */
export const isAbsent = ({ httpStatus, code }: Failure): boolean => httpStatus === 404 || code === NO_SUCH_PATH;
