/**
 * Type of a field's values in the output, regardless of the type in the response (records.md): a number, text, true or
 * false, a day yyyy-MM-dd, or an ISO instant with its offset. In a `pacificInstant`, the service leaves out the offset
 * of Pacific time.
 */
export type Kind = 'number' | 'text' | 'flag' | 'day' | 'instant' | 'pacificInstant';
