import { text } from '../../fields/text';
import type { Field } from '../../fields/types';
import type { TextFact } from '../../wire/facts';

/** The payee that a path names. */
export const payeeId = (fact: TextFact): Field =>
  text({
    ...fact,
    label: 'Payee ID',
    wording: false,
    description: 'ID of the payee in the payee vault',
    placeholder: 'e.g. 9001',
  });
