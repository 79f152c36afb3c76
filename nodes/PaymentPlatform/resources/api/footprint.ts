import { comparableText, type WriteValues, type Footprint } from '../../model/footprint';
import { safePath } from './path';

const pathOf = ({ node }: WriteValues) => safePath(node?.lookUpPath, []) ?? '';

/**
 * Finds a new record at the path that the user entered. The record is proof only if no record existed there before the
 * request.
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
