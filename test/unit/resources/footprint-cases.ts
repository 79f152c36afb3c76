import type { IDataObject } from 'n8n-workflow';

import { candidates } from '../../../nodes/PaymentPlatform/model/candidates';
import type { Footprint, WriteValues } from '../../../nodes/PaymentPlatform/model/footprint';

export type Cases = [what: string, record: IDataObject][];

/** Tests that an operation recognizes its own records. Each case changes fields of `record`. */
export function agreesWith(
  footprint: Footprint,
  values: WriteValues,
  record: IDataObject,
  same: Cases,
  others: Cases,
): void {
  test.each<Cases[number]>([['as it is', {}], ...same])('a record belongs to a write: %s', (_, more) => {
    const shown = { ...record, ...more };
    expect(footprint.matches(shown, values)).toBe(true);
    expect(candidates([shown], footprint, values)).toEqual([shown]);
  });
  test('the search index of a list finds every record that may match', () => {
    const { mayMatch = footprint.matches } = footprint;
    for (const name of Object.keys(record)) {
      const blank = { ...record, [name]: '' };
      if (mayMatch(blank, values)) expect(candidates([blank], footprint, values)).toEqual([blank]);
    }
  });
  test.each(others)("a record doesn't belong to a write: %s", (_, more) =>
    expect(footprint.matches({ ...record, ...more }, values)).toBe(false),
  );
}

/** Returns a write with this body and path. */
export const named = (body: IDataObject, path: IDataObject = {}): WriteValues => ({ path, body });
