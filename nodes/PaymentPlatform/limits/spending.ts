import type { IDataObject } from 'n8n-workflow';

import type { DayBudget } from '../model/day-budget';

/** What a write of this process takes of a budget, from the moment at which room was kept for it. */
export interface Spending {
  /** When it left, or room was kept for it, in milliseconds since 1970. */
  at: number;
  cents: number;
  /** Whether it is on its way, or done, or of unknown outcome. */
  hasLeft: boolean;
  /** The ID of its record, once the service told it. */
  id?: string;
  /** Whether a record of the list could be this one. */
  matches: (record: IDataObject) => boolean;
}

/** Nobody asks for what is older, in whatever time zone. */
const KEPT_MS = 48 * 60 * 60 * 1000;

const books = new Map<DayBudget, Map<string, Set<Spending>>>();

/**
 * What this process sent, or is about to send, out of a budget of an account: what runs at the same moment sees it before
 * the service's list does, and so does a further run while the list lags.
 * @param account tells accounts apart (see `accountAtService`).
 */
export function spendingsOf(budget: DayBudget, account: string): Set<Spending> {
  const accounts = books.get(budget) ?? new Map<string, Set<Spending>>();
  books.set(budget, accounts);
  const spendings = accounts.get(account) ?? new Set();
  accounts.set(account, spendings);
  const since = Date.now() - KEPT_MS;
  for (const spending of spendings) if (spending.at < since) spendings.delete(spending);
  return spendings;
}
