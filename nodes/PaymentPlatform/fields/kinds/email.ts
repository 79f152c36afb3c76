import { text, type TextOptions } from './text';
import type { ValueField } from '../types';

/** One address: what is before and after the sign, with a point in the latter. A second address is none of its parts. */
export const EMAIL_ADDRESS = /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+$/;

/** One e-mail address, sent as text. */
export const email = (options: Omit<TextOptions, 'pattern' | 'secret' | 'rows'>): ValueField =>
  text({
    ...options,
    caseless: true,
    pattern: { matches: EMAIL_ADDRESS, allowed: 'must be one e-mail address such as ana@example.com' },
  });
