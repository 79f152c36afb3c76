import type { TextOptions } from './text';
import { text } from './text';
import type { Field } from './types';
import { commonProperty } from './value';

export interface LocatorOptions extends TextOptions {
  /** Name of the list search method behind "From List". */
  search: string;
}

/** The ID of one record: picked from a searchable list, or given by ID. */
export function locator(options: LocatorOptions): Field {
  return {
    ...text(options),
    properties: () => [
      {
        ...commonProperty({ ...options, placeholder: undefined }),
        type: 'resourceLocator',
        default: { mode: 'list', value: '' },
        modes: [
          {
            displayName: 'From List',
            name: 'list',
            type: 'list',
            typeOptions: { searchListMethod: options.search, searchable: true },
          },
          { displayName: 'By ID', name: 'id', type: 'string', placeholder: options.placeholder },
        ],
      },
    ],
  };
}
