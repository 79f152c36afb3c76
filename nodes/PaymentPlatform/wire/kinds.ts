/**
 * Type of a field's values in the output, regardless of the type in the response (records.md). A `flag` is true or
 * false, a `day` is yyyy-MM-dd, and an `instant` is an ISO 8601 timestamp with an offset. For a `pacificInstant`, the
 * service omits the offset of Pacific time.
 */
export type Kind = 'number' | 'text' | 'flag' | 'day' | 'instant' | 'pacificInstant';
