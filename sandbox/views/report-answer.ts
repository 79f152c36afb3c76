import { listPage, type ListQuery } from '../core/lists';

interface ReportCall {
  query: ListQuery | undefined;
  recordFields: readonly string[];
}

/**
 * Builds a report, latest record first (service.md#lists). For exactly one record, `data` is an object instead of an
 * array.
 */
export function reportAnswer(
  records: readonly object[],
  { query, recordFields }: ReportCall,
  order_on: string,
): object {
  const page = listPage(records, query ?? {}, { fields: recordFields, order_on, order_by: 'desc' });
  const data = page.totalRecords === 1 && page.data[0] ? page.data[0] : page.data;
  return { code: 0, message: 'Success', ...page, data };
}
