import { textOf, type TextOptions } from './text';
import type { ValueField } from './types';
import { valueField } from './value';

export interface LocatorOptions extends TextOptions {
  /** Name of the list search method behind "From List". */
  search: string;
}

/** The ID of one record: picked from a searchable list, or given by ID. */
export function locator({ placeholder, search, ...options }: LocatorOptions): ValueField {
  const typeOptions = { searchListMethod: search, searchable: true };
  return valueField(
    options,
    {
      type: 'resourceLocator',
      default: { mode: 'list', value: '' },
      modes: [
        { displayName: 'From List', name: 'list', type: 'list', typeOptions },
        { displayName: 'By ID', name: 'id', type: 'string', placeholder },
      ],
    },
    textOf(options),
  );
}
