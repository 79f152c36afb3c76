import type { IDataObject } from 'n8n-workflow';

/** Records that count toward the option Limit per Day. */
export interface DayRecords {
  /** `day`: fields with the record's time, most precise field first. The service filters by the last field. */
  list: { path: string; identity: string; day: readonly string[] };
  /** Returns whether the record is or may be such a transaction, even without an effect. */
  isOfKind: (record: IDataObject) => boolean;
  /** Returns whether the record moved or may have moved money. */
  counts: (record: IDataObject) => boolean;
  /** Returns the unsigned amount in the currency's main unit, or `undefined` if it is unreadable. */
  amount: (record: IDataObject) => number | undefined;
  /** Field with the record's ID, in the list and in the response to the write. */
  id: string;
  /** Plural noun for messages: "refunds". */
  of: string;
  /** Name in messages: "the transaction report". */
  where: string;
}
