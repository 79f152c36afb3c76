import type { IDataObject } from 'n8n-workflow';

/**
 * Writes of a day that count toward the daily limit, as they appear in a list of the service (option Limit per Day).
 * Operations with the same declaration share the budget. All members are pure functions.
 */
export interface DayBudget {
  /** `day`: names of the fields with the record's time, the most exact first. The service filters by the last field. */
  list: { path: string; identity: string; day: readonly string[] };
  /** Returns whether the record moved money or may have moved money. */
  counts: (record: IDataObject) => boolean;
  /** Returns the amount in the currency's main unit, without a sign, or `undefined` if it can't be read. */
  amount: (record: IDataObject) => number | undefined;
  /** Field that contains the record's ID, both in the write's response and in the list. */
  id: string;
  /** Noun for the counted records in messages: "refunds". */
  of: string;
  /** Name of the list in messages: "the transaction report". */
  where: string;
}
