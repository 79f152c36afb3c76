import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { asText, objectIn } from '../../shared/objects';
import { id, words } from '../engine/line-parts';
import { paymentMethodPart } from '../engine/payment-method';
import { searchList } from '../engine/list-search';
import type { ListEntry, Picker } from '../engine/picker';

const payees: Picker = {
  of: 'payees',
  path: '/platform/vault/payee',
  identity: 'payee_id',
  searched: { words: ['payee_id', 'payee_name', 'payee_phone'] },
  ownWords: new Set(['bank', 'account']),
  entries: payeeEntry,
  add: 'name or ID',
};

function payeeEntry(payee: IDataObject): ListEntry[] {
  const { dda_number: number } = objectIn(payee.payee_account);
  const shown = [
    words(asText(payee.payee_name)),
    ...(number === undefined ? [] : [paymentMethodPart('AP', number)]),
    id(asText(payee.payee_id)),
  ];
  const known = [payee.payee_email, payee.payee_phone].map((text) => words(asText(text)));
  return [{ id: asText(payee.payee_id), shown, known }];
}

export async function searchPayees(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  return await searchList(this, payees, search, paginationToken);
}
