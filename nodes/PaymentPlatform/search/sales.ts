import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { asText } from '../shared/objects';
import { searchPage } from './page';

const SEARCHED = ['pg_id', 'purchase_id', 'cardholder_first_name', 'cardholder_last_name', 'merch_ref_num'];

/** Sales of the transaction report for "From List", newest first as the service sorts them (docs/service.md#lists). */
export async function searchSales(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  return await searchPage(
    this,
    {
      path: '/platform/reporting/transaction-requests',
      filters: ['request_type,IS,sale'],
      searched: SEARCHED,
      entries: (record) => [{ name: saleName(record), value: asText(record.pg_id) }],
    },
    search,
    paginationToken,
  );
}

function saleName(record: IDataObject): string {
  const person = [record.cardholder_first_name, record.cardholder_last_name].map(asText).filter(Boolean).join(' ');
  const day = asText(record.tran_time).slice(0, 10);
  return [asText(record.amt_tran), person, day, asText(record.purchase_id), asText(record.pg_id)]
    .filter(Boolean)
    .join(', ');
}
