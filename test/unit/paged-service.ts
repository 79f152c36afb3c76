import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../../nodes/PaymentPlatform/model/failure';
import { fetchList } from '../../nodes/PaymentPlatform/service/fetch-list';

/** List whose pages the node doesn't read a second time. */
export const list = { identity: 'id', ignoresNotes: true };
export const records = (count: number): IDataObject[] => Array.from({ length: count }, (_, id) => ({ id }));

export function service(all: IDataObject[], totals: Partial<{ totalPages: number; totalRecords: number }> = {}) {
  const asked: number[] = [];
  const page = async (number: number, count: number): Promise<Answer> => {
    asked.push(number);
    return await Promise.resolve({
      ok: true,
      record: all.slice(number * count, (number + 1) * count),
      totalPages: Math.ceil(all.length / count),
      totalRecords: all.length,
      ...totals,
    });
  };
  return { asked, page };
}

export const fetchWithoutTotal = async (...how: Parameters<typeof fetchList>) => {
  const result = await fetchList(...how);
  if ('records' in result) delete result.total;
  return result;
};
