import type { IDataObject } from 'n8n-workflow';

/** List of the service's records that count toward the option Limit per Day. */
export interface DayBudget {
  /** `day`: fields with the record's time, most precise field first. The service filters by the last field. */
  list: { path: string; identity: string; day: readonly string[] };
  /** Returns whether the record moved money or may have moved money. */
  counts: (record: IDataObject) => boolean;
  /** Returns the unsigned amount in the currency's main unit, or `undefined` if the record has no readable amount. */
  amount: (record: IDataObject) => number | undefined;
  /** Field that contains the record's ID, both in the list and in the response to the write. */
  id: string;
  /** Plural noun for the counted records in messages: "refunds". */
  of: string;
  /** Name of the list in messages: "the transaction report". */
  where: string;
}
