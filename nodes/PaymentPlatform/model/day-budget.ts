import type { IDataObject } from 'n8n-workflow';

/**
 * What writes took of a day, as a list of the service shows it (option Refuse More Than in One Day). Operations that share
 * a declaration share the budget. Everything here is a pure function of what it is given.
 */
export interface DayBudget {
  /** `day`: fields that tell when a record was, the most exact first, and last the one that the service is asked by. */
  list: { path: string; identity: string; day: readonly string[] };
  /** Whether money went that way by the record, or may have. */
  counts: (record: IDataObject) => boolean;
  /** How much, in the currency's main unit and without sign; `undefined` when it can't be read. */
  amount: (record: IDataObject) => number | undefined;
  /** The field in which a write's own answer and the list name the record. */
  id: string;
  /** What is added up, for a person: "refunds". */
  of: string;
  /** Where a person finds the list: "the transaction report". */
  where: string;
}
