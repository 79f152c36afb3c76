import type { PageRequest } from './page-requests';

/** Page with the marks of its records. A mark is an ID, or the content of a record without an ID. */
export interface MarkedPage {
  request: PageRequest;
  marks: string[];
  /** Whether all records have an ID. */
  hasIds: boolean;
  /** Number of records in the list before the end of the page. */
  end: number;
  /** Whether the page has as many records as expected. */
  isFull: boolean;
}

/** Connection of a page with the page before. */
export interface Seam {
  /** Number of records that both pages contain if nothing changed. Negative if records between them are unread. */
  overlap: number;
  /**
   * Whether the list has no unread record between the pages. A page shows adjacent records of the list, so one record
   * on both pages proves this: An unread record comes after the first page, thus after the shared record, and thus after
   * the second page. This is true for each order of the list and for each order in which the pages were read, unless
   * records change their order.
   */
  isVerified: boolean;
  /** Whether each record that both pages contain is at its expected position. */
  isUnmoved: boolean;
  /** Whether records without an ID moved, so that the pages can't show which of them are new. */
  hasMoved: boolean;
  /** Returns whether the page before contains a record without an ID. */
  repeats: (index: number) => boolean;
}

export const NO_SEAM: Seam = { overlap: 0, isVerified: false, isUnmoved: false, hasMoved: false, repeats: () => false };

export function seamBetween(before: MarkedPage, { marks, hasIds, end }: MarkedPage): Seam {
  const overlap = before.end - (end - marks.length);
  if (overlap < 0) return { ...NO_SEAM, overlap };
  const from = before.marks.length - overlap;
  const isUnmoved =
    Math.min(overlap, marks.length) > 0 &&
    marks.slice(0, overlap).every((mark, index) => from + index < 0 || mark === before.marks[from + index]);
  if (isUnmoved) return { overlap, isVerified: true, isUnmoved, hasMoved: false, repeats: (index) => index < overlap };
  const earlier = new Set(before.marks);
  return {
    overlap,
    isUnmoved,
    isVerified: hasIds && marks.some((mark) => earlier.has(mark)),
    hasMoved: overlap > 0 && !hasIds,
    repeats: (index) => overlap > 0 && earlier.has(marks[index] ?? ''),
  };
}
