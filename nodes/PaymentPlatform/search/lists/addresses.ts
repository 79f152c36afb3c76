import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { asText, objectsIn } from '../../shared/objects';
import { chosenCustomer, moreOf, ownerParts, vault } from './customers';
import { id, words } from '../engine/line-parts';
import { searchList } from '../engine/list-search';
import type { ListEntry, Picker } from '../engine/picker';

/** Limited to the selected customer, if any. */
export async function searchAddresses(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  const { isChosen, ...ofCustomer } = chosenCustomer(this);
  const addresses: Picker = {
    ...vault,
    ...ofCustomer,
    of: 'addresses',
    ownWords: new Set(['primary']),
    entries: (customer) => addressEntries(customer, !isChosen),
    add: 'name, street, city or ID',
  };
  return await searchList(this, addresses, search, paginationToken);
}

const joined = (address: IDataObject, names: string[]) =>
  names.map((name) => asText(address[`shipping_${name}`]).trim()).filter(Boolean);

function addressEntries(customer: IDataObject, withOwner: boolean): ListEntry[] {
  return objectsIn(customer.shipping_addresses).map((address) => {
    const shown = [
      words(joined(address, ['first_name', 'last_name']).join(' ')),
      words(joined(address, ['firm_name']).join(' ')),
      words(joined(address, ['addr1', 'addr2']).join(', ')),
      words(joined(address, ['city', 'state', 'zip']).join(' ')),
      words(address.primary ? 'primary' : ''),
      ...(withOwner ? ownerParts(customer) : []),
    ];
    const number = asText(address.shipping_id);
    return { id: number, shown: [...shown, id(number)], known: [words(moreOf(customer))] };
  });
}
