import { comparableText, type WriteValues, type Footprint } from '../../model/footprint';
import { safePath } from './path';

/** Returns the path that the user chose, which `shape` has checked. */
const pathOf = ({ node }: WriteValues) => safePath(node?.lookUpPath, []) ?? '';

/**
 * Record at the path that the user entered. No record may have existed there before. The type of the record is unknown,
 * so the node compares nothing else.
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
