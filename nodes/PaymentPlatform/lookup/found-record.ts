import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/objects';
import type { Footprint, WriteValues } from '../model/footprint';
import type { Cutoff } from './list-cache';
import type { Failure } from '../model/failure';

/** Record that the node found at the service and that completes an item. */
export interface FoundRecord {
  record: IDataObject;
  /** Description of the matching fields. */
  agreement: string;
  /**
   * Reason for the look-up: the response of this attempt was lost, the outcome of an earlier attempt is unknown, or a
   * record may already exist.
   */
  kind: 'lost' | 'earlier' | 'existed';
}

/** Records that a look-up found for a write, and the rules for considering them. */
export interface Looked {
  /** Values to compare the records with. */
  values: WriteValues;
  footprint: Footprint;
  records: IDataObject[];
  /** Earliest time or ID of the records to consider. Defaults to all records. */
  since?: Cutoff | undefined;
  /**
   * Whether to consider records of other rounds of a loop, too. The check If It Already Exists refuses equal records of
   * any round.
   */
  isGuard?: boolean;
  /**
   * Reason for the look-up: a response was lost, the outcome of an earlier attempt is unknown, or an equal record may
   * already exist.
   */
  kind: FoundRecord['kind'];
}

/** Result of a look-up for a write. */
export interface Match {
  /** The write's own record. */
  record?: IDataObject;
  /** Records that match but may belong to another write. */
  unclear: IDataObject[];
  /** Whether one of those records can be the write's own, because there are more records than other applied writes. */
  isDoubtful: boolean;
  /** Whether the response to another write has not arrived yet and may contain the record. */
  isPending: boolean;
}

/** Result of a look-up that found no record. */
export const NO_MATCH: Match = { unclear: [], isDoubtful: false, isPending: false };

/** Write whose outcome is still unknown after a look-up. */
export interface Unseen {
  footprint: Footprint;
  /** Description of the search period. */
  span: string;
  /** Number of times that the list was read. */
  looks: number;
  /** Time of the last look-up. */
  until: string;
  /** Whether the list had more records than the node read. */
  isCut: boolean;
  /** Matching records that may belong to another write. */
  unclear: IDataObject[];
  /** Reason why the last attempt to read the list failed. */
  failure?: Failure | undefined;
}

/** Maximum number of records that a message names. */
const MOST_NAMED = 5;

/** Describes a write that the node looked up and whose outcome is still unknown. */
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

/**
 * Advice for a write that a person released but that the node did not send, because it could not read the whole list.
 */
export const NOT_SENT_UNSEEN =
  'The record of the earlier attempt may exist, so the node did not send the item again. Run the item again when the list is available.';

/** Describes a write whose record the node can't distinguish from earlier records. */
export const notComparable = ({ where }: Footprint, { message }: Failure): string =>
  `The node did not look up the record in ${where}, because it can't tell which records are new: ${message}.`;

function named(records: IDataObject[], identity: string): string {
  const ids = records.map((record) => asText(record[identity])).filter(Boolean);
  const rest = ids.length > MOST_NAMED ? ', ...' : '';
  return ids.length > 0 ? `${identity} ${ids.slice(0, MOST_NAMED).join(', ')}${rest}` : 'a record';
}
