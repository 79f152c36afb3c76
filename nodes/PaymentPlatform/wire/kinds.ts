/**
 * The type that the values of a field have in an output, whatever the service gives (records.md): a number, text, true
 * or false, a day yyyy-MM-dd, or an ISO instant with its offset. Of a `pacificInstant` the service leaves out the offset of
 * Pacific time.
 */
export type Kind = 'number' | 'text' | 'flag' | 'day' | 'instant' | 'pacificInstant';
