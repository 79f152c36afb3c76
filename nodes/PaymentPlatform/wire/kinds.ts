// Written by hand, unlike the generated files of this folder.
/**
 * Type in the node's output (records.md). An `instant` is an ISO 8601 timestamp with an offset. A `pacificInstant`
 * without an offset is in Pacific time.
 */
export type Kind = 'number' | 'text' | 'flag' | 'day' | 'instant' | 'pacificInstant';
