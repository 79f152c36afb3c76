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
  /** Reason for the look-up: a lost response, an earlier attempt with an unknown outcome, or a possible duplicate. */
  kind: 'lost' | 'earlier' | 'existed';
}

/** Records that a look-up returned, and the rules for assigning a record to a write. */
export interface Looked {
  /** Values of the write to compare with the records. */
  values: WriteValues;
  footprint: Footprint;
  records: IDataObject[];
  /** Earliest time or ID of the records to consider. Defaults to all records. */
  since?: Cutoff | undefined;
  /** Whether to also consider the records of other loop rounds, as the option If It Already Exists does. */
  isGuard?: boolean;
  kind: FoundRecord['kind'];
}

/** Result of assigning a record to a write. */
export interface Match {
  /** Record that belongs to the write. */
  record?: IDataObject;
  /** Records that match the write but may belong to another write. */
  unclear: IDataObject[];
  /** Whether an unclear record may belong to the write, because other applied writes can't explain all records. */
  isDoubtful: boolean;
  /** Whether another write without a response may have created the record. */
  isPending: boolean;
}

/** Result of a look-up that found no matching record. */
export const NO_MATCH: Match = { unclear: [], isDoubtful: false, isPending: false };

/** Write whose outcome is still unknown after a look-up. */
export interface Unseen {
  footprint: Footprint;
  /** Description of the search period. */
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

/** Advice if the node did not send an approved attempt, because the node could not read the whole list. */
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
