import { FREQUENCIES } from '../../fields/frequencies';
import { asText } from '../../shared/objects';
import { CODE_WORDS } from '../../wire/words';
import { folded } from './terms';

const SHOWN = CODE_WORDS.getPlan?.plan_frequency ?? {};

export const frequencyWords = (value: unknown): string => SHOWN[asText(value)] ?? '';

/** Returns the editor's label, which the search also matches. */
export const frequencyLabel = (value: unknown): string =>
  FREQUENCIES.find((one) => String(one.value) === asText(value))?.name ?? '';

/** The service has no searchable field for billing frequencies. */
export const FREQUENCY_WORDS: readonly string[] = [...Object.values(SHOWN), ...FREQUENCIES.map(({ name }) => name)]
  .map(folded)
  .flatMap((text) => [...text.split(' '), ...text.split(/[ -]/)]);
