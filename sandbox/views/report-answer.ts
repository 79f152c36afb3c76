import { listPage, type ListQuery } from '../core/lists';

/** Query of a report and the fields of its records. */
interface ReportCall {
  query: ListQuery | undefined;
  recordFields: readonly string[];
}

/**
 * Builds the response of a report, latest record first. If exactly one record matches, `data` is the record instead of
 * an array (service.md#lists).
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
