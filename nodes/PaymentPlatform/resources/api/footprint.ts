import { comparableText, type WriteValues, type Footprint } from '../../model/footprint';
import { safePath } from './path';

/** Returns the path that the user entered. `shape` has already checked the path. */
const pathOf = ({ node }: WriteValues) => safePath(node?.lookUpPath, []) ?? '';

/**
 * Finds a created record at the path that the user entered. The record is proof only if no record existed at the path
 * before the request. The node compares no values, because the type of the record is unknown.
 */
export const requestFootprint: Footprint = {
  list: { path: '', pathOf, identity: '' },
  filter: () => [],
  isIdentifiable: ({ node }) =>
    comparableText(node?.lookUpPath) !== '' && (node?.method === 'POST' || node?.method === 'PUT'),
  key: pathOf,
  lifetime: 'minutes',
  matches: () => true,
  where: 'the path of "Look Up With GET"',
  agreement: 'a record exists at the path',
};
