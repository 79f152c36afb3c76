import type { WriteValues, Footprint } from '../../model/footprint';
import { comparableText } from '../merge-with-current';
import { safePath } from './path';

/** The path that a person named, and that `shape` has checked. */
const pathOf = ({ node }: WriteValues) => safePath(node?.lookUpPath, []) ?? '';

/**
 * What is at the path that a person names, where nothing was before. Of its kind nothing is known, so nothing else has to
 * agree.
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
  agreement: 'something is there',
};
