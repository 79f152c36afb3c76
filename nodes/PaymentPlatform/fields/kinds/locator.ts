import type { Pattern } from '../../wire/patterns';
import { entries, trimmed } from './multiple-values';
import { integer, type IntegerOptions } from './number';
import type { SearchName } from '../searches';
import { checkText, type TextOptions } from './text';
import type { ValueField } from '../types';
import { BY_REFERENCE, describe, valueField } from '../value';

/** The ID is text or a whole number. */
export type LocatorOptions = (TextOptions | (IntegerOptions & { type: 'integer' })) & {
  search: SearchName;
  /** Placeholder of a reference that users can enter instead of the ID. */
  byReference?: string;
};

/** Users often know only a record's number or name. */
export const USE_LIST = ', or choose "From List" to search by another value';

const ofAnId = ({ matches, allowed }: Pattern): Pattern => ({
  matches,
  allowed: `${allowed}${USE_LIST}`,
});

/** Users select a record from a searchable list or enter its ID. */
export function locator({ placeholder, search, byReference, ...given }: LocatorOptions): ValueField {
  const options =
    given.type === 'integer' ? given : { ...given, ...(given.pattern && { pattern: ofAnId(given.pattern) }) };
  const typeOptions = { searchListMethod: search, searchable: true };
  return valueField(
    options,
    {
      type: 'resourceLocator',
      default: { mode: 'list', value: '' },
      modes: [
        { displayName: 'From List', name: 'list', type: 'list', typeOptions },
        { displayName: 'By ID', name: 'id', type: 'string', placeholder },
        ...(byReference === undefined
          ? []
          : [{ displayName: 'By Reference', name: BY_REFERENCE, type: 'string' as const, placeholder: byReference }]),
      ],
    },
    options.type === 'integer' ? integer(options).convert : checkText({ ...options, isId: true }),
  );
}

/**
 * Sent as an array without duplicates. Users select one ID from a list, enter IDs separated by commas, or use an
 * expression.
 */
export function locatorList(
  options: Omit<TextOptions, 'type'> & { type?: 'texts'; search: SearchName; perRequest?: number },
): ValueField {
  const { perRequest, ...given } = options;
  const one = locator({ ...given, type: 'text' });
  return {
    ...one,
    ...(perRequest !== undefined && { perRequest }),
    convert: (value, problem, context) => {
      const ids = entries(value).map((entry) =>
        one.convert(entry, (allowed) => problem(allowed, { found: describe(trimmed(entry)) }), context),
      );
      return ids.length > 0 ? [...new Set(ids)] : problem('is required', { found: 'nothing' });
    },
  };
}
