import { locator } from '../../fields/kinds/locator';
import type { Field } from '../../fields/types';
import type { TextFact } from '../../wire/facts';

/** Payee in the path of a request. */
export const payeeId = (fact: TextFact): Field =>
  locator({
    ...fact,
    label: 'Payee',
    notIdentifying: false,
    description: 'Payee to use. Search by name, or enter the payee ID.',
    search: 'searchPayees',
    placeholder: 'e.g. 9001',
  });
