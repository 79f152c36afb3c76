import type { IDataObject } from 'n8n-workflow';

import { asText } from '../shared/objects';
import type { Footprint, WriteValues } from '../model/footprint';
import type { Cutoff } from './list-cache';
import type { Failure } from '../model/failure';

/** Record that shows that the service applied a write. */
export interface FoundRecord {
  record: IDataObject;
  /** Description of the matching fields, for messages. */
  agreement: string;
  /** Reason for the look-up: a lost response, an earlier attempt of unknown outcome, or a possible duplicate. */
  kind: 'lost' | 'earlier' | 'existed';
}

/** Records of a look-up, and rules for assigning one to a write. */
export interface Looked {
  values: WriteValues;
  footprint: Footprint;
  records: IDataObject[];
  /** Earliest time or ID to consider. Defaults to all records. */
  since?: Cutoff | undefined;
  /** Whether to consider records of other loop iterations, as Fail of If It Already Exists does. */
  isGuard?: boolean;
  /** Whether an equal write may have begun in a later loop iteration or another execution. */
  hasEqualElsewhere?: boolean;
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
  /** Whether another write that awaits its response may have created the record. */
  isPending: boolean;
}

export const NO_MATCH: Match = { unclear: [], isDoubtful: false, isPending: false };

/** Write whose outcome is still unknown after a look-up. */
export interface Unseen {
  footprint: Footprint;
  /** Values that the node compared, for messages. */
  agreement: string;
  /** Description of the search period, for messages. */
  span: string;
  /** Number of times that the node read the list. */
  looks: number;
  /** Time of the last look-up. */
  until: string;
  /** Whether the node did not read the whole list. */
  isCut: boolean;
  /** Matching records that may belong to another write. */
  unclear: IDataObject[];
  failure?: Failure | undefined;
}

/** Maximum number of records that a message names. */
const MOST_NAMED = 5;

/** Returns a sentence about a look-up that left the outcome unknown. */
export function unseenWords({ footprint, agreement, span, looks, until, isCut, unclear, failure }: Unseen): string {
  const { where, list } = footprint;
  if (looks === 0 && failure) return couldNotRead(footprint, failure);
  if (looks === 0) return 'The node did not look up the record, because the run was stopped.';
  if (unclear.length > 0)
    return `The node found ${named(unclear, list.identity)} in ${where} (${agreement}, ${span}). The record may belong to another item, so the node did not use it.`;
  const often = looks === 1 ? 'once' : `${looks} times`;
  const rest = isCut ? ' The list contains more records than the node could read.' : '';
  if (list.removesRecord)
    return `By ${until}, the node had checked ${where} ${often}, and the record still existed. The service may still remove it.${rest}`;
  return `By ${until}, the node had checked ${where} ${often} (${agreement}, ${span}) without finding a match. The record may still appear.${rest}`;
}

/** Advice if a person approved another attempt, but the list was incomplete. */
export const NOT_SENT_UNSEEN =
  'The record of the earlier attempt may exist, so the node did not send the item again. Run the item again when the list is available.';

/** Returns the values that proved a match. A generated reference is proof even if other values are missing. */
export const agreementOf = ({ agreement }: Footprint, { reference }: WriteValues): string =>
  reference ? 'same generated reference' : agreement;

/** Advice if a person chose Send Again, but the payment's records are unreadable. */
export const NOT_SENT_UNREADABLE =
  'The node can\'t look up the earlier attempt, so it did not send the payment again. Look up the record, and enter the outcome in "Resolve Items".';

/** Returns a sentence about an unreadable list. */
export const couldNotRead = ({ where }: Footprint, { message }: Failure): string =>
  `The node could not look up the record in ${where}: ${message}.`;

/** Returns a sentence about a write whose record the node can't tell from earlier records. */
export const notComparable = ({ where }: Footprint, { message }: Failure): string =>
  `The node did not look up the record in ${where}, because it can't tell which records are new: ${message}.`;

function named(records: IDataObject[], identity: string): string {
  const ids = records.map((record) => asText(record[identity])).filter(Boolean);
  const rest = ids.length > MOST_NAMED ? ', ...' : '';
  return ids.length > 0 ? `${identity} ${ids.slice(0, MOST_NAMED).join(', ')}${rest}` : 'a record';
}
