import { type Answer, isAbsent } from '../model/failure';

/** Maximum number of records on a page of a list (service.md#lists). */
export const PAGE_SIZE = 100;

/** Page to request. Before its first record, the list has `number * count` records. */
export interface PageRequest {
  number: number;
  count: number;
}

/** Returns whether the list can lack a response. `answer` is `undefined` if sending threw an error. */
export type IsOptional = (answer: Answer | undefined) => boolean;

/** Fetches a page. `wanted` returns whether the list still needs it when the request can start. */
export type FetchPage = (
  page: number,
  count: number,
  wanted: () => boolean,
  isOptional?: IsOptional,
) => Promise<Answer>;

/** The service may respond with an error to an unannounced page after the last page. */
export const isAfterEnd: IsOptional = (answer) =>
  answer?.ok === false && (isAbsent(answer.failure) || answer.failure.httpStatus === 400);

/** Returns pages that don't overlap. */
export function* adjacentPages(first: number, count: number): Generator<PageRequest, never> {
  for (let number = first; ; number += 1) yield { number, count };
}

/**
 * Returns the pages after the first page of a list, each with the last record of the page before. Varies the number of
 * records per page, so that each page begins as late as possible.
 * @param most maximum number of records on a page, and the number of records on the first page.
 */
export function* overlappingPages(most: number): Generator<PageRequest, never> {
  for (let end = most; ;) {
    let page: PageRequest = { number: 0, count: end };
    for (let count = most; count > 0; count -= 1) {
      const number = Math.floor((end - 1) / count);
      if (endOf({ number, count }) > endOf(page)) page = { number, count };
    }
    end = endOf(page);
    yield page;
  }
}

/** Returns the number of records before the end of a page. */
export const endOf = ({ number, count }: PageRequest): number => (number + 1) * count;
