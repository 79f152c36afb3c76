import type { FieldBase } from './types';

type Marked = 'money' | 'reference' | 'wording' | 'technical' | 'assumed' | 'caseless';

/** What is known of a field's value, for another field that stands for it. */
export const marksOf = ({ money, reference, wording, technical, assumed, caseless }: Pick<FieldBase, Marked>) => ({
  ...(money && { money }),
  ...(reference && { reference }),
  ...(wording !== undefined && { wording }),
  ...(technical && { technical }),
  ...(assumed !== undefined && { assumed }),
  ...(caseless && { caseless }),
});
