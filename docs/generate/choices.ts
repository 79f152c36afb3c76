import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Operation } from '../../nodes/PaymentPlatform/model/types';
import { optionLists, type OptionList } from '../../nodes/PaymentPlatform/panel/load-options';

const LISTS: Partial<Record<string, OptionList>> = optionLists;

/** Returns a parameter's options, including lists that the editor loads from the node. */
export function choicesOf(
  { options = [], typeOptions }: INodeProperties,
  operation?: Operation,
): INodePropertyOptions[] {
  const list = LISTS[String(typeOptions?.loadOptionsMethod)];
  return list?.(operation) ?? options.flatMap((option) => ('value' in option ? [option] : []));
}
