import { text, type TextOptions } from './text';
import type { ValueField } from '../types';

/**
 * A reference by which a person finds the request again. Where none is given, the node makes one before it recognises
 * requests: it is the same in every further try of the item, and no other item has it.
 * @param options with a greatest length of 20 characters or more
 */
export const madeReference = (options: TextOptions): ValueField => ({
  ...text({ ...options, wording: true }),
  otherwise: ({ reference }) => reference?.(),
});
