import type { ListPage } from '../core/lists';

/**
 * Builds the response of a report. If exactly one record matches, data is that record instead of an array
 * (service.md#lists).
 */
export function reportAnswer(page: ListPage<object>): object {
  const data = page.totalRecords === 1 && page.data[0] ? page.data[0] : page.data;
  return { code: 0, message: 'Success', ...page, data };
}
