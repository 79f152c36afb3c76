import { FREQUENCIES } from '../../fields/frequencies';
import { asText } from '../../shared/objects';
import { CODE_WORDS } from '../../wire/words';
import { folded } from './terms';

const SHOWN = CODE_WORDS.getPlan?.plan_frequency ?? {};

/** Returns the words that a list entry shows for a billing frequency. */
export const frequencyWords = (value: unknown): string => SHOWN[asText(value)] ?? '';

/** Returns the editor's label for a billing frequency, which the search also matches. */
export const frequencyLabel = (value: unknown): string =>
  FREQUENCIES.find((one) => String(one.value) === asText(value))?.name ?? '';

/** Words about billing frequencies, for which the service has no searchable field. */
export const FREQUENCY_WORDS: readonly string[] = [...Object.values(SHOWN), ...FREQUENCIES.map(({ name }) => name)]
  .map(folded)
  .flatMap((text) => [...text.split(' '), ...text.split(/[ -]/)]);
