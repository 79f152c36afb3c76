import type { IDataObject } from 'n8n-workflow';

/** A record of the service by which an item is done whose answer this try did not get. */
export interface Sighting {
  record: IDataObject;
  /** What agreed, in words. */
  agreement: string;
  /** Whose it is: of this try, whose answer got lost; of an earlier try of the execution; or of somebody before. */
  kind: 'lost' | 'earlier' | 'existed';
}
