import type { Problem } from '../../fields/types';
import { isList, isObject, toCents } from '../../shared/objects';

interface Line {
  quantity: number;
  unit_cost: number;
}

const isLine = (value: unknown): value is Line =>
  isObject(value) && typeof value.quantity === 'number' && typeof value.unit_cost === 'number';

const linesIn = (value: unknown): Line[] => (isList(value) ? value.filter(isLine) : []);

/** Rejects an invoice without a positive total, because a price of 0 usually results from a failed look-up. */
export function checkLines(value: unknown): Problem[] {
  if (value === undefined)
    return [{ label: 'Line Items', found: 'nothing', allowed: 'must contain at least one Line Item' }];
  // Integer hundredths of a cent keep sums exact.
  const total = linesIn(value).reduce((sum, line) => sum + toCents(line.quantity) * toCents(line.unit_cost), 0);
  if (total > 0) return [];
  const found = `line items with a total of ${total / 10_000}`;
  return [{ label: 'Line Items', found, allowed: 'must have a total greater than 0' }];
}

/** The interface accepts a price of 0 (openapi.yaml#LineItem). */
export const freeLine = (value: unknown): string | undefined =>
  linesIn(value).some((line) => line.unit_cost === 0)
    ? 'An invoice was created with a line item whose Unit Cost is 0. The customer pays nothing for this line.'
    : undefined;
