import type { IDataObject } from 'n8n-workflow';

import { candidates } from '../../../nodes/PaymentPlatform/model/candidates';
import { likenessOf, type Footprint, type WriteValues } from '../../../nodes/PaymentPlatform/model/footprint';
import type { Likeness } from '../../../nodes/PaymentPlatform/model/likeness';

/** Any footprint, because the tests compare records of all operations. */
type Any = Pick<Footprint<never, never>, 'compare' | 'applied' | 'list'>;

/** Compares a record of any operation with a write. */
export const compared = (footprint: Any, record: object, values: object): Likeness =>
  likenessOf(footprint as never, record as IDataObject, values as WriteValues);

/** Returns whether a record proves that the service applied the write. */
export const proves = (footprint: Any, record: object, values: object): boolean =>
  compared(footprint, record, values) === 'equal';

/** Returns whether a record may belong to the write. */
export const mayProve = (footprint: Any, record: object, values: object): boolean =>
  compared(footprint, record, values) !== 'different';

export type Cases = [what: string, record: IDataObject][];

/**
 * Tests that an operation recognizes its own records. Each case changes fields of `record`.
 * @param others records of other writes.
 * @param open records that neither prove nor exclude the write.
 */
export function agreesWith(
  footprint: Footprint,
  values: WriteValues,
  record: IDataObject,
  same: Cases,
  others: Cases,
  open: Cases = [],
): void {
  test.each<Cases[number]>([['as it is', {}], ...same])('a record belongs to a write: %s', (_, more) => {
    const shown = { ...record, ...more };
    expect(compared(footprint, shown, values)).toBe('equal');
    expect(candidates([shown], footprint, values)).toEqual([shown]);
  });
  test('the search index of a list finds every record that may match and that the filter of the service returns', () => {
    const filtered = new Set<string>(footprint.filter(values).map((one) => one.slice(0, one.indexOf(','))));
    for (const name of Object.keys(record)) {
      const blank = { ...record, [name]: '' };
      const isFound = mayProve(footprint, blank, values);
      const isLeftOut = filtered.has(name) && footprint.mayLackFilter?.(blank) !== true;
      if (isFound) expect(candidates([blank], footprint, values)).toEqual(isLeftOut ? [] : [blank]);
    }
  });
  test.each(others)("a record doesn't belong to a write: %s", (_, more) =>
    expect(compared(footprint, { ...record, ...more }, values)).toBe('different'),
  );
  if (open.length > 0)
    test.each(open)('a record neither proves nor excludes a write: %s', (_, more) => {
      const shown = { ...record, ...more };
      expect(compared(footprint, shown, values)).toBe('notShown');
    });
}

export const named = (body: IDataObject, path: IDataObject = {}): WriteValues => ({ path, body });

/** Status codes that the interface doesn't describe for a transaction of the report. */
export const UNKNOWN_LETTERS = ['U', 'VOIDED', 5, { code: 'V' }, ['V']].map((tran_status): Cases[number] => [
  `with the letter ${JSON.stringify(tran_status)}`,
  { tran_status },
]);
