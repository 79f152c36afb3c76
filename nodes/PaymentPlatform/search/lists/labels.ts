import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { asText } from '../../shared/objects';
import { chosenRecord } from '../engine/linked';
import { words } from '../engine/line-parts';
import { searchList } from '../engine/list-search';
import type { ListEntry, Picker } from '../engine/picker';
import { said } from '../engine/service';

export async function searchLabels(
  this: ILoadOptionsFunctions,
  search?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  const subscription = chosenRecord(this, 'subscription_id');
  if (subscription === undefined)
    throw said(
      this.getNode(),
      'No subscription is selected',
      'Select the subscription first. The list shows the labels of that subscription.',
    );
  const labels: Picker = {
    of: 'labels',
    path: `/platform/subscription/${subscription}/labels/browse`,
    identity: 'name',
    searched: { words: ['name', 'value'] },
    entries: labelEntry,
    add: 'name or value',
  };
  return await searchList(this, labels, search, paginationToken);
}

function labelEntry({ name, value }: IDataObject): ListEntry[] {
  return [{ id: asText(name), shown: [words(asText(name)), words(asText(value))], known: [] }];
}
