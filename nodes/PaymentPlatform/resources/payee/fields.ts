import { text } from '../../fields/text';
import type { Field } from '../../fields/types';

/** The payee that a path names. */
export const payeeId = (): Field =>
  text({
    name: 'payee_id',
    label: 'Payee ID',
    wording: false,
    description: 'ID of the payee in the payee vault',
    placeholder: 'e.g. 9001',
    place: 'path',
    required: true,
    maxLength: 32,
  });
