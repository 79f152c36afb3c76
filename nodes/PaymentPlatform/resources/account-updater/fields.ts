import { locator } from '../../fields/kinds/locator';
import type { Field } from '../../fields/types';
import type { TextFact } from '../../wire/facts';

export const requestId = (fact: TextFact): Field =>
  locator({
    ...fact,
    label: 'Request',
    description: 'Search by date or status, or enter the request_id',
    search: 'searchUpdaterRequests',
    placeholder: 'e.g. 4711',
  });
