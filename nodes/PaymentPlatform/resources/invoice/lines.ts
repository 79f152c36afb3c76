import type { Problem } from '../../fields/types';
import { toCents } from '../../shared/digits';
import { isList, isObject } from '../../shared/objects';

interface Line {
  quantity: number;
  unit_cost: number;
}

const isLine = (value: unknown): value is Line =>
  isObject(value) && typeof value.quantity === 'number' && typeof value.unit_cost === 'number';

/** The lines of a planned invoice: numbers by now, with at most two decimals each. */
const linesIn = (value: unknown): Line[] => (isList(value) ? value.filter(isLine) : []);

/**
 * An invoice over nothing is a mistake, hardly ever meant: a price that was not found is 0. Discounts may be as high as
 * what they are taken from, but for one cent.
 */
export function checkLines(value: unknown): Problem[] {
  if (value === undefined)
    return [
      { label: 'Line Items', found: 'nothing', allowed: 'needs at least one Line Item: there would be nothing to pay' },
    ];
  // Hundredths of cents, whole numbers: nothing is lost in the sum.
  const total = linesIn(value).reduce((sum, line) => sum + toCents(line.quantity) * toCents(line.unit_cost), 0);
  if (total > 0) return [];
  const found = `lines that come to ${total / 10_000}`;
  return [{ label: 'Line Items', found, allowed: 'must come to more than 0: there would be nothing to pay' }];
}

/** The interface takes a line that costs nothing (openapi.yaml#LineItem), and some are meant so: it is said. */
export const freeLine = (value: unknown): string | undefined =>
  linesIn(value).some((line) => line.unit_cost === 0)
    ? 'An invoice was created with a line item whose Unit Cost is 0: that line charges nothing.'
    : undefined;
