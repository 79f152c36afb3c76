import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/objects';
import type { Footprint, WriteValues } from '../model/footprint';
import type { Cutoff } from './list-cache';
import type { Failure } from '../model/failure';

/** Service record that shows that a write was applied. */
export interface FoundRecord {
  record: IDataObject;
  /** Description of the matching fields, for messages. */
  agreement: string;
  /** Reason for the look-up: a lost response, an earlier attempt with an unknown outcome, or a possible duplicate. */
  kind: 'lost' | 'earlier' | 'existed';
}

/** Records that a look-up returned, and the rules for assigning a record to a write. */
export interface Looked {
  values: WriteValues;
  footprint: Footprint;
  records: IDataObject[];
  /** Earliest time or ID of the records to consider. Defaults to all records. */
  since?: Cutoff | undefined;
  /** Whether to consider records of other loop iterations, as the action Fail of If It Already Exists does. */
  isGuard?: boolean;
  /** Whether an earlier attempt began an equal write in a later loop iteration. */
  hasEqualLater?: boolean;
  kind: FoundRecord['kind'];
}

/** Result of assigning a record to a write. */
export interface Match {
  /** Record that belongs to the write. */
  record?: IDataObject;
  /** Records that match the write but may belong to another write. */
  unclear: IDataObject[];
  /**
   * Whether an ambiguous record may belong to the write, because the matching records outnumber the other applied
   * writes.
   */
  isDoubtful: boolean;
  /** Whether another write, still awaiting its response, may have created the record. */
  isPending: boolean;
}

export const NO_MATCH: Match = { unclear: [], isDoubtful: false, isPending: false };

/** Write whose outcome is still unknown after a look-up. */
export interface Unseen {
  footprint: Footprint;
  /** Description of the search period, for messages. */
  span: string;
  /** Number of times that the node read the list. */
  looks: number;
  /** Time of the last look-up. */
  until: string;
  /** Whether the list contained more records than the node read. */
  isCut: boolean;
  /** Matching records that may belong to another write. */
  unclear: IDataObject[];
  failure?: Failure | undefined;
}

/** Maximum number of records that a message names. */
const MOST_NAMED = 5;

/** Returns a sentence about a look-up that didn't show the outcome of a write. */
export function unseenWords({ footprint, span, looks, until, isCut, unclear, failure }: Unseen): string {
  const { where, agreement, list } = footprint;
  if (looks === 0 && failure) return `The node could not look up the record in ${where}: ${failure.message}.`;
  if (looks === 0) return 'The node did not look up the record, because the run was stopped.';
  if (unclear.length > 0)
    return `The node found ${named(unclear, list.identity)} in ${where} (${agreement}, ${span}). The record may belong to another item, so the node did not use it.`;
  const often = looks === 1 ? 'once' : `${looks} times`;
  const rest = isCut ? ' The list contains more records than the node could read.' : '';
  if (list.removesRecord)
    return `By ${until}, the node had checked ${where} ${often}, and the record still existed. The service may still remove it.${rest}`;
  return `By ${until}, the node had checked ${where} ${often} (${agreement}, ${span}) without finding a match. The record may still appear.${rest}`;
}

/** Advice if a person approved another attempt, but the node could not read the whole list. */
export const NOT_SENT_UNSEEN =
  'The record of the earlier attempt may exist, so the node did not send the item again. Run the item again when the list is available.';

/** Returns a sentence about a write whose record the node can't distinguish from earlier records. */
export const notComparable = ({ where }: Footprint, { message }: Failure): string =>
  `The node did not look up the record in ${where}, because it can't tell which records are new: ${message}.`;

function named(records: IDataObject[], identity: string): string {
  const ids = records.map((record) => asText(record[identity])).filter(Boolean);
  const rest = ids.length > MOST_NAMED ? ', ...' : '';
  return ids.length > 0 ? `${identity} ${ids.slice(0, MOST_NAMED).join(', ')}${rest}` : 'a record';
}
